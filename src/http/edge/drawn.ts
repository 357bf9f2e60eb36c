/** `?drawn=small` or `?drawn=whole` of a document: what was drawn of it, as a WebP. */
import { createHash } from "node:crypto"
import type { Option } from "effect"
import type { Asset } from "../../domain/hosting/model.ts"
import type { As } from "../../domain/hosting/raw-files.ts"
import type { VersionId } from "../../domain/projects/model.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import type { Body } from "./holdings.ts"

/** None where there is no such drawing, or not soon. */
export type Draw = (workspaceId: WorkspaceId, version: VersionId, entry: Asset, as: As) => Promise<Option.Option<Uint8Array>>

export type Drawn = (...picture: Parameters<Draw>) => Promise<Body | undefined>

/** Undefined where there is none. */
export const drawnBy = (draw: Draw): Drawn => async (workspaceId, version, asset, as) => {
  const drawn = await draw(workspaceId, version, asset, as)
  if (drawn._tag === "None") return undefined
  const made = Buffer.from(drawn.value.buffer, drawn.value.byteOffset, drawn.value.length)
  return { ...asset, type: "image/webp", length: made.length, hash: createHash("sha256").update(made).digest("hex"), made }
}
