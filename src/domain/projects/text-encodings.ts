/** In which encoding a text is served: what its bytes show, else what was declared, else UTF-8. */

/** The label's own name, or undefined for one that no browser knows. */
const known = (label: string | undefined): string | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** `stream`: the head may end inside a character. */
const isUtf8 = (head: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Undefined where nobody can say: the document's own `<meta charset>`, or the browser, then decides. */
export const encodingOf = (head: Uint8Array, declared: string | undefined): string | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le"
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be"
  const label = known(declared)
  if (!isUtf8(head)) return label === "utf-8" ? undefined : label
  // Pure ASCII so far says nothing about the rest of the text.
  return head.every((byte) => byte < 0x80) ? label ?? "utf-8" : "utf-8"
}

/** Of text that says nothing of itself and is no UTF-8, as spreadsheets save it; one that has a character of UTF-8 has a broken byte. */
export const oldEncodingOf = (head: Uint8Array): string | undefined =>
  /[^\x00-\x7f\uFFFD]/.test(new TextDecoder().decode(head, { stream: true })) ? undefined : "windows-1252"

/** Whether bytes of an unknown kind read as text: UTF-8 without control characters, or marked as UTF-16. */
export const isText = (head: Uint8Array): boolean =>
  encodingOf(head, undefined)?.startsWith("utf-16") === true ||
  (isUtf8(head) && head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b))
