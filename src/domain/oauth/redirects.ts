/** Redirect addresses: compared as exact strings, except for the ports of loopback addresses (RFC 6749 §3.1.2, 8252). */

const MAX_LENGTH = 2000

/** http on the person's own machine. Only a path or a query may follow the port, so `localhost.evil` does not match. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/

/** A private-use scheme is a reversed domain name, so it has a dot (RFC 8252 §7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:[/a-z0-9]/i

/** Redirect addresses of well-known programs whose private scheme has no dot. Only these exact addresses are accepted. */
const WELL_KNOWN: ReadonlyArray<string> = [
  // Cursor.
  "cursor://anysphere.cursor-mcp/oauth/callback"
]

/** What is wrong with an address that a client wants to register; undefined if it is acceptable. */
export const redirectFault = (uri: string): string | undefined => {
  if (uri.length > MAX_LENGTH) return `A redirect address has at most ${MAX_LENGTH} characters.`
  // Browsers drop or rewrite these characters; the address that is compared must be the one that is opened.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri) || !URL.canParse(uri)) return "This is not an address."
  if (uri.includes("#")) return "A redirect address has no fragment."
  const { hostname, password, protocol, username } = new URL(uri)
  if (username !== "" || password !== "") return "A redirect address names no user."
  if (protocol === "https:") return /^https:\/\/[^/]/i.test(uri) && hostname !== "" ? undefined : "This is not an address."
  if (protocol === "http:") return LOOPBACK.test(uri) ? undefined : "Plain http is for this machine alone: use https."
  return PRIVATE_USE.test(uri) || WELL_KNOWN.includes(uri) ? undefined : "Use https, http on this machine, or a private-use scheme with a dot."
}

/** The address must be exactly as registered, except that a loopback address may use any port (RFC 8252 §7.3). */
export const mayRedirect = (registered: ReadonlyArray<string>, asked: string): boolean => {
  if (registered.includes(asked)) return true
  if (redirectFault(asked) !== undefined) return false
  const local = LOOPBACK.exec(asked)
  return local !== null && registered.some((uri) => {
    const known = LOOPBACK.exec(uri)
    return known !== null && known[1] === local[1] && known[2] === local[2]
  })
}

/** The part of an address that a person can judge: the host; of a private scheme, the scheme; of a well-known address, both. */
export const redirectHost = (uri: string): string => {
  const { host, protocol } = new URL(uri)
  if (WELL_KNOWN.includes(uri)) return `${protocol}//${host}`
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

/** The address with the answer added to its query, which is otherwise unchanged. */
export const answered = (uri: string, answer: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`
}
