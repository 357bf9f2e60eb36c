/** Which page of a site an address leads to: `/`, `/index` and `/index.html` are one file, `/about` and `/about.html` another. Pure. */
const pageOf = (path: string): string => path.replace(/([^/])\.html$/, "$1").replace(/\/index$/, "/")

/** Percent-encoded, which paths that were kept before and some browsers' addresses are not, and in NFC, in which the service looks for it. */
const spelt = (path: string): string => {
  try {
    return pageOf(path.split("/").map((part) => encodeURIComponent(decodeURIComponent(part).normalize("NFC"))).join("/"))
  } catch {
    return pageOf(path)
  }
}

export const isSamePage = (one: string, other: string): boolean => spelt(one) === spelt(other)
