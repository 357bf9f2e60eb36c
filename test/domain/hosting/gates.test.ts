/** The ways through a gate on real stores, with the test's own clock: keys, limits, opens, and what is swept away. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { User } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Gates } from "../../../src/domain/hosting/gates.ts"
import type { Passage } from "../../../src/domain/hosting/gates.ts"
import { door, LIMITS } from "../../../src/domain/hosting/rules.ts"
import { HostingStore } from "../../../src/domain/hosting/store.ts"
import { Policies } from "../../../src/domain/ports/policies.ts"
import { RateLimits } from "../../../src/domain/ports/rate-limits.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { Sessions } from "../../../src/domain/sessions/sessions.ts"
import { ShareLinks } from "../../../src/domain/share-links/share-links.ts"
import { sweepPassesOnce } from "../../../src/workers/sweep-passes.ts"
import { houseWith } from "../../support/house.ts"
import { locked, waiting } from "../../support/locked.ts"
import { bytesOf } from "../../support/moments.ts"
import { somebody } from "../../support/somebody.ts"

const CODE = "Open Sesame"

const someone = somebody({ plan: "studio", trialDays: 3_650 })

const draft = { label: "Acme", expiresInDays: 1, notifyOnFirstOpen: false }

let names = 0
const published = Effect.fnUntraced(function*(settings: { readonly visibility?: "public" | "password" | "private"; readonly password?: string }, by?: User) {
  const owner = by ?? (yield* someone)
  const slug = `gated-${++names}`
  const file = { path: undefined, contentType: "text/plain", length: undefined, bytes: bytesOf("secret") }
  yield* (yield* Publishing).put(owner, slug, file, settings)
  return { owner, slug }
})

/** The door's verdict for a request with this cookie. */
const verdict = Effect.fnUntraced(function*(slug: string, cookie: string | undefined) {
  const tokens = yield* Tokens
  const [visit] = yield* (yield* HostingStore).visits([{ slug, pass: cookie === undefined ? null : tokens.hash(cookie) }])
  return door(visit, (yield* Policies).trial, yield* DateTime.now)
})

const cookieOf = (passage: Passage): string => passage.let === "in" && passage.cookie !== undefined ? passage.cookie : assert.fail("not let in")

const codeOf = <A>(exit: Exit.Exit<A, { readonly _tag: string }>) =>
  Exit.isSuccess(exit) ? "ok" : exit.cause.reasons.map((reason) => reason._tag === "Fail" ? reason.error._tag : reason._tag).join()

const signedIn = (user: User) => Effect.map(DateTime.now, (since) => ({ user, since, name: `signed in ${DateTime.formatIso(since)}` }))

const rows = (table: "passes" | "spent_keys" | "mails") =>
  SqlClient.SqlClient.use((sql) => sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql(table)}`).pipe(
    Effect.orDie,
    Effect.map((found) => found[0]!.count)
  )

layer(houseWith({ SVC_TRIAL: "enforced" }))("gates", (it) => {
  it.effect("a doorcode lets in on its own project, until it or the visibility changes", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const projects = yield* Projects
      const { owner, slug } = yield* published({ visibility: "password", password: CODE })
      const other = yield* published({ visibility: "password", password: CODE })
      for (const wrong of ["open sesame", "Open-Sesame", "", "x", "a\0b", "Open Sesame!", "%"]) {
        assert.strictEqual(codeOf(yield* Effect.exit(gates.doorcode(slug, wrong, wrong))), "invalid_credentials")
      }
      const cookie = cookieOf(yield* gates.doorcode(slug, ` ${CODE} `, "a"))
      assert.strictEqual(yield* verdict(slug, cookie), "open")
      assert.strictEqual(yield* verdict(slug, undefined), "doorcode")
      assert.strictEqual(yield* verdict(other.slug, cookie), "doorcode")
      yield* projects.change(owner, slug, { title: "Another name" })
      assert.strictEqual(yield* verdict(slug, cookie), "open")
      yield* projects.change(owner, slug, { password: "another one" })
      assert.strictEqual(yield* verdict(slug, cookie), "doorcode")
      yield* projects.change(owner, slug, { password: CODE })
      assert.strictEqual(yield* verdict(slug, cookie), "doorcode", "the same code again is another door")
      const again = cookieOf(yield* gates.doorcode(slug, CODE, "a"))
      yield* projects.change(owner, slug, { visibility: "private" })
      assert.strictEqual(yield* verdict(slug, again), "private")
      assert.deepStrictEqual(yield* gates.doorcode(slug, CODE, "a"), { let: "out", why: "private" })
      yield* projects.change(owner, slug, { visibility: "password" })
      assert.strictEqual(yield* verdict(slug, again), "doorcode")
      yield* projects.change(owner, slug, { visibility: "public" })
      assert.deepStrictEqual(yield* gates.doorcode(slug, "whatever", "a"), { let: "in", cookie: undefined })
      assert.deepStrictEqual(yield* gates.doorcode("nobody-has-this", CODE, "a"), { let: "out", why: "unknown" })
    }))

  it.effect("one that we made is understood as people type it", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { owner, slug } = yield* published({ visibility: "password" })
      const { password } = yield* (yield* Projects).get(owner, slug)
      assert.match(password ?? "", /^[a-z]+(?:-[a-z]+){3}$/)
      const spoken = password!.toUpperCase().replaceAll("-", "  ")
      assert.strictEqual(yield* verdict(slug, cookieOf(yield* gates.doorcode(slug, ` ${spoken} `, "a"))), "open")
    }))

  it.effect("ten wrong tries a minute an address, two hundred an hour a project, counted before anything is compared", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { slug } = yield* published({ visibility: "password", password: CODE })
      const other = yield* published({ visibility: "password", password: CODE })
      const tryIt = (address: string, typed = "wrong", at = slug) => Effect.map(Effect.exit(gates.doorcode(at, typed, address)), codeOf)
      const many = yield* Effect.forEach(Array.from({ length: 50 }), () => tryIt("one"), { concurrency: "unbounded" })
      assert.strictEqual(many.filter((code) => code === "invalid_credentials").length, 10)
      assert.strictEqual(many.filter((code) => code === "rate_limited").length, 40)
      assert.strictEqual(yield* tryIt("one", CODE), "rate_limited")
      assert.strictEqual(yield* tryIt("one", CODE, other.slug), "ok")
      assert.strictEqual(yield* tryIt("two", CODE), "ok")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* tryIt("one", CODE), "ok")
      const spread = yield* Effect.forEach(Array.from({ length: 250 }, (_, index) => `n${index}`), (address) => tryIt(address), { concurrency: "unbounded" })
      // Ten earlier tries got past the limit of their address, and count here.
      assert.strictEqual(spread.filter((code) => code === "invalid_credentials").length, 200 - 10)
      assert.strictEqual(yield* tryIt("fresh", CODE), "rate_limited")
      assert.strictEqual(yield* tryIt("fresh", CODE, other.slug), "ok")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tryIt("fresh", CODE), "ok")
    }))

  it.effect("right doorcodes are never limited: behind one address, in one hour, all at once, between others' guesses", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { slug } = yield* published({ visibility: "password", password: CODE })
      const tryIt = (typed: string) => Effect.map(Effect.exit(gates.doorcode(slug, typed, "the hall")), codeOf)
      for (let guess = 0; guess < 9; guess++) assert.strictEqual(yield* tryIt("wrong"), "invalid_credentials")
      for (const concurrency of [1, "unbounded"] as const) {
        const hall = yield* Effect.forEach(Array.from({ length: 250 }), () => tryIt(CODE), { concurrency })
        assert.deepStrictEqual(new Set(hall), new Set(["ok"]))
      }
      assert.deepStrictEqual([yield* tryIt("wrong"), yield* tryIt("wrong"), yield* tryIt(CODE)], ["invalid_credentials", "rate_limited", "rate_limited"])
    }))

  it.effect("three thousand passes of a project an hour go to one address; whoever has a pass is not among them, and what is refused is not counted", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const links = yield* ShareLinks
      const { consume } = yield* RateLimits
      const [locked, other] = [yield* published({ visibility: "password", password: CODE }), yield* published({ visibility: "private" })]
      const { token } = yield* links.create(locked.owner, locked.slug, { ...draft, notifyOnFirstOpen: true })
      const elsewhere = yield* links.create(other.owner, other.slug, draft)
      const held = (yield* Tokens).hash(cookieOf(yield* gates.link(locked.slug, token, "a")))
      const { projectId } = (yield* (yield* HostingStore).site(locked.slug))!
      yield* Effect.forEach(Array.from({ length: 2_998 }), () => consume(LIMITS.passesByAddress, `${projectId} a`))
      assert.strictEqual(codeOf(yield* Effect.exit(gates.doorcode(locked.slug, CODE, "a"))), "ok")
      const before = [yield* rows("passes"), (yield* links.list(locked.owner, locked.slug))[0]!.viewCount]
      const refused = [yield* Effect.flip(gates.doorcode(locked.slug, CODE, "a")), yield* Effect.flip(gates.link(locked.slug, token, "a"))]
      for (const { _tag, details } of refused) assert.deepStrictEqual([_tag, details["retry_after_seconds"]], ["rate_limited", 3_600])
      assert.deepStrictEqual([yield* rows("passes"), (yield* links.list(locked.owner, locked.slug))[0]!.viewCount], before)
      assert.deepStrictEqual(yield* gates.link(locked.slug, token, "a", held), { let: "in", cookie: undefined })
      assert.strictEqual((yield* Effect.flip(gates.link(locked.slug, "wrong", "a")))._tag, "not_found")
      for (const passage of [yield* gates.link(locked.slug, token, "b"), yield* gates.link(other.slug, elsewhere.token, "a")]) cookieOf(passage)
      yield* TestClock.adjust("1 hour")
      cookieOf(yield* gates.link(locked.slug, token, "a"))
    }))

  it.effect("two hundred opens of a link at once: each counted and let in, the first one told of once", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const sql = yield* SqlClient.SqlClient
      const { owner, slug } = yield* published({ visibility: "private" })
      const { id, token } = yield* (yield* ShareLinks).create(owner, slug, { ...draft, notifyOnFirstOpen: true })
      const mails = yield* rows("mails")
      const passages = yield* Effect.forEach(Array.from({ length: 200 }), () => gates.link(slug, token, "a"), { concurrency: "unbounded" })
      assert.strictEqual(new Set(passages.map(cookieOf)).size, 200)
      for (const passage of [passages[0]!, passages[199]!]) assert.strictEqual(yield* verdict(slug, cookieOf(passage)), "open")
      const first = yield* DateTime.now
      yield* TestClock.adjust("1 minute")
      yield* gates.link(slug, token, "a")
      const [row] = yield* Effect.orDie(sql<{ views: number; first: Date; last: Date }>`
        SELECT view_count::int AS views, first_opened_at AS first, last_opened_at AS last FROM share_links WHERE id = ${id}`)
      assert.deepStrictEqual(row, { views: 201, first: DateTime.toDateUtc(first), last: DateTime.toDateUtc(yield* DateTime.now) })
      assert.strictEqual(yield* rows("mails"), mails + 1)
    }))

  it.effect("a link opened while its project is deleted is counted and told of, or refused, whichever comes first", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const sql = yield* SqlClient.SqlClient
      const facts = (id: string) => sql<{ views: number; opened: boolean }>`SELECT view_count::int AS views, first_opened_at IS NOT NULL AS opened FROM share_links WHERE id = ${id}`
      for (const first of ["opened", "deleted"] as const) {
        const { owner, slug } = yield* published({ visibility: "private" })
        const { id, token } = yield* (yield* ShareLinks).create(owner, slug, { ...draft, notifyOnFirstOpen: true })
        const mails = yield* rows("mails")
        const letGo = yield* locked(`SELECT 1 FROM share_links WHERE id = '${id}' FOR UPDATE`)
        const open = Effect.map(Effect.exit(gates.link(slug, token, "a")), codeOf)
        const remove = Effect.as((yield* Projects).remove(owner, slug), "gone")
        const deeds = first === "opened" ? [open, remove] : [remove, open]
        const fibers = yield* Effect.forEach(deeds, (deed, at) =>
          Effect.tap(Effect.forkChild(deed), (fiber) => Effect.race(Effect.repeat(waiting(sql), { until: (many) => many > at }), Fiber.await(fiber))))
        yield* letGo
        const ends = yield* Effect.forEach(fibers, Fiber.join)
        assert.deepStrictEqual(ends, first === "opened" ? ["ok", "gone"] : ["gone", "not_found"])
        const counted = first === "opened" ? 1 : 0
        assert.deepStrictEqual(yield* facts(id), [{ views: counted, opened: counted === 1 }])
        assert.strictEqual(yield* rows("mails"), mails + counted)
      }
    }))

  it.effect("fifty mails of first opens an hour go to one person; further links open all the same, and nobody else's are fewer", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const links = yield* ShareLinks
      const [many, other] = [yield* published({ visibility: "private" }), yield* published({ visibility: "private" })]
      const opened = Effect.fnUntraced(function*({ owner, slug }: typeof many) {
        const mails = yield* rows("mails")
        const { token } = yield* links.create(owner, slug, { ...draft, notifyOnFirstOpen: true })
        assert.strictEqual(yield* verdict(slug, cookieOf(yield* gates.link(slug, token, "a"))), "open")
        return (yield* rows("mails")) - mails
      })
      const { consume } = yield* RateLimits
      yield* Effect.forEach(Array.from({ length: 49 }), () => consume(LIMITS.firstOpens, many.owner.id))
      assert.deepStrictEqual([yield* opened(many), yield* opened(many)], [1, 0])
      assert.strictEqual(yield* opened(other), 1)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* opened(many), 1)
    }))

  it.effect("a link opens its own project alone, until its last millisecond; every other token is refused alike", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const links = yield* ShareLinks
      const { owner, slug } = yield* published({ visibility: "private" })
      const other = yield* published({ visibility: "private" }, owner)
      const { id, token } = yield* links.create(owner, slug, draft)
      const withdrawn = yield* links.create(owner, slug, draft)
      const cookie = cookieOf(yield* gates.link(slug, token, "a"))
      const kept = cookieOf(yield* gates.link(slug, withdrawn.token, "a"))
      yield* links.revoke(owner, withdrawn.id)
      assert.deepStrictEqual([yield* verdict(slug, cookie), yield* verdict(slug, kept), yield* verdict(other.slug, cookie)], ["open", "private", "private"])
      yield* TestClock.adjust(86_400_000 - 1)
      assert.strictEqual(yield* verdict(slug, cookie), "open")
      yield* gates.link(slug, token, "a")
      const passes = yield* rows("passes")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* verdict(slug, cookie), "private")
      const refusals = yield* Effect.forEach(
        [[slug, token], [slug, withdrawn.token], [other.slug, token], [slug, "x"], [slug, ""], [slug, "\0"]] as const,
        ([at, raw]) => Effect.flip(gates.link(at, raw, "a"))
      )
      assert.strictEqual(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1)
      assert.strictEqual(refusals[0]!._tag, "not_found")
      assert.strictEqual(yield* rows("passes"), passes)
      yield* links.change(owner, id, { expiresAt: null })
      assert.strictEqual(yield* verdict(slug, cookie), "open", "the link is what counts")
    }))

  it.effect("a browser that opens its link again keeps its pass, and its frame; each open counts", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const tokens = yield* Tokens
      const sql = yield* SqlClient.SqlClient
      const { owner, slug } = yield* published({ visibility: "private" })
      const links = yield* ShareLinks
      const [one, two] = [yield* links.create(owner, slug, { ...draft, expiresInDays: 60 }), yield* links.create(owner, slug, draft)]
      const cookie = cookieOf(yield* gates.link(slug, one.token, "a"))
      const held = tokens.hash(cookie)
      const passes = yield* rows("passes")
      for (let again = 0; again < 3; again++) {
        assert.deepStrictEqual(yield* gates.link(slug, one.token, "a", held), { let: "in", cookie: undefined })
      }
      assert.strictEqual(yield* rows("passes"), passes)
      const [row] = yield* Effect.orDie(sql<{ views: number }>`SELECT view_count::int AS views FROM share_links WHERE id = ${one.id}`)
      assert.deepStrictEqual(row, { views: 4 })
      // Another link, another project's pass, a made-up pass: each gets a new pass.
      for (const [token, carried] of [[two.token, held], [one.token, tokens.hash("nobody's")], [one.token, null]] as const) {
        assert.notStrictEqual(cookieOf(yield* gates.link(slug, token, "a", carried)), cookie)
      }
      assert.strictEqual(yield* rows("passes"), passes + 3)
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* verdict(slug, cookie), "private")
      assert.strictEqual(yield* verdict(slug, cookieOf(yield* gates.link(slug, one.token, "a", held))), "open", "an old pass makes way for a new one")
    }))

  it.effect("a member who tries a link stays a member: nothing is counted, and nobody told", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const tokens = yield* Tokens
      const { owner, slug } = yield* published({ visibility: "private" })
      const links = yield* ShareLinks
      const { id, token } = yield* links.create(owner, slug, { ...draft, notifyOnFirstOpen: true })
      const { key } = yield* gates.memberEntry(yield* signedIn(owner), slug)
      const held = tokens.hash(cookieOf(yield* gates.member(slug, key)))
      const [mails, passes] = [yield* rows("mails"), yield* rows("passes")]
      assert.deepStrictEqual(yield* gates.link(slug, token, "a", held), { let: "in", cookie: undefined })
      const [link] = yield* links.list(owner, slug)
      assert.deepStrictEqual([link!.viewCount, link!.firstOpenedAt, yield* rows("mails"), yield* rows("passes")], [0, null, mails, passes])
      for (const wrong of ["x", ""]) assert.strictEqual((yield* Effect.flip(gates.link(slug, wrong, "a", held)))._tag, "not_found")
      // Once the session has ended, the open counts as anybody's.
      yield* (yield* AccountStore).bumpEpoch(owner.id)
      assert.strictEqual(yield* verdict(slug, cookieOf(yield* gates.link(slug, token, "a", held))), "open")
      assert.strictEqual(yield* rows("mails"), mails + 1)
      const other = yield* gates.memberEntry(yield* signedIn((yield* (yield* AccountStore).find(owner.id)).pipe(Option.getOrThrow)), slug)
      const again = tokens.hash(cookieOf(yield* gates.member(slug, other.key)))
      yield* links.revoke(owner, id)
      assert.strictEqual((yield* Effect.flip(gates.link(slug, token, "a", again)))._tag, "not_found")
    }))

  it.effect("a link leaves a pass on public and doorcode projects too", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const tokens = yield* Tokens
      for (const visibility of ["public", "password"] as const) {
        const { owner, slug } = yield* published({ visibility })
        const { id, token } = yield* (yield* ShareLinks).create(owner, slug, draft)
        const cookie = cookieOf(yield* gates.link(slug, token, "a"))
        const [visit] = yield* (yield* HostingStore).visits([{ slug, pass: tokens.hash(cookie) }])
        assert.strictEqual(visit?.pass?.link?.id, id)
        assert.strictEqual(yield* verdict(slug, cookie), "open")
      }
    }))

  it.effect("a member's key opens once, for a minute less a millisecond, one project, within one epoch", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { owner, slug } = yield* published({ visibility: "private" })
      const other = yield* published({ visibility: "private" }, owner)
      const stranger = yield* someone
      assert.strictEqual(codeOf(yield* Effect.exit(gates.memberEntry(yield* signedIn(stranger), slug))), "forbidden")
      assert.strictEqual(codeOf(yield* Effect.exit(gates.memberEntry(yield* signedIn(owner), "nobody-has-this"))), "not_found")
      const session = yield* signedIn(owner)
      const entry = () => Effect.map(gates.memberEntry(session, slug), ({ key }) => key)
      const enter = (key: string, at = slug) => Effect.map(Effect.exit(gates.member(at, key)), codeOf)

      const raced = yield* entry()
      const tries = yield* Effect.forEach(Array.from({ length: 100 }), () => Effect.exit(gates.member(slug, raced)), { concurrency: "unbounded" })
      assert.deepStrictEqual(tries.map(codeOf).sort(), ["ok", ...Array.from({ length: 99 }, () => "invalid_token")].sort())
      const cookie = cookieOf(Exit.isSuccess(tries.find(Exit.isSuccess)!) ? (tries.find(Exit.isSuccess) as Exit.Success<Passage>).value : assert.fail())
      assert.deepStrictEqual([yield* verdict(slug, cookie), yield* verdict(other.slug, cookie)], ["open", "private"])

      const [last, late, elsewhere] = [yield* entry(), yield* entry(), yield* entry()]
      yield* TestClock.adjust(59_999)
      assert.strictEqual(yield* enter(last), "ok")
      assert.strictEqual(yield* enter(elsewhere, other.slug), "invalid_token")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* enter(late), "invalid_token")
      const tampered = yield* entry()
      // Not the last character: four of its bits carry nothing, so that another character can stand for the same seal.
      for (const bad of ["", "x", `${tampered.slice(0, -2)}${tampered.at(-2) === "A" ? "B" : "A"}${tampered.at(-1)}`, `${tampered}=`, "\0", cookie]) {
        assert.strictEqual(yield* enter(bad), "invalid_token", bad)
      }

      const before = yield* entry()
      yield* (yield* AccountStore).bumpEpoch(owner.id)
      assert.strictEqual(yield* verdict(slug, cookie), "private")
      assert.strictEqual(yield* enter(before), "invalid_token")
    }))

  it.effect("a member's pass ends with the session it came from: its browser signs out, or its thirty days are over", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { owner, slug } = yield* published({ visibility: "private" })
      const one = yield* signedIn(owner)
      yield* TestClock.adjust("20 days")
      const two = yield* signedIn(owner)
      const pass = Effect.fnUntraced(function*(session: typeof one) {
        const { key } = yield* gates.memberEntry(session, slug)
        return cookieOf(yield* gates.member(slug, key))
      })
      const [ofOne, alsoOfOne, ofTwo] = [yield* pass(one), yield* pass(one), yield* pass(two)]
      yield* TestClock.adjust(10 * 86_400_000 - 1)
      assert.deepStrictEqual([yield* verdict(slug, ofOne), yield* verdict(slug, ofTwo)], ["open", "open"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([yield* verdict(slug, ofOne), yield* verdict(slug, alsoOfOne), yield* verdict(slug, ofTwo)], ["private", "private", "open"])
      const three = yield* signedIn(owner)
      const ofThree = yield* pass(three)
      yield* gates.signOut(two)
      assert.deepStrictEqual([yield* verdict(slug, ofTwo), yield* verdict(slug, ofThree)], ["private", "open"])
    }))

  it.effect("a sign-out that has begun ends the session's passes, at whatever moment its caller leaves", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { owner, slug } = yield* published({ visibility: "private" })
      for (let turn = 0; turn < 30; turn++) {
        const session = yield* signedIn(owner)
        const { key } = yield* gates.memberEntry(session, slug)
        const cookie = cookieOf(yield* gates.member(slug, key))
        const caller = yield* Effect.forkChild(gates.signOut(session), { startImmediately: true })
        for (let wait = 0; wait < turn; wait++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(caller)
        assert.deepStrictEqual([turn, yield* verdict(slug, cookie)], [turn, "private"])
        yield* TestClock.adjust(1)
      }
    }))

  it.effect("a sign-out that the database cut off leaves a session that can sign out again, and then its passes end", () =>
    Effect.gen(function*() {
      const [gates, sessions] = [yield* Gates, yield* Sessions]
      const { owner, slug } = yield* published({ visibility: "private" })
      const { session } = yield* sessions.issue(owner)
      const signedIn = Effect.map(sessions.current(session), Option.getOrThrow)
      const { key } = yield* gates.memberEntry(yield* signedIn, slug)
      const cookie = cookieOf(yield* gates.member(slug, key))
      const commit = yield* locked(`SELECT 1 FROM passes WHERE user_id = '${owner.id}' FOR UPDATE`)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(gates.signOut(yield* signedIn))))
      yield* commit
      yield* gates.signOut(yield* signedIn)
      assert.strictEqual(yield* verdict(slug, cookie), "private")
      assert.isTrue(Option.isNone(yield* sessions.current(session)))
    }))

  it.effect("a frame's key is no member's key, and opens its own frame alone", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { owner, slug } = yield* published({ visibility: "private" })
      const key = yield* gates.frameEntry({ frameName: "one" }, "cookie")
      assert.strictEqual(codeOf(yield* Effect.exit(gates.member(slug, key))), "invalid_token")
      const { key: members } = yield* gates.memberEntry(yield* signedIn(owner), slug)
      assert.isTrue(Option.isNone(yield* gates.frame("one", members)))
      const tries = yield* Effect.forEach(Array.from({ length: 100 }), () => gates.frame("one", key), { concurrency: "unbounded" })
      assert.lengthOf(tries.filter(Option.isSome), 1)
      assert.isTrue(Option.isNone(yield* gates.frame("two", yield* gates.frameEntry({ frameName: "one" }, "cookie"))))
      const late = yield* gates.frameEntry({ frameName: "one" }, "cookie")
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* gates.frame("one", late)))
    }))

  it.effect("sweeps only what has no further use: passes after thirty days, spent keys after an hour", () =>
    Effect.gen(function*() {
      const gates = yield* Gates
      const { owner, slug } = yield* published({ visibility: "private" })
      yield* SqlClient.SqlClient.use((sql) => sql`INSERT INTO spent_keys (hash, spent_at) SELECT 'key-' || n, 'epoch' FROM generate_series(1, 1200) n`)
      yield* TestClock.adjust("31 days")
      yield* sweepPassesOnce
      const [passes, keys] = [yield* rows("passes"), yield* rows("spent_keys")]
      assert.deepStrictEqual([passes, keys], [0, 0])
      const { key } = yield* gates.memberEntry(yield* signedIn(owner), slug)
      const cookie = cookieOf(yield* gates.member(slug, key))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* sweepPassesOnce, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* sweepPassesOnce, 1)
      assert.strictEqual(codeOf(yield* Effect.exit(gates.member(slug, key))), "invalid_token")
      yield* TestClock.adjust(30 * 86_400_000 - 3_600_000 - 2)
      assert.strictEqual(yield* verdict(slug, cookie), "open")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* verdict(slug, cookie), "private")
      assert.strictEqual(yield* sweepPassesOnce, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* sweepPassesOnce, 1)
    }))

  it.effect("remembers that a session signed out for as long as its cookie would have been good, and no other of the same moment", () =>
    Effect.gen(function*() {
      const [gates, sessions] = [yield* Gates, yield* Sessions]
      const user = yield* someone
      const [{ session }, other] = [yield* sessions.issue(user), yield* sessions.issue(user)]
      const isOver = Effect.map(sessions.current(session), Option.isNone)
      yield* TestClock.adjust("1 day")
      const left = Option.getOrThrow(yield* sessions.current(session))
      yield* gates.signOut(left)
      assert.isTrue(Option.isSome(yield* sessions.current(other.session)))
      for (const [later, swept] of [["1 hour", 0], ["1 day", 1], ["27 days", 0], ["2 days", 0]] as const) {
        yield* TestClock.adjust(later)
        // What it opened ends by a mark of its own, which need not last.
        assert.strictEqual(yield* sweepPassesOnce, swept, later)
        assert.isTrue(yield* isOver, later)
      }
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* sweepPassesOnce, 1)
    }))
})
