/**
 * Proof that a request comes from our own page, on a host where an author's script may still run in an open tab. The proof is
 * part of a page that only a navigation gets: no script of that host can fetch, frame or open that page and read it.
 *
 * The author can open that page too, and hand its proof to that script. So a proof is made for one session of one reader, and holds for
 * no other. A project's host knows no session: the service names it there, in a cookie, when its reader comes through a gate.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { opensFresh, Seals } from "../ports/seals.ts"
import { ProjectId } from "../projects/model.ts"
import { LIFETIME } from "../sessions/sessions.ts"
import type { SignedIn } from "../sessions/sessions.ts"

const PROOF = "shell"
const NAME = "shell reader"

const PROOF_LASTS = { hours: 12 } as const

/** One session of one person. */
export interface ShellReader {
  readonly user: UserId
  readonly since: number
}

const Sealed = Schema.Struct({ project: ProjectId, user: UserId, since: Schema.Number, at: Schema.Number })
const decode = Schema.decodeUnknownOption(Sealed)

export const isSame = (one: ShellReader, other: ShellReader): boolean => one.user === other.user && one.since === other.since

export const readerOf = ({ since, user }: SignedIn): ShellReader => ({ user: user.id, since: DateTime.toEpochMillis(since) })

export class ShellProofs extends Context.Service<ShellProofs>()("svc/domain/hosting/ShellProofs", {
  make: Effect.gen(function*() {
    const seals = yield* Seals

    const sealed = (purpose: string) => Effect.fnUntraced(function*(project: ProjectId, { since, user }: ShellReader) {
      return yield* seals.seal(purpose, { project, user, since, at: DateTime.toEpochMillis(yield* DateTime.now) })
    })

    /** The cookie that names a reader at one project's host. It gives access to nothing. */
    const nameReader = Effect.fn("ShellProofs.nameReader")(sealed(NAME))

    const opened = (purpose: string, open: ReturnType<typeof opensFresh<typeof Sealed.Type>>) => Effect.fnUntraced(function*(project: ProjectId, raw: string) {
      const found = yield* open(purpose, raw, yield* DateTime.now)
      return Option.map(Option.filter(found, (one) => one.project === project), ({ since, user }): ShellReader => ({ user, since }))
    })

    /** Whom such a cookie names there. */
    const named = Effect.fn("ShellProofs.named")(opened(NAME, opensFresh(seals, decode, LIFETIME)))

    const issue = Effect.fn("ShellProofs.issue")(sealed(PROOF))

    /** The proof for whomever such a cookie names; empty where it names nobody. */
    const issueNamed = Effect.fn("ShellProofs.issueNamed")(function*(project: ProjectId, cookie: string) {
      const reader = Option.getOrUndefined(yield* named(project, cookie))
      return reader === undefined ? "" : yield* issue(project, reader)
    })

    /** For whom the proof was issued at this project; none once it has expired. It holds for nobody else. */
    const proven = Effect.fn("ShellProofs.proven")(opened(PROOF, opensFresh(seals, decode, PROOF_LASTS)))

    return { nameReader, named, issue, issueNamed, proven }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
