/** What a new password must be (CONTRACT §3): 8–256 characters, not a common one, not the email itself. */
import { Effect } from "effect"
import { invalid } from "../failures.ts"
import type { Fault, Invalid } from "../failures.ts"
import { normaliseEmail } from "./email.ts"
import { guessed, lengthFault } from "./password.ts"

/** Up to this length, one repeated character or a run along the alphabet is among the first guesses. */
const GUESSED_RUN = 16

let list: Promise<ReadonlySet<string>> | undefined

/** Some 50,000 leaked passwords, loaded when first needed; only those of at least `MIN` characters are kept. */
const common = (): Promise<ReadonlySet<string>> =>
  list ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) =>
    new Set(
      dictionary["passwords-common"]
        .map((word) => String(word).toLowerCase())
        .filter((word) => lengthFault(word) === undefined)
    )
  )

/** `aaaaaaaa`, `abcdefgh`, `87654321`: every character the same step from the one before. One alone is a run too, and none: the rest was spaces. */
const isRun = (characters: ReadonlyArray<string>): boolean => {
  const codes = characters.map((character) => character.codePointAt(0)!)
  const [first = 0, second = first] = codes
  const step = second - first
  return characters.length <= GUESSED_RUN && Math.abs(step) <= 1 &&
    codes.every((code, index) => index === 0 || code - codes[index - 1]! === step)
}

/** Why `password` is refused for the owner of `email`, as a fault of the input `field`; undefined if it is good enough. */
export const passwordFault = async (password: string, email: string, field: string): Promise<Fault | undefined> => {
  const length = lengthFault(password)
  if (length !== undefined) return { field, message: length }
  const guess = guessed(password)
  const address = normaliseEmail(email)
  if (guess === address || guess === address.slice(0, address.lastIndexOf("@"))) {
    return { field, message: "The password must not be the email address." }
  }
  if (isRun([...guess]) || (await common()).has(guess)) {
    return { field, message: "This password is too common. Choose another." }
  }
  return undefined
}

/** Fails if `password` is not good enough. */
export const checkPassword = (password: string, email: string, field: string): Effect.Effect<void, Invalid> =>
  Effect.flatMap(Effect.promise(() => passwordFault(password, email, field)), (fault) => fault === undefined ? Effect.void : Effect.fail(invalid(fault)))
