/**
 * What a browser says about where its request comes from (W3C Fetch Metadata), and what keeps an answer from pages of other origins.
 * Programs say nothing, and are never kept out by it.
 */

type Heads = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Whether a page of another origin made it: another site's, or a neighbour's on our own. */
export const fromElsewhere = (headers: Heads): boolean => headers["sec-fetch-site"] === "cross-site" || headers["sec-fetch-site"] === "same-site"

/** Whether a page of none of these origins made it. Where the app has an origin of its own, browsers tell it apart by `Origin` alone. */
export const fromForeignPage = (headers: Heads, own: ReadonlyArray<string>): boolean => {
  const { origin } = headers
  if (headers["sec-fetch-site"] === "same-origin") return false
  return typeof origin === "string" ? !own.includes(origin) : fromElsewhere(headers)
}

/** Whether it opens a page of its own, in no frame. */
export const opensPage = (headers: Heads): boolean => headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document"

/** Whether a page made it in passing, without opening it for its reader: an image, a frame, a request by script. */
export const loadedByPage = (headers: Heads): boolean => headers["sec-fetch-site"] !== undefined && !opensPage(headers)

/** Whether another origin's page opens it, in a window or a frame. */
export const openedFromElsewhere = (headers: Heads): boolean => headers["sec-fetch-mode"] === "navigate" && fromElsewhere(headers)

export const byReader = (headers: Heads): boolean => headers["sec-fetch-user"] === "?1"

/** WebKit never sends Sec-Fetch-User (webkit.org/b/247697); every browser on iOS is WebKit. */
export const isWebKit = (agent: string): boolean => agent.includes("AppleWebKit/") && !agent.includes("Chrome/")

/** The headers by which a page of another origin that opens the answer in a window, or loads it, learns nothing from that. */
export const unseen = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin" } as const
