/** Mail through outages: retried with growing pauses, delivered once, and given up if nobody will ever accept it. */
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { describe, it as plain } from "vitest"
import { MailId } from "../../src/domain/mails/model.ts"
import { Mails } from "../../src/domain/mails/mails.ts"
import { Mail, Mailer } from "../../src/domain/ports/mailer.ts"
import { CONNECTIONS, MailTransport, MailTransportSmtp, reasonOf } from "../../src/services/mail/transport.ts"
import { deliver, MailTurns } from "../../src/workers/deliver-mail.ts"
import { forADay } from "../../src/workers/retry-job.ts"
import { houseWith } from "../support/house.ts"
import { openPostOffice } from "../support/post-office.ts"
import type { PostOffice } from "../support/post-office.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"

class Post extends Context.Service<Post, PostOffice>()("test/Post") {}

const PostOpen = Layer.effect(Post, Effect.acquireRelease(Effect.promise(openPostOffice), (post) => Effect.promise(post.stop)))

const withPost = <A, E, R>(over: (environment: Readonly<Record<string, string>>) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(Post.useSync(({ url }) => over({ SVC_SMTP_URL: url }))).pipe(Layer.provideMerge(PostOpen))

const enqueued = Effect.fnUntraced(function*(to: string) {
  const sql = yield* SqlClient.SqlClient
  yield* (yield* Mailer).enqueue(Mail.cases.VerifyEmail.make({ to, name: "Ada", token: "t".repeat(43) }))
  const [row] = yield* Effect.orDie(sql<{ id: string }>`SELECT id FROM mails ORDER BY id DESC LIMIT 1`)
  return MailId.make(row!.id)
})

const attemptsAt = (post: PostOffice, to: string) => post.attempts.filter(({ recipients }) => recipients.includes(to))

const live = (millis: number) => TestClock.withLive(Effect.sleep(millis))

/** Waits in real time for deliveries under way: the clock stands still meanwhile, since otherwise a connection being opened would time out. */
const arrived = Effect.fnUntraced(function*(post: PostOffice, to: string, count: number) {
  for (let waited = 0; waited < 3000 && attemptsAt(post, to).length < count; waited += 2) yield* live(2)
  return attemptsAt(post, to).length >= count
})

/** Lets about `pause` seconds pass until the next attempt, which must not come much sooner. Returns the seconds it took. */
const nextTry = Effect.fnUntraced(function*(post: PostOffice, to: string, pause: number, heard: () => number) {
  const before = attemptsAt(post, to).length
  // The answer to the last attempt is on its way back; the pause begins when it arrives.
  yield* Effect.promise(() => eventually("the answer to the last try", () => heard() === before))
  yield* live(5)
  let seconds = pause * 0.95
  yield* TestClock.adjust(seconds * 1000)
  yield* live(5)
  assert.strictEqual(attemptsAt(post, to).length, before, `a try before ${pause} s were over`)
  for (let step = pause * 0.05; ; step = pause * 0.25) {
    yield* TestClock.adjust(step * 1000)
    seconds += step
    if (yield* arrived(post, to, before + 1)) return seconds
  }
})

layer(Layer.merge(withPost(houseWith), MailTurns.layer), { timeout: "60 seconds" })("a mail", (it) => {
  it.effect("outlives an hour of refusals: pauses double up to five minutes, and it goes out once, under one Message-ID", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const to = "patient@example.com"
      const id = yield* enqueued(to)
      post.refuse(true)
      let heard = 0
      const delivery = yield* Effect.forkChild(deliver(id).pipe(
        Effect.updateService(MailTransport, ({ send }) => ({ send: (letter) => Effect.ensuring(send(letter), Effect.sync(() => heard++)) }))
      ))
      yield* Effect.promise(() => eventually("a first try", () => attemptsAt(post, to).length === 1))
      let outage = 0
      for (let pause = 1; outage < 3600; pause = Math.min(300, pause * 2)) {
        const seconds = yield* nextTry(post, to, pause, () => heard)
        assert.isAtMost(seconds, pause * 1.6, `a try ${seconds} s after the last, not about ${pause}`)
        outage += seconds
      }
      const refused = attemptsAt(post, to).length
      assert.isTrue(refused >= 15 && refused <= 21, String(refused))

      post.refuse(false)
      yield* nextTry(post, to, 300, () => heard)
      yield* Fiber.join(delivery)
      yield* deliver(id)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(post.lettersTo(to).length, 1)
      assert.strictEqual(attemptsAt(post, to).length, refused + 1)
      assert.deepStrictEqual([...new Set(attemptsAt(post, to).map(({ mail }) => mail.messageId))], [`<${id}@svc.localhost>`])
      assert.deepStrictEqual(yield* (yield* Mails).dead({ limit: 10, after: undefined }), [])
    }))

  it.effect("that comes regularly can be ended from the reader's own mail client", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const to = "regular@example.com"
      const digest = { to, name: "Ada", project: "Report", url: "https://report.svc.example", count: 1, quotes: [], mute: "sealed" }
      yield* (yield* Mailer).enqueue(Mail.cases.CommentDigest.make(digest))
      const [row] = yield* Effect.orDie(sql<{ id: string }>`SELECT id FROM mails ORDER BY id DESC LIMIT 1`)
      post.refuse(false)
      yield* deliver(row!.id)
      const [letter] = post.lettersTo(to)
      assert.match(letter!.raw, /^List-Unsubscribe: <http:\/\/svc\.localhost[^>]*\/comments\/mute\?token=sealed>\r$/m)
      assert.match(letter!.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    }))

  it.effect("is tried for a day, then no more", () =>
    Effect.gen(function*() {
      const tries: Array<number> = []
      const began = yield* Clock.currentTimeMillis
      const failing = Effect.andThen(Effect.map(Clock.currentTimeMillis, (now) => tries.push((now - began) / 1000)), Effect.fail("Not now"))
      const trying = yield* Effect.forkChild(Effect.exit(Effect.retry(failing, forADay)))
      yield* TestClock.adjust("2 days")
      assert.isDefined(trying.pollUnsafe())
      assert.deepStrictEqual(tries.slice(0, 12), [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111])
      assert.isAtMost(Math.abs(tries.at(-1)! - 86_400), 600)
    }))

  it.effect("outlives a database that is away, before it is sent and after", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const to = "unlucky@example.com"
      const id = yield* enqueued(to)
      const away = Effect.orDie(sql`ALTER TABLE mails RENAME TO mails_away`)
      const back = Effect.orDie(sql`ALTER TABLE mails_away RENAME TO mails`)
      post.refuse(false)
      yield* away
      const delivery = yield* Effect.forkChild(deliver(id))
      yield* live(20)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(attemptsAt(post, to).length, 0)
      yield* back
      // The database is away again as soon as the mail server has the letter: only recording that fails.
      yield* Effect.orDie(sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'away'; END $$`)
      yield* Effect.orDie(sql`CREATE TRIGGER refuse BEFORE UPDATE OF sent_at ON mails FOR EACH ROW EXECUTE FUNCTION refuse()`)
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(yield* arrived(post, to, 1))
      for (let second = 0; second < 10; second++) {
        yield* live(10)
        yield* TestClock.adjust("1 second")
      }
      assert.isUndefined(delivery.pollUnsafe())
      yield* Effect.orDie(sql`DROP TRIGGER refuse ON mails`)
      while (delivery.pollUnsafe() === undefined) {
        yield* TestClock.adjust("30 seconds")
        yield* live(10)
      }
      yield* deliver(id)
      assert.strictEqual(attemptsAt(post, to).length, 1)
    }))

  it.effect("that cannot be opened is tried for an hour, since another instance may know its secret first; then given up, not forgotten", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const sql = yield* SqlClient.SqlClient
      const [found, lost] = [yield* enqueued("found@example.com"), yield* enqueued("lost@example.com")]
      yield* Effect.orDie(sql`UPDATE mails SET sealed = reverse(sealed) WHERE id IN (${found}, ${lost})`)
      post.refuse(false)
      const deliveries = yield* Effect.forEach([found, lost], (id) => Effect.forkChild(deliver(id)))
      const minutes = Effect.fnUntraced(function*(count: number) {
        for (let minute = 0; minute < count; minute += 5) {
          yield* TestClock.adjust("5 minutes")
          yield* live(5)
        }
      })
      yield* minutes(30)
      assert.deepStrictEqual(yield* (yield* Mails).dead({ limit: 1, after: undefined }), [])
      yield* Effect.orDie(sql`UPDATE mails SET sealed = reverse(sealed) WHERE id = ${found}`)
      yield* minutes(60)
      for (const delivery of deliveries) yield* Fiber.join(delivery)
      assert.strictEqual(post.lettersTo("found@example.com").length, 1)
      assert.strictEqual(attemptsAt(post, "lost@example.com").length, 0)
      const dead = yield* (yield* Mails).dead({ limit: 10, after: undefined })
      assert.deepStrictEqual(dead.map(({ id }) => id), [lost])
    }))

  it.effect("whose server is away says so at each try, by codes and without the recipient", () =>
    Effect.gen(function*() {
      const id = yield* enqueued("nobody-hears@example.com")
      const lines: Array<string> = []
      const heard = Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))])
      const nowhere = MailTransportSmtp({ url: Redacted.make("smtp://127.0.0.1:1"), from: "svc@example.com", domain: "example.com" })
      const delivery = yield* Effect.forkChild(deliver(id).pipe(Effect.provide([heard, nowhere])))
      yield* Effect.promise(() => eventually("a first try", () => lines.length === 1))
      yield* live(5)
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => eventually("a second try", () => lines.length === 2))
      for (const line of lines) {
        const { annotations, level, message } = JSON.parse(line)
        assert.deepStrictEqual([level, message], ["WARN", "mail not taken yet"])
        assert.deepInclude(annotations, { mailId: id, why: "Error", code: "ECONNREFUSED", command: "CONN" })
        assert.notInclude(line, "@")
      }
      // A stop does not wait for the next try.
      yield* Fiber.interrupt(delivery)
    }))

  it.effect("waits for its turn with the others of its own workers, and for nobody else's", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const id = yield* enqueued("elsewhere@example.com")
      post.refuse(false)
      yield* (yield* MailTurns).take(CONNECTIONS)
      const waiting = yield* Effect.forkChild(deliver(id))
      yield* live(50)
      assert.strictEqual(attemptsAt(post, "elsewhere@example.com").length, 0)
      yield* deliver(id).pipe(Effect.provide(Layer.fresh(MailTurns.layer)))
      assert.strictEqual(attemptsAt(post, "elsewhere@example.com").length, 1)
      yield* Fiber.interrupt(waiting)
      yield* (yield* MailTurns).release(CONNECTIONS)
    }))

  it.effect("that the server has when its worker is stopped is noted first, so that no other worker sends it again", () =>
    Effect.gen(function*() {
      const post = yield* Post
      const to = "stopped@example.com"
      const id = yield* enqueued(to)
      post.refuse(false)
      const slow = { before: 0, after: 0 }
      const delivery = yield* Effect.forkChild(deliver(id).pipe(
        Effect.updateService(MailTransport, ({ send }) => ({
          send: (letter) => Effect.andThen(send(letter), Effect.andThen(Effect.sync(() => slow.before++), Effect.andThen(live(50), Effect.sync(() => slow.after++))))
        }))
      ))
      yield* Effect.promise(() => eventually("the server has it", () => slow.before === 1))
      yield* Fiber.interrupt(delivery)
      assert.strictEqual(slow.after, 1)
      yield* deliver(id)
      assert.strictEqual(attemptsAt(post, to).length, 1)
    }))
})

layer(withPost(serviceWith), { timeout: "60 seconds", excludeTestServices: true })("dead mails", (it) => {
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

  const refusing = (responseCode: number) => Object.assign(new Error("No"), { responseCode })
  const welcome: ConstructorParameters<typeof SMTPServer>[0] = { onAuth: (_auth, _session, done) => done(null, { user: "user" }) }

  plain("for good is about the recipient or the text; about us or for now it is tried again", async () => {
    const cases = {
      password: await refusalOf({ onAuth: (_auth, _session, done) => done(refusing(535)) }),
      connection: await refusalOf({ ...welcome, onConnect: (_session, done) => done(refusing(554)) }),
      sender: await refusalOf({ ...welcome, onMailFrom: (_address, _session, done) => done(refusing(550)) }),
      busy: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(450)) }),
      recipient: await refusalOf({ ...welcome, onRcptTo: (_address, _session, done) => done(refusing(550)) }),
      text: await refusalOf({ ...welcome, onData: (stream, _session, done) => void stream.resume().on("end", () => done(refusing(554))) })
    }
    assert.deepStrictEqual(cases, { password: false, connection: false, sender: false, busy: false, recipient: true, text: true })
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
  }).pipe(Effect.scoped, Effect.runPromise), 10_000)
