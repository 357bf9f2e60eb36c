/** Inviting over the wire: what an invitation reserves and voids, what admins never see, seats, races. */
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import { Email } from "../../src/domain/accounts/email.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { admit } from "../../src/domain/administration/rules.ts"
import { Inviting } from "../../src/domain/invites/inviting.ts"
import { MAILS, MAILS_FROM_ALL } from "../../src/domain/invites/rules.ts"
import { RateLimits } from "../../src/domain/ports/rate-limits.ts"
import { code, withoutId } from "../support/ask.ts"
import { enqueued } from "../support/enqueued.ts"
import { invited } from "../support/invited.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { ask, member } from "../support/team.ts"

const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"

const invite = (admin: Account, email: string, role = "member") => ask(admin, "POST", "/v1/workspace/invites", { email, role })

const listed = (admin: Account) =>
  Effect.map(ask(admin, "GET", "/v1/workspace/invites"), ({ json }) => json as ReadonlyArray<{ id: string; email: string; status: string }>)

const seats = (admin: Account) => Effect.map(ask(admin, "GET", "/v1/workspace"), ({ json }) => json.usage.seats as number)

/** The tokens that were mailed to an address, in any order, once there are `count` of them. */
const mailed = (email: string, count: number) =>
  Service.use((service) => Effect.map(mailTo(service, email, count), (mails) => mails.map(({ links }) => tokenIn(links))))

/** How many mails were ever enqueued. */
const letters = enqueued("Invitation")

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("inviting", (it) => {
  let client = 0
  const accept = (token: string) =>
    Service.use((service) =>
      service.ask("/v1/auth/invites/accept", { json: { token, name: "Gus" }, headers: { "x-forwarded-for": `10.7.${Math.floor(++client / 250)}.${client % 250}` } }))

  it.effect("mails a link that makes a member, and tells admins how it stands", () =>
    Effect.gen(function*() {
      const admin = yield* (yield* Service).account()
      const extra = { grants_ownership: true, workspace_id: MISSING, plan: "agency", status: "accepted" }
      const made = yield* ask(admin, "POST", "/v1/workspace/invites", { email: " Gus@Example.COM ", role: "admin", ...extra })
      assert.strictEqual(made.status, 201, made.text)
      const { created_at, expires_at, id, ...rest } = made.json
      assert.deepStrictEqual(rest, { email: "gus@example.com", role: "admin", status: "pending", invited_by: { id: admin.id, name: "Ada Example" } })
      assert.strictEqual(Date.parse(expires_at) - Date.parse(created_at), 7 * 86_400_000)
      assert.deepStrictEqual((yield* ask(admin, "GET", "/v1/workspace/invites")).json, [made.json])
      const [token, ...more] = yield* mailed("gus@example.com", 1)
      assert.deepStrictEqual(more, [])
      assert.notInclude(made.text, token!)

      const joined = yield* accept(token!)
      assert.strictEqual(joined.status, 200, joined.text)
      const [, gus] = (yield* ask(admin, "GET", "/v1/workspace/members")).json
      assert.deepInclude(gus, { email: "gus@example.com", role: "admin", is_owner: false })
      assert.deepInclude((yield* listed(admin))[0], { id, status: "accepted" })
      for (const [method, path] of [["DELETE", ""], ["POST", "/resend"]] as const) {
        assert.deepStrictEqual(code(yield* ask(admin, method, `/v1/workspace/invites/${id}${path}`)), [404, "not_found", "invite_id"])
      }
      const { entries } = (yield* ask(admin, "GET", "/v1/workspace/audit")).json
      assert.deepStrictEqual(entries.map((entry: { action: string; actor: { id: string } }) => [entry.action, entry.actor.id]), [
        ["member.joined", gus.user_id],
        ["invite.accepted", gus.user_id],
        ["invite.created", admin.id]
      ])
      // Whoever left has no seat and is invited anew, and the invitation of before stays accepted.
      assert.strictEqual((yield* ask(admin, "DELETE", `/v1/workspace/members/${gus.user_id}`)).status, 200)
      assert.strictEqual(yield* seats(admin), 1)
      assert.strictEqual((yield* invite(admin, "gus@example.com")).status, 201)
      assert.deepStrictEqual((yield* listed(admin)).map(({ status }) => status), ["pending", "accepted"])
    }))

  it.effect("refuses what fits no invitation, and says all that is wrong", () =>
    Effect.gen(function*() {
      const admin = yield* (yield* Service).account()
      const there = yield* member(admin, "member")
      const before = yield* letters
      const both = yield* invite(admin, "no address", "king")
      assert.deepStrictEqual([both.status, both.json.error.details.errors.map((fault: { field: string }) => fault.field)], [422, ["email", "role"]])
      assert.deepStrictEqual(code(yield* ask(admin, "POST", "/v1/workspace/invites", { email: "a@example.com" })), [422, "validation_error", "role"])
      for (const email of [there.email, there.email.toUpperCase(), admin.email]) {
        assert.deepStrictEqual(code(yield* invite(admin, email)), [422, "validation_error", "email"])
      }
      for (const [method, path] of [["DELETE", ""], ["POST", "/resend"]] as const) {
        assert.deepStrictEqual(code(yield* ask(admin, method, `/v1/workspace/invites/nothing${path}`)), [422, "validation_error", "invite_id"])
        assert.deepStrictEqual(code(yield* ask(admin, method, `/v1/workspace/invites/${MISSING}${path}`)), [404, "not_found", "invite_id"])
      }
      assert.deepStrictEqual([yield* listed(admin), yield* seats(admin), yield* letters], [[], 2, before])
    }))

  it.effect("replaces the invitation of an address: one link at a time, one seat", () =>
    Effect.gen(function*() {
      const admin = yield* (yield* Service).account()
      for (const email of ["one@example.com", "two@example.com", "three@example.com"]) assert.strictEqual((yield* invite(admin, email)).status, 201)
      const first = (yield* invite(admin, "four@example.com")).json
      const [firstLink] = yield* mailed("four@example.com", 1)
      assert.deepStrictEqual(code(yield* invite(admin, "five@example.com")), [402, "quota_exceeded", "members"])
      const again = yield* invite(admin, "four@example.com", "admin")
      assert.deepStrictEqual([again.status, again.json.role, again.json.id === first.id], [201, "admin", false])
      const secondLink = (yield* mailed("four@example.com", 2)).find((link) => link !== firstLink)
      const resent = yield* ask(admin, "POST", `/v1/workspace/invites/${again.json.id}/resend`)
      assert.deepInclude(resent.json, { email: "four@example.com", role: "admin", status: "pending" })
      assert.deepStrictEqual([resent.status, (yield* listed(admin)).length, yield* seats(admin)], [201, 4, 5])
      assert.strictEqual((yield* ask(admin, "POST", `/v1/workspace/invites/${again.json.id}/resend`)).status, 404)

      const links = yield* mailed("four@example.com", 3)
      const last = links.find((link) => link !== firstLink && link !== secondLink)
      for (const link of [firstLink, secondLink]) assert.deepStrictEqual(code(yield* accept(link!)), [401, "invalid_token", "token"])
      assert.deepStrictEqual((yield* ask(admin, "DELETE", `/v1/workspace/invites/${resent.json.id}`)).json, { status: "ok" })
      assert.deepStrictEqual(code(yield* accept(last!)), [401, "invalid_token", "token"])
      assert.strictEqual((yield* invite(admin, "five@example.com")).status, 201)
    }))

  it.effect("never shows or touches one that makes an owner, and lets no admin make one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account()
      const platform = yield* service.account()
      const email = Schema.decodeSync(Email)("heir@example.com")
      const createOwner = service.inside(Effect.gen(function*() {
        const by = Option.getOrThrow(yield* (yield* AccountStore).find(platform.id))
        return yield* (yield* Inviting).createOwner(Result.getOrThrow(admit(by, new Set([by.email]))), admin.workspaceId, email)
      }))
      const hidden = yield* createOwner
      assert.include((yield* mailTo(service, email))[0]!.text, "whoever runs this service entered this address")
      assert.deepStrictEqual(yield* listed(admin), [])
      assert.strictEqual(yield* seats(admin), 2)
      assert.deepStrictEqual(code(yield* invite(admin, email)), [409, "conflict", "email"])
      for (const [method, path] of [["DELETE", ""], ["POST", "/resend"]] as const) {
        const [found, missing] = yield* Effect.forEach([hidden.id, MISSING], (id) => ask(admin, method, `/v1/workspace/invites/${id}${path}`))
        assert.deepStrictEqual(withoutId(found!), withoutId(missing!))
      }
      const [token] = yield* mailed(email, 1)
      assert.strictEqual((yield* accept(token!)).status, 200)
      assert.deepInclude((yield* ask(admin, "GET", "/v1/workspace/members")).json[1], { email, role: "admin", is_owner: true })
      // Once it has expired it blocks nobody.
      const late = yield* service.account()
      yield* invited(late, email, { grantsOwnership: true, daysAgo: 7 })
      assert.deepStrictEqual([(yield* invite(late, email)).status, (yield* listed(late)).length], [201, 1])
    }))

  it.effect("gives the last seat to one of 80, and one new link to 50 who resend at once", () =>
    Effect.gen(function*() {
      const admin = yield* (yield* Service).account()
      const before = yield* letters
      for (const email of ["a@race.example", "b@race.example", "c@race.example"]) yield* invite(admin, email)
      const tries = yield* Effect.forEach(Array.from({ length: 80 }, (_, index) => index), (index) => invite(admin, `try-${index}@race.example`), { concurrency: "unbounded" })
      const won = tries.filter(({ status }) => status === 201)
      assert.strictEqual(won.length, 1)
      assert.deepStrictEqual([...new Set(tries.filter(({ status }) => status !== 201).map((answer) => code(answer).join()))], ["402,quota_exceeded,members"])
      assert.deepStrictEqual([yield* seats(admin), (yield* listed(admin)).length], [5, 4])

      const { email, id } = won[0]!.json
      const resent = yield* Effect.forEach(Array.from({ length: 50 }), () => ask(admin, "POST", `/v1/workspace/invites/${id}/resend`), { concurrency: "unbounded" })
      assert.deepStrictEqual([201, 404].map((status) => resent.filter((answer) => answer.status === status).length), [1, 49])
      assert.strictEqual((yield* letters) - before, 5)
      const again = yield* Effect.forEach(Array.from({ length: 20 }), () => invite(admin, email), { concurrency: "unbounded" })
      // Two mails went to this address already.
      assert.deepStrictEqual([201, 429].map((status) => again.filter((answer) => answer.status === status).length), [3, 17])
      assert.deepStrictEqual([yield* seats(admin), (yield* listed(admin)).length], [5, 4])
    }))

  it.effect("mails nobody more than five times an hour for one workspace and twenty for all, and keeps no other from inviting them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const all = yield* Effect.forEach([1, 2, 3, 4, 5], () => service.account())
      const [one, other, late] = [all[0]!, all[1]!, all[4]!]
      const email = "stranger@example.com"
      const before = yield* letters
      const statuses: Array<number> = []
      for (const admin of [one, one, one, one, one, one, other]) {
        const made = yield* invite(admin, email.toUpperCase())
        statuses.push(made.status)
        if (made.status === 201) yield* ask(admin, "DELETE", `/v1/workspace/invites/${made.json.id}`)
      }
      assert.deepStrictEqual([statuses, (yield* letters) - before], [[201, 201, 201, 201, 201, 429, 201], 6])
      const refused = yield* invite(one, email)
      assert.deepStrictEqual(code(refused), [429, "rate_limited", "email"])
      assert.match(refused.json.error.message, /^This address was invited often within the hour\. Wait \d+ minutes?, then try again\.$/)
      assert.strictEqual(refused.headers["retry-after"], String(refused.json.error.details.retry_after_seconds))
      assert.deepStrictEqual([yield* listed(one), yield* listed(other), yield* seats(one)], [[], [], 1])
      assert.strictEqual((yield* invite(one, "friend@example.com")).status, 201)

      // One mail went for the other workspace already. What was mailed last is not taken back by a refusal.
      for (let mails = 1; mails < 5; mails++) yield* invite(other, email)
      const standing = yield* listed(other)
      assert.match((yield* invite(other, email)).json.error.message, /The link in the newest mail works\. To send another, wait \d+ minutes?\.$/)
      assert.deepStrictEqual(yield* listed(other), standing)
      for (const admin of all.slice(2, 4)) for (let mails = 0; mails < 5; mails++) yield* invite(admin, email)
      assert.strictEqual((yield* letters) - before, 21, "twenty to the stranger, one to the friend")
      assert.deepStrictEqual(code(yield* invite(late, email)), [429, "rate_limited", "email"])
      const owning = service.inside(Effect.gen(function*() {
        const by = Option.getOrThrow(yield* AccountStore.use((accounts) => accounts.find(late.id)))
        return yield* (yield* Inviting).createOwner(Result.getOrThrow(admit(by, new Set([by.email]))), late.workspaceId, Email.make(email))
      }))
      assert.isTrue((yield* owning).grantsOwnership)
    }))

  it.effect("counts no mail that another limit kept back", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [admin, other] = [yield* service.account(), yield* service.account()]
      const limits = <A, E>(use: (limits: typeof RateLimits.Service) => Effect.Effect<A, E>) => service.inside(RateLimits.use(use))
      yield* limits(({ consume }) => Effect.orDie(Effect.forEach(Array.from({ length: 300 }), () => consume(MAILS, admin.workspaceId))))
      const kept = "kept-back@example.com"
      for (let tries = 0; tries < 6; tries++) assert.deepStrictEqual(code(yield* invite(admin, kept)), [429, "rate_limited", null])
      yield* limits(({ giveBack }) => giveBack(MAILS, admin.workspaceId))
      assert.strictEqual((yield* invite(admin, kept)).status, 201)

      // Nor one of the workspace's, or of its own for the address, where others mailed that often enough.
      yield* limits(({ consume }) => Effect.orDie(Effect.forEach(Array.from({ length: 20 }), () => consume(MAILS_FROM_ALL, "often@example.com"))))
      for (let tries = 0; tries < 6; tries++) assert.strictEqual((yield* invite(other, "often@example.com")).status, 429)
      yield* limits(({ giveBack }) => giveBack(MAILS_FROM_ALL, "often@example.com"))
      assert.strictEqual((yield* invite(other, "often@example.com")).status, 201)
      yield* limits(({ consume }) => Effect.orDie(Effect.forEach(Array.from({ length: 299 }), () => consume(MAILS, other.workspaceId))))
    }))

  it.effect("ends whole when an invitation is accepted, replaced and cancelled at once", () =>
    Effect.gen(function*() {
      for (let round = 0; round < 5; round++) {
        const admin = yield* (yield* Service).account()
        const email = `torn-${round}@example.com`
        const { id } = (yield* invite(admin, email)).json
        const [token] = yield* mailed(email, 1)
        const [accepted, replaced, cancelled] = yield* Effect.all(
          [accept(token!), invite(admin, email), ask(admin, "DELETE", `/v1/workspace/invites/${id}`)],
          { concurrency: "unbounded" }
        )
        const outcome = [accepted, replaced, cancelled].map(({ status }) => status)
        const isMember = (yield* ask(admin, "GET", "/v1/workspace/members")).json.length === 2
        const invites = yield* listed(admin)
        if (accepted.status === 200) {
          assert.deepStrictEqual([isMember, replaced.status, cancelled.status, invites.map(({ status }) => status)], [true, 422, 404, ["accepted"]], outcome.join())
        } else {
          assert.deepStrictEqual([isMember, accepted.status, replaced.status, invites.map(({ status }) => status)], [false, 401, 201, ["pending"]], outcome.join())
        }
        assert.strictEqual(yield* seats(admin), 2)
      }
    }))
})
