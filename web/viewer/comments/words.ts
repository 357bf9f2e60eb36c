/** What people wrote, as text and links only; when exactly they wrote it, and where it belongs, in words. */
import type { Anchor } from "../stage.ts"

export interface Piece {
  readonly text: string
  readonly href?: string
}

/** The lookbehind lets a match start only at the first sign of a run: tried from each of ten thousand signs, it would freeze the page. */
const CLOSING = /(?<![.,;:!?'"»”’])[.,;:!?'"»”’]+$/
const CLOSING_AROUND = /(?<![.,;:!?'"»”’)])[.,;:!?'"»”’)]+$/

/** Punctuation after an address belongs to the sentence, and so does a closing bracket that was opened before the address. */
const trimmed = (address: string): string => address.replace(address.includes("(") ? CLOSING : CLOSING_AROUND, "")

/** Only web addresses become links; every other scheme stays text. */
export const pieces = (body: string): ReadonlyArray<Piece> => {
  const found: Array<Piece> = []
  let from = 0
  for (const { 0: match, index } of body.matchAll(/\bhttps?:\/\/[^\s<>"`]+/gi)) {
    const text = trimmed(match)
    if (!URL.canParse(text)) continue
    const { hostname, href, protocol } = new URL(text)
    if (hostname === "" || !/^https?:$/.test(protocol)) continue
    if (index > from) found.push({ text: body.slice(from, index) })
    found.push({ text, href })
    from = index + text.length
  }
  if (from < body.length) found.push({ text: body.slice(from) })
  return found
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" })

export const moment = (at: number): string => exact.format(at)

/** 65 → 1:05. */
export const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, "0")
  return whole < 3600 ? `${Math.floor(whole / 60)}:${two(whole % 60)}` : `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** Beside an icon, where there is no room for more: what is read aloud has the number itself. */
export const countText = (open: number): string => open === 0 ? "" : open > 99 ? "99+" : String(open)

/** About the document as a whole, or about a whole page of it. */
export const isGeneral = (anchor: Anchor | null | undefined): boolean =>
  anchor == null || Object.entries(anchor).every(([key, value]) => key === "path" || key === "where" || value === "")

/** Names the page of a site and the place on it: `where` leaves out the front page. */
export const onPage = (anchor: Anchor & { readonly where: string }): string => {
  const { path, where } = anchor
  return path !== "/" ? sentence(where) : isGeneral(anchor) ? "On the front page" : `On the front page, ${where}`
}

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
