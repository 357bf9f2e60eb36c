/** What time it is at the service: a browser's own clock may be hours off, and what is shown compares its times with the service's. */

/** An answer's date has no fractions, and is on its way for a while: less than this is no difference. */
const LEAST_MS = 60_000

let skew = 0

export const now = (): number => Date.now() + skew

/** As an answer tells it, none of which anybody may keep; not told, nothing changes. */
export const hear = ({ headers }: Response): void => {
  const next = Date.parse(headers.get("date") ?? "") - Date.now()
  if (next === next) skew = Math.abs(next) < LEAST_MS ? 0 : next
}
