/** How long a new password is (CONTRACT §3): 8–256 characters. What else it must be, the program knows. */

const MIN = 8
const MAX = 256

/** What is wrong with the length of `password`; undefined when it will do. */
export const lengthFault = (password: string): string | undefined => {
  const { length } = [...password.normalize("NFC")]
  if (length < MIN) return `A password has at least ${MIN} characters.`
  if (length > MAX) return `A password has at most ${MAX} characters.`
  return undefined
}
