/**
 * Signing a device in (SPEC §4.2, CONTRACT §4, RFC 8628):
 * 1. The device starts: it gets a secret `device_code`, and a `user_code` for the person in front of it.
 * 2. The person opens the device page in a session and sees what asks, from where and since when.
 * 3. With a click they approve or deny. Nothing is approved by opening a link.
 * 4. The device polls with its `device_code`. While nobody has answered, at most once an interval.
 * 5. The first poll after an approval consumes the grant and mints an API token, in one transaction.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { signedOut } from "../accounts/refusals.ts"
import { AccountStore } from "../accounts/store.ts"
import { ApiTokens } from "../api-tokens/api-tokens.ts"
import { DeviceDenied, InvalidToken, NotFound, RateLimited } from "../failures.ts"
import { orFail } from "../found.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import type { Asker, DeviceGrant, Polled } from "./model.ts"
import { DeviceGrantId } from "./model.ts"
import * as Rules from "./rules.ts"
import { DeviceGrantStore } from "./store.ts"

/** Unknown, expired and consumed: one refusal. */
const refusedCode = () => new InvalidToken({ message: "This device code is no longer valid. Start again.", field: "device_code" })

/** Unknown, expired and resolved: one refusal. */
const noSuchCode = () => new NotFound({ message: "No device is waiting with this code.", field: "user_code" })

const tooEarly = (seconds: number) =>
  new RateLimited({ message: `Nobody has answered yet. Ask once every ${Rules.INTERVAL_SECONDS} seconds.`, details: { retry_after_seconds: seconds } })

export class DeviceGrants extends Context.Service<DeviceGrants>()("svc/domain/device-grants/DeviceGrants", {
  make: Effect.gen(function*() {
    const store = yield* DeviceGrantStore
    const accounts = yield* AccountStore
    const apiTokens = yield* ApiTokens
    const tokens = yield* Tokens
    const mailer = yield* Mailer
    const limits = yield* RateLimits
    const { appUrl } = yield* Addresses
    const { atomically } = yield* Atomically

    /** Step 1. */
    const start = Effect.fn("DeviceGrants.start")(function*({ address, client, clientId }: Asker) {
      yield* limits.consume(Rules.LIMITS.startByAddress, address)
      const now = yield* DateTime.now
      const device = yield* tokens.mint()
      const userCode = Rules.userCodeFrom(yield* tokens.random(Rules.USER_CODE_BYTES))
      const id = DeviceGrantId.make(yield* tokens.uuid)
      const grant = { id, userCode, client: Rules.clientName(client), address, clientId, requestedAt: now, expiresAt: Rules.expiry(now) }
      yield* store.add(grant, device.hash)
      const shown = Rules.shownUserCode(userCode)
      return {
        deviceCode: device.raw,
        userCode: shown,
        verificationUrl: `${appUrl}/device`,
        verificationUrlComplete: `${appUrl}/device?user_code=${shown}`,
        interval: Rules.INTERVAL_SECONDS,
        expiresIn: Rules.LIFETIME_SECONDS
      }
    })

    /** Step 2. */
    const look = Effect.fn("DeviceGrants.look")(function*(user: User, userCode: string) {
      yield* limits.consume(Rules.LIMITS.look, user.id)
      const now = yield* DateTime.now
      const pending = yield* store.byUserCode(Rules.normaliseUserCode(userCode)).pipe(
        Effect.map(Option.filter((grant) => Rules.stateOf(grant, now) === "pending")),
        orFail(noSuchCode)
      )
      const { address, client, expiresAt, requestedAt } = pending
      return { userCode: Rules.shownUserCode(pending.userCode), client, address, requestedAt, expiresAt }
    })

    const approved = Effect.fn("DeviceGrants.approved")(
      function*(user: User, userCode: string) {
        const now = yield* DateTime.now
        if (!(yield* accounts.holdSession(user))) return yield* signedOut()
        const grant = yield* store.approve(userCode, user.id, now).pipe(orFail(noSuchCode))
        // An unverified address may belong to somebody else, who is told nothing.
        if (!user.emailVerified) return
        yield* mailer.enqueue(Mail.cases.DeviceApproved.make({ to: user.email, name: user.name, client: grant.client, address: grant.address }))
      },
      atomically
    )

    /** Step 3. */
    const approve = Effect.fn("DeviceGrants.approve")(function*(user: User, userCode: string) {
      yield* limits.consume(Rules.LIMITS.resolve, user.id)
      yield* approved(user, Rules.normaliseUserCode(userCode))
    })

    /** Step 3. */
    const deny = Effect.fn("DeviceGrants.deny")(function*(user: User, userCode: string) {
      yield* limits.consume(Rules.LIMITS.resolve, user.id)
      const now = yield* DateTime.now
      yield* store.deny(Rules.normaliseUserCode(userCode), user.id, now).pipe(orFail(noSuchCode))
    })

    /** Step 5. */
    const claim = Effect.fn("DeviceGrants.claim")(
      function*(grant: DeviceGrant, now: DateTime.Utc): Effect.fn.Return<Polled> {
        const won = Option.getOrUndefined(yield* store.consume(grant.id, now))
        if (won === undefined || won.userId === null) return { state: "unknown" }
        const { id, token } = yield* apiTokens.create(won.userId, won.client)
        yield* store.became(won.id, id)
        yield* apiTokens.retire(won.userId)
        return { state: "approved", token }
      },
      atomically
    )

    /** Step 4, for either wire form; with an OAuth client's id where the grant was started for one. */
    const polled = Effect.fn("DeviceGrants.polled")(function*(deviceCode: string, clientId?: string): Effect.fn.Return<Polled> {
      const now = yield* DateTime.now
      const grant = Option.getOrUndefined(yield* store.byDeviceCode(tokens.hash(deviceCode)))
      const isOthers = clientId !== undefined && grant !== undefined && grant.clientId !== null && grant.clientId !== clientId
      if (grant === undefined || isOthers) return { state: "unknown" }
      const state = Rules.stateOf(grant, now)
      if (state === "approved") return yield* claim(grant, now)
      if (state === "consumed") return { state: "unknown" }
      if (state !== "pending") return { state }
      const inTime = yield* store.polled(grant.id, Rules.lastPollBefore(now), now)
      return inTime
        ? { state: "pending" }
        : { state: "early", retryAfterSeconds: Rules.retryAfterSeconds(grant.polledAt, now) }
    })

    /** Step 4 in the form of SPEC. */
    const poll = Effect.fn("DeviceGrants.poll")(function*(deviceCode: string) {
      const outcome = yield* polled(deviceCode)
      switch (outcome.state) {
        case "approved":
          return { status: "approved" as const, token: outcome.token }
        case "pending":
          return { status: "pending" as const }
        case "early":
          return yield* tooEarly(outcome.retryAfterSeconds)
        case "denied":
          return yield* new DeviceDenied({ message: "The request was denied." })
        default:
          return yield* refusedCode()
      }
    })

    return { start, look, approve, deny, poll, polled }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
