/**
 * Single-use keys that travel in an address: sealed, so that nobody can read or change them; short-lived; and spent by the
 * first request that presents one, which a single INSERT decides across all instances.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { opensFresh, Seals } from "../ports/seals.ts"
import { Tokens } from "../ports/tokens.ts"
import { PassStore } from "./store.ts"

const KEY_LASTS = { minutes: 1 } as const

/** How long a spent key is remembered: far longer than it is valid (a minute), since clocks differ between machines. */
export const KEYS_KEPT = { minutes: 60 * KEY_LASTS.minutes } as const

/** What a key is for: a project's gate, for a member; a frame's host; or to name a reader at a project's host. */
type KeyPurpose = "member-entry" | "frame-entry" | "reader-entry"

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

    /** The payload of the key, for the first request within its minute; none for any other. */
    const spend = Effect.fn("EntryKeys.spend")(function*<A>(purpose: KeyPurpose, raw: string, schema: Schema.Codec<A, unknown>) {
      const now = yield* DateTime.now
      const key = Option.getOrUndefined(yield* opened(purpose, raw, now))
      if (key === undefined) return Option.none<A>()
      const load = Schema.decodeUnknownOption(schema)(key.load)
      // The nonce is remembered, not the text: one seal can be encoded in more than one way.
      return Option.isSome(load) && (yield* store.spend(tokens.hash(key.nonce), now)) ? load : Option.none<A>()
    })

    return { mint, spend }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
