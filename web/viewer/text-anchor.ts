/** Describes words in a text so that they are found again in a later version of it. Pure: offsets in, offsets out. */

export interface Quoted {
  readonly quote: string
  readonly prefix?: string
  readonly suffix?: string
}

/** What an anchor quotes, if it does; a program may fill in a field that it has nothing for. */
export const quotedIn = ({ prefix, quote, suffix }: Partial<Quoted>): Quoted | undefined =>
  quote === undefined || quote === "" ? undefined : { quote, ...(prefix !== undefined && { prefix }), ...(suffix !== undefined && { suffix }) }

/** Start and end (exclusive), in UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** Where the words are likely to be: the nearer to `at`, the better. */
export interface Near {
  readonly at?: number
  /** Changed words are looked for only in here; without it, not at all. */
  readonly section?: Span
}

const QUOTE = 1_000
const CONTEXT = 32
/** Of a quote that repeats endlessly, only this many occurrences are compared. */
const MOST = 2_000
/** The share of the quote's length that may differ. */
const TOLERANCE = 0.3
/** Shorter quotes say too little to be recognised once they are changed. */
const LEAST = 12
/** Characters without spaces: shorter quotes stand in many places by chance, and only their surroundings tell which is theirs. */
const TELLING = 24
/** Characters of the surroundings that must agree at least, and their share. */
const [AGREED, AGREED_SHARE] = [8, 1 / 4]
const VOTES_PER_WORD = 200
/** Words that vote: the longest, which stand in the fewest places. */
const VOTING = 40
const CANDIDATES = 4
/** Pairs of characters that one search for changed words compares: a page may have a hundred comments, and some made to be hard. */
const COMPARED = 3_000_000

export const quoted = (text: string, [start, end]: Span): Required<Quoted> => ({
  quote: text.slice(start, Math.min(end, start + QUOTE)).toWellFormed(),
  prefix: text.slice(Math.max(0, start - CONTEXT), start).toWellFormed(),
  suffix: text.slice(end, end + CONTEXT).toWellFormed()
})

const agreeing = (a: string, b: string): number => {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

const reversed = (text: string): string => [...text].toReversed().join("")

/** How many characters of the surroundings match, counted outwards from the words. */
export const agreement = (before: string, after: string, { prefix = "", suffix = "" }: Partial<Quoted>): number =>
  agreeing(reversed(prefix), reversed(before.slice(Math.max(0, before.length - prefix.length)))) + agreeing(suffix, after.slice(0, suffix.length))

const squeezed = (text: string): string => text.replace(/\s+/g, "")

/** How many characters around an occurrence must agree for it to be the quote's own. */
const needed = ({ prefix = "", quote, suffix = "" }: Quoted): number => {
  const whole = prefix.length + suffix.length
  return squeezed(quote).length >= TELLING ? 0 : Math.min(whole, Math.max(AGREED, whole * AGREED_SHARE))
}

/** The occurrence nearest to a place; -1 if there is none. */
const nearest = (text: string, words: string, near: number): number => {
  const [before, after] = [text.lastIndexOf(words, near), text.indexOf(words, near)]
  return before === -1 || (after !== -1 && after - near < near - before) ? after : before
}

/** What stands now between the surroundings, where both are still there, close to each other. */
const between = (text: string, { prefix = "", suffix = "" }: Quoted, near: number): Span | undefined => {
  const at = Math.min(prefix.length, suffix.length) < LEAST ? -1 : nearest(text, prefix, near - prefix.length)
  const start = at + prefix.length
  const length = text.slice(start, start + 2 * TELLING + suffix.length).indexOf(suffix)
  return at === -1 || length === -1 ? undefined : [start, start + length]
}

/** Whether a text without a short quote has other words in its place. */
export const isReplaced = (text: string, wanted: Quoted): boolean => needed(wanted) > 0 && between(text, wanted, 0) !== undefined

/** The occurrence whose surroundings match best; among equals, the nearest. None where the surroundings of a short quote say that its words are gone. */
export const exact = (text: string, wanted: Quoted, near: number): Span | undefined => {
  const { prefix = "", quote, suffix = "" } = wanted
  const whole = nearest(text, prefix + quote + suffix, near - prefix.length)
  if (whole !== -1) return [whole + prefix.length, whole + prefix.length + quote.length]
  const before = reversed(prefix)
  const least = needed(wanted)
  let best: { readonly at: number; readonly agrees: number } | undefined
  let at = text.indexOf(quote)
  for (let count = 0; at !== -1 && count < MOST; at = text.indexOf(quote, at + 1), count++) {
    const end = at + quote.length
    const agrees = agreeing(before, reversed(text.slice(Math.max(0, at - prefix.length), at))) + agreeing(suffix, text.slice(end, end + suffix.length))
    const closer = best !== undefined && agrees === best.agrees && Math.abs(at - near) < Math.abs(best.at - near)
    if (best === undefined || agrees > best.agrees || closer) best = { at, agrees }
  }
  if (best === undefined) return undefined
  const own: Span = [best.at, best.at + quote.length]
  if (least === 0) return own
  const gap = between(text, wanted, near)
  if (gap === undefined) return best.agrees < least ? undefined : own
  const inside = text.slice(...gap).indexOf(quote)
  return inside === -1 ? undefined : [gap[0] + inside, gap[0] + inside + quote.length]
}

interface Bare {
  readonly text: string
  /** For each unit of `text`: the offset in the original of the character that it comes from. */
  readonly places: Uint32Array
}

/** Signs that are typed in place of each other: a program quotes “it’s” as "it's". */
const TYPED: Readonly<Record<string, string>> = Object.fromEntries([["\"", "“”„‟«»″"], ["'", "‘’‚‛′"], ["-", "‐‑‒–—―−"]].flatMap(([typed, signs]) => [...signs!].map((sign) => [sign, typed!] as const)))
/** A character as it compares with others that look like it: without what is not seen, decomposed, ligatures as their letters. */
const likenessOf = (sign: string): string => TYPED[sign] ?? (/\p{DI}/u.test(sign) ? "" : sign.normalize("NFKD").replace(/\s/g, ""))
/** A text has few signs, many times each. */
const known = new Map<string, string>()
const likened = (sign: string): string => {
  let alike = known.get(sign)
  if (alike === undefined) known.set(sign, alike = likenessOf(sign))
  return alike
}

/** Of each unit, whether it compares as it is: 1 if so, 2 if not, as halves of pairs; 0 while nobody has asked. */
const plain = new Uint8Array(0x1_0000)
/** Where what compares as it is ends, from this place on. */
const plainTo = (word: string, from: number): number => {
  for (let at = from; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    if (plain[unit] === 0) plain[unit] = (unit < 0xd800 || unit > 0xdfff) && likened(word[at]!) === word[at] ? 1 : 2
    if (plain[unit] === 2) return at
  }
  return word.length
}

const bareWords = (text: string): string => text.replace(/\s+/g, "").replace(/[^\x21-\x7e]+/g, (signs) => Array.from(signs, likened).join(""))

const bareOf = (text: string): Bare => {
  let places = new Uint32Array(text.length)
  const parts: Array<string> = []
  let count = 0
  const put = (part: string, at: number, by: 0 | 1): void => {
    if (count + part.length > places.length) {
      const more = new Uint32Array(2 * (count + part.length))
      more.set(places)
      places = more
    }
    parts.push(part)
    for (let unit = 0; unit < part.length; unit++) places[count++] = at + by * unit
  }
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    for (let at = 0; at < word.length;) {
      const to = plainTo(word, at)
      if (to > at) put(word.slice(at, to), index + at, 1)
      if (to === word.length) break
      const sign = String.fromCodePoint(word.codePointAt(to)!)
      put(likened(sign), index + to, 0)
      at = to + sign.length
    }
  }
  return { text: parts.join(""), places: places.subarray(0, count) }
}

let last: { readonly of: string; readonly bare: Bare } | undefined

/** Of one text many quotes are looked for, one after the other. */
const bare = (text: string): Bare => {
  if (last?.of !== text) last = { of: text, bare: bareOf(text) }
  return last.bare
}

/** Ignores white space and how signs are written: a paragraph may have been joined, a line broken elsewhere, a quote typed by hand. */
const spaceless = (text: string, { prefix = "", quote, suffix = "" }: Quoted, near: number): Span | undefined => {
  const wanted = bareWords(quote)
  if (wanted === "") return undefined
  const { places, text: within } = bare(text)
  const from = places.findIndex((place) => place >= near)
  const found = exact(within, { quote: wanted, prefix: bareWords(prefix), suffix: bareWords(suffix) }, from === -1 ? places.length : from)
  if (found === undefined) return undefined
  const last = places[found[1] - 1]!
  return [places[found[0]]!, last + String.fromCodePoint(text.codePointAt(last)!).length]
}

/** Where the quote probably begins, judged by those of its words that still occur; the best supported first. */
const candidates = (text: string, quote: string): ReadonlyArray<number> => {
  const votes = new Map<number, number>()
  const grain = Math.max(16, quote.length >> 2)
  const words = [...quote.matchAll(/[\p{L}\p{N}]{3,}/gu)].sort(([a], [b]) => b.length - a.length).slice(0, VOTING)
  for (const { 0: word, index } of words) {
    let at = text.indexOf(word)
    for (let count = 0; at !== -1 && count < VOTES_PER_WORD; at = text.indexOf(word, at + word.length), count++) {
      const bucket = Math.round((at - index) / grain)
      votes.set(bucket, (votes.get(bucket) ?? 0) + word.length)
    }
  }
  return [...votes].sort((a, b) => b[1] - a[1]).slice(0, CANDIDATES).map(([bucket]) => bucket * grain)
}

interface Alike {
  readonly span: Span
  readonly distance: number
}

/** The part of the text that becomes the quote with the fewest edits (Sellers), if these are few enough. */
const alike = (text: string, quote: string, most: number): Alike | undefined => {
  const rows = quote.length
  const signs = Uint16Array.from({ length: rows }, (_, row) => quote.charCodeAt(row))
  let costs = Uint32Array.from({ length: rows + 1 }, (_, row) => row)
  let [starts, next, from] = [new Uint32Array(rows + 1), new Uint32Array(rows + 1), new Uint32Array(rows + 1)]
  let best: Alike | undefined
  for (let at = 1; at <= text.length; at++) {
    const sign = text.charCodeAt(at - 1)
    from[0] = at
    for (let row = 1; row <= rows; row++) {
      const same = costs[row - 1]! + (sign === signs[row - 1] ? 0 : 1)
      const skipped = costs[row]! + 1
      const missing = next[row - 1]! + 1
      const least = Math.min(same, skipped, missing)
      next[row] = least
      from[row] = least === same ? starts[row - 1]! : least === skipped ? starts[row]! : from[row - 1]!
    }
    ;[costs, next, starts, from] = [next, costs, from, starts]
    const distance = costs[rows]!
    if (distance <= most && (best === undefined || distance < best.distance)) best = { span: [starts[rows]!, at], distance }
  }
  return best
}

const changed = (text: string, wanted: Quoted, [start, end]: Span): Span | undefined => {
  const { quote } = wanted
  const tries = Math.min(CANDIDATES, Math.floor(COMPARED / (3 * quote.length ** 2)))
  if (squeezed(quote).length < LEAST || tries === 0) return undefined
  const section = text.slice(start, end)
  const most = Math.floor(quote.length * TOLERANCE)
  let best: Alike | undefined
  for (const begins of candidates(section, quote).slice(0, tries)) {
    const from = Math.max(0, begins - quote.length)
    const found = alike(section.slice(from, begins + quote.length * 2), quote, best === undefined ? most : best.distance - 1)
    if (found !== undefined) best = { distance: found.distance, span: [start + from + found.span[0], start + from + found.span[1]] }
  }
  return best !== undefined && agreement(text.slice(0, best.span[0]), text.slice(best.span[1]), wanted) >= needed(wanted) ? best.span : undefined
}

/** First exactly, by their surroundings; then ignoring white space and how signs are written; then slightly changed, in their section only. */
export const findQuoted = (text: string, wanted: Quoted, { at = 0, section }: Near = {}): Span | undefined => {
  if (wanted.quote.trim() === "") return undefined
  return exact(text, wanted, at) ?? spaceless(text, wanted, at) ?? (section && changed(text, wanted, section))
}
