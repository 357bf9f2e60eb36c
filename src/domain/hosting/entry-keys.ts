/**
 * Keys that travel in an address and open once: sealed, so that nobody reads or changes them; short-lived; and spent by
 * the first to lay one down, which one INSERT decides on every machine.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { opensFresh, Seals } from "../ports/seals.ts"
import { Tokens } from "../ports/tokens.ts"
import { PassStore } from "./store.ts"

const KEY_LASTS = { minutes: 1 } as const

/** Far beyond the minute that a key is good for: clocks differ between machines. */
export const KEYS_KEPT = { minutes: 60 * KEY_LASTS.minutes } as const

/** What a key opens: the gate of a project to a member, or the host of a frame. */
export type KeyPurpose = "member-entry" | "frame-entry"

const Sealed = Schema.Struct({ at: Schema.Number, nonce: Schema.String, load: Schema.Unknown })
const decode = Schema.decodeUnknownOption(Sealed)

export class EntryKeys extends Context.Service<EntryKeys>()("svc/domain/hosting/EntryKeys", {
  make: Effect.gen(function*() {
    const seals = yield* Seals
    const tokens = yield* Tokens
    const store = yield* PassStore
    const opened = opensFresh(seals, decode, KEY_LASTS)

    const mint = Effect.fn("EntryKeys.mint")(function*(purpose: KeyPurpose, load: unknown) {
      const at = DateTime.toEpochMillis(yield* DateTime.now)
      return yield* seals.seal(purpose, { at, nonce: yield* tokens.uuid, load })
    })

    /** What the key was made with, for the first who comes within its minute; none for anybody else. */
    const spend = Effect.fn("EntryKeys.spend")(function*<A>(purpose: KeyPurpose, raw: string, schema: Schema.Codec<A, unknown>) {
      const now = yield* DateTime.now
      const key = Option.getOrUndefined(yield* opened(purpose, raw, now))
      if (key === undefined) return Option.none<A>()
      const load = Schema.decodeUnknownOption(schema)(key.load)
      // The nonce, not the text: a seal can be written in more than one way.
      return Option.isSome(load) && (yield* store.spend(tokens.hash(key.nonce), now)) ? load : Option.none<A>()
    })

    return { mint, spend }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
