/** Signing up, verifying the address, signing in (SPEC §4.1). No answer tells whether an account exists. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { orFail } from "../found.ts"
import { given } from "../given.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Passwords } from "../ports/passwords.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import { networkOf } from "../sessions/client-address.ts"
import { Sessions } from "../sessions/sessions.ts"
import { WorkspaceId } from "../workspaces/model.ts"
import type { Credentials, Signup, User } from "./model.ts"
import { UserId } from "./model.ts"
import { checkPassword } from "./password-rules.ts"
import { refusedCredentials, refusedToken } from "./refusals.ts"
import * as Rules from "./rules.ts"
import { AccountStore } from "./store.ts"

export class Accounts extends Context.Service<Accounts>()("svc/domain/accounts/Accounts", {
  make: Effect.gen(function*() {
    const store = yield* AccountStore
    const tokens = yield* Tokens
    const passwords = yield* Passwords
    const mailer = yield* Mailer
    const limits = yield* RateLimits
    const sessions = yield* Sessions
    const { atomically } = yield* Atomically

    const mailVerification = Effect.fn("Accounts.mailVerification")(function*(
      user: { readonly id: UserId; readonly email: string; readonly name: string },
      now: DateTime.Utc,
      next: string | undefined
    ) {
      const token = yield* tokens.mint()
      const expiresAt = Rules.tokenExpiry("verify-email", now)
      yield* store.addToken({ hash: token.hash, userId: user.id, purpose: "verify-email", expiresAt })
      yield* mailer.enqueue(Mail.cases.VerifyEmail.make({ to: user.email, name: user.name, token: token.raw, ...given({ next }) }))
    })

    /** By the name of the account, since the one that a stranger typed would be their words in our mail. */
    const mailTaken = Effect.fn("Accounts.mailTaken")(function*(to: string, next: string | undefined) {
      const holder = Option.getOrUndefined(yield* store.holder(to))
      if (holder === undefined) return
      const { eraseOn, name } = holder
      yield* mailer.enqueue(
        eraseOn === null
          ? Mail.cases.AlreadyRegistered.make({ to, name, ...given({ next }) })
          : Mail.cases.ToBeErased.make({ to, name, eraseOn: DateTime.formatIso(eraseOn) })
      )
    })

    const mailsLeft = (email: string) =>
      limits.consume(Rules.LIMITS.signupMails, email).pipe(
        Effect.as(true),
        Effect.catchTag("rate_limited", () => Effect.succeed(false))
      )

    const register = Effect.fn("Accounts.register")(
      function*(input: Signup, passwordHash: string) {
        const now = yield* DateTime.now
        const name = Rules.nameFor(input.name, input.email)
        const id = UserId.make(yield* tokens.uuid)
        const home = Rules.home(WorkspaceId.make(yield* tokens.uuid), name, now)
        const created = yield* store.create({ id, email: input.email, name, passwordHash, home }, now)

        // Counted once the account is there: of many signups at once, the link of whoever made it is the last mail to leave out.
        if (!(yield* mailsLeft(input.email))) return
        yield* created ? mailVerification({ id, email: input.email, name }, now, input.next) : mailTaken(input.email, input.next)
      },
      atomically
    )

    const signup = Effect.fn("Accounts.signup")(function*(input: Signup, address: string) {
      yield* limits.consume(Rules.LIMITS.signupByAddress, address)
      yield* limits.consume(Rules.LIMITS.signupByAddressHourly, address)
      yield* checkPassword(input.password, input.email, "password")
      yield* register(input, yield* passwords.hash(input.password, networkOf(address)))
    })

    const login = Effect.fn("Accounts.login")(function*(input: Credentials, address: string) {
      yield* limits.consume(Rules.LIMITS.loginByAddress, address)
      yield* limits.consume(Rules.LIMITS.loginByEmail, input.email)
      const found = Option.getOrUndefined(yield* store.byEmail(input.email))
      const { matches, outdated } = yield* passwords.verify(found?.passwordHash ?? null, input.password, networkOf(address))
      if (found === undefined || !matches) return yield* refusedCredentials()
      // If the password was changed meanwhile, nothing is written back.
      if (outdated && found.passwordHash !== null) yield* store.replacePasswordHash(found.user.id, found.passwordHash, yield* passwords.hash(input.password, networkOf(address)))
      return { user: found.user, ...(yield* sessions.issue(found.user)) }
    })

    const verifyEmail = Effect.fn("Accounts.verifyEmail")(
      function*(raw: string) {
        const now = yield* DateTime.now
        const user = yield* store.consumeToken(tokens.hash(raw), "verify-email", now).pipe(orFail(refusedToken))
        yield* store.verifyEmail(user.id, now)
        return { email: user.email }
      },
      atomically
    )

    const remail = Effect.fn("Accounts.remail")(
      function*(email: string, next: string | undefined) {
        const now = yield* DateTime.now
        const found = Option.getOrUndefined(yield* store.byEmail(email))
        if (found !== undefined && !found.user.emailVerified) yield* mailVerification(found.user, now, next)
      },
      atomically
    )

    const resendVerification = Effect.fn("Accounts.resendVerification")(function*(email: string, next?: string) {
      yield* limits.consume(Rules.LIMITS.verificationResend, email)
      yield* remail(email, next)
    })

    const rename = Effect.fn("Accounts.rename")(function*(user: User, name: string) {
      yield* store.rename(user.id, name)
      return { ...user, name }
    })

    return { signup, login, verifyEmail, resendVerification, rename }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
