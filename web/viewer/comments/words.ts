/** When exactly people wrote something, and where it belongs, in words. */
import type { Anchor } from "../stage.ts"

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
