/** Mail through outages: retried with growing pauses, delivered once, and given up if nobody will ever accept it. */
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Fiber, Layer, Logger, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { describe, it as plain } from "vitest"
import { CommentDigests } from "../../src/domain/comments/digests.ts"
import { MailId } from "../../src/domain/mails/model.ts"
import { Mails } from "../../src/domain/mails/mails.ts"
import { Mail, Mailer } from "../../src/domain/ports/mailer.ts"
import { markDead, markMissed, markSent, takeOver, takeUp } from "../../src/services/database/mails.ts"
import { MailTransportMailbox, mailbox } from "../../src/services/database/mailbox.ts"
import { CONNECTIONS, MailTransport, MailTransportSmtp, reasonOf } from "../../src/services/mail/transport.ts"
import { HELD, takeTurn } from "../../src/workers/deliver-mail.ts"
import { houseWith } from "../support/house.ts"
import { openPostOffice } from "../support/post-office.ts"
import type { PostOffice } from "../support/post-office.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"

class Post extends Context.Service<Post, PostOffice>()("test/Post") {}

const PostOpen = Layer.effect(Post, Effect.acquireRelease(Effect.promise(openPostOffice), (post) => Effect.promise(post.stop)))

const withPost = <A, E, R>(over: (environment: Readonly<Record<string, string>>) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(Post.useSync(({ url }) => over({ SVC_SMTP_URL: url }))).pipe(Layer.provideMerge(PostOpen))

const inOutbox = Effect.fnUntraced(function*(mail: Mail) {
  const sql = yield* SqlClient.SqlClient
  yield* (yield* Mailer).enqueue(mail)
  const [row] = yield* Effect.orDie(sql<{ id: string }>`SELECT id FROM mails ORDER BY id DESC LIMIT 1`)
  return MailId.make(row!.id)
})

const enqueued = (to: string) => inOutbox(Mail.cases.AlreadyRegistered.make({ to, name: "Ada" }))

const notice = (to: string) => inOutbox(Mail.cases.ShareLinkOpened.make({ to, name: "Ada", label: "Acme", project: "Report", slug: "report" }))

const attemptsAt = (post: PostOffice, to: string) => post.attempts.filter(({ recipients }) => recipients.includes(to))

const inLine = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Effect.orDie(sql<{ attempts: number; sent: boolean; dead: boolean }>`
    SELECT attempts, sent_at IS NOT NULL AS sent, dead_at IS NOT NULL AS dead FROM mails WHERE id = ${id}`)
  return row
})

const live = (millis: number) => TestClock.withLive(Effect.sleep(millis))

/** The way of a letter to the server, of which each is held until the gate opens. */
const heldAt = (gate: Promise<void>, begun: { count: number }) =>
  Effect.updateService(MailTransport, ({ send }: typeof MailTransport.Service) => ({
    send: (letter: Parameters<typeof send>[0]) => Effect.suspend(() => (begun.count++, Effect.andThen(Effect.promise(() => gate), send(letter))))
  }))

/** A try every five hours, for so many: no pause in which it would have stood still. */
const triedFor = (hours: number) =>
  Effect.repeat(Effect.andThen(TestClock.adjust("5 hours"), Effect.map(takeTurn(), (some) => assert.isTrue(some))), { times: hours / 5 - 1 })

layer(withPost(houseWith))("a mail", (it) => {
  it.effect("outlives an hour of refusals: pauses double up to five minutes, nothing sleeps through them, and it goes out once, under one Message-ID", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const to = "patient@example.com"
      const id = yield* enqueued(to)
      post.refuse(true)
      // Each turn ends with its try: what waits is a row, whose worker may change in between.
      assert.isTrue(yield* takeTurn())
      let tries = 1
      for (let outage = 0, pause = 1; outage < 3600; outage += pause, pause = Math.min(300, pause * 2), tries++) {
        yield* TestClock.adjust(pause * 1000 - 1)
        assert.isFalse(yield* takeTurn(), `a try before ${pause} s were over`)
        yield* TestClock.adjust(1)
        assert.isTrue(yield* takeTurn(), `no try after ${pause} s`)
      }
      post.refuse(false)
      yield* TestClock.adjust("5 minutes")
      assert.isTrue(yield* takeTurn())
      yield* TestClock.adjust("1 day")
      assert.isFalse(yield* takeTurn())
      assert.strictEqual(post.lettersTo(to).length, 1)
      assert.match(post.lettersTo(to)[0]!.raw, /^Auto-Submitted: auto-generated\r$/m)
      assert.strictEqual(attemptsAt(post, to).length, tries + 1)
      assert.deepStrictEqual([...new Set(attemptsAt(post, to).map(({ mail }) => mail.messageId))], [`<${id}@svc.localhost>`])
      assert.deepStrictEqual(yield* (yield* Mails).dead({ limit: 10, after: undefined }), [])
    }))

  it.effect("names in its subject whose link was opened, and stays one header", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const to = "owner@example.com"
      const label = `Zoë ${"and others ".repeat(8)}\r\nBcc: eve@example.com`
      yield* inOutbox(Mail.cases.ShareLinkOpened.make({ to, name: "Ada", label, project: "Größen", slug: "report" }))
      assert.isTrue(yield* takeTurn())
      const [{ mail, raw, recipients }] = post.lettersTo(to) as [ReturnType<typeof post.lettersTo>[number]]
      assert.deepStrictEqual([recipients, mail.subject], [[to], `The link for Zoë ${"and others ".repeat(8)}Bcc: eve@example.\u200bcom was opened: Größen`])
      assert.notMatch(raw, /^Bcc:/m)
    }))

  it.effect("that nobody takes is given up after a day, of whichever workers, and has another day when it is sent again", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const mails = yield* Mails
      const id = yield* enqueued("never@example.com")
      post.refuse(true)
      // No worker ran over the weekend: its day begins with the first.
      yield* TestClock.adjust("2 days")
      assert.isTrue(yield* takeTurn())
      assert.deepStrictEqual(yield* inLine(id), { attempts: 1, sent: false, dead: false })
      // Nor over the next one: it begins again.
      yield* TestClock.adjust("2 days")
      assert.isTrue(yield* takeTurn())
      assert.deepStrictEqual(yield* inLine(id), { attempts: 2, sent: false, dead: false })
      yield* triedFor(20)
      yield* TestClock.adjust("3 hours")
      const fresh = yield* enqueued("fresh@example.com")
      assert.isTrue(yield* takeTurn())
      assert.deepStrictEqual(yield* inLine(fresh), { attempts: 1, sent: false, dead: false }, "before those that were tried, however long they are due")
      yield* Effect.orDie((yield* SqlClient.SqlClient)`DELETE FROM mails WHERE id = ${fresh}`)
      assert.isTrue(yield* takeTurn())
      yield* TestClock.adjust("1 hour")
      assert.isTrue(yield* takeTurn())
      assert.deepStrictEqual((yield* mails.dead({ limit: 10, after: undefined })).map((mail) => [mail.id, mail.attempts]), [[id, 8]])
      yield* TestClock.adjust("1 day")
      assert.isFalse(yield* takeTurn())
      yield* mails.retry(id)
      assert.isTrue(yield* takeTurn())
      assert.deepStrictEqual(yield* inLine(id), { attempts: 9, sent: false, dead: false })
      post.refuse(false)
      yield* TestClock.adjust("5 minutes")
      assert.isTrue(yield* takeTurn())
      assert.strictEqual(post.lettersTo("never@example.com").length, 1)
    }))

  it.effect("that was first tried by a clock that was ahead has its day by the right one", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const id = yield* enqueued("ahead@example.com")
      post.refuse(true)
      assert.isTrue(yield* takeTurn())
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql`UPDATE mails SET first_tried_at = first_tried_at + interval '1 year' WHERE id = ${id}`)
      yield* triedFor(25)
      assert.deepInclude(yield* inLine(id), { sent: false, dead: false })
      yield* triedFor(5)
      assert.deepInclude(yield* inLine(id), { sent: false, dead: true })
      post.refuse(false)
      yield* Effect.orDie(sql`DELETE FROM mails`)
    }))

  it.effect("whose link ended while nobody took it is dropped: it is not sent, and is none of those that could not be", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const [late, inTime] = ["late@example.com", "in-time@example.com"]
      post.refuse(true)
      const token = "t".repeat(43)
      const link = yield* inOutbox(Mail.cases.MagicLink.make({ to: late, name: "Ada", token }))
      const reset = yield* inOutbox(Mail.cases.PasswordReset.make({ to: inTime, name: "Ada", token }))
      assert.deepStrictEqual([yield* takeTurn(), yield* takeTurn()], [true, true])
      post.refuse(false)
      yield* TestClock.adjust("15 minutes")
      assert.deepStrictEqual([yield* takeTurn(), yield* takeTurn()], [true, true])
      assert.deepStrictEqual([post.lettersTo(late).length, post.lettersTo(inTime).length], [0, 1])
      assert.deepStrictEqual([yield* inLine(link), yield* inLine(reset)], [undefined, { attempts: 2, sent: true, dead: false }])
      yield* Effect.orDie((yield* SqlClient.SqlClient)`DELETE FROM mails`)
    }))

  it.effect("that somebody waits for goes before notices, of which one goes out in four turns all the same", () =>
    Effect.gen(function*() {
      const post = yield* Post
      post.refuse(false)
      for (let index = 0; index < 3; index++) yield* Effect.andThen(notice(`told-${index}@example.com`), TestClock.adjust("1 second"))
      for (let index = 0; index < 2; index++) yield* Effect.andThen(enqueued(`waits-${index}@example.com`), TestClock.adjust("1 second"))
      const before = post.attempts.length
      for (const first of ["awaited", "notices", "awaited", "awaited", "notices"] as const) assert.isTrue(yield* takeTurn(first))
      assert.deepStrictEqual(post.attempts.slice(before).map(({ recipients }) => recipients[0]!.split("@")[0]!), ["waits-0", "told-0", "waits-1", "told-1", "told-2"])
    }))

  it.effect("that comes regularly can be ended from the reader's own mail client", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const to = "regular@example.com"
      yield* inOutbox(Mail.cases.CommentDigest.make({ to, name: "Ada", project: "Report", url: "https://report.svc.example", count: 1, quotes: [], mute: "sealed" }))
      post.refuse(false)
      yield* Effect.updateService(takeTurn(), CommentDigests, (digests) => ({ ...digests, asOfNow: Effect.succeedSome }))
      const [letter] = post.lettersTo(to)
      assert.match(letter!.raw, /^List-Unsubscribe: <http:\/\/svc\.localhost[^>]*\/comments\/mute\?token=sealed>\r$/m)
      assert.match(letter!.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    }))

  it.effect("outlives a database that is away, before it is sent and after", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const to = "unlucky@example.com"
      const id = yield* enqueued(to)
      post.refuse(false)
      yield* Effect.orDie(sql`ALTER TABLE mails RENAME TO mails_away`)
      assert.isTrue((yield* Effect.exit(takeTurn()))._tag === "Failure")
      yield* Effect.orDie(sql`ALTER TABLE mails_away RENAME TO mails`)
      assert.strictEqual(attemptsAt(post, to).length, 0)
      // The database is away again as soon as the mail server has the letter: only recording that fails.
      yield* Effect.orDie(sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'away'; END $$`)
      yield* Effect.orDie(sql`CREATE TRIGGER refuse BEFORE UPDATE OF sent_at ON mails FOR EACH ROW EXECUTE FUNCTION refuse()`)
      const turn = yield* Effect.forkChild(takeTurn())
      yield* Effect.promise(() => eventually("the server has it", () => attemptsAt(post, to).length === 1))
      for (let second = 0; second < 10; second++) {
        yield* live(10)
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual([turn.pollUnsafe(), yield* inLine(id)], [undefined, { attempts: 1, sent: false, dead: false }])
      yield* Effect.orDie(sql`DROP TRIGGER refuse ON mails`)
      while (turn.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        yield* live(10)
      }
      yield* TestClock.adjust("5 minutes")
      assert.isFalse(yield* takeTurn())
      assert.strictEqual(attemptsAt(post, to).length, 1)
    }))

  it.effect("that cannot be opened waits for an instance that knows its secret, for a day; then it is given up, not forgotten", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const [found, lost] = [yield* enqueued("found@example.com"), yield* enqueued("lost@example.com")]
      yield* Effect.orDie(sql`UPDATE mails SET sealed = reverse(sealed) WHERE id IN (${found}, ${lost})`)
      post.refuse(false)
      assert.isTrue((yield* takeTurn()) && (yield* takeTurn()))
      yield* Effect.orDie(sql`UPDATE mails SET sealed = reverse(sealed) WHERE id = ${found}`)
      yield* TestClock.adjust("1 second")
      assert.isTrue((yield* takeTurn()) && (yield* takeTurn()))
      assert.strictEqual(post.lettersTo("found@example.com").length, 1)
      yield* triedFor(20)
      yield* TestClock.adjust("4 hours")
      assert.isTrue(yield* takeTurn())
      assert.strictEqual(attemptsAt(post, "lost@example.com").length, 0)
      assert.deepStrictEqual((yield* (yield* Mails).dead({ limit: 10, after: undefined })).map(({ id }) => id), [lost])
    }))

  it.effect("whose server is away says so at each try, by codes and without the recipient", () =>
    Effect.gen(function*() {
      const id = yield* enqueued("nobody-hears@example.com")
      const lines: Array<string> = []
      const heard = Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))])
      const nowhere = MailTransportSmtp({ url: Redacted.make("smtp://127.0.0.1:1"), from: "svc@example.com", domain: "example.com" })
      for (let turn = 0; turn < 2; turn++) {
        assert.isTrue(yield* Effect.provide(takeTurn(), [heard, nowhere]))
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(lines.length, 2)
      for (const line of lines) {
        const { annotations, level, message } = JSON.parse(line)
        assert.deepStrictEqual([level, message], ["WARN", "mail not taken yet"])
        assert.deepInclude(annotations, { mailId: id, why: "Error", code: "ECONNREFUSED", command: "CONN" })
        assert.notInclude(line, "@")
      }
      yield* Effect.orDie(SqlClient.SqlClient.use((sql) => sql`DELETE FROM mails WHERE id = ${id}`))
    }))

  it.effect("that is refused for good is given up with the server's code in the log, and without the recipient", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const id = yield* enqueued("no-such-user@example.com")
      const lines: Array<string> = []
      post.refuse("for good")
      assert.isTrue(yield* Effect.provide(takeTurn(), Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))])))
      post.refuse(false)
      assert.lengthOf(lines, 1)
      const { annotations, message } = JSON.parse(lines[0]!)
      assert.strictEqual(message, "mail given up")
      assert.deepInclude(annotations, { mailId: id, why: "refused", code: "EMESSAGE" })
      assert.isAtLeast(annotations.responseCode, 500)
      assert.notInclude(lines[0], "@")
      yield* Effect.orDie(SqlClient.SqlClient.use((sql) => sql`DELETE FROM mails WHERE id = ${id}`))
    }))

  it.effect("that waits for its turn is taken up by nobody: another worker may send it, an erasure drop it, and whoever was frozen sends neither", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      post.refuse(false)
      const gate = Promise.withResolvers<void>()
      const begun = { count: 0 }
      const ids = yield* Effect.forEach(["a", "b", "c", "d"], (name) => Effect.tap(enqueued(`frozen-${name}@example.com`), TestClock.adjust("1 second")))
      const frozen = yield* Effect.forEach(Array.from({ length: CONNECTIONS }), () => Effect.forkChild(Effect.forEach(ids, () => takeTurn()).pipe(heldAt(gate.promise, begun))))
      yield* Effect.promise(() => eventually("its turns are taken", () => begun.count === CONNECTIONS))
      assert.deepStrictEqual((yield* Effect.forEach(ids, inLine)).map((row) => row!.attempts), [1, 1, 0, 0])
      yield* TestClock.adjust("15 seconds")
      assert.isTrue(yield* takeTurn())
      yield* Effect.orDie(sql`DELETE FROM mails WHERE id = ${ids[3]!}`)
      assert.isFalse(yield* takeTurn())
      gate.resolve()
      yield* Effect.forEach(frozen, Fiber.join)
      assert.deepStrictEqual(["a", "b", "c", "d"].map((name) => attemptsAt(post, `frozen-${name}@example.com`).length), [1, 1, 1, 0])
    }))

  it.effect("whose worker died is taken up by another after a while, and what that worker notes late changes nothing", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const id = yield* enqueued("orphan@example.com")
      post.refuse(true)
      const orphaned = Option.getOrThrow(yield* takeUp("awaited", yield* DateTime.now, HELD))
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* takeTurn(), "a worker whose clock is ahead does not have it sooner")
      const passed = (seconds: number) => Effect.orDie(sql`UPDATE mails SET held_until = held_until - ${seconds} * interval '1 second' WHERE id = ${id}`)
      yield* passed(Duration.toSeconds(HELD) / 2)
      assert.isFalse(yield* takeTurn())
      yield* passed(Duration.toSeconds(HELD) / 2)
      assert.isTrue(yield* takeTurn())
      yield* markMissed(orphaned, DateTime.add(yield* DateTime.now, { days: 1 }))
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* takeTurn(), "the pause after the second try counts")
      post.refuse(false)
      yield* TestClock.adjust("1 second")
      yield* markDead(Option.getOrThrow(yield* takeUp("awaited", yield* DateTime.now, HELD)), yield* DateTime.now)
      yield* markSent(id, yield* DateTime.now)
      assert.deepStrictEqual(yield* inLine(id), { attempts: 3, sent: true, dead: false }, "what went out is not among the dead")
    }))

  it.effect("that its server is slow to take stays with its worker", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const id = yield* enqueued("slow@example.com")
      post.refuse(false)
      const gate = Promise.withResolvers<void>()
      const begun = { count: 0 }
      const turn = yield* Effect.forkChild(takeTurn().pipe(heldAt(gate.promise, begun)))
      yield* Effect.promise(() => eventually("it has begun", () => begun.count === 1))
      yield* Effect.orDie(sql`UPDATE mails SET held_until = clock_timestamp() WHERE id = ${id}`)
      yield* TestClock.adjust("5 seconds")
      const isHeld = Effect.map(Effect.orDie(sql`SELECT 1 FROM mails WHERE id = ${id} AND held_until > clock_timestamp()`), (rows) => rows.length === 1)
      yield* Effect.repeat(Effect.andThen(live(20), isHeld), { until: (held) => held })
      assert.isFalse(yield* takeTurn())
      gate.resolve()
      yield* Fiber.join(turn)
      assert.deepStrictEqual(yield* inLine(id), { attempts: 1, sent: true, dead: false })
      assert.lengthOf(attemptsAt(post, "slow@example.com"), 1)
    }))

  it.effect("that the server has when its worker is stopped is noted first, so that no other worker sends it again", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const id = yield* enqueued("stopped@example.com")
      post.refuse(false)
      const gate = Promise.withResolvers<void>()
      const begun = { count: 0 }
      const turn = yield* Effect.forkChild(takeTurn().pipe(heldAt(gate.promise, begun)))
      yield* Effect.promise(() => eventually("it has begun", () => begun.count === 1))
      yield* Effect.andThen(live(20), Effect.sync(gate.resolve)).pipe(Effect.forkChild)
      yield* Fiber.interrupt(turn)
      assert.deepStrictEqual(yield* inLine(id), { attempts: 1, sent: true, dead: false })
    }))

  it.effect("to the developer mailbox stays until two hundred newer ones are there", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO mailbox (id, recipient, subject, html, text, at)
        SELECT gen_random_uuid(), 'ada@example.com', n::text, '', '', '1970-01-01'::timestamptz - n * interval '1 second' FROM generate_series(1, 300) n`
      const letter = { id: crypto.randomUUID(), to: "ada@example.com", subject: "newest", html: "", text: "" }
      yield* MailTransport.use(({ send }) => send(letter)).pipe(Effect.provide(MailTransportMailbox))
      assert.deepStrictEqual(yield* sql`SELECT count(*)::int AS count, max(subject::int) FILTER (WHERE subject <> 'newest') AS oldest FROM mailbox`, [{ count: 200, oldest: 199 }])
      assert.strictEqual((yield* (yield* mailbox).list)[0]?.subject, "newest")
    }))

  it.effect("of the release before is left to its job, until that is a new worker's", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      post.refuse(false)
      const [id, now] = [yield* enqueued("before@example.com"), yield* DateTime.now]
      yield* Effect.orDie(sql`UPDATE mails SET next_try_at = NULL, awaited = false WHERE id = ${id}`)
      assert.isFalse(yield* takeTurn())
      yield* takeOver(id, now)
      assert.deepStrictEqual(yield* Effect.orDie(sql`SELECT awaited FROM mails WHERE id = ${id}`), [{ awaited: true }])
      assert.isTrue(yield* takeTurn())
      yield* takeOver(id, now)
      assert.isFalse(yield* takeTurn())
    }))
})

layer(withPost(serviceWith), { excludeTestServices: true })("dead mails", (it) => {
  it.effect("are those refused for good; each is listed by page, sent again by one of many, and delivered once", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const { ask, inside } = yield* Service
      const people = Array.from({ length: 5 }, (_, index) => `refused-${index}@example.com`)
      post.refuse("for good")
      for (const email of people) yield* ask("/v1/auth/signup", { json: { email, password: "correct horse battery staple" } })
      const dead = (limit: number, after?: MailId) => inside(Mails.use((mails) => mails.dead({ limit, after })))
      const all = yield* Effect.promise(() => eventually("they are given up", async () => {
        const found = await Effect.runPromise(dead(100))
        return found.length === people.length && found
      }))
      assert.strictEqual(post.attempts.length, people.length)
      assert.notInclude(JSON.stringify(all), "@")
      const first = yield* dead(3)
      const rest = yield* dead(3, first.at(-1)!.id)
      assert.deepStrictEqual([...first, ...rest], [...all])

      post.refuse(false)
      const id = all[0]!.id
      const tries = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => inside(Effect.exit(Mails.use((mails) => mails.retry(id)))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tries.filter((exit) => exit._tag === "Success").length, 1)
      yield* Effect.promise(() => eventually("it arrives", () => post.attempts.some(({ taken }) => taken)))
      assert.strictEqual((yield* dead(100)).length, people.length - 1)

      // Refused once more: it is on the list again, and a third round is a new job too.
      const other = all[1]!.id
      post.refuse("for good")
      yield* inside(Mails.use((mails) => mails.retry(other)))
      yield* Effect.promise(() => eventually("it is given up again", async () =>
        (await Effect.runPromise(dead(100))).some((mail) => mail.id === other && mail.attempts === 2)))
      post.refuse(false)
      yield* inside(Mails.use((mails) => mails.retry(other)))
      yield* Effect.promise(() => eventually("it arrives", () => post.attempts.filter(({ taken }) => taken).length === 2))
      const taken = post.attempts.filter(({ taken }) => taken)
      assert.strictEqual(new Set(taken.map(({ recipients }) => recipients[0])).size, 2)
    }))
})

describe("what a server refuses", () => {
  const letter = { id: "0190", to: "ada@example.com", subject: "Hello", html: "<p>Hello", text: "Hello" }

  const refusalOf = async (options: ConstructorParameters<typeof SMTPServer>[0]) => {
    const server = new SMTPServer({ disabledCommands: ["STARTTLS"], authOptional: true, ...options })
    server.on("error", () => undefined)
    await once(server.listen(0, "127.0.0.1"), "listening")
    const url = `smtp://user:secret@127.0.0.1:${(server.server.address() as AddressInfo).port}`
    const sent = MailTransport.use((transport) => Effect.flip(transport.send(letter))).pipe(
      Effect.provide(MailTransportSmtp({ url: Redacted.make(url), from: "svc@example.com", domain: "example.com" }))
    )
    const refused = await Effect.runPromise(sent)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    return refused.permanent
  }

  const refusing = (responseCode: number, words = "No") => Object.assign(new Error(words), { responseCode })
  const welcome: ConstructorParameters<typeof SMTPServer>[0] = { onAuth: (_auth, _session, done) => done(null, { user: "user" }) }

  plain("nothing has, where it is greeted by the service's own name: a container has none that a relay takes", async () => {
    const greeted: Array<string> = []
    await refusalOf({
      ...welcome,
      onMailFrom: (_address, { hostNameAppearsAs }, done) => {
        greeted.push(hostNameAppearsAs)
        done(refusing(550))
      }
    })
    assert.deepStrictEqual(greeted, ["example.com"])
  })

  plain("for good is about the recipient or the text; about us or for now it is tried again", async () => {
    const cases = {
      password: await refusalOf({ onAuth: (_auth, _session, done) => done(refusing(535)) }),
      connection: await refusalOf({ ...welcome, onConnect: (_session, done) => done(refusing(554)) }),
      sender: await refusalOf({ ...welcome, onMailFrom: (_address, _session, done) => done(refusing(550)) }),
      busy: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(450)) }),
      relay: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(554, "5.7.1 <ada@example.com>: Relay access denied")) }),
      unsigned: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(554, "5.7.1 <ada@example.com>: Recipient address rejected: Access denied")) }),
      client: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(554, "5.7.1 <svc[192.0.2.7]>: Client host rejected: Access denied")) }),
      foreign: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(553, "5.7.1 <svc@example.com>: Sender address rejected: not owned by user svc")) }),
      nameless: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(530, "SMTP authentication is required")) }),
      recipient: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(550, "5.1.1 <relay@example.com>: Recipient address rejected: User unknown in relay recipient table")) }),
      text: await refusalOf({ ...welcome, onData: (stream, _session, done) => void stream.resume().on("end", () => done(refusing(554))) })
    }
    assert.deepStrictEqual(cases, { password: false, connection: false, sender: false, busy: false, relay: false, unsigned: false, client: false, foreign: false, nameless: false, recipient: true, text: true })
  })
})

/** A server that never ends its answer and is never silent; counts its open connections. */
const trickling = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((socket) => {
      socket.write("220 slow\r\n")
      const saying = setInterval(() => socket.write("250-still\r\n"), 20)
      socket.on("error", () => undefined).on("close", () => clearInterval(saying)).resume()
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    return server
  }),
  (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
)

plain("a server that trickles has a letter for a limited time, then it is not taken yet and the connection is closed", () =>
  Effect.gen(function*() {
    const server = yield* trickling
    const url = Redacted.make(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const letters = Array.from({ length: CONNECTIONS + 1 }, (_, index) => ({ id: `0190-${index}`, to: "ada@example.com", subject: "Hello", html: "<p>Hello", text: "Hello" }))
    const sent = MailTransport.use(({ send }) => Effect.forEach(letters, (letter) => Effect.flip(send(letter)), { concurrency: "unbounded" })).pipe(
      // As a stop finds them.
      Effect.uninterruptible,
      Effect.provide(MailTransportSmtp({ url, from: "svc@example.com", domain: "example.com", letterMillis: 150 }))
    )
    for (const { cause, permanent } of yield* sent) assert.deepStrictEqual([permanent, reasonOf(cause)["code"]], [false, "EABORT"])
    const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
    yield* Effect.promise(() => eventually("its connections are closed", async () => (await open()) === 0))
  }).pipe(Effect.scoped, Effect.runPromise))
