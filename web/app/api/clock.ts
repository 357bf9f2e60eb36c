/** What time it is at the service: a browser's own clock may be hours off, and what is shown compares its times with the service's. */

/** An answer's date has no fractions, and is on its way for a while: less than this is no difference. */
const LEAST_MS = 60_000

let skew = 0

export const now = (): number => Date.now() + skew

/** As an answer tells it, which may be an old one that somebody kept: `Age` says how old. */
export const hear = ({ headers }: Response): void => {
  const at = Date.parse(headers.get("date") ?? "") + 1000 * Number(headers.get("age") ?? 0)
  if (Number.isNaN(at)) return
  const next = at - Date.now()
  skew = Math.abs(next) < LEAST_MS ? 0 : next
}
