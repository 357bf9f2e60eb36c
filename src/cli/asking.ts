/** Prompts at a terminal; in a pipe the command says which flag to give instead. */
import { text } from "node:stream/consumers"
import { Effect, Redacted } from "effect"
import { Confirm, Hidden, run } from "effect/cli/Prompt"
import { Output } from "./output.ts"
import { refused, usage } from "./refusal.ts"

/** Asks before what cannot be undone. `yes` answers in advance. */
export const confirmed = Effect.fnUntraced(function*(question: string, yes: boolean) {
  if (yes) return
  const { asks } = yield* Output
  if (!asks) return yield* usage(`${question} Nobody can be asked here.`, "The same with --yes")
  if (!(yield* run(Confirm({ message: question })))) return yield* refused("Nothing was changed.")
})

const typed = Effect.promise(() => text(process.stdin))

/** A secret, typed unseen or read from the first line of stdin. Never an argument: other users of this machine can see those. */
export const secret = Effect.fnUntraced(function*(message: string) {
  const { asks } = yield* Output
  if (asks) return Redacted.value(yield* run(Hidden({ message })))
  if (process.stdin.isTTY) return yield* usage("A secret is typed at a terminal or comes from stdin.", "printf %s \"$SECRET\" | svc …")
  const given = (yield* typed).split("\n", 1)[0]!.replace(/\r$/, "")
  return given === "" ? yield* usage("Nothing came from stdin.", "printf %s \"$SECRET\" | svc …") : given
})

/** Text from an argument, or from stdin if the argument is `-`. */
export const words = (given: string) => given === "-" ? Effect.map(typed, (text) => text.trimEnd()) : Effect.succeed(given)
