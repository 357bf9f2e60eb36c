/** The colours of a text, from where on each holds, and what a terminal's codes make of them: its words are left without those. Pure. */
import { CODES } from "../../../../src/domain/projects/documents/terminal-codes.ts"

/** Colours are CSS values. */
interface Look {
  readonly ink?: string | undefined
  readonly ground?: string | undefined
  readonly bold?: boolean
  readonly dim?: boolean
  readonly italic?: boolean
  readonly underlined?: boolean
  readonly struck?: boolean
  readonly inverse?: boolean
}

/** As CSS says it, or by a class of code.css. */
export type Style = Readonly<Partial<Record<"color" | "background" | "fontWeight" | "fontStyle" | "textDecoration" | "className", string>>>

export interface Coloured {
  readonly text: string
  /** Offsets in `text`, in order; each style holds up to the next one. */
  readonly starts: ReadonlyArray<number>
  readonly styles: ReadonlyArray<Style>
}

/** Any colour, as light or as dark as the theme needs it to be read. */
const readable = (colour: string): string => `light-dark(oklch(from ${colour} .45 min(c, .15) h), oklch(from ${colour} .8 min(c, .13) h))`

/** In a terminal's order. Its black and white are meant for one ground each: here both are ink. */
const NAMED = ["var(--ink)", "var(--bad)", "var(--good)", "var(--warn)", readable("#36c"), readable("#a3a"), readable("#088"), "var(--ink)"]
const GREY = "var(--muted)"

/** Of the 256 colours: the named ones twice, a cube of six steps a side, and greys. */
const numbered = (index: number): string => {
  if (index < 16) return index === 8 ? GREY : NAMED[index % 8]!
  if (index >= 232) return GREY
  const step = (by: number): number => [0, 95, 135, 175, 215, 255][Math.floor((index - 16) / by) % 6]!
  return readable(`rgb(${step(36)} ${step(6)} ${step(1)})`)
}

const SETS: Readonly<Record<number, Look>> = {
  1: { bold: true }, 2: { dim: true }, 3: { italic: true }, 4: { underlined: true }, 7: { inverse: true }, 9: { struck: true },
  22: { bold: false, dim: false }, 23: { italic: false }, 24: { underlined: false }, 27: { inverse: false }, 29: { struck: false },
  39: { ink: undefined }, 49: { ground: undefined }
}

const after = (before: Look, given: string): Look => {
  const codes = given.split(";").map((code) => code.split(":").map(Number))
  let look = before
  for (let at = 0; at < codes.length; at++) {
    const [code = 0, ...within] = codes[at]!
    const [tens, ones] = [Math.floor(code / 10), code % 10]
    const place = [4, 10].includes(tens) ? "ground" : "ink"
    if (code === 0) look = {}
    else if (ones === 8 && [3, 4, 5].includes(tens)) {
      // What colour follows the code, or stands within it, then with a colour space before its red (ISO 8613-6), which some leave out.
      const [how, ...rest] = within.length > 0 ? within : codes.slice(at + 1).flat()
      const red = within.length > 4 ? 1 : 0
      // The line below words keeps the colour of the words.
      if (tens < 5) look = { ...look, [place]: how === 5 ? numbered(rest[0] ?? 7) : readable(`rgb(${rest.slice(red, red + 3).join(" ")})`) }
      if (within.length === 0) at += how === 5 ? 2 : 4
    } else if (code === 4) look = { ...look, underlined: within[0] !== 0 }
    else if (ones < 8 && [3, 4, 9, 10].includes(tens)) look = { ...look, [place]: numbered(tens < 9 ? ones : ones + 8) }
    else look = { ...look, ...SETS[code] }
  }
  return look
}

const styleOf = ({ bold, dim, ground, ink, inverse, italic, struck, underlined }: Look): Style => {
  const behind = inverse === true ? ink ?? "var(--ink)" : ground
  const lines = [underlined === true && "underline", struck === true && "line-through"].filter((line) => line !== false)
  return {
    ...((ink !== undefined || dim === true) && { color: ink ?? GREY }),
    ...(behind !== undefined && { background: `color-mix(in srgb, ${behind} 16%, transparent)` }),
    ...(bold === true && { fontWeight: "600" }),
    ...(italic === true && { fontStyle: "italic" }),
    ...(lines.length > 0 && { textDecoration: lines.join(" ") })
  }
}

interface Known {
  readonly look: Look
  readonly style: Style
  /** Where each code leads from here. */
  readonly next: Map<string, Known>
}

export const coloured = (text: string): Coloured => {
  if (!text.includes("\x1b")) return { text, starts: [], styles: [] }
  const parts: Array<string> = []
  const [starts, styles]: [Array<number>, Array<Style>] = [[], []]
  // A log has few looks, many times each.
  const known = new Map<string, Known>()
  const entered = (look: Look): Known => {
    const key = JSON.stringify(look)
    const one = known.get(key) ?? { look, style: styleOf(look), next: new Map() }
    known.set(key, one)
    return one
  }
  let now = entered({})
  let [at, length] = [0, 0]
  for (const { 0: code, 1: given, index } of text.matchAll(CODES)) {
    parts.push(text.slice(at, index))
    length += index - at
    at = index + code.length
    if (given === undefined) continue
    const next = now.next.get(given) ?? entered(after(now.look, given))
    now.next.set(given, next)
    now = next
    const last = starts.at(-1) === length ? starts.length - 1 : starts.length
    starts[last] = length
    styles[last] = now.style
  }
  parts.push(text.slice(at))
  return { text: parts.join(""), starts, styles }
}

/** What stands from one offset to another, in pieces of one style each. */
export const piecesOf = ({ starts, styles, text }: Coloured, from: number, to: number): ReadonlyArray<readonly [words: string, style: Style]> => {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= from) low = middle + 1
    else high = middle
  }
  const pieces: Array<readonly [string, Style]> = []
  for (let at = from; at < to; low++) {
    const end = Math.min(to, starts[low] ?? to)
    pieces.push([text.slice(at, end), styles[low - 1] ?? {}])
    at = end
  }
  return pieces
}
