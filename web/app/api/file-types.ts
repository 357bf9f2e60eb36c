/** As what a file is sent. Browsers repeat what a system makes of a name, which is not always what the service takes. */

/** What the service takes at its word, whoever says it. */
const TAKEN = /^(?:image\/.+|video\/.+|text\/(?:html|(?:x-)?markdown|plain|csv)|application\/(?:json|(?:x-)?ndjson|(?:x-)?jsonl|(?:x-)?jsonlines|(?:x-)?pdf|zip|x-zip-compressed))$/

/** Systems call a table by the program that opens it, and TypeScript a film. Of anything else the service finds out itself what it is. */
export const typeToSend = ({ name, type }: Pick<File, "name" | "type">): string => {
  if (/\.csv$/i.test(name) && type !== "") return "text/csv"
  const isCode = /\.[cm]?tsx?$/i.test(name) && type.startsWith("video/")
  return TAKEN.test(type) && !isCode ? type : "application/octet-stream"
}

export const typed = (file: File): File => {
  const type = typeToSend(file)
  return type === file.type ? file : new File([file], file.name, { type, lastModified: file.lastModified })
}
