/** What a file that no kind shows is taken for, and what to publish in its place. */
import type { Fault } from "../../failures.ts"
import { extensionFor } from "./file-names.ts"

const SHOWN = "Publish HTML, Markdown, plain text, CSV, TSV, JSON, JSON lines, PDF, a zip of a site, an image or a video."

const OTHERWISE: ReadonlyArray<readonly [types: RegExp, advice: string]> = [
  [/spreadsheet|ms-excel|apple\.numbers|iwork-numbers/, "Save it as CSV or PDF, then publish that."],
  [/msword|ms-word|wordprocessingml|ms-powerpoint|presentation|opendocument\.text|[/]rtf|epub|apple\.(?:pages|keynote)|iwork-(?:pages|keynote)/, "Save it as PDF, then publish that."],
  [/^multipart[/]form-data$/, "A form goes to POST /v1/projects. Here the body is the file itself."],
  [/[/](?:x-)?(?:gzip|tar|7z-compressed|rar-compressed|vnd\.rar|bzip2?|xz|zstd)$/, "Unpack it, then publish what is in it; several files as a zip."],
  [/^audio\//, "Sound is for sites: publish it in a folder whose index.html plays it."]
]

const adviceOn = (type: string): string | undefined => OTHERWISE.find(([types]) => types.test(type))?.[1]

/** The name is of a kind that is shown, the bytes are of none. */
export const unlike = (ending: string): Fault => ({
  field: "Content-Type",
  message: `The bytes of this file are not those of a .${ending} file. It may be damaged or cut short: see whether it opens where it was made, and save it again.`
})

export const nothing = (): Fault => ({ field: "body", message: "The file is empty. See whether it opens where it was made, and save it again." })

/** `type`: what it is taken for; `named`: what its name says, unless that can be shown. Both may be "". */
export const unshown = (type: string, named: { readonly ending: string; readonly type: string }): Fault => {
  const [found, said] = [adviceOn(type), adviceOn(named.type)]
  const ending = /^\w{1,16}$/.test(named.ending) && (found === undefined || found === said) ? named.ending : extensionFor(type)
  return { field: "Content-Type", message: `${ending === "" ? "" : `svc cannot show .${ending} files. `}${found ?? said ?? SHOWN}` }
}
