/** How long a new password is (CONTRACT §3): 8–256 characters. What else it must be, the program knows. */
import { composed } from "../labels/model.ts"

const MIN = 8
const MAX = 256

/** Two ways to type the same password may differ in their composition only (RFC 8265 §4.2 compares in NFC). */
export const typed = (password: string): string => composed(password, 4 * MAX)

/** What is wrong with the length of `password`; undefined when it will do. */
export const lengthFault = (password: string): string | undefined => {
  const { length } = [...typed(password)]
  if (length < MIN) return `A password has at least ${MIN} characters.`
  if (length > MAX) return `A password has at most ${MAX} characters.`
  return undefined
}
