/** The path of a request, as it was sent. */
import type { IncomingMessage } from "node:http"

export const pathOf = ({ url }: { readonly url: string }): string => url.split("?", 1)[0] ?? "/"

const ENDS_EARLY = /[;#]/

/**
 * The router takes what follows a `;` or a `#` for the query, and nothing else does: to a cache `/v1/me;a.css` is a style, and to an
 * `Idempotency-Key` what is said there is not said at all. So they stay in the path, where nothing has such a name.
 */
export const keepPath = (request: IncomingMessage): void => {
  const { url = "/" } = request
  const path = pathOf({ url })
  if (ENDS_EARLY.test(path)) request.url = path.replaceAll(/[;#]/g, encodeURIComponent) + url.slice(path.length)
}
