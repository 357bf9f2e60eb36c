/**
 * Proof that a request comes from our own page, on a host where an author's script may still run in an open tab. The proof is
 * part of a page that only a navigation gets: no script of that host can fetch, frame or open that page and read it.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { opensFresh, Seals } from "../ports/seals.ts"
import { ProjectId } from "../projects/model.ts"

const PURPOSE = "shell"

const PROOF_LASTS = { hours: 12 } as const

const Sealed = Schema.Struct({ project: ProjectId, at: Schema.Number })
const decode = Schema.decodeUnknownOption(Sealed)

export class ShellProofs extends Context.Service<ShellProofs>()("svc/domain/hosting/ShellProofs", {
  make: Effect.gen(function*() {
    const seals = yield* Seals
    const opened = opensFresh(seals, decode, PROOF_LASTS)

    const issue = Effect.fn("ShellProofs.issue")(function*(project: ProjectId) {
      return yield* seals.seal(PURPOSE, { project, at: DateTime.toEpochMillis(yield* DateTime.now) })
    })

    /** Whether the proof was issued for this project and has not expired. */
    const proves = Effect.fn("ShellProofs.proves")(function*(project: ProjectId, raw: string) {
      return Option.exists(yield* opened(PURPOSE, raw, yield* DateTime.now), (proof) => proof.project === project)
    })

    return { issue, proves }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
