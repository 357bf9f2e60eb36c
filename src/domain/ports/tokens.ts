/** Unguessable tokens and ids. The raw token goes to the person; only its hash is stored. */
import { Context } from "effect"
import type { Effect } from "effect"

export interface Token {
  /** 32 random bytes, base64url (43 characters), after the prefix asked for. */
  readonly raw: string
  /** SHA-256 of `raw`, lower-case hex. */
  readonly hash: string
}

export class Tokens extends Context.Service<Tokens, {
  readonly mint: (prefix?: string) => Effect.Effect<Token>
  /** The hash that a raw token is stored under. */
  readonly hash: (raw: string) => string
  readonly random: (bytes: number) => Effect.Effect<Uint8Array>
  /** UUIDv7 (RFC 9562), so that ids sort by time. */
  readonly uuid: Effect.Effect<string>
}>()("svc/domain/ports/Tokens") {}
