/** Tells a file's type from its first bytes. */
import { Context } from "effect"
import type { Effect } from "effect"

export interface Sniffed {
  readonly mime: string
  readonly ext: string
}

export class Sniffer extends Context.Service<Sniffer, {
  /** Undefined for text and anything unknown. */
  readonly sniff: (head: Uint8Array) => Effect.Effect<Sniffed | undefined>
}>()("svc/domain/ports/Sniffer") {}
