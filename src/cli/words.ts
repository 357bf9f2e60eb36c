/** Times and counts for people, and words quoted for shells. */
import { DateTime } from "effect"
import type { Project } from "../domain/projects/model.ts"
import { isBare } from "../domain/projects/opening.ts"
import { countText } from "../domain/words.ts"
import type { Opens } from "./opening.ts"

/** Quoted for a shell: one word without special meaning. */
export const asWord = (text: string): string => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const short = (unit: string) => (amount: number): string => `${amount} ${unit}`
const word = (unit: string) => (amount: number): string => countText(amount, unit)

/** Each unit's words, and how many of it make the next one. */
const UNITS = [[60, short("s")], [60, short("min")], [24, short("h")], [30, word("day")], [12, word("month")], [Infinity, word("year")]] as const

/** In the largest unit that fits: 90 minutes are 1 h, rounded down. */
export const span = (seconds: number, rounded: (value: number) => number = Math.floor): string => {
  let value = Math.max(0, seconds)
  for (const [next, words] of UNITS) {
    if (rounded(value) < next) return words(rounded(value))
    value /= next
  }
  return ""
}

export const ago = (time: DateTime.Utc, now: DateTime.Utc): string => {
  const seconds = (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(time)) / 1000
  if (Math.abs(seconds) < 10) return "just now"
  return seconds > 0 ? `${span(seconds)} ago` : `in ${span(-seconds, Math.round)}`
}

const isKnown = (locale: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}

let chosen: { readonly locale: string | undefined } | undefined

/** Without a locale of its own (`C`, POSIX), or with one that Node does not know, a system would print machine-like times. Chosen once, when a time is said. */
const locale = (): string | undefined => {
  const isPlain = () => /^(?:C|POSIX)?(?:\.|$)/.test(process.env["LC_ALL"] || process.env["LC_TIME"] || process.env["LANG"] || "")
  chosen ??= { locale: isPlain() || !isKnown(new Intl.DateTimeFormat().resolvedOptions().locale) ? "en-GB" : undefined }
  return chosen.locale
}

export const date = (time: DateTime.Utc): string =>
  new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", year: "numeric" }).format(DateTime.toEpochMillis(time))

export const moment = (time: DateTime.Utc, now: DateTime.Utc): string => {
  const shown = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" })
  return `${shown.format(DateTime.toEpochMillis(time))} (${ago(time, now)})`
}

const ACCESS: Record<Exclude<Opens, "expired">, string> = {
  public: "Anyone with this address can open it.",
  password: "Opens with the doorcode.",
  private: "Opens for members of the workspace who see it, and by share links.",
  "taken down": "Opens for nobody: whoever runs the service took it down. Ask them.",
  down: "Opens for nobody: the workspace’s trial or subscription has ended. svc whoami shows how it stands."
}

/** Who can open a project. */
export const audience = (opening: Opens, { password, slug }: { readonly password: string | null; readonly slug: string }): string => {
  if (opening === "expired") return `Opens for nobody: it has expired. svc set ${slug} --no-expiry opens it again.`
  return opening === "password" && password !== null ? `Opens with the doorcode ${password}` : ACCESS[opening]
}

/** Whom a project lets comment, while it lets anybody. */
export const commentersOf = ({ commentAccess }: Pick<Project, "commentAccess">): string =>
  ({ members: "members", allowlist: "members and the listed", anyone: "anyone who can open it" })[commentAccess]

export const opens: Record<Opens, string> = { public: "anyone", password: "doorcode", private: "members who see it", expired: "nobody", "taken down": "nobody", down: "nobody" }

type Commented = Pick<Project, "commentAccess" | "commentsEnabled" | "htmlDisplayMode" | "kind">

/** Whether readers have none though they are switched on. */
export const isSilenced = (project: Commented): boolean => project.commentsEnabled && isBare(project)

export const commenting = (project: Commented): string => {
  if (!project.commentsEnabled) return "off"
  if (isSilenced(project)) return "on, but readers have none while it is shown raw"
  return `on, for ${commentersOf(project)}`
}
