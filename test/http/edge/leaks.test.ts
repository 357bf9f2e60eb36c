/** What hosted answers reveal: of a project that is not open, only its address; of the service, nothing. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer, Question } from "../../support/ask.ts"
import { framedSite } from "../../support/framed.ts"
import { Service, serviceWith } from "../../support/service.ts"

/** Every header that an answer may have. */
const HEADERS = new Set([
  "accept-ranges", "allow", "cache-control", "clear-site-data", "connection", "content-encoding", "content-length", "content-range", "content-security-policy",
  "content-type", "cross-origin-opener-policy", "cross-origin-resource-policy", "date", "etag", "keep-alive", "location", "origin-agent-cluster", "referrer-policy",
  "retry-after", "set-cookie", "surrogate-key", "transfer-encoding", "vary", "www-authenticate", "x-content-type-options", "x-request-id", "x-robots-tag"
])

const TITLE = "Acquisition of Initech"

layer(serviceWith(), { excludeTestServices: true })("hosted answers", (it) => {
  it.effect("no answer names what is behind its door, who made it, or what answers", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account({ plan: "agency" })
      const html = { ...owner.bearer, "content-type": "text/html" }
      const put = (slug: string, query = "") => service.ask(`/v1/projects/${slug}?title=${encodeURIComponent(TITLE)}${query}`, { method: "PUT", body: "the author's words", headers: html })
      yield* put("leak-open")
      for (const visibility of ["password", "private"]) yield* put(`leak-${visibility}`, `&visibility=${visibility}`)
      yield* put("leak-expired", "&expires_in_days=1")
      yield* Effect.orDie(service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE projects SET expires_at = now() - interval '1 day' WHERE slug = 'leak-expired'`)))
      yield* framedSite(service, owner, "leak-framed", { "index.html": "the author's words" }, { visibility: "private", title: TITLE })
      const { password } = (yield* service.ask("/v1/projects/leak-password", { headers: owner.bearer })).json as { readonly password: string }
      const typed = "typed-into-the-form"

      const asked: ReadonlyArray<readonly [string, Question]> = [
        ["/", {}], ["/a.txt", {}], ["/_svc/raw/index.html", {}], ["/_svc/comments", {}], ["/_svc/versions", {}], ["/_svc/assets/none", {}], ["/%zz", {}], ["/", { method: "HEAD" }],
        ["/", { method: "POST", body: typed }], ["/", { headers: { accept: "application/json" } }], ["/", { headers: { range: "bytes=0-3" } }], ["/", { headers: { "if-none-match": "*" } }],
        ["/_svc/gate/password", { method: "POST", body: `password=${typed}`, headers: { "content-type": "application/x-www-form-urlencoded" } }],
        [`/_svc/gate/share?t=${typed}`, {}], [`/_svc/gate/member?t=${typed}`, {}], ["/_svc/comments", { json: { body: typed }, headers: { authorization: `Bearer ${typed}` } }]
      ]
      for (const slug of ["leak-password", "leak-private", "leak-expired", "leak-framed", "leak-nothing"]) {
        const answers = yield* Effect.forEach(asked, ([path, question]) => service.ask(path, { host: `${slug}.svc.localhost`, ...question, headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", ...question.headers } }), { concurrency: 8 })
        for (const [index, { headers, status, text }] of answers.entries()) {
          const what = `${slug} ${asked[index]![0]} ${status}`
          assert.isAtLeast(status, 400, what)
          assert.isBelow(status, 500, what)
          for (const name of Object.keys(headers)) assert.isTrue(HEADERS.has(name), `${what}: ${name}`)
          assert.deepStrictEqual([headers["set-cookie"], headers.etag, headers["surrogate-key"]], [undefined, undefined, undefined], what)
          const said = JSON.stringify(headers) + text
          for (const secret of [TITLE, "author's words", typed, password, owner.email, "Ada Example", owner.id, owner.workspaceId, owner.token]) assert.notInclude(said, secret, what)
          // Neither a stack trace nor a path of the machine.
          assert.notMatch(said, /node_modules|\.ts:\d|at \w+ \(|\/tmp\/|postgres|sql/i, what)
        }
      }
      const open: Answer = yield* service.ask("/", { host: "leak-open.svc.localhost" })
      for (const name of Object.keys(open.headers)) assert.isTrue(HEADERS.has(name), name)
      for (const secret of [owner.email, owner.id, owner.workspaceId]) assert.notInclude(JSON.stringify(open.headers) + open.text, secret)
      // A site to which the reader goes on learns at most the host.
      assert.strictEqual(open.headers["referrer-policy"], "strict-origin-when-cross-origin")
    }))
})
