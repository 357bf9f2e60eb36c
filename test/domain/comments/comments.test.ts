/** Comments under the test's clock: the window to the millisecond, digests, and followers whose access ends. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import type { User } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { CommentTokens } from "../../../src/domain/comments/comment-tokens.ts"
import { Comments } from "../../../src/domain/comments/comments.ts"
import { CommentDigests } from "../../../src/domain/comments/digests.ts"
import { CommentsOnOrigin } from "../../../src/domain/comments/on-origin.ts"
import type { Followed, Follower } from "../../../src/domain/comments/on-origin.ts"
import { CommentStore } from "../../../src/domain/comments/store.ts"
import { HostingStore } from "../../../src/domain/hosting/store.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { mailbox } from "../../../src/services/database/mailbox.ts"
import { takeTurn } from "../../../src/workers/deliver-mail.ts"
import { sendDigestsOnce } from "../../../src/workers/send-comment-digests.ts"
import { houseWith } from "../../support/house.ts"
import { locked, waiting } from "../../support/locked.ts"

const homes = new Map<UserId, WorkspaceId>()

const someone = Effect.fnUntraced(function*(name: string) {
  const store = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const home = { id: WorkspaceId.make(yield* tokens.uuid), name: "Home", plan: "studio", trialEndsAt: DateTime.add(now, { days: 3_650 }) } as const
  yield* store.create({ id, email: `${name}-${id}@example.com`, name, passwordHash: "none", home }, now)
  yield* store.verifyEmail(id, now)
  homes.set(id, home.id)
  return Option.getOrThrow(yield* store.find(id))
})

const joined = Effect.fnUntraced(function*(host: User, name: string) {
  const guest = yield* someone(name)
  yield* (yield* WorkspaceStore).join(guest.id, { workspaceId: homes.get(host.id)!, role: "member", isOwner: false }, yield* DateTime.now)
  return guest
})

const publish = Effect.fnUntraced(function*(owner: User, slug: string, words: string) {
  const bytes = { async *[Symbol.asyncIterator]() { yield new TextEncoder().encode(words) } }
  return yield* (yield* Publishing).put(owner, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes }, {})
})

let names = 0
/** A text document that anyone may comment on, and its owner. */
const published = Effect.fnUntraced(function*() {
  const owner = yield* someone("Olga")
  const slug = `talked-${++names}`
  yield* publish(owner, slug, "words")
  const project = yield* (yield* Projects).change(owner, slug, { commentsEnabled: true, commentAccess: "anyone" })
  return { owner, slug, id: project.id }
})

type Place = Effect.Success<ReturnType<typeof published>>

const atOrigin = Effect.fnUntraced(function*(place: Place, user: User) {
  return { slug: place.slug, pass: null, token: yield* (yield* CommentTokens).issue({ user, since: yield* DateTime.now }, place.id) }
})

const codeOf = <A>(exit: Exit.Exit<A, { readonly _tag: string; readonly details?: { readonly [name: string]: unknown } }>) =>
  Exit.isSuccess(exit) ? "ok" : exit.cause.reasons.map((reason) => reason._tag === "Fail" ? reason.error.details?.["reason"] ?? reason.error._tag : String(reason)).join()

/** The digests that wait in the outbox, opened and removed. */
const digests = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const rows = yield* Effect.orDie(sql<{ sealed: string }>`DELETE FROM mails WHERE kind = 'CommentDigest' AND coalesce(sent_at, dead_at) IS NULL RETURNING sealed`)
  const mails = yield* Effect.forEach(rows, (row) => seals.open("mail", row.sealed))
  return mails.map((mail) => Option.getOrThrow(mail) as { to: string; count: number; quotes: ReadonlyArray<{ by: string; about: string; text: string }>; mute: string; url: string })
})

/** Every mail in the outbox goes its way. */
const delivered = Effect.repeat(takeTurn(), { while: (some) => some })

/** The texts that arrived at somebody's address. */
const arrived = ({ email }: User) => Effect.flatMap(mailbox, ({ list }) => Effect.map(list, (all) => all.filter(({ to }) => to === email).map(({ text }) => text)))

layer(houseWith({ SVC_TRIAL: "enforced" }))("comments in time", (it) => {
  it.effect("fifteen minutes less a millisecond to edit or take back; at their end it is too late", () =>
    Effect.gen(function*() {
      const comments = yield* Comments
      const { owner, slug } = yield* published()
      const post = () => comments.post(owner, slug, { body: "one" })
      const [edited, taken, late, settled] = [yield* post(), yield* post(), yield* post(), yield* post()]
      const reply = yield* comments.reply(owner, late.id, "a reply")
      yield* comments.setStatus(owner, settled.id, "resolved")
      yield* TestClock.adjust(15 * 60_000 - 1)
      const changed = yield* comments.edit(owner, edited.id, "two")
      assert.deepStrictEqual([changed.body, changed.edited], ["two", true])
      yield* comments.edit(owner, reply.id, "a better reply")
      assert.strictEqual(codeOf(yield* Effect.exit(comments.edit(owner, settled.id, "x"))), "conflict")
      assert.strictEqual(codeOf(yield* Effect.exit(comments.remove(owner, settled.id, true))), "conflict")
      yield* comments.remove(owner, taken.id, true)
      yield* TestClock.adjust(1)
      for (const id of [edited.id, late.id, reply.id, settled.id]) {
        assert.strictEqual(codeOf(yield* Effect.exit(comments.edit(owner, id, "three"))), "edit_window_closed")
        assert.strictEqual(codeOf(yield* Effect.exit(comments.remove(owner, id, true))), "edit_window_closed")
      }
      const left = (yield* comments.list(owner, slug, { status: "all", after: undefined, limit: 10 })).comments
      assert.deepStrictEqual(left.map(({ body }) => body), ["one", "one", "two"])
      assert.deepStrictEqual(left[1]!.replies.map(({ body, edited }) => [body, edited]), [["a better reply", true]])
      // The owner can delete any comment, at any time, and with it its replies.
      yield* comments.remove(owner, late.id, false)
      assert.strictEqual(codeOf(yield* Effect.exit(comments.edit(owner, reply.id, "x"))), "not_found")
    }))

  it.effect("one digest per person and project: news for the owner, replies for the thread's authors, nothing of their own", () =>
    Effect.gen(function*() {
      const comments = yield* Comments
      const origin = yield* CommentsOnOrigin
      const place = yield* published()
      const [mia, rita, rob] = [yield* joined(place.owner, "Mia"), yield* someone("Rita"), yield* someone("Rob")]
      const at = { rita: yield* atOrigin(place, rita), rob: yield* atOrigin(place, rob) }
      yield* comments.post(place.owner, place.slug, { body: "the owner's own" })
      const thread = yield* origin.post(at.rita, { body: "Is this\nright?", anchor: { path: "/", line: 3 } })
      yield* origin.post(at.rob, { body: "I doubt it: https://evil.example", parentId: thread.id })
      yield* comments.reply(mia, thread.id, "It is")
      const gone = yield* origin.post(at.rita, { body: "deleted" })
      yield* origin.remove(at.rita, gone.id, true)
      const settled = yield* origin.post(at.rita, { body: "resolved" })
      yield* comments.setStatus(mia, settled.id, "resolved")

      // Several workers at once: each digest is sent by one of them.
      yield* Effect.all([sendDigestsOnce, sendDigestsOnce, sendDigestsOnce], { concurrency: "unbounded" })
      const sent = yield* digests
      const by = new Map(sent.map((mail) => [mail.to, mail]))
      assert.lengthOf(sent, 3)
      assert.deepStrictEqual(by.get(place.owner.email)?.quotes, [{ by: "Rita", about: "in line 3", text: "Is this right?" }])
      assert.deepStrictEqual(by.get(rita.email)?.quotes, [
        { by: "Rob", about: "in reply", text: "I doubt it: evil.example" }, { by: "Mia", about: "in reply", text: "It is" }
      ])
      assert.deepStrictEqual(by.get(rob.email)?.quotes.map(({ text }) => text), ["It is"])
      assert.isUndefined(by.get(mia.email))
      yield* sendDigestsOnce
      assert.lengthOf(yield* digests, 0)

      // Mia has written in the thread by now. She mutes it by the setting and by the mail's link, and turns it on again.
      yield* comments.mute(mia, place.slug, true)
      const muting = yield* CommentDigests
      assert.isFalse(yield* muting.mute("not of ours", true))
      assert.isTrue(yield* muting.mute(by.get(rob.email)!.mute, true))
      assert.isTrue(yield* muting.mute(by.get(rob.email)!.mute, true))
      yield* comments.reply(place.owner, thread.id, "Thank you")
      yield* sendDigestsOnce
      assert.deepStrictEqual((yield* digests).map(({ to }) => to), [rita.email])
      yield* comments.mute(mia, place.slug, false)
      yield* comments.reply(place.owner, thread.id, "Once more")
      yield* sendDigestsOnce
      assert.deepStrictEqual((yield* digests).map(({ to }) => to).sort(), [mia.email, rita.email].sort())
    }))

  it.effect("whoever would no longer get in hears that there is something, not what; where nothing opens, nothing", () =>
    Effect.gen(function*() {
      const comments = yield* Comments
      const origin = yield* CommentsOnOrigin
      const projects = yield* Projects
      const place = yield* published()
      const rita = yield* someone("Rita")
      const thread = yield* origin.post(yield* atOrigin(place, rita), { body: "mine" })
      const answered = Effect.gen(function*() {
        yield* comments.reply(place.owner, thread.id, "a secret")
        yield* sendDigestsOnce
        return (yield* digests).filter(({ to }) => to === rita.email)
      })
      assert.deepStrictEqual((yield* answered).map(({ quotes }) => quotes.length), [1])
      yield* projects.change(place.owner, place.slug, { visibility: "private", title: "A secret title" })
      const [mail] = yield* answered
      assert.deepStrictEqual([mail?.quotes, mail?.count], [[], 1])
      assert.notInclude(JSON.stringify(mail), "secret")
      yield* projects.change(place.owner, place.slug, { expiresAt: DateTime.add(yield* DateTime.now, { seconds: 1 }) })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* answered, [])
    }))

  it.effect("an edit whose turn comes after somebody resolved the thread is too late", () =>
    Effect.gen(function*() {
      const place = yield* published()
      const comments = yield* Comments
      const { id } = yield* comments.post(place.owner, place.slug, { body: "mine" })
      const commit = yield* locked(`UPDATE comments SET resolved_at = now(), resolved_by = '${place.owner.id}' WHERE id = '${id}'`)
      const editing = yield* Effect.forkChild(Effect.flip(comments.edit(place.owner, id, "changed")))
      yield* Effect.repeat(SqlClient.SqlClient.use(waiting), { until: (many) => many > 0 })
      yield* commit
      assert.strictEqual((yield* Fiber.join(editing))._tag, "conflict")
      assert.strictEqual((yield* comments.thread(place.owner, place.slug, id)).body, "mine")
    }))

  it.effect("a project that is renamed while its digest is on the way is told of under its new slug", () =>
    Effect.gen(function*() {
      const place = yield* published()
      const rita = yield* someone("Rita")
      yield* (yield* CommentsOnOrigin).post(yield* atOrigin(place, rita), { body: "mine" })
      const renamed = `${place.slug}-anew`
      const commit = yield* locked(`
        WITH renamed AS (UPDATE projects SET slug = '${renamed}' WHERE id = '${place.id}')
        SELECT 1 FROM comment_notices WHERE project_id = '${place.id}' FOR UPDATE`)
      const sending = yield* Effect.forkChild(sendDigestsOnce)
      yield* Effect.repeat(SqlClient.SqlClient.use(waiting), { until: (many) => many > 0 })
      yield* commit
      yield* Fiber.join(sending)
      assert.deepStrictEqual((yield* digests).map(({ to, url }) => [to, new URL(url).hostname.split(".")[0]]), [[place.owner.email, renamed]])
    }))

  it.effect("a digest that waited for a mail server tells what its reader may know by then, of the project as it is called by then", () =>
    Effect.gen(function*() {
      const [comments, origin, projects, store] = [yield* Comments, yield* CommentsOnOrigin, yield* Projects, yield* WorkspaceStore]
      /** What arrives of a digest while this happened. */
      const told = Effect.fnUntraced(function*(happened: (place: Place, rita: User) => Effect.Effect<unknown, unknown>, reader: "guest" | "member" = "guest") {
        const place = yield* published()
        const rita = yield* reader === "guest" ? someone("Rita") : joined(place.owner, "Rita")
        const { id } = yield* origin.post(yield* atOrigin(place, rita), { body: "mine" })
        yield* comments.reply(place.owner, id, "a secret")
        yield* sendDigestsOnce
        yield* Effect.orDie(happened(place, rita))
        yield* delivered
        return (yield* arrived(rita)).join()
      })
      const set = (input: Parameters<typeof projects.change>[2]) => ({ owner, slug }: Place) => projects.change(owner, slug, input)
      const removed = (then: Parameters<typeof projects.change>[2]) => (place: Place, rita: User) =>
        Effect.flatMap(DateTime.now, (now) => store.leave(homes.get(place.owner.id)!, rita.id, now)).pipe(Effect.andThen(set(then)(place)))

      assert.include(yield* told(() => Effect.void), "a secret")
      assert.include(yield* told(set({ slug: "talked-elsewhere" })), "//talked-elsewhere.")
      assert.include(yield* told(set({ visibility: "private" }), "member"), "a secret")
      const counted = [yield* told(set({ visibility: "private", title: "A secret title" })), yield* told(removed({ visibility: "private" }), "member")]
      for (const text of counted) assert.deepStrictEqual([text === "", text.includes("secret")], [false, false])
      assert.strictEqual(yield* told(removed({ visibility: "private", commentAccess: "members" }), "member"), "")
      assert.strictEqual(yield* told(({ owner, slug }) => projects.remove(owner, slug)), "")
      assert.strictEqual(yield* told(({ slug }, rita) => comments.mute(rita, slug, true), "member"), "")
      const threads = ({ owner, slug }: Place) => Effect.map(comments.list(owner, slug, { status: "all", after: undefined, limit: 9 }), (page) => page.comments)
      const reply = (place: Place) => Effect.map(threads(place), ([thread]) => thread!.replies[0]!.id)
      const edited = yield* told((place) => Effect.flatMap(reply(place), (id) => comments.edit(place.owner, id, "what was meant")))
      assert.deepStrictEqual([edited.includes("what was meant"), edited.includes("a secret")], [true, false])
      const takenBack = (place: Place) => Effect.flatMap(reply(place), (id) => comments.remove(place.owner, id, true))
      assert.strictEqual(yield* told(takenBack), "")
      assert.strictEqual(yield* told((place) => Effect.flatMap(threads(place), ([thread]) => comments.setStatus(place.owner, thread!.id, "resolved"))), "")
    }))

  it.effect("a project's maker who left the workspace is told only of threads they wrote in; its admins are told of the rest", () =>
    Effect.gen(function*() {
      const comments = yield* Comments
      const projects = yield* Projects
      const host = yield* someone("Hank")
      const [maker, mate] = [yield* joined(host, "Mara"), yield* joined(host, "Mats")]
      const bytes = { async *[Symbol.asyncIterator]() { yield new TextEncoder().encode("words") } }
      const slug = `talked-${++names}`
      yield* (yield* Publishing).put(maker, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes }, { workspace: homes.get(host.id)! })
      yield* projects.change(maker, slug, { commentsEnabled: true, commentAccess: "anyone", visibility: "private" })
      const told = Effect.gen(function*() {
        yield* sendDigestsOnce
        return (yield* digests).map(({ quotes, to }) => [to, ...quotes.map(({ text }) => text)])
      })
      const own = yield* comments.post(maker, slug, { body: "mine" })
      assert.deepStrictEqual(yield* told, [])
      yield* comments.post(mate, slug, { body: "a secret" })
      assert.deepStrictEqual(yield* told, [[maker.email, "a secret"]])
      // In the outbox, or recorded, while they were a member, and due when they are not.
      yield* comments.post(mate, slug, { body: "waits for a mail server" })
      yield* sendDigestsOnce
      yield* comments.post(mate, slug, { body: "too late" })
      yield* (yield* WorkspaceStore).leave(homes.get(host.id)!, maker.id, yield* DateTime.now)
      yield* delivered
      assert.deepStrictEqual(yield* arrived(maker), [])
      assert.deepStrictEqual(yield* told, [])
      yield* comments.post(mate, slug, { body: "another secret" })
      assert.deepStrictEqual(yield* told, [[host.email, "another secret"]])
      yield* comments.post(host, slug, { body: "the admin's own" })
      assert.deepStrictEqual(yield* told, [])
      yield* projects.change(host, slug, { visibility: "public" })
      yield* comments.post(mate, slug, { body: "for everyone" })
      yield* comments.reply(mate, own.id, "to you")
      assert.sameDeepMembers(yield* told, [[host.email, "for everyone"], [maker.email, "to you"]])
    }))

  it.effect("a follower hears every ten seconds that all is well and which version is new, and no more once access ended", () =>
    Effect.gen(function*() {
      const origin = yield* CommentsOnOrigin
      const projects = yield* Projects
      const comments = yield* Comments
      const place = yield* published()
      const heard: Array<Followed> = []
      const follower: Follower = { turn: () => Effect.succeed(true), tell: (followed) => Effect.sync(() => heard.push(followed) > 0) }
      const until = (count: number) =>
        TestClock.withLive(Effect.gen(function*() {
          while (heard.length < count) yield* Effect.sleep(5)
        }))
      const following = yield* Effect.forkChild(origin.follow({ slug: place.slug, pass: null, token: undefined }, follower))
      yield* until(1)
      const made = yield* comments.post(place.owner, place.slug, { body: "news" })
      yield* until(2)
      yield* TestClock.adjust("10 seconds")
      yield* until(3)
      assert.deepStrictEqual(heard.map(({ kind }) => kind), ["ready", "created", "here"])
      assert.deepInclude(heard[1], { id: made.id, threadId: made.id })
      yield* publish(place.owner, place.slug, "other words")
      yield* TestClock.adjust("9999 millis")
      assert.lengthOf(heard, 3)
      yield* TestClock.adjust("1 millis")
      yield* until(5)
      yield* TestClock.adjust("10 seconds")
      yield* until(6)
      assert.deepStrictEqual(heard.slice(3), [{ kind: "here" }, { kind: "published", version: 2 }, { kind: "here" }])
      yield* projects.change(place.owner, place.slug, { visibility: "private" })
      yield* comments.post(place.owner, place.slug, { body: "not for everyone" })
      yield* Fiber.join(following)
      assert.lengthOf(heard, 6)
      const refused = yield* Effect.exit(origin.follow({ slug: place.slug, pass: null, token: undefined }, follower))
      assert.strictEqual(codeOf(refused), "private")
      assert.lengthOf(heard, 6)
    }))

  it.effect("a follower whose access ends while they take the news of a version is told nothing after it", () =>
    Effect.gen(function*() {
      const [comments, origin, projects] = [yield* Comments, yield* CommentsOnOrigin, yield* Projects]
      const place = yield* published()
      const heard: Array<Followed["kind"]> = []
      const follower: Follower = {
        turn: () => Effect.succeed(true),
        tell: ({ kind }) =>
          Effect.gen(function*() {
            heard.push(kind)
            if (kind !== "published") return true
            yield* Effect.orDie(projects.change(place.owner, place.slug, { visibility: "private" }))
            return false
          })
      }
      const following = yield* Effect.forkChild(origin.follow({ slug: place.slug, pass: null, token: undefined }, follower))
      yield* TestClock.withLive(Effect.repeat(Effect.sleep(5), { until: () => heard.length > 0 }))
      yield* publish(place.owner, place.slug, "other words")
      yield* comments.post(place.owner, place.slug, { body: "news" })
      yield* TestClock.withLive(Effect.repeat(Effect.sleep(5), { until: () => heard.includes("published") }))
      yield* comments.post(place.owner, place.slug, { body: "not for everyone" })
      yield* Fiber.join(following)
      assert.deepStrictEqual(heard, ["ready", "created", "published"])
    }))

  it.effect("a change is read once and its projects' access checked once, for ten followers and for a hundred; one without access is told nothing", () =>
    Effect.gen(function*() {
      const [store, hosting] = [yield* CommentStore, yield* HostingStore]
      const counts = { threads: 0, visits: 0 }
      const counted = <A extends ReadonlyArray<unknown>, B>(name: keyof typeof counts, read: (...args: A) => B) => (...args: A) => {
        counts[name] += 1
        return read(...args)
      }
      const origin = yield* CommentsOnOrigin.make.pipe(
        Effect.provideService(CommentStore, { ...store, threads: counted("threads", store.threads) }),
        Effect.provideService(HostingStore, { ...hosting, visits: counted("visits", hosting.visits) })
      )
      const comments = yield* Comments
      for (const count of [10, 100]) {
        const place = yield* published()
        const heard: Array<Followed> = []
        const follower: Follower = { turn: () => Effect.succeed(true), tell: (followed) => Effect.sync(() => heard.push(followed) > 0) }
        const until = (total: number) =>
          TestClock.withLive(Effect.gen(function*() {
            while (heard.length < total) yield* Effect.sleep(5)
          }))
        const at = { slug: place.slug, pass: null, token: undefined }
        const followers = yield* Effect.forkChild(Effect.all(Array.from({ length: count }, () => origin.follow(at, follower)), { concurrency: "unbounded" }))
        yield* until(count)
        Object.assign(counts, { threads: 0, visits: 0 })
        yield* comments.post(place.owner, place.slug, { body: "news" })
        yield* until(2 * count)
        assert.deepStrictEqual(counts, { threads: 1, visits: 1 })
        assert.strictEqual(new Set(heard.slice(count)).size, 1, "one object, of which one text is made")
        yield* (yield* Projects).change(place.owner, place.slug, { visibility: "private" })
        yield* comments.post(place.owner, place.slug, { body: "not for everyone" })
        yield* Fiber.join(followers)
        assert.lengthOf(heard, 2 * count)
      }
    }))

  it.effect("of one person two lists are read at once, whatever else they ask for", () =>
    Effect.gen(function*() {
      const [place, other] = [yield* published(), yield* published()]
      const store = yield* CommentStore
      const reading: Array<string> = []
      const gate = yield* Deferred.make<void>()
      const list: typeof store.list = (project, page) => Effect.sync(() => reading.push(project)).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(store.list(project, page)))
      const comments = yield* Effect.provideService(Comments.make, CommentStore, CommentStore.of({ ...store, list }))
      const page = { status: "all", after: undefined, limit: 20 } as const
      const many = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkChild(comments.list(place.owner, place.slug, page)))
      const one = yield* Effect.forkChild(comments.list(other.owner, other.slug, page))
      while (reading.length < 3) yield* Effect.yieldNow
      yield* TestClock.withLive(Effect.sleep("100 millis"))
      assert.deepStrictEqual(reading.toSorted(), [place.id, place.id, other.id].toSorted())
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [...many, one]) assert.deepStrictEqual((yield* Fiber.join(fiber)).comments, [])
    }))

  it.effect("a comment token is good for fifteen minutes less a millisecond", () =>
    Effect.gen(function*() {
      const origin = yield* CommentsOnOrigin
      const place = yield* published()
      const at = yield* atOrigin(place, yield* someone("Rita"))
      yield* TestClock.adjust(15 * 60_000 - 1)
      yield* origin.post(at, { body: "in time" })
      yield* TestClock.adjust(1)
      assert.strictEqual(codeOf(yield* Effect.exit(origin.post(at, { body: "late" }))), "auth_required")
    }))
})
