/** Which paths are our own: the same rule as the server's (http/server/own-paths.ts), which knows the gates by name. */

/** Where a browser that follows the path comes to the API, gates apart: what else is there may act for whoever was sent to it. */
const actsInTheApi = (path: string): boolean => {
  const there = new URL(path, "http://localhost").pathname.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /^\/+v1(?:\/|$)/.test(there) && !/^\/v1\/gate\/[a-z]+$/.test(there)
}

/** The path may follow the API's own address. The front page does not count. */
export const ownPath = (given: unknown, baseUrl: string): string | undefined => {
  if (typeof given !== "string") return undefined
  const path = given.startsWith(`${baseUrl}/`) ? given.slice(baseUrl.length) : given
  return path !== "/" && /^\/(?![/\\])[^\s\\]*$/.test(path) && !actsInTheApi(path) ? path : undefined
}
