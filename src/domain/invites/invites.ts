/**
 * Accepting an invitation (SPEC §3, §4.1; CONTRACT §5). The link proves the address, so accepting verifies it.
 *
 * 1. No account has the address: one is created, without a workspace of its own, and signed in.
 * 2. The address's owner is signed in: the membership is added; the session stays as it is.
 * 3. The address has an account that is not signed in: its owner must sign in first.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { UserId } from "../accounts/model.ts"
import { passwordFault } from "../accounts/password-rules.ts"
import { LIMITS } from "../accounts/rules.ts"
import { AccountStore } from "../accounts/store.ts"
import type { NewGuest } from "../accounts/store.ts"
import { Audit } from "../audit/audit.ts"
import { invalid } from "../failures.ts"
import type { Forbidden } from "../failures.ts"
import { orFail } from "../found.ts"
import { Atomically } from "../ports/atomically.ts"
import { Passwords } from "../ports/passwords.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import { networkOf } from "../sessions/client-address.ts"
import type { IssuedSession } from "../sessions/sessions.ts"
import { Sessions } from "../sessions/sessions.ts"
import { joined } from "../workspaces/member-rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { stateOf } from "./model.ts"
import type { Acceptance, Invite } from "./model.ts"
import * as Rules from "./rules.ts"
import { InviteStore } from "./store.ts"

/** The signed-in user, if the request carries a session. */
export interface Visitor {
  readonly user: User
  /** Fails if the request may not act for its session (CSRF). Run only where the session matters. */
  readonly confirm: Effect.Effect<void, Forbidden>
}

export interface Accepted {
  readonly user: User
  /** The session of a new account; none if the caller keeps their own. */
  readonly issued: Option.Option<IssuedSession>
}

type Guest = Omit<NewGuest, "id">

export class Invites extends Context.Service<Invites>()("svc/domain/invites/Invites", {
  make: Effect.gen(function*() {
    const store = yield* InviteStore
    const accounts = yield* AccountStore
    const workspaces = yield* WorkspaceStore
    const tokens = yield* Tokens
    const passwords = yield* Passwords
    const limits = yield* RateLimits
    const sessions = yield* Sessions
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    const consume = Effect.fnUntraced(function*(tokenHash: string, now: DateTime.Utc) {
      return yield* store.consume(tokenHash, now).pipe(orFail(Rules.refusedInvite))
    })

    const notErased = Effect.fnUntraced(function*(email: string) {
      const eraseOn = Option.getOrUndefined(yield* accounts.holder(email))?.eraseOn ?? null
      if (eraseOn !== null) return yield* Rules.toBeErased(eraseOn)
    })

    const create = Effect.fnUntraced(function*(guest: Guest, now: DateTime.Utc) {
      const id = UserId.make(yield* tokens.uuid)
      return yield* accounts.createGuest({ id, ...guest }, now).pipe(orFail(Rules.accountExists))
    })

    /** Locks workspaces in one order, so that people who accept several invites at once cannot deadlock. */
    const lock = (invites: ReadonlyArray<Invite>) =>
      Effect.forEach([...new Set(invites.map((invite) => invite.workspaceId))].sort(), workspaces.lock, { discard: true })

    const enter = Effect.fnUntraced(function*(user: User, invites: ReadonlyArray<Invite>, now: DateTime.Utc) {
      for (const invite of invites) {
        const { workspaceId } = invite
        const membership = Rules.membership(invite)
        const held = Option.getOrUndefined(yield* workspaces.member(workspaceId, user.id))
        yield* workspaces.join(user.id, joined(held, membership), now)
        const deed = { workspaceId, actor: user.id }
        yield* audit.write({ ...deed, action: "invite.accepted", target: { type: "invite", id: invite.id, role: membership.role } }, now)
        if (held === undefined) yield* audit.write({ ...deed, action: "member.joined", target: { type: "member", id: user.id, role: membership.role } }, now)
      }
    })

    const join = Effect.fn("Invites.join")(
      function*(user: User, found: Invite, tokenHash: string, now: DateTime.Utc) {
        yield* lock([found])
        const invite = yield* consume(tokenHash, now)
        // The session ended meanwhile, as it does when the account is scheduled for erasure.
        if (!(yield* accounts.holdSession(user))) return yield* Rules.accountExists()
        yield* accounts.verifyEmail(user.id, now)
        yield* enter(user, [invite], now)
        return { ...user, emailVerified: true }
      },
      atomically
    )

    const admit = Effect.fn("Invites.admit")(
      function*(guest: Guest, found: Invite, tokenHash: string, now: DateTime.Utc) {
        yield* lock([found])
        const invite = yield* consume(tokenHash, now)
        const user = yield* create(guest, now)
        yield* enter(user, [invite], now)
        return user
      },
      atomically
    )

    /** (1) */
    const begin = Effect.fn("Invites.begin")(function*({ name, password }: Acceptance, invite: Invite, tokenHash: string, address: string, now: DateTime.Utc) {
      const { email } = invite
      const fault = password === undefined ? undefined : yield* Effect.promise(() => passwordFault(password, email, "password"))
      const passwordFaults = fault === undefined ? [] : [fault]
      if (name === undefined || name === "") return yield* invalid({ field: "name", message: "A new account needs a name." }, ...passwordFaults)
      if (fault !== undefined) return yield* invalid(fault)
      const passwordHash = password === undefined ? null : yield* passwords.hash(password, networkOf(address))
      const user = yield* admit({ email, name, passwordHash, idpSub: null }, invite, tokenHash, now)
      return { user, issued: Option.some(yield* sessions.issue(user)) } satisfies Accepted
    })

    /** (2) */
    const add = Effect.fn("Invites.add")(function*({ confirm, user }: Visitor, invite: Invite, tokenHash: string, now: DateTime.Utc) {
      yield* confirm
      return { user: yield* join(user, invite, tokenHash, now), issued: Option.none() } satisfies Accepted
    })

    /** Whether a link still opens its invite: not once that was taken back, replaced or accepted, nor for a workspace that is to be erased. */
    const opens = Effect.fn("Invites.opens")(function*(token: string) {
      const found = Option.getOrUndefined(yield* store.byToken(tokens.hash(token)))
      return found !== undefined && stateOf(found.invite, yield* DateTime.now) === "pending"
    })

    /** For the page that the link opens. It changes nothing, and answers only whoever holds the link. */
    const look = Effect.fn("Invites.look")(function*(token: string, visitor: Visitor | undefined, address: string) {
      yield* limits.consume(LIMITS.inviteAccept, address)
      const now = yield* DateTime.now
      const hash = tokens.hash(token)
      const found = Option.getOrUndefined(yield* store.byToken(hash))
      const invitation = Option.getOrUndefined(yield* store.shown(hash))
      if (found === undefined || invitation === undefined || stateOf(found.invite, now) !== "pending") return yield* Rules.refusedInvite()
      yield* notErased(found.invite.email)
      return { ...invitation, workspaceId: found.invite.workspaceId, hasAccount: found.owner !== null, signedInAs: visitor?.user.email ?? null }
    })

    /** The token is checked before the form's fields, so that only whoever holds the link learns anything. */
    const accept = Effect.fn("Invites.accept")(function*(given: Acceptance, visitor: Visitor | undefined, address: string) {
      yield* limits.consume(LIMITS.inviteAccept, address)
      const now = yield* DateTime.now
      const tokenHash = tokens.hash(given.token)
      const found = Option.getOrUndefined(yield* store.byToken(tokenHash))
      const entry = yield* Effect.fromResult(Rules.accept(found, visitor, now)).pipe(
        Effect.tapErrorTag("account_exists", () => notErased(found!.invite.email)))
      switch (entry._tag) {
        case "New": return yield* begin(given, entry.invite, tokenHash, address, now)
        case "Joins": return yield* add(entry.visitor, entry.invite, tokenHash, now)
      }
    })

    const admitAll = Effect.fn("Invites.admitAll")(
      function*(guest: Guest, now: DateTime.Utc) {
        const inviting = yield* store.pendingFor(guest.email, now)
        yield* lock(inviting)
        // One that came meanwhile stays pending: its workspace is not locked.
        const invites = yield* store.consumeAll(guest.email, inviting.map(({ workspaceId }) => workspaceId), now)
        if (invites.length === 0) return Option.none<User>()
        const user = yield* create(guest, now)
        yield* enter(user, invites, now)
        return Option.some(user)
      },
      atomically
    )

    /**
     * For a person whose address the identity provider proved (SPEC §4.1, callback rule 4): creates the account and accepts
     * every pending invite. None if nobody invited the address, or if the address or the subject has an account by now.
     */
    const acceptAll = Effect.fn("Invites.acceptAll")(function*(given: { readonly email: string; readonly name: string; readonly idpSub: string }) {
      const now = yield* DateTime.now
      return yield* admitAll({ ...given, passwordHash: null }, now).pipe(
        Effect.catchTag("account_exists", () => Effect.succeed(Option.none<User>()))
      )
    })

    return { opens, look, accept, acceptAll }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
