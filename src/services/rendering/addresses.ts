/** Where a document's addresses lead: within the project, elsewhere, or nowhere. */

/** Stands for the project's own origin; no address can name it. */
const HERE = "https://project.invalid"

export interface Destination {
  readonly where: "document" | "project" | "elsewhere"
  readonly href: string
  /** Of an address in the project: decoded as published paths are, without the leading slash. */
  readonly path: string
}

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part).normalize("NFC")
  } catch {
    return undefined
  }
}

/** As written on Windows: Markdown keeps the backslashes of a path, which in HTML are slashes and can be in no name of a file. */
const slashed = (address: string): string => URL.canParse(address) ? address : address.replace(/^[^?#]*/, (path) => path.replaceAll(/%5c/gi, "/"))

/** Undefined where a link must not lead. `from` is the document's path. */
export const destinationOf = (written: string, from: string): Destination | undefined => {
  const address = slashed(written)
  const base = `${HERE}/${from.split("/").map(encodeURIComponent).join("/")}`
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (url.protocol === "mailto:" || url.protocol === "tel:") return { where: "project", href: url.href, path: "" }
  if (url.origin !== HERE) return /^https?:$/.test(url.protocol) ? { where: "elsewhere", href: url.href, path: "" } : undefined
  const path = decoded(url.pathname.slice(1))
  // Our own routes perform actions, and `//host` would be another site.
  if (path === undefined || url.pathname.startsWith("//") || /^_svc(?:\/|$)/i.test(path)) return undefined
  if (path === from && url.search === "") return { where: "document", href: url.hash || "#", path }
  return { where: "project", href: url.pathname + url.search + url.hash, path }
}
