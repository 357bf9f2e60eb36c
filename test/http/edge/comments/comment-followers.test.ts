/** Many followers of a project's comments, from one address and from many, fast and slow; and lists of long threads. */
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "../../../support/ask.ts"
import { agentNow } from "../../../support/agents.ts"
import { commented, onOrigin, verdict } from "../../../support/commented.ts"
import type { Commented } from "../../../support/commented.ts"
import { openEvents } from "../../../support/event-stream.ts"
import { eventually } from "../../../support/program.ts"
import { Service, serviceWith } from "../../../support/service.ts"

/** The longest comment, in bytes. */
const LONG = "😀".repeat(10_000)

const following = Effect.fnUntraced(function*(project: Commented, address: string) {
  const { port } = yield* Service
  const headers = { host: `${project.slug}.svc.localhost:${port}`, "x-forwarded-for": address }
  return yield* Effect.promise(() => openEvents(port, "/_svc/comments/events", headers))
})

/** Reads nothing until it is told to. */
const slow = (port: number, { slug }: Commented) => {
  let text = ""
  let ended = false
  const socket = connect(port, "127.0.0.1", () =>
    socket.write(`GET /_svc/comments/events HTTP/1.1\r\nHost: ${slug}.svc.localhost:${port}\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n`))
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("close", () => (ended = true)).on("error", () => {}).pause()
  return {
    events: () => [...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event),
    text: () => text,
    ended: () => ended,
    read: () => void socket.resume(),
    close: () => void socket.destroy()
  }
}

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("many followers", (it) => {
  it.effect("one address follows a hundred times at most, over all projects; others are not affected, and it can follow again once it has closed some", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const [project, other] = [yield* commented(owner), yield* commented(owner)]
      const held = yield* Effect.all(
        Array.from({ length: 100 }, (_, n) => following(n % 2 === 0 ? project : other, "192.0.2.1")),
        { concurrency: 20 }
      )
      assert.deepStrictEqual(new Set(held.map(({ status }) => status)), new Set([200]))
      for (const one of [project, other]) {
        const refused = yield* onOrigin(one, "/events", { headers: { "x-forwarded-for": "198.51.100.7, 192.0.2.1" } })
        assert.deepStrictEqual([verdict(refused), refused.headers["retry-after"]], ["429 rate_limited", "15"])
        assert.strictEqual((yield* onOrigin(one, "", { headers: { "x-forwarded-for": "192.0.2.1" } })).status, 200)
      }
      const another = yield* following(project, "192.0.2.2")
      assert.strictEqual(another.status, 200)
      held[0]!.close()
      yield* Effect.promise(() => eventually("a free place", async () => {
        const again = await Effect.runPromise(Effect.provideService(following(project, "192.0.2.1"), Service, service))
        again.close()
        return again.status === 200
      }))
      for (const one of [...held, another]) one.close()
    }))

  it.effect("a follower that reads nothing holds up nobody, and once it reads is told of the rest, each thread once", () =>
    Effect.gen(function*() {
      const { account, ask, port } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const { bearer: headers } = owner
      const { id } = (yield* ask(`/v1/projects/${project.slug}/comments`, { json: { body: LONG }, headers })).json
      for (let n = 0; n < 28; n++) yield* ask(`/v1/comments/${id}/replies`, { json: { body: LONG }, headers })
      const [reader, quick] = [slow(port, project), yield* following(project, "192.0.2.3")]
      yield* Effect.promise(() => quick.count(1))
      for (let n = 1; n <= 40; n++) yield* ask(`/v1/comments/${id}/${n % 2 === 1 ? "resolve" : "reopen"}`, { method: "POST", headers })
      yield* ask(`/v1/comments/${id}/replies`, { json: { body: "the last word" }, headers })
      yield* Effect.promise(() => eventually("the last word", () => quick.text().includes("the last word")))
      assert.isFalse(reader.ended())
      reader.read()
      yield* Effect.promise(() => eventually("the last word", () => reader.text().includes("the last word")))
      const events = reader.events()
      assert.deepStrictEqual([events[0], events.at(-1)], ["ready", "created"])
      // The kernel buffers some megabytes per connection, and an event is 1.2 MB; the rest was never sent.
      assert.isBelow(events.length, 30)
      reader.close()
      quick.close()
    }))

  it.effect("a page of long comments ends early, at both doors, and goes on with the next", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { account, ask, inside } = service
      const owner = yield* account()
      const project = yield* commented(owner)
      const { bearer: headers } = owner
      const made: Array<string> = []
      for (let n = 0; n < 29; n++) made.unshift((yield* ask(`/v1/projects/${project.slug}/comments`, { json: { body: LONG }, headers })).json.id)
      for (const door of [(query: string) => onOrigin(project, query), (query: string) => ask(`/v1/projects/${project.slug}/comments${query}`, { headers })]) {
        const pages: Array<ReadonlyArray<string>> = []
        let cursor: string | null = ""
        while (cursor !== null) {
          const { json }: Answer = yield* door(`?limit=100${cursor && `&cursor=${cursor}`}`)
          pages.push(json.comments.map(({ id }: { id: string }) => id))
          cursor = json.next_cursor
        }
        assert.deepStrictEqual([pages.flat(), pages.map(({ length }) => length)], [made, [26, 3]])
      }
      // So does one of short comments with many replies: what is sent around each counts too.
      const busy = yield* commented(owner)
      yield* inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`
        WITH threads AS (SELECT gen_random_uuid() AS id FROM generate_series(1, 20)), said AS (
          SELECT id, NULL::uuid AS parent_id FROM threads UNION ALL SELECT gen_random_uuid(), id FROM threads, generate_series(1, 200)
        )
        INSERT INTO comments (id, project_id, parent_id, version, body, anchor, author_id, created_at, updated_at)
        SELECT s.id, p.id, s.parent_id, 1, 'Yes', NULL, p.owner_id, p.created_at, p.created_at FROM projects p, said s WHERE p.slug = ${busy.slug}`)))
      const { json, text } = yield* onOrigin(busy, "?limit=100")
      assert.deepStrictEqual([json.comments.length, typeof json.next_cursor], [15, "string"])
      assert.isBelow(text.length, 1.25 * 1024 * 1024)
      // What an agent is told of what happened since a moment ends far earlier.
      const caughtUp = yield* Effect.promise(() => agentNow(service, "auto", headers).connect())
      const { structuredContent } = yield* Effect.promise(() =>
        caughtUp.callTool({ name: "catch_up", arguments: { slug: project.slug, since: "2020-01-01T00:00:00Z" } }) as Promise<any>)
      assert.deepStrictEqual([structuredContent.comments.length, structuredContent.truncated], [8, true])
      assert.isBelow(JSON.stringify(structuredContent).length, 60_000)
    }))
})
