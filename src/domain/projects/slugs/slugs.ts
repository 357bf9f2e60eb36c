/** The syntax of slugs, and of doorcodes that people choose (CONTRACT §8). */
import { Schema } from "effect"
import { composed, hides, isOneLine, lengthOf } from "../../labels/model.ts"
import { ADJECTIVES, NOUNS } from "./slug-words.ts"

const MIN = 3
const MAX = 63

/** What is wrong with a slug; undefined if nothing is. Upper case is refused, not folded: the address is what was typed. */
export const slugFault = (slug: string): string | undefined => {
  if (slug.length < MIN || slug.length > MAX) return `Use ${MIN} to ${MAX} characters.`
  if (!/^[a-z0-9-]+$/.test(slug)) return "Use only a–z, 0–9 and hyphens."
  if (slug.startsWith("-") || slug.endsWith("-")) return "Start and end with a letter or a digit."
  // `xn--…` has a meaning in DNS, `svc--…` in this service.
  if (slug.slice(2, 4) === "--") return "Use no hyphens as both its third and its fourth character."
  if (slug.startsWith("svc--")) return "Start with something other than svc--."
  return undefined
}

/** A slug of valid syntax. Whether it is available is decided by the server. */
export const Slug = Schema.String.check(
  Schema.makeFilter(slugFault, {
    toJsonSchema: () => ({
      minLength: MIN,
      maxLength: MAX,
      // As far as the patterns of every language can say it: some have no lookahead.
      pattern: "^[a-z0-9][a-z0-9-]*[a-z0-9]$"
    })
  })
).annotate({ description: "The project’s subdomain: 3–63 of a–z, 0–9 and -" }).pipe(Schema.brand("Slug"))
export type Slug = typeof Slug.Type

/** A generated slug such as `quiet-harbor-48213`, from at least 12 random bytes. */
export const readableSlug = (random: Uint8Array): Slug => {
  const draw = new DataView(random.buffer, random.byteOffset, random.byteLength)
  const pick = (words: ReadonlyArray<string>, offset: number): string => words[draw.getUint32(offset) % words.length]!
  const number = 10_000 + (draw.getUint32(8) % 90_000)
  return Slug.make(`${pick(ADJECTIVES, 0)}-${pick(NOUNS, 4)}-${number}`)
}

const DOORCODE_MIN = 6
const DOORCODE_MAX = 128

/** As a doorcode is counted and compared: the same letters may be typed composed or not. Decomposed, one may be longer than it is. */
export const composedDoorcode = (doorcode: string): string => composed(doorcode, 4 * DOORCODE_MAX)

/** What is wrong with a doorcode that a person chose; undefined if nothing is. */
export const doorcodeFault = (doorcode: string): string | undefined => {
  const length = lengthOf(composedDoorcode(doorcode))
  if (length < DOORCODE_MIN || length > DOORCODE_MAX) {
    return `A doorcode has ${DOORCODE_MIN} to ${DOORCODE_MAX} characters.`
  }
  if (!isOneLine(doorcode)) return "A doorcode is one line of plain text."
  if (doorcode.trim() !== doorcode) return "A doorcode neither starts nor ends with a space."
  if (hides(doorcode)) return "It contains an invisible character, or one that reverses text. Type it again."
  return undefined
}

/** A doorcode that a person chose: stored as it is typed. */
export const Doorcode = Schema.String.check(
  Schema.makeFilter(doorcodeFault, { toJsonSchema: () => ({ minLength: DOORCODE_MIN, maxLength: DOORCODE_MAX }) })
).annotate({ description: "The doorcode: 6–128 characters" })
