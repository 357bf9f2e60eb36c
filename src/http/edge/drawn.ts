/** `?drawn=small` or `?drawn=whole` of a document: what was drawn of it, as a WebP. */
import { createHash } from "node:crypto"
import type { Option } from "effect"
import type { Asset } from "../../domain/hosting/model.ts"
import type { As } from "../../domain/hosting/raw-files.ts"
import type { VersionId } from "../../domain/projects/model.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import type { Body } from "./memory/holdings.ts"
import { Shared } from "./memory/lanes.ts"
import { Memory } from "./memory/memory.ts"

/** None where there is no such drawing, or not soon. */
export type Draw = (workspaceId: WorkspaceId, version: VersionId, entry: Asset, as: As) => Promise<Option.Option<Uint8Array>>

export type ReadDrawn = (...picture: Parameters<Draw>) => Promise<Body | undefined>

/** Memory for pictures: what was drawn of a version never changes. */
const BYTES = 16 * 1024 * 1024

/** Undefined where there is none. */
export const drawnBy = (draw: Draw): ReadDrawn => {
  const memory = new Memory<Body>(BYTES)
  const shared = new Shared<Body | undefined>()

  const read = async (key: string, ...picture: Parameters<Draw>): Promise<Body | undefined> => {
    const drawn = await draw(...picture)
    if (drawn._tag === "None") return undefined
    const { buffer, byteOffset, length } = drawn.value
    const made = Buffer.from(buffer, byteOffset, length)
    const body = { ...picture[2], type: "image/webp", length, hash: createHash("sha256").update(made).digest("hex"), made }
    memory.put(key, body, length)
    return body
  }
  return async (workspaceId, version, asset, as) => {
    const key = `${version} ${as}`
    return memory.get(key) ?? shared.load(key, () => read(key, workspaceId, version, asset, as))
  }
}
