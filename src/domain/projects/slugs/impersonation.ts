/** Whether a slug could be mistaken for a service that people trust with their secrets. Server-side only. */
import { ADDRESS_PARTS, BRANDS, CREDENTIALS, FILLERS, INFRASTRUCTURE, PLAIN_BRANDS, SENSITIVE } from "./reserved-words.ts"

const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", i: "l", rn: "m", vv: "w"
}

/** A word with lookalike characters folded, so that `paypa1`, `arnazon` and `netfllx` equal the names that they imitate. */
const glance = (word: string): string => word.replaceAll(/rn|vv|[01345789i]/g, (part) => LOOKALIKES[part]!)

const byGlance = (words: Iterable<string>, shortest: number): ReadonlyMap<string, string> =>
  new Map([...words].filter((word) => word.length >= shortest && /^[a-z]+$/.test(word)).map((word) => [glance(word), word]))

const BRANDS_AT_A_GLANCE = byGlance(BRANDS, 5)
const SENSITIVE_AT_A_GLANCE = byGlance(SENSITIVE, 4)
const INFRASTRUCTURE_AT_A_GLANCE = byGlance(INFRASTRUCTURE, 4)

const mixed = (word: string): boolean => /[a-z]/.test(word) && /[0-9]/.test(word)

/** Whether a word looks like a brand without being spelled like it. */
const isDisguise = (word: string): boolean => !BRANDS.has(word) && BRANDS_AT_A_GLANCE.has(glance(word))

/** A word as a reader takes it: `l0gin` is login, `paypal1` paypal. */
const read = (word: string): string => {
  if (BRANDS.has(word) || SENSITIVE.has(word) || !mixed(word)) return word
  return SENSITIVE_AT_A_GLANCE.get(glance(word)) ?? word.replace(/[0-9]+$/, "")
}

/** `bank-of-america`, `pay-pal`: brands of several segments become one word. */
const joinBrands = (segments: ReadonlyArray<string>): ReadonlyArray<string> => {
  for (let start = 0; start < segments.length - 1; start++) {
    for (const size of [3, 2]) {
      const joined = segments.slice(start, start + size).join("")
      if (segments.length >= start + size && BRANDS.has(joined) && !PLAIN_BRANDS.has(joined)) {
        return [...segments.slice(0, start), joined, ...joinBrands(segments.slice(start + size))]
      }
    }
  }
  return segments
}

/** `paypallogin`, `secureapple`: a brand and a sensitive word run together. */
const isGlued = (word: string): boolean =>
  [...BRANDS].some((brand) => {
    if (brand.length < 5 || !word.includes(brand)) return false
    const rest = word.startsWith(brand) ? word.slice(brand.length) : word.endsWith(brand) ? word.slice(0, -brand.length) : ""
    return rest.length > 2 && SENSITIVE.has(rest)
  })

const isBrand = (word: string): boolean => BRANDS.has(word)
const isSensitive = (word: string): boolean => SENSITIVE.has(word)
const isNumber = (word: string): boolean => /^[0-9]+$/.test(word)

export const impersonates = (slug: string): boolean => {
  const segments = joinBrands(slug.split("-").filter((segment) => segment !== ""))
  const words = segments.map(read)
  if (segments.some(isDisguise) || words.some(isGlued)) return true
  if (mixed(slug) && INFRASTRUCTURE_AT_A_GLANCE.has(glance(slug))) return true
  if (words.some(isBrand)) {
    if (words.length === 1 || words.some(isSensitive) || words.some((word) => ADDRESS_PARTS.has(word))) return true
    // Nothing but the brand's name, with a number or a filler.
    const said = words.filter((word) => !isNumber(word) && !FILLERS.has(word))
    if (said.every((word) => isBrand(word) && !PLAIN_BRANDS.has(word))) return true
  }
  return words.every((word) => isSensitive(word) || isNumber(word)) && words.some((word) => CREDENTIALS.has(word))
}
