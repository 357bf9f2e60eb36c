/** Texts kept for this window: drafts, and what a page that is left tells the next one. */

/** Storage may be forbidden or full: what it did not take is kept as long as this page lives. */
const untaken = new Map<string, string>()

export const kept = (key: string): string | null => {
  try {
    return untaken.get(key) ?? sessionStorage.getItem(`svc-comment ${key}`)
  } catch {
    return null
  }
}

/** The rest of every key that begins with `start`. */
export const keptUnder = (start: string): ReadonlyArray<string> => {
  const here = [...untaken.keys()].flatMap((key) => key.startsWith(start) ? [key.slice(start.length)] : [])
  try {
    const whole = `svc-comment ${start}`
    return [...here, ...Object.keys(sessionStorage).flatMap((key) => key.startsWith(whole) ? [key.slice(whole.length)] : [])]
  } catch {
    return here
  }
}

export const keep = (key: string, text: string | null): void => {
  untaken.delete(key)
  try {
    if (text === null) sessionStorage.removeItem(`svc-comment ${key}`)
    else sessionStorage.setItem(`svc-comment ${key}`, text)
  } catch {
    if (text !== null) untaken.set(key, text)
  }
}

/** Whose words are kept here. */
const WHOSE = "whose"
const WORDS = ["new ", "reply ", "edit ", "general", "sending"]

/** Whoever reads is known: another account's words are not for them, those of nobody known are. */
export const keptFor = (person: string): void => {
  const whose = kept(WHOSE)
  if (whose === person) return
  keep(WHOSE, person)
  if (whose === null) return
  for (const start of WORDS) for (const rest of keptUnder(start)) keep(start + rest, null)
}
