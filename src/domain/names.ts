/** Names that somebody typed: which of ours a name that is none of them can only mean. */
import { distance } from "fastest-levenshtein"

const letters = (word: string): string => [...word].sort().join("")

/** One letter in five, and never more than two: four letters are a word of their own, a tile no title. Two letters that changed places are one slip. */
const isNear = (given: string, meant: string): boolean => {
  const most = given.length < 5 ? 0 : Math.min(2, Math.floor(meant.length / 5))
  const changed = distance(given, meant)
  return changed <= most || (changed <= 2 * most && letters(given) === letters(meant))
}

const isLonger = (long: string, short: string): boolean => long.length === short.length + 1 && distance(long, short) === 1

const isMisspelt = (given: string, meant: string): boolean =>
  isNear(given, meant) || letters(given) === letters(meant) || isLonger(given, meant) || isLonger(meant, given)

/** The first word says what a name is about, so it may be misspelt and not be another one: SMPT_URL is SMTP_URL, DTA_DIR is DATA_DIR, API_URL is not APP_URL. */
export const isSlip = (given: string, meant: string): boolean => {
  if (given.replaceAll("_", "") === meant.replaceAll("_", "")) return true
  return isNear(given, meant) && isMisspelt(given.split("_")[0]!, meant.split("_")[0]!)
}

/** Short words too, where nobody else is likely to have the name: SVC_ROEL is SVC_ROLE, and SVC_PRT is SVC_PORT. One letter more may be a word of theirs, such as SVC_PORTS. */
export const isShuffled = (given: string, meant: string): boolean => letters(given) === letters(meant) || isLonger(meant, given)

/** folderId, Folder-ID and folder_id[] are folder_id. */
const plain = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().replaceAll(/[^a-z\d]+/g, "_").replaceAll(/^_|_$/g, "")

/** Longer than any slip: a form may send thousands of names, each as long as it likes. */
const LONGEST = 64

/** A form that asks twice numbers its names: password2 is a name of its own. */
const isNumbered = (name: string): boolean => /[a-z]\d+$/i.test(name)

/** What was cut short goes on where it ended: expires_in is expires_in_days, though expires_at is nearer; folder is folder_id. */
const nearest = (name: string, ours: ReadonlyArray<string>): string | undefined => {
  if (name.length > LONGEST || isNumbered(name)) return undefined
  const given = plain(name)
  if (ours.includes(`${given}_id`)) return `${given}_id`
  const near = ours.find((one) => Math.abs(one.length - given.length) <= 3 && isSlip(given, one))
  return near === undefined ? undefined : ours.find((one) => one.startsWith(`${given}_`)) ?? near
}

/** The name inside one that was copied out of HTML, nested, or sent with its value: amp;title, project[title], settings.title and title=x are title. */
const inner = (name: string): string => {
  const named = name.split("=", 1)[0]!.replace(/^(?:amp;)+/i, "")
  return named.slice(Math.max(named.lastIndexOf("["), named.lastIndexOf(".")) + 1)
}

export const meantBy = (name: string, ours: ReadonlyArray<string>): string | undefined => nearest(name, ours) ?? nearest(inner(name), ours)
