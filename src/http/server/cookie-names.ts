/** Names of cookies, as browsers tell them apart. */
import type { IncomingMessage } from "node:http"

const FOREIGN = /[^\t -~]/g

/**
 * A byte that is a space to our parser alone may precede a name: browsers take the cookie for one without the prefix `__Host-`, which any
 * host of the site may set for all of them. Our own cookies are ASCII.
 */
export const keepNames = ({ headers }: IncomingMessage): void => {
  if (headers.cookie !== undefined) headers.cookie = headers.cookie.replaceAll(FOREIGN, "?")
}
