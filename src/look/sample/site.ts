/** A small finished site that shows at once what a published document looks like: a quarterly report of an invented company. */
import { readFileSync } from "node:fs"
import { faces } from "../faces.ts"

export interface SampleFile {
  /** Within the site, no leading slash. */
  readonly path: string
  readonly content: Uint8Array
}

const file = (path: string): SampleFile => ({ path, content: readFileSync(new URL(`files/${path}`, import.meta.url)) })

const typeface = [...faces].filter(([name]) => name.startsWith("instrument-sans")).map(([, { bytes }]): SampleFile => ({
  path: "fonts/instrument-sans.woff2",
  content: bytes.identity
}))

export const sampleSite: ReadonlyArray<SampleFile> = [
  ...["index.html", "notes.html", "404.html", "styles.css", "data.csv"].map(file),
  ...typeface
]
