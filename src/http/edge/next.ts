/** Where a reader wanted to go before a gate stopped them: a path of the author's on this host, our page of its versions, or the front page. */
import { isCarried } from "../../domain/hosting/gate-addresses.ts"
import { VERSIONS } from "./versions/versions-link.ts"

/** Printable ASCII, as browsers write addresses; `//` and `/\` would name another host. After the `?` a backslash is an ordinary character. */
const PLACE = /^\/(?!\/)[!->@-[\]-~]*(?:\?[!-~]*)?$/
const OURS = /^\/_svc(?:[/?#]|$)/i

/** The path decoded; undefined where it cannot be. */
const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

export const nextOf = (given: string | undefined): string => {
  if (given === undefined || !isCarried(given) || !PLACE.test(given)) return "/"
  const path = given.split(/[?#]/, 1)[0]!
  const plain = decoded(path)
  // Browsers resolve dot segments, encoded ones too.
  if (plain === undefined || (OURS.test(plain) && path !== VERSIONS) || /\/\/|\\|[\x00-\x1f\x7f]|\/\.{1,2}(?:\/|$)/.test(plain)) return "/"
  return given
}
