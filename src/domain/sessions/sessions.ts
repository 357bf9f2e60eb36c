/**
 * Browser sessions (SPEC §5.2, CONTRACT §3). The cookie is sealed and holds user id, epoch, issue time and a name; only that it
 * signed out is stored. A session ends then, after 30 days, or when the user's epoch is incremented.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { User, UserId } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { opensFresh, Seals } from "../ports/seals.ts"
import { Tokens } from "../ports/tokens.ts"

export const LIFETIME = { days: 30 } as const

const PURPOSE = "session"

/** The release before sealed no name. */
const Sealed = Schema.Struct({ user: UserId, epoch: Schema.Int, at: Schema.Number, name: Schema.optionalKey(Schema.String) })
const decode = Schema.decodeUnknownOption(Sealed)

/** A payload that the cookie may carry for a while, whether or not somebody is signed in. */
const decodeLoad = Schema.decodeUnknownOption(Schema.Struct({ load: Schema.Unknown }))

export interface IssuedSession {
  /** The value of `__Host-svc_session`. */
  readonly session: string
  /** The value of `__Host-svc_csrf`, and of `csrf_token` in answers. */
  readonly csrfToken: string
}

/** A signed-in user and the time of the sign-in: together they identify what one session of one browser opened. */
export interface SignedIn {
  readonly user: User
  readonly since: DateTime.Utc
}

export interface Session extends SignedIn {
  /** Hashed, it marks the session as signed out, in the table of spent keys (hosting/gates.ts). Its own, unless the same person signed in over it. */
  readonly name: string
}

/** Names the end of what a session opened; hashed, a mark in the same table. */
export const endOf = (user: UserId, since: DateTime.Utc): string => `signed out ${user} ${DateTime.toEpochMillis(since)}`

export class Sessions extends Context.Service<Sessions>()("svc/domain/sessions/Sessions", {
  make: Effect.gen(function*() {
    const seals = yield* Seals
    const tokens = yield* Tokens
    const accounts = yield* AccountStore
    const opened = opensFresh(seals, decode, LIFETIME)
    const open = (cookie: string | undefined) => seals.open(PURPOSE, cookie ?? "")

    const issue = Effect.fn("Sessions.issue")(function*(user: User) {
      const now = yield* DateTime.now
      const [csrf, name] = [yield* tokens.mint(), yield* tokens.mint()]
      const sealed = { user: user.id, epoch: user.sessionEpoch, at: DateTime.toEpochMillis(now), name: name.raw }
      const session = yield* seals.seal(PURPOSE, sealed)
      return { session, csrfToken: csrf.raw } satisfies IssuedSession
    })

    /** None for a cookie that was not sealed here, is too old, has a past epoch, or whose session has signed out. */
    const current = Effect.fn("Sessions.current")(function*(cookie: string) {
      const session = Option.getOrUndefined(yield* opened(PURPOSE, cookie, yield* DateTime.now))
      if (session === undefined) return Option.none<Session>()
      const since = DateTime.makeUnsafe(session.at)
      const { name = endOf(session.user, since) } = session
      const found = yield* accounts.findSignedIn(session.user, tokens.hash(name))
      return Option.map(Option.filter(found, (user) => user.sessionEpoch === session.epoch), (user): Session => ({ user, since, name }))
    })

    /** The issued session under the name of the one before it, so that one sign-out ends both; none where that was somebody else's, or had no name of its own. */
    const continuing = Effect.fn("Sessions.continuing")(function*(issued: IssuedSession, { name, since, user }: Session) {
      if (name === endOf(user.id, since)) return Option.none<IssuedSession>()
      const session = Option.filter(Option.flatMap(yield* open(issued.session), decode), (session) => session.user === user.id)
      return Option.isNone(session) ? Option.none<IssuedSession>() : Option.some({ ...issued, session: yield* seals.seal(PURPOSE, { ...session.value, name }) })
    })

    const authenticate = (cookie: string) => Effect.map(current(cookie), Option.map(({ user }) => user))

    /** The cookie with `load` beside the signed-in user; it replaces any earlier payload. */
    const carry = Effect.fn("Sessions.carry")(function*(cookie: string | undefined, load: unknown) {
      const signedIn = Option.getOrUndefined(Option.flatMap(yield* open(cookie), decode))
      return yield* seals.seal(PURPOSE, { ...signedIn, load })
    })

    const carried = Effect.fn("Sessions.carried")(function*(cookie: string | undefined) {
      return Option.map(Option.flatMap(yield* open(cookie), decodeLoad), ({ load }) => load)
    })

    /** The cookie without its payload; none if nobody is signed in. */
    const putDown = Effect.fn("Sessions.putDown")(function*(cookie: string | undefined) {
      const signedIn = Option.flatMap(yield* open(cookie), decode)
      return Option.isNone(signedIn) ? Option.none<string>() : Option.some(yield* seals.seal(PURPOSE, signedIn.value))
    })

    /** The CSRF token to continue with: the one that the browser holds, or a new one (SPEC §4.1). */
    const csrfToken = Effect.fn("Sessions.csrfToken")(function*(held: string | undefined) {
      return held !== undefined && CSRF_TOKEN.test(held) ? held : (yield* tokens.mint()).raw
    })

    /** Ends every session of the user, this one included. */
    const endAll = Effect.fn("Sessions.endAll")((user: User) => Effect.asVoid(accounts.bumpEpoch(user.id)))

    return { issue, current, continuing, authenticate, carry, carried, putDown, csrfToken, endAll }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The form of a CSRF token. Its origin need not be checked: only this host can write a `__Host-` cookie. */
const CSRF_TOKEN = /^[A-Za-z0-9_-]{1,128}$/
