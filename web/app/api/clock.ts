/** The service's time: a browser's own clock may be hours off, and what is shown is compared with the service's times. */

/** A Date header has no fractions and is under way for a while: smaller differences count as none. */
const LEAST_MS = 60_000

let skew = 0

export const now = (): number => Date.now() + skew

/** Reads an answer's Date header, which is fresh since no answer may be cached; without one, nothing changes. */
export const hear = ({ headers }: Response): void => {
  const next = Date.parse(headers.get("date") ?? "") - Date.now()
  if (!Number.isNaN(next)) skew = Math.abs(next) < LEAST_MS ? 0 : next
}
