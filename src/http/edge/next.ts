/** Where a reader wanted to go before a gate was in the way: a place of the author's on this very host, our page of its versions, or the front. */
import { VERSIONS } from "./versions-link.ts"

/** Printable ASCII, as browsers write addresses; `//` and `/\` would name another host. Behind the `?` a backslash is a sign like any other. */
const PLACE = /^\/(?!\/)[!->@-[\]-~]*(?:\?[!-~]*)?$/
/**
 * As a form spells it, and as it travels in an address of ours: the longest path with a query beside it. Encoded once more, as the
 * sign-in carries it, that is at most 13,334 characters, which Node's 16 KB of headers hold.
 */
const LONGEST = 8_000
const OURS = /^\/_svc(?:[/?#]|$)/i

/** Whether a reader of the path would take it for one of ours once it is decoded. */
const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

export const nextOf = (given: string | undefined): string => {
  if (given === undefined || given.length > LONGEST || !PLACE.test(given) || new URLSearchParams({ next: given }).toString().length > LONGEST) return "/"
  const path = given.split(/[?#]/, 1)[0]!
  const plain = decoded(path)
  // Dot segments are resolved by browsers, encoded ones too.
  if (plain === undefined || (OURS.test(plain) && path !== VERSIONS) || /\/\/|\\|[\x00-\x1f\x7f]|\/\.{1,2}(?:\/|$)/.test(plain)) return "/"
  return given
}
