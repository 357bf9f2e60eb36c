/** The files of a version, in pages. A cursor names its version, so that all pages of one listing are of the same version. */
import { Result, Schema } from "effect"
import { invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import { inPathOrder } from "../hosting/model.ts"
import type { Manifest } from "../hosting/model.ts"
import { VersionNumber } from "./model.ts"

const isVersionNumber = Schema.is(VersionNumber)

export interface FileCursor {
  readonly version: number
  /** The path after which the page starts. */
  readonly after: string
}

const cursorOf = ({ after, version }: FileCursor): string => Buffer.from(`${version}/${after}`).toString("base64url")

export const readCursor = (cursor: string): Result.Result<FileCursor, Invalid> => {
  const [, version, after] = /^([1-9]\d{0,9})\/(.+)$/s.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? []
  return version === undefined || after === undefined || !isVersionNumber(Number(version))
    ? Result.fail(invalid({ field: "cursor", message: "This is not a valid cursor." }))
    : Result.succeed({ version: Number(version), after })
}

/** In the order of their paths. */
export const filePage = (manifest: Manifest, version: number, after: string | undefined, limit: number) => {
  const all = inPathOrder(manifest)
  const rest = after === undefined ? all : all.filter(([path]) => path > after)
  const page = rest.slice(0, limit)
  return {
    version,
    files: page.map(([path, { hash, length, type }]) => ({ path, sizeBytes: length, sha256: hash, type })),
    nextCursor: rest.length > page.length ? cursorOf({ version, after: page.at(-1)![0] }) : null
  }
}
