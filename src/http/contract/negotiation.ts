/** What a client says it accepts (RFC 9110 §12.5): encodings of the bytes, and JSON or HTML for refusals. */

export type Encoding = "identity" | "gzip" | "br"

interface Weighed {
  readonly name: string
  readonly q: number
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

const weighed = (header: string): Array<Weighed> =>
  header.split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim())
    if (name === "") return []
    const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))
    const q = weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1] ?? 0)
    return [{ name: name.toLowerCase(), q }]
  })

/** Our order among encodings of equal weight: the smallest result first. */
const OURS: ReadonlyArray<Encoding> = ["br", "gzip", "identity"]
export const IDENTITY: ReadonlyArray<Encoding> = ["identity"]

const parseEncodings = (header: string): ReadonlyArray<Encoding> => {
  const asked = weighed(header)
  const of = (name: string): number | undefined => asked.find((item) => item.name === name)?.q
  const rest = of("*")
  const q: Record<Encoding, number> = {
    br: of("br") ?? rest ?? 0,
    gzip: of("gzip") ?? of("x-gzip") ?? rest ?? 0,
    // Acceptable even where it is not listed, after everything that is.
    identity: of("identity") ?? (rest === 0 ? 0 : 0.0001)
  }
  const accepted = OURS.filter((encoding) => q[encoding] > 0).sort((a, b) => q[b] - q[a])
  return accepted.length === 0 ? IDENTITY : accepted
}

const known = new Map<string, ReadonlyArray<Encoding>>()

/** Acceptable encodings, the best first. A client that refuses even the plain bytes is better served with them than with nothing. */
export const encodingsOf = (header: string | undefined): ReadonlyArray<Encoding> => {
  if (header === undefined) return IDENTITY
  const before = known.get(header)
  if (before !== undefined) return before
  const parsed = parseEncodings(header)
  // Clients send a handful of values; the bound is for those that make them up.
  if (known.size < 256 && header.length <= 128) known.set(header, parsed)
  return parsed
}

/** The encodings in `held` that the client accepts; the plain bytes where it accepts none of them. */
export const encodingsFor = (held: Readonly<Partial<Record<Encoding, unknown>>>, header: string | undefined): ReadonlyArray<Encoding> => {
  const there = encodingsOf(header).filter((encoding) => held[encoding] !== undefined)
  return there.length === 0 ? IDENTITY : there
}

const best = (accept: string, ...names: ReadonlyArray<string>): number =>
  Math.max(0, ...weighed(accept).filter((item) => names.includes(item.name)).map((item) => item.q))

const json = (accept: string): number => best(accept, "application/json")
const html = (accept: string): number => best(accept, "text/html", "application/xhtml+xml", "text/*")

/** Whether the client takes whatever comes; without the header it does. */
export const acceptsAny = (accept: string | undefined): boolean => accept === undefined || best(accept, "*/*") > 0

/** Whether the client names JSON, and prefers it to any HTML that it names. */
export const prefersJson = (accept: string | undefined): boolean =>
  accept !== undefined && /json/i.test(accept) && json(accept) > html(accept)

/** Whether the client names HTML, as browsers do when they navigate, and prefers no JSON to it. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && html(accept) > 0 && !prefersJson(accept)
