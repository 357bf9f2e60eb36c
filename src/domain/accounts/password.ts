/** How long a new password is (CONTRACT §3): 8–256 characters. What else it must be, the program knows. */
import { composed, folded } from "../labels/model.ts"

const MIN = 8
const MAX = 256

export const PASSWORD_LENGTH = `${MIN}–${MAX} characters`

/** Decomposed, a password may be longer than it is. */
const DECOMPOSED = 4 * MAX

/** Two ways to type the same password may differ in their composition only (RFC 8265 §4.2 compares in NFC). */
export const typed = (password: string): string => composed(password, DECOMPOSED)

/** As a guess at it is compared: without regard to case and surrounding spaces. */
export const guessed = (password: string): string => folded(password, DECOMPOSED)

/** What is wrong with the length of `password`; undefined when it will do. */
export const lengthFault = (password: string): string | undefined => {
  const { length } = [...typed(password)]
  if (length < MIN) return `A password has at least ${MIN} characters.`
  if (length > MAX) return `A password has at most ${MAX} characters.`
  return undefined
}
