/** The one form of an email address: trimmed, lower-case, NFC; no folding of dots or plus tags (CONTRACT §3). */
import { Schema, SchemaTransformation } from "effect"
import { folded } from "../labels/model.ts"

const MAX_LENGTH = 254
const MAX_LABEL = 63
const NOT_AN_EMAIL = "This is not an email address."

/** RFC 5321's dot-string, with any script's letters (RFC 6531). No quotes, brackets, commas or controls: it goes into headers. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/** Decomposed, an address may be longer than it is. */
const DECOMPOSED = 4 * MAX_LENGTH

export const normaliseEmail = (given: string): string => folded(given, DECOMPOSED)

const isDomain = (domain: string): boolean => {
  const labels = domain.split(".")
  return labels.length > 1 &&
    labels.every((label) => label.length <= MAX_LABEL && LABEL.test(label)) &&
    !/^\p{N}+$/u.test(labels.at(-1)!)
}

/** What is wrong with an address in normal form, or nothing. */
export const emailFault = (email: string): string | undefined => {
  if (email.length > MAX_LENGTH) return `An email address has at most ${MAX_LENGTH} characters.`
  const at = email.lastIndexOf("@")
  return at > 0 && LOCAL.test(email.slice(0, at)) && isDomain(email.slice(at + 1))
    ? undefined
    : NOT_AN_EMAIL
}

/** Decodes any case, spacing and script to the normal form, which JSON Schema's formats do not allow; encodes as it is. */
export const Email = Schema.String.annotate({ description: "An email address; compared without regard to case and surrounding spaces" }).check(
  Schema.isPattern(/^[^@]+@[^@]+$/u, { message: NOT_AN_EMAIL })
).pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.makeFilter(emailFault)).pipe(Schema.brand("Email")),
    SchemaTransformation.transform({ decode: normaliseEmail, encode: (email: string) => email })
  )
)
export type Email = typeof Email.Type
