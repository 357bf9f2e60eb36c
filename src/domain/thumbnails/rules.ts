/** What is drawn: small, documents that have no words to show, as far as that can be done; in full, pictures that most browsers do not show. */
import { DateTime } from "effect"
import { NotFound } from "../failures.ts"
import type { Asset } from "../hosting/model.ts"
import type { Kind, Project } from "../projects/model.ts"

const KINDS: ReadonlySet<Kind | null> = new Set<Kind>(["image", "pdf"])

/** An SVG is none of them: it is drawn by a program of its own. */
const TYPES: ReadonlySet<string> = new Set([
  "application/pdf", "image/avif", "image/bmp", "image/gif", "image/heic", "image/heif", "image/jpeg", "image/png", "image/tiff", "image/webp"
])

/** Photographs of telephones, and what scanners make. */
const FOREIGN: ReadonlySet<string> = new Set(["image/heic", "image/heif", "image/tiff"])

/** Larger files are not read. */
const LARGEST = 32 * 1024 * 1024

export const hasThumbnail = ({ kind }: Pick<Project, "kind">): boolean => KINDS.has(kind)

/** What could not be drawn may have come at a bad moment, or before a release that can. */
const AGAIN_AFTER = { days: 7 }

/** Whether a version is to be drawn, once it is met without a thumbnail. False where nobody looked for one. */
export const isDue = ({ drawnAt, thumbnail }: Pick<Project, "drawnAt" | "thumbnail">, now: DateTime.Utc): boolean =>
  thumbnail === null && (drawnAt === null || (drawnAt !== undefined && DateTime.isLessThanOrEqualTo(DateTime.add(drawnAt, AGAIN_AFTER), now)))

export const isDrawable = ({ length, type }: Pick<Asset, "length" | "type">): boolean => TYPES.has(type) && length <= LARGEST

/** Whether most browsers do not show it. */
export const isForeign = ({ type }: Pick<Asset, "type">): boolean => FOREIGN.has(type)

/** What came of drawing a version, where that was done. */
export interface Drawn {
  readonly drawnAt: DateTime.Utc
  /** Whether it has a thumbnail. */
  readonly small: boolean
  /** The one that was asked for. */
  readonly picture: Uint8Array | null
}

/** Whether what is missing is to be drawn, now that it is asked for: earlier releases drew small alone what browsers do not show. */
export const isDueStill = ({ drawnAt, picture, small }: Drawn, now: DateTime.Utc): boolean =>
  picture === null && (small || isDue({ drawnAt, thumbnail: null }, now))

export const noThumbnail = () => new NotFound({ message: "There is no thumbnail of this version.", field: "version" })
