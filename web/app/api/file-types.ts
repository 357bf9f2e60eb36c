/** The type that a file is sent with. Browsers repeat what the system makes of its name, which the service may not accept. */

/** Types that the service accepts as declared. */
const TAKEN = /^(?:image\/.+|video\/.+|text\/(?:html|(?:x-)?markdown|plain|csv|tab-separated-values)|application\/(?:json|(?:x-)?ndjson|(?:x-)?jsonl|(?:x-)?jsonlines|(?:x-)?pdf|zip|x-zip-compressed))$/

/** Systems name a CSV's type after the program that opens it, and take TypeScript for video. The service detects all other types itself. */
export const typeToSend = ({ name, type }: Pick<File, "name" | "type">): string => {
  if (/\.csv$/i.test(name) && type !== "") return "text/csv"
  const isCode = /\.[cm]?tsx?$/i.test(name) && type.startsWith("video/")
  return TAKEN.test(type) && !isCode ? type : "application/octet-stream"
}

export const typed = (file: File): File => {
  const type = typeToSend(file)
  return type === file.type ? file : new File([file], file.name, { type, lastModified: file.lastModified })
}
