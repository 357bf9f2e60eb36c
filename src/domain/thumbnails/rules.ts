/** What has a thumbnail: documents that have no words to show, as far as they can be drawn. */
import { NotFound } from "../failures.ts"
import type { Asset } from "../hosting/model.ts"
import type { Kind, Project } from "../projects/model.ts"

const KINDS: ReadonlySet<Kind | null> = new Set<Kind>(["image", "pdf"])

/** An SVG is none of them: it is drawn by a program of its own. */
const TYPES: ReadonlySet<string> = new Set([
  "application/pdf", "image/avif", "image/bmp", "image/gif", "image/heic", "image/jpeg", "image/png", "image/tiff", "image/webp"
])

/** Larger files are not read. */
const LARGEST = 32 * 1024 * 1024

export const hasThumbnail = ({ kind }: Pick<Project, "kind">): boolean => KINDS.has(kind)

export const isDrawable = ({ length, type }: Pick<Asset, "length" | "type">): boolean => TYPES.has(type) && length <= LARGEST

export const noThumbnail = () => new NotFound({ message: "There is no thumbnail of this version.", field: "version" })
