/** How long a staged upload lasts, how much it may hold, and when it is complete (CONTRACT §10). */
import { DateTime, Result } from "effect"
import { Conflict, invalid, NotFound } from "../failures.ts"
import type { Invalid, UploadTooLarge } from "../failures.ts"
import { tooLarge } from "../projects/receiving.ts"
import type { Chunk, OpenUpload, Upload, UploadEnd } from "./model.ts"

/** From when it began. Far less than the day after which unnamed bytes are collected. */
export const LASTS = { minutes: 60 } as const

/** How long an attempt to publish excludes others, unless it fails earlier; after this, its process is taken to have died. */
export const CLAIM_LASTS = { minutes: 15 } as const

/** From then on nobody can still be reading its chunks. */
export const SWEPT_AFTER = { minutes: LASTS.minutes + CLAIM_LASTS.minutes } as const

export const CHUNK_BYTES = 256 * 1024

/** A quarter of this would do for the largest plan if every chunk were full, but clients need not fill them. */
export const MAX_CHUNKS = 16_384

/** Per account. */
const OPEN_AT_ONCE = 4

/** The same refusal for an upload that is unknown, somebody else's, finished or too old. */
export const noSuchUpload = () => new NotFound({ message: "There is no such upload: it is published or given up, or its hour is over. See what list_versions shows before you begin another with begin_upload.", field: "upload_id" })

/** What was meant for a project that was private may have become a public one at the address that it left. */
export const movedAway = () => new NotFound({ message: "The project that this upload was begun for was renamed or deleted meanwhile. Begin another with begin_upload.", field: "upload_id" })

export const expiresAt = (upload: Pick<Upload, "createdAt">): DateTime.Utc => DateTime.add(upload.createdAt, LASTS)

export const stands = (upload: Upload, now: DateTime.Utc): boolean => DateTime.isLessThan(now, expiresAt(upload))

export const underWay = () => new Conflict({ message: "This upload is being published right now. Look at the project in a moment." })

export const isClaimed = ({ claimedAt }: Upload, now: DateTime.Utc): boolean =>
  claimedAt !== null && DateTime.isLessThan(now, DateTime.add(claimedAt, CLAIM_LASTS))

/** The caller's own are named, for one who lost sight of them. */
export const room = (open: ReadonlyArray<OpenUpload>): Result.Result<void, Conflict> =>
  open.length < OPEN_AT_ONCE
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({
      message: `${OPEN_AT_ONCE} uploads are open. Finish one, or give one of details.uploads up by instead_of; each ends an hour after it began.`,
      field: "instead_of",
      details: { uploads: open.map(({ createdAt, id, slug }) => ({ upload_id: id, slug, expires_at: DateTime.formatIso(expiresAt({ createdAt })) })) }
    }))

/** The total with this chunk, which replaces an earlier one of the same index. */
export const fits = (
  upload: Upload,
  chunks: ReadonlyArray<Chunk>,
  index: number,
  length: number
): Result.Result<number, UploadTooLarge> => {
  const total = chunks.reduce((sum, chunk) => chunk.index === index ? sum : sum + chunk.length, length)
  return total <= upload.maxBytes ? Result.succeed(total) : Result.fail(tooLarge(upload.maxBytes))
}

/** The total size, if every chunk from 0 on is there, and what was announced: by their indexes alone, nobody could tell that the last ones are missing. */
export const whole = (chunks: ReadonlyArray<Chunk>, announced: number | null): Result.Result<number, Invalid> => {
  const missing = chunks.findIndex((chunk, place) => chunk.index !== place)
  const next = missing === -1 ? chunks.length : missing
  if (chunks.length === 0 || missing !== -1) return Result.fail(invalid({ field: "upload_id", message: `Chunk ${next} has not arrived. Send it with append_upload.` }))
  const total = chunks.reduce((sum, { length }) => sum + length, 0)
  return total === (announced ?? total)
    ? Result.succeed(total)
    : Result.fail(invalid({
      field: "size_bytes",
      message: `The chunks come to ${total} bytes, and ${announced} were announced. Send what is missing or wrong with append_upload; if this is the whole file, say size_bytes ${total}.`
    }))
}

/** A file that goes into a site cannot carry settings of the project. */
export const placed = ({ path, settings = {} }: UploadEnd): Result.Result<void, Invalid> => {
  const other = Object.entries(settings).find(([, value]) => value !== undefined)?.[0]
  return path === undefined || other === undefined
    ? Result.succeed(undefined)
    : Result.fail(invalid({ field: "path", message: "With a path only that file changes. Use update for the project’s settings." }))
}
