/**
 * Signing in through an OpenID Connect provider, and linking an account to it (SPEC §4.1).
 *
 * 1. The browser is sent to the provider. State, nonce and PKCE verifier travel sealed in its session cookie, beside the
 *    signed-in user; to link an account, the cookie also carries that account's id (the link intent).
 * 2. The provider sends the browser back. The attempt is removed from the cookie whatever happens next: it works once.
 * 3. The answer is checked against the attempt, and the provider says who the person is.
 * 4. To sign in, the five rules decide (rules.ts). Every refusal is the same 403.
 * 5. To link, the person who started must still be signed in. The settings page is told the outcome.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { User, UserId } from "../accounts/model.ts"
import { Recovery } from "../accounts/recovery.ts"
import { nameFor } from "../accounts/rules.ts"
import { AccountStore } from "../accounts/store.ts"
import { AuthRequired, Conflict, EmailNotVerified } from "../failures.ts"
import type { Forbidden, OauthNotConfigured, Unavailable } from "../failures.ts"
import { orFail } from "../found.ts"
import { given } from "../given.ts"
import { Invites } from "../invites/invites.ts"
import { InviteStore } from "../invites/store.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { IdentityProvider } from "../ports/identity-provider.ts"
import type { Identity } from "../ports/identity-provider.ts"
import type { IssuedSession } from "../sessions/sessions.ts"
import { Sessions } from "../sessions/sessions.ts"
import { Attempt } from "./rules.ts"
import * as Rules from "./rules.ts"
import { IdpStore } from "./store.ts"

const taken = () => new Conflict({ message: "This identity or this account is linked already." })

const UNLINKED = {
  not_linked: "This account is not linked to an identity provider.",
  no_password: "Choose a password first: without it and without the link nobody could sign in."
} as const

const decode = Schema.decodeUnknownOption(Attempt)

type Failures = Forbidden | OauthNotConfigured | Unavailable

/** Where the browser goes, and the new value of its session cookie if that changes. */
export interface Departure {
  readonly url: string
  readonly session: string | undefined
}

/** `next` is the path that was asked for when the attempt began; the browser goes there instead of to `url`. */
export interface Arrival {
  readonly url: string
  readonly next?: string
  readonly issued: IssuedSession | undefined
}

export class Idp extends Context.Service<Idp>()("svc/domain/idp/Idp", {
  make: Effect.gen(function*() {
    const store = yield* IdpStore
    const accounts = yield* AccountStore
    const pending = yield* InviteStore
    const invites = yield* Invites
    const provider = yield* IdentityProvider
    const recovery = yield* Recovery
    const sessions = yield* Sessions
    const { appUrl } = yield* Addresses
    const { atomically } = yield* Atomically

    const signedIn = (cookie: string | undefined) =>
      Effect.map(sessions.authenticate(cookie ?? ""), Option.getOrUndefined)

    /** (1) */
    const depart = Effect.fn("Idp.depart")(function*(cookie: string | undefined, linkFor: UserId | null, next?: string) {
      const { checks, url } = yield* provider.ask({ again: linkFor !== null })
      const attempt: Attempt = { checks, at: DateTime.toEpochMillis(yield* DateTime.now), linkFor, ...given({ next }) }
      return { url, session: yield* sessions.carry(cookie, attempt) } satisfies Departure
    })

    const begin = (cookie: string | undefined, next?: string) => depart(cookie, null, next)

    const beginLink = Effect.fn("Idp.beginLink")(function*(cookie: string | undefined) {
      const user = yield* signedIn(cookie)
      if (user !== undefined) return yield* depart(cookie, user.id)
      return { url: `${appUrl}/login?next=${encodeURIComponent("/settings")}`, session: undefined } satisfies Departure
    })

    /** Rule 3. Where the account's address was not verified yet, this is the first proof of it. */
    const claim = Effect.fn("Idp.claim")(
      function*(user: User, { subject }: Identity) {
        const now = yield* DateTime.now
        const claimed = store.claim(user.id, subject).pipe(orFail(Rules.refused))
        const linked = yield* claimed
        if (linked.emailVerified) return linked
        // Proving the address revokes every earlier way in, this link included, so it is claimed again.
        yield* recovery.prove(linked, now)
        return yield* claimed
      },
      atomically
    )

    /** Rule 4. */
    const join = Effect.fn("Idp.join")(function*(email: string, { name, subject }: Identity) {
      return yield* invites.acceptAll({ email, name: nameFor(name, email), idpSub: subject }).pipe(orFail(Rules.refused))
    })

    /** (4) */
    const enter = Effect.fn("Idp.enter")(function*(identity: Identity, now: DateTime.Utc) {
      const { email } = identity
      const bySubject = Option.getOrUndefined(yield* store.bySubject(identity.subject))
      const byEmail = email === null ? undefined : Option.getOrUndefined(yield* accounts.byEmail(email))?.user
      const invited = email !== null && (yield* pending.pendingFor(email, now)).length > 0
      const entry = Rules.enter(identity, { bySubject, byEmail, invited })
      switch (entry._tag) {
        case "SignIn": return entry.user
        case "LinkAndSignIn": return yield* claim(entry.user, identity)
        case "Join": return yield* join(entry.email, identity)
        case "Refuse": return yield* Rules.refused()
      }
    })

    /** (5) */
    const link = Effect.fn("Idp.link")(function*(user: User, identity: Identity) {
      const bySubject = Option.getOrUndefined(yield* store.bySubject(identity.subject))
      switch (Rules.link(user, identity, bySubject)) {
        case "linked": return
        case "email_not_verified": return yield* new EmailNotVerified({ message: "The provider has not verified this address." })
        case "conflict": return yield* taken()
        case "link": if (!(yield* store.link(user, identity.subject))) return yield* taken()
      }
    })

    /** (3) */
    const identify = Effect.fn("Idp.identify")(function*(attempt: Attempt, query: URLSearchParams, now: DateTime.Utc) {
      if (Rules.isOver(attempt, now)) return yield* Rules.refused()
      return yield* provider.identify(query, attempt.checks)
    })

    const finishLink = Effect.fn("Idp.finishLink")(
      function*(cookie: string | undefined, linkFor: UserId, identity: Effect.Effect<Identity, Failures>) {
        const user = yield* signedIn(cookie)
        if (user?.id !== linkFor) return yield* new AuthRequired({ message: "Sign in, and link again." })
        yield* link(user, yield* identity)
      },
      Effect.match({ onSuccess: () => "idp_linked=1", onFailure: ({ _tag }) => `idp_link_error=${_tag}` }),
      Effect.map((outcome): Arrival => ({ url: `${appUrl}/settings?${outcome}`, issued: undefined }))
    )

    /** (2) `session`: the cookie without the attempt, if somebody is signed in; `next` as in `Arrival`. Undefined if the cookie carries no attempt. */
    const unload = Effect.fn("Idp.unload")(function*(cookie: string | undefined) {
      const carried = yield* sessions.carried(cookie)
      if (Option.isNone(carried)) return undefined
      return { session: Option.getOrUndefined(yield* sessions.putDown(cookie)), next: Option.getOrUndefined(decode(carried.value))?.next }
    })

    const finish = Effect.fn("Idp.finish")(function*(cookie: string | undefined, query: URLSearchParams) {
      const now = yield* DateTime.now
      const attempt = Option.getOrUndefined(Option.flatMap(yield* sessions.carried(cookie), decode))
      if (attempt === undefined) return yield* Rules.refused()
      const identity = identify(attempt, query, now)
      if (attempt.linkFor !== null) return yield* finishLink(cookie, attempt.linkFor, identity)
      const user = yield* enter(yield* identity, now)
      const { next } = attempt
      return { url: appUrl, ...given({ next }), issued: yield* sessions.issue(user) } satisfies Arrival
    })

    const unlink = Effect.fn("Idp.unlink")(function*(user: User) {
      const verdict = Rules.unlink(user)
      if (verdict !== "unlink") return yield* new Conflict({ message: UNLINKED[verdict] })
      if (!(yield* store.unlink(user.id))) return yield* new Conflict({ message: UNLINKED.not_linked })
    })

    return { begin, beginLink, unload, finish, unlink }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
