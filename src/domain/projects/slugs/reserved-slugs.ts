/** Which slugs are reserved: infrastructure names, impersonation, profanity (SPEC §7). Server-side only: the list is not public. */
import published from "reserved-subdomains/names.json" with { type: "json" }
import patterns from "reserved-subdomains/patterns.json" with { type: "json" }
import { impersonates } from "./impersonation.ts"
import { isProfane } from "./profanity.ts"
import { INFRASTRUCTURE, ORDINARY } from "./reserved-words.ts"

const PUBLISHED: ReadonlySet<string> = new Set(published.filter((name) => !ORDINARY.has(name)))

/** Matches whole names only: unanchored, as published, `v[0-9]+` would reserve every `nov2026`. */
const NUMBERED = new RegExp(
  `^(?:${[...patterns.filter((one) => !one.startsWith("test")), "(?:api|app|cdn|ldap|node|proxy|sso|www)-?[0-9]+"].join("|")})$`
)

/** Expects a slug whose syntax is valid. */
export const isReserved = (slug: string): boolean =>
  INFRASTRUCTURE.has(slug) || PUBLISHED.has(slug) || NUMBERED.test(slug) || impersonates(slug) || isProfane(slug)
