/**
 * Getting in without the password, and getting a new one (SPEC §4.1, CONTRACT §3).
 *
 * 1. A link is requested: the answer is always the same; only an existing account gets the mail.
 * 2. The link's page asks for a click, since mail scanners open links too.
 * 3. The token is consumed by one conditional UPDATE; one refusal for every reason.
 * 4. Whoever opened the mail has proved the address. If it was unverified before, what a stranger may
 *    have set up is removed: sessions, tokens, the password, the link to a provider.
 * 5. A reset ends every session, revokes every token, agents’ and devices’ too, and unlinks the provider, which whoever had the
 *    account may have linked; a change ends every session but its caller’s, and leaves the rest alone. After either, a device or an
 *    agent that was approved and has no token yet must ask again.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { ApiTokenStore } from "../api-tokens/store.ts"
import { DeviceGrantStore } from "../device-grants/store.ts"
import { orFail } from "../found.ts"
import { given } from "../given.ts"
import { OauthStore } from "../oauth/store.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Passwords } from "../ports/passwords.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import { networkOf } from "../sessions/client-address.ts"
import { Sessions } from "../sessions/sessions.ts"
import type { TokenPurpose, User } from "./model.ts"
import { checkPassword } from "./password-rules.ts"
import { noPassword, refusedToken, wrongPassword } from "./refusals.ts"
import * as Rules from "./rules.ts"
import { AccountStore } from "./store.ts"

const MAILS = { "magic-link": Mail.cases.MagicLink, "password-reset": Mail.cases.PasswordReset } as const

export class Recovery extends Context.Service<Recovery>()("svc/domain/accounts/Recovery", {
  make: Effect.gen(function*() {
    const store = yield* AccountStore
    const apiTokens = yield* ApiTokenStore
    const oauth = yield* OauthStore
    const deviceGrants = yield* DeviceGrantStore
    const tokens = yield* Tokens
    const passwords = yield* Passwords
    const mailer = yield* Mailer
    const limits = yield* RateLimits
    const sessions = yield* Sessions
    const { atomically } = yield* Atomically

    const mail = Effect.fn("Recovery.mail")(
      function*(email: string, purpose: keyof typeof MAILS, next?: string) {
        const now = yield* DateTime.now
        const found = Option.getOrUndefined(yield* store.byEmail(email))
        // A token is minted either way, so that the response time tells little.
        const token = yield* tokens.mint()
        if (found === undefined) return
        const { id, name } = found.user
        yield* store.addToken({ hash: token.hash, userId: id, purpose, expiresAt: Rules.tokenExpiry(purpose, now) })
        yield* mailer.enqueue(MAILS[purpose].make({ to: email, name, token: token.raw, ...given({ next }) }))
      },
      atomically
    )

    /** (1) */
    const request = Effect.fn("Recovery.request")(function*(email: string, purpose: keyof typeof MAILS, limit: Limit, next?: string) {
      yield* limits.consume(limit, email)
      yield* mail(email, purpose, next)
    })

    /** `next` is a path that the caller has checked to be on our own origin. */
    const requestMagicLink = (email: string, next?: string) => request(email, "magic-link", Rules.LIMITS.magicLink, next)
    const requestReset = (email: string, next?: string) => request(email, "password-reset", Rules.LIMITS.passwordReset, next)

    /** (3) */
    const consume = Effect.fn("Recovery.consume")(function*(raw: string, purpose: TokenPurpose, now: DateTime.Utc) {
      return yield* store.consumeToken(tokens.hash(raw), purpose, now).pipe(orFail(refusedToken))
    })

    /** (5) Turns away whoever was approved and has no token yet. */
    const forgetApproved = Effect.fn("Recovery.forgetApproved")(function*(user: User) {
      yield* deviceGrants.forgetAllOf(user.id)
      yield* oauth.forgetCodesOf(user.id)
    })

    /** (5) Ends every session and revokes every token. */
    const endEverything = Effect.fn("Recovery.endEverything")(function*(user: User, now: DateTime.Utc) {
      // Approvals go first, since tokens are made from them: this waits for a claim or an exchange that is making one just now.
      yield* forgetApproved(user)
      yield* apiTokens.removeAll(user.id)
      yield* oauth.revokeAllOf(user.id, now)
      yield* store.voidTokens(user.id, ["magic-link", "password-reset"], now)
      return yield* store.bumpEpoch(user.id)
    })

    /** (4) Part of the caller’s transaction. */
    const prove = Effect.fn("Recovery.prove")(function*(user: User, now: DateTime.Utc) {
      if (user.emailVerified) return user
      yield* store.verifyEmail(user.id, now)
      yield* store.dropWaysIn(user.id)
      return yield* endEverything(user, now)
    })

    const proven = Effect.fn("Recovery.proven")(
      function*(raw: string) {
        const now = yield* DateTime.now
        return yield* prove(yield* consume(raw, "magic-link", now), now)
      },
      atomically
    )

    const openMagicLink = Effect.fn("Recovery.openMagicLink")(function*(raw: string, address: string) {
      yield* limits.consume(Rules.LIMITS.magicLinkVerify, address)
      const user = yield* proven(raw)
      return { user, ...(yield* sessions.issue(user)) }
    })

    /** A weak password fails inside the transaction, so the link is good for another try. */
    const replace = Effect.fn("Recovery.replace")(
      function*(raw: string, password: string, hash: string) {
        const now = yield* DateTime.now
        const user = yield* consume(raw, "password-reset", now)
        yield* checkPassword(password, user.email, "password")
        yield* prove(user, now)
        yield* store.leaveOnlyPassword(user.id, hash)
        yield* endEverything(user, now)
      },
      atomically
    )

    const confirmReset = Effect.fn("Recovery.confirmReset")(function*(raw: string, password: string, address: string) {
      yield* limits.consume(Rules.LIMITS.resetConfirm, address)
      yield* checkPassword(password, "", "password")
      // Hashed before the row is touched: it takes long, and a transaction should not.
      yield* replace(raw, password, yield* passwords.hash(password, networkOf(address)))
    })

    const changeTo = Effect.fn("Recovery.changeTo")(
      function*(user: User, proven: string, hash: string) {
        if (!(yield* store.replacePasswordHash(user.id, proven, hash))) return yield* wrongPassword()
        yield* forgetApproved(user)
        return yield* store.bumpEpoch(user.id)
      },
      atomically
    )

    const changePassword = Effect.fn("Recovery.changePassword")(function*(user: User, current: string, next: string) {
      yield* limits.consume(Rules.LIMITS.reauthentication, user.id)
      const proven = Option.getOrUndefined(yield* store.byEmail(user.email))?.passwordHash ?? null
      const { matches } = yield* passwords.verify(proven, current, user.id)
      if (proven === null) return yield* noPassword()
      if (!matches) return yield* wrongPassword()
      yield* checkPassword(next, user.email, "new_password")
      return yield* sessions.issue(yield* changeTo(user, proven, yield* passwords.hash(next, user.id)))
    })

    return { requestMagicLink, openMagicLink, requestReset, confirmReset, changePassword, prove }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
