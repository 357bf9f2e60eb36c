/** What counts as a view, and what a browser or a CDN may keep (CONTRACT §9). */

type AnswerContent =
  /** HTML that a visitor reads: a site's page or a viewer. */
  | "page"
  /** Any other bytes of the author. */
  | "file"
  /** Our own files, whose names carry their hash. */
  | "look"
  /** Refusals, gates, errors. */
  | "closed"

interface Answer {
  readonly content: AnswerContent
  /** Whether a pass was needed to get here. */
  readonly gated?: boolean
  /** Whether the answer holds something meant for this browser alone, such as a cookie. */
  readonly personal?: boolean
}

export interface Keeping {
  readonly cacheControl: string
  /** Whether a CDN may keep it, under its project's key so that it can be purged. */
  readonly keyed: boolean
}

const cacheControlOf = ({ content, gated = false, personal = false }: Answer): string => {
  if (content === "look") return "public, max-age=31536000, immutable"
  if (content === "closed" || (gated && content === "page")) return "private, no-store"
  if (gated || personal) return "private, no-cache"
  // Without the last word Apache serves what it has while we are away or answer 503, closed meanwhile or not.
  return content === "page" ? "no-cache, must-revalidate" : "public, no-cache, must-revalidate"
}

export const keeping = (answer: Answer): Keeping => ({
  cacheControl: cacheControlOf(answer),
  keyed: answer.content === "file" && answer.gated !== true && answer.personal !== true
})

export interface Load {
  readonly method: string
  readonly status: number
  /** `Sec-Purpose`, or `Purpose` of older browsers: a prefetch was not read by anybody. */
  readonly purpose: string | undefined
  /** Crawlers and link unfurlers, our app's own previews. */
  readonly machine: boolean
}

/** Whether a browser only prefetches: nobody has asked to see anything yet. */
export const isAhead = (purpose: string | undefined): boolean => purpose !== undefined && /\b(?:prefetch|prerender)\b/i.test(purpose)

/** Whether a page answered in this way counts as a view. */
export const isView = ({ machine, method, purpose, status }: Load): boolean =>
  method === "GET" && (status === 200 || status === 304) && !machine && !isAhead(purpose)
