/** The Range header (RFC 9110 §14): a single range of bytes is honoured, any other header ignored. */

export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

const SINGLE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/** "whole" where the header is not exactly one valid range of bytes: a server may ignore it, several ranges included. */
export const rangeOf = (header: string, length: number): ByteRange | "whole" | "unsatisfiable" => {
  const match = SINGLE.exec(header)
  if (match === null) return "whole"
  const [, first, last, suffix] = match
  if (first === undefined) {
    const count = Math.min(Number(suffix), length)
    return count === 0 ? "unsatisfiable" : { start: length - count, end: length - 1 }
  }
  const start = Number(first)
  const end = last === "" ? Infinity : Number(last)
  if (end < start) return "whole"
  return start >= length ? "unsatisfiable" : { start, end: Math.min(end, length - 1) }
}
