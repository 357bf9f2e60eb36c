/** Comments through the API: their life over the wire, who may do what, what is refused, and many at once. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { CommentDigests } from "../../src/domain/comments/digests.ts"
import { commented, commentToken, joined, onOrigin, removed, verdict } from "../support/commented.ts"
import { locked, waiting } from "../support/locked.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { Service, serviceWith } from "../support/service.ts"

const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"

layer(serviceWith(), { excludeTestServices: true })("comments", (it) => {
  it.effect("post, reply, edit, resolve, reopen, delete", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const headers = owner.bearer
      const at = `/v1/projects/${project.slug}/comments`

      const anchor = { path: "/", line: 3, quote: "grew by 12 %", selector: null, unknown: 1 }
      const posted = yield* ask(at, { json: { body: "  Is this right?\n", anchor }, headers })
      assert.strictEqual(posted.status, 201, posted.text)
      const { id } = posted.json
      const author = { id: owner.id, name: "Ada Example", email: owner.email }
      const when = posted.json.created_at
      assert.match(when, /^\d{4}-.*\.\d{3}Z$/)
      const afterWindow = (at: string) => new Date(Date.parse(at) + 15 * 60_000).toISOString()
      assert.deepStrictEqual(posted.json, {
        id, project_slug: project.slug, version: 1, body: "Is this right?", author, edited: false, status: "open",
        anchor: { path: "/", line: 3, quote: "grew by 12 %", where: "in line 3, on “grew by 12 %”" },
        created_at: when, updated_at: when, editable_until: afterWindow(when), resolved_at: null, resolved_by: null, replies: []
      })

      const replied = yield* ask(`/v1/comments/${id}/replies`, { json: { body: "It is" }, headers })
      assert.strictEqual(replied.status, 201)
      assert.deepInclude(replied.json, { body: "It is", parent_id: id, author, edited: false, editable_until: afterWindow(replied.json.created_at) })
      // A reply to a reply joins its thread, at either endpoint.
      const nested = yield* ask(`/v1/comments/${replied.json.id}/replies`, { json: { body: "Sure?" }, headers })
      const third = yield* ask(at, { json: { body: "Third", parent_id: nested.json.id }, headers })
      assert.deepStrictEqual([nested.json.parent_id, third.status, third.json.parent_id], [id, 201, id])

      const same = yield* ask(`/v1/comments/${id}`, { method: "PATCH", json: { body: "Is this right?" }, headers })
      assert.deepInclude(same.json, { body: "Is this right?", edited: false, updated_at: when })
      const edited = yield* ask(`/v1/comments/${id}`, { method: "PATCH", json: { body: "Is this so?" }, headers })
      assert.deepInclude(edited.json, { body: "Is this so?", edited: true, created_at: when, status: "open" })
      const reworded = yield* ask(`/v1/comments/${nested.json.id}`, { method: "PATCH", json: { body: "Really?" }, headers })
      assert.deepInclude(reworded.json, { parent_id: id, body: "Really?", edited: true })

      for (const _ of [1, 2]) {
        const resolved = yield* ask(`/v1/comments/${id}/resolve`, { method: "POST", headers })
        assert.deepInclude(resolved.json, { status: "resolved", resolved_by: author })
        assert.isNotNull(resolved.json.resolved_at)
      }
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${id}`, { method: "PATCH", json: { body: "x" }, headers })), "409 conflict")
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${nested.json.id}`, { method: "PATCH", json: { body: "x" }, headers })), "409 conflict")
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${id}?author_only=true`, { method: "DELETE", headers })), "409 conflict")
      const other = yield* ask(at, { json: { body: "Another" }, headers })
      const bodies = (status: string) =>
        Effect.map(ask(`${at}${status}`, { headers }), ({ json }) => json.comments.map(({ body }: { body: string }) => body))
      assert.deepStrictEqual(yield* bodies(""), ["Another", "Is this so?"])
      assert.deepStrictEqual(yield* bodies("?status=all"), ["Another", "Is this so?"])
      assert.deepStrictEqual(yield* bodies("?status=open"), ["Another"])
      assert.deepStrictEqual(yield* bodies("?status=resolved"), ["Is this so?"])

      // A reply's id stands for its thread.
      const reopened = yield* ask(`/v1/comments/${replied.json.id}/reopen`, { method: "POST", headers })
      assert.deepInclude(reopened.json, { id, status: "open", resolved_at: null, resolved_by: null })
      assert.deepStrictEqual(reopened.json.replies.map(({ body }: { body: string }) => body), ["It is", "Really?", "Third"])

      assert.deepStrictEqual((yield* ask(`/v1/comments/${nested.json.id}`, { method: "DELETE", headers })).json, { status: "ok" })
      yield* ask(`/v1/comments/${other.json.id}?author_only=true`, { method: "DELETE", headers })
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${other.json.id}`, { method: "DELETE", headers })), "404 not_found")
      const [left] = (yield* ask(at, { headers })).json.comments
      assert.deepStrictEqual(left.replies.map(({ body }: { body: string }) => body), ["It is", "Third"])
      yield* ask(`/v1/comments/${id}`, { method: "DELETE", headers })
      assert.deepStrictEqual((yield* ask(at, { headers })).json, { comments: [], next_cursor: null })
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${replied.json.id}`, { method: "PATCH", json: { body: "x" }, headers })), "404 not_found")
    }))

  it.effect("pages newest first, each thread whole", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const { slug } = yield* commented(owner)
      const at = `/v1/projects/${slug}/comments`
      for (const body of ["1", "2", "3", "4", "5"]) yield* ask(at, { json: { body }, headers: owner.bearer })
      const seen: Array<string> = []
      let cursor = ""
      do {
        const page = (yield* ask(`${at}?limit=2${cursor && `&cursor=${cursor}`}`, { headers: owner.bearer })).json
        seen.push(page.comments.map(({ body }: { body: string }) => body).join(""))
        cursor = page.next_cursor ?? ""
      } while (cursor !== "")
      assert.deepStrictEqual(seen, ["54", "32", "1"])
      for (const query of ["?limit=0", "?limit=101", "?cursor=x", "?status=closed"]) {
        assert.strictEqual(verdict(yield* ask(`${at}${query}`, { headers: owner.bearer })), "422 validation_error", query)
      }
    }))

  it.effect("takes plain text and honest anchors, nothing else, and never breaks on them", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const at = `/v1/projects/${project.slug}/comments`
      const { json: kept } = yield* ask(at, { json: { body: "kept" }, headers: owner.bearer })
      for (const body of ["", " \n\t", "\u200b", "\u3164 \u2800\ufeff\ufe0f", "a\0b", "\ud800", "x".repeat(10_001), "😀".repeat(10_001), 1, null, ["x"], undefined]) {
        const path = `/v1/comments/${kept.id}`
        assert.strictEqual(verdict(yield* ask(path, { method: "PATCH", json: { body }, headers: owner.bearer })), "422 validation_error", String(body).slice(0, 9))
      }
      const faults = [
        { path: "report" }, { path: "//evil.example" }, { path: "/a\nb" }, { path: "/a\u0085b" }, { path: `/${"é".repeat(200)}` }, { path: "/x".repeat(600) }, {}, { path: "/", x: 1.01 }, { path: "/", y: -0.1 },
        { path: "/", page: 0 }, { path: "/", page: 1.5 }, { path: "/", row: "1" }, { path: "/", time: -1 }, { path: "/", quote: "\ud800" },
        { path: "/", x: 0.5, width: 0.2 }, { path: "/", x: 0.5, y: 0, width: 0.6, height: 0.1 }, { path: "/", selector: "x\0" }, { path: "/", column: "x".repeat(201) }, "x", []
      ]
      const mallory = yield* joined(owner, "member")
      for (const anchor of faults) {
        const refused = yield* ask(at, { json: { body: "x", anchor }, headers: mallory.bearer })
        assert.strictEqual(verdict(refused), "422 validation_error", JSON.stringify(anchor))
        assert.match(refused.json.error.field, /^anchor/)
      }
      for (const raw of [`{"body":"x","anchor":{"path":"/","time":1e400}}`, "{", "null", `{"body":"x","anchor":${"[".repeat(10_000)}`]) {
        const refused = yield* ask(at, { method: "POST", body: raw, headers: { ...owner.bearer, "content-type": "application/json" } })
        assert.strictEqual(verdict(refused), "422 validation_error", raw.slice(0, 20))
      }
      const whole = yield* ask(at, { json: { body: "😀".repeat(10_000), anchor: { path: "/", x: 0, y: 1, width: 1, height: 0, time: 0, __proto__: { a: 1 } }, status: "resolved" }, headers: owner.bearer })
      assert.strictEqual(whole.status, 201, whole.text)
      assert.deepInclude(whole.json, { status: "open" })
      const left = (yield* ask(at, { headers: owner.bearer })).json.comments
      assert.deepStrictEqual(left.map(({ body, edited }: { body: string; edited: boolean }) => [body.slice(0, 4), edited]), [["😀😀", false], ["kept", false]])
      // As browsers spell the page's address; what more a path says, it still does.
      for (const [path, kept] of [
        ["/a b", "/a%20b"], ["/تقرير.html", new URL("http://x/تقرير.html").pathname], ["/a\u200d\u202eb", "/a%E2%80%8D%E2%80%AEb"], ["/a%20b", "/a%20b"], ["/a?b#c", "/a?b#c"], ["/../%", "/../%"], ["/.//x", "/.//x"]
      ] as const) {
        assert.strictEqual((yield* ask(at, { json: { body: "x", anchor: { path } }, headers: mallory.bearer })).json.anchor?.path, kept, path)
      }
    }))

  it.effect("a stranger, a former member and another workspace see nothing; a foreign id answers as a missing one", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const headers = owner.bearer
      const { id } = (yield* ask(`/v1/projects/${project.slug}/comments`, { json: { body: "ours" }, headers })).json
      const former = yield* joined(owner, "member")
      yield* ask(`/v1/comments/${id}/replies`, { json: { body: "theirs" }, headers: former.bearer })
      yield* removed(owner, former)
      const asked = (id: string, slug: string) => [
        [`/v1/projects/${slug}/comments`, {}],
        [`/v1/projects/${slug}/comments`, { json: { body: "x" } }],
        [`/v1/projects/${slug}/comment-notifications`, {}],
        [`/v1/projects/${slug}/comment-notifications`, { method: "PUT", json: { muted: true } }],
        [`/v1/comments/${id}/replies`, { json: { body: "x" } }],
        [`/v1/comments/${id}/resolve`, { method: "POST" }],
        [`/v1/comments/${id}/reopen`, { method: "POST" }],
        [`/v1/comments/${id}`, { method: "PATCH", json: { body: "x" } }],
        [`/v1/comments/${id}`, { method: "DELETE" }]
      ] as const
      for (const who of [yield* account(), former]) {
        const real = asked(id, project.slug)
        for (const [at, [path, question]] of asked(MISSING, "nobody-has-this").entries()) {
          const [missing, foreign] = [yield* ask(path, { ...question, headers: who.bearer }), yield* ask(real[at]![0], { ...question, headers: who.bearer })]
          assert.strictEqual(foreign.status, 404, real[at]![0])
          assert.strictEqual(foreign.text, missing.text)
          assert.strictEqual((yield* ask(real[at]![0], question)).status, 401)
        }
      }
      for (const wrong of ["x", "..", MISSING.slice(1)]) assert.include([404, 422], (yield* ask(`/v1/comments/${wrong}/resolve`, { method: "POST", headers })).status)
      const [thread] = (yield* ask(`/v1/projects/${project.slug}/comments`, { headers })).json.comments
      assert.deepInclude(thread, { body: "ours", status: "open" })
    }))

  it.effect("an author from outside reads no address but their own, by any door", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const outsider = yield* account()
      const other = yield* account()
      const project = yield* commented(owner, { comment_access: "anyone" })
      const posted = yield* onOrigin(project, "", { json: { body: "Hello" }, token: yield* commentToken(outsider, project) })
      const at = `/v1/comments/${posted.json.id}`
      yield* ask(`${at}/replies`, { json: { body: "From a member" }, headers: owner.bearer })
      yield* onOrigin(project, "", { json: { body: "From another", parent_id: posted.json.id }, token: yield* commentToken(other, project) })
      const read = (json: { readonly author: { readonly email: string | null }; readonly replies: ReadonlyArray<{ readonly author: { readonly email: string | null } }> }) =>
        [json.author.email, ...json.replies.map(({ author }) => author.email)]
      const resolved = yield* ask(`${at}/resolve`, { method: "POST", headers: owner.bearer })
      assert.deepStrictEqual(read(resolved.json), [outsider.email, owner.email, other.email])
      const again = yield* ask(`${at}/resolve`, { method: "POST", headers: outsider.bearer })
      assert.deepStrictEqual([again.status, again.json.resolved_by.name, again.json.resolved_by.email], [200, "Ada Example", null])
      const tool = yield* ask("/mcp", {
        json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "resolve_comment", arguments: { comment_id: posted.json.id, status: "open" } } },
        headers: { ...outsider.bearer, accept: "application/json, text/event-stream" }
      })
      const edited = yield* ask(at, { method: "PATCH", json: { body: "Hello again" }, headers: outsider.bearer })
      assert.include(tool.text, "\"reply_count\":2")
      for (const answer of [again, edited]) assert.deepStrictEqual(read(answer.json), [outsider.email, null, null], answer.text)
      for (const answer of [again, edited, tool]) {
        assert.strictEqual(answer.status, 200)
        assert.notInclude(answer.text, owner.email)
        assert.notInclude(answer.text, other.email)
      }
    }))

  it.effect("a misspelt field changes nothing: in the API, and on the document's own host, which answers in the envelope", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const { slug } = yield* commented(owner)
      const { id, ...made } = (yield* ask(`/v1/projects/${slug}/comments`, { json: { body: "one" }, headers: owner.bearer })).json
      for (const wrong of [{ staus: "resolved" }, { status: "resolved" }]) {
        const refused = yield* ask(`/v1/comments/${id}`, { method: "PATCH", json: { body: "two", ...wrong }, headers: owner.bearer })
        assert.deepStrictEqual([refused.status, refused.json.error.field], [422, Object.keys(wrong)[0]])
        assert.strictEqual(refused.json.error.message, "status" in wrong ? "To change it, use POST /v1/comments/{id}/resolve or /reopen." : "There is no such field.")
      }
      assert.strictEqual((yield* ask(`/v1/comments/${id}`, { method: "PATCH", json: { ...made, id, body: "two" }, headers: owner.bearer })).json.body, "two")

      const host = `${slug}.svc.localhost`
      const there = yield* ask(`/_svc/comments/${id}`, { method: "PATCH", json: { body: "three", foo: 1 }, host })
      assert.deepStrictEqual([there.status, there.json.error.code], [422, "validation_error"])
      const garbled = yield* ask("/_svc/comments", { method: "POST", body: Buffer.from("{\"body\":\"caf\xe9\"}", "latin1"), headers: { "content-type": "application/json" }, host })
      assert.deepStrictEqual([garbled.status, garbled.json.error.message], [422, "Send the body in UTF-8."])
      const method = yield* ask("/_svc/comments", { method: "PUT", host })
      assert.deepStrictEqual([method.status, method.headers["allow"], method.json.error.code], [405, "GET, POST", "method_not_allowed"])
    }))

  it.effect("switched off nothing new is taken; what is there can be read, settled and cleared away", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const { slug } = yield* commented(owner)
      const headers = owner.bearer
      const { id } = (yield* ask(`/v1/projects/${slug}/comments`, { json: { body: "before" }, headers })).json
      yield* ask(`/v1/projects/${slug}`, { method: "PATCH", json: { comments_enabled: false }, headers })
      assert.strictEqual(verdict(yield* ask(`/v1/projects/${slug}/comments`, { json: { body: "after" }, headers })), "409 conflict")
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${id}/replies`, { json: { body: "after" }, headers })), "409 conflict")
      assert.lengthOf((yield* ask(`/v1/projects/${slug}/comments`, { headers })).json.comments, 1)
      assert.strictEqual((yield* ask(`/v1/comments/${id}/resolve`, { method: "POST", headers })).status, 200)
      assert.strictEqual((yield* ask(`/v1/comments/${id}`, { method: "DELETE", headers })).status, 200)
    }))

  it.effect("seventy at once: resolves, reopens, edits, replies and deletes are answered one after the other", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const { slug } = yield* commented(owner)
      const headers = owner.bearer
      const at = `/v1/projects/${slug}/comments`
      const { id } = (yield* ask(at, { json: { body: "busy" }, headers })).json
      const doomed = (yield* ask(at, { json: { body: "doomed" }, headers })).json.id
      const tries = Array.from({ length: 70 }, (_, n) => {
        switch (n % 5) {
          case 0:
            return ask(`/v1/comments/${id}/resolve`, { method: "POST", headers })
          case 1:
            return ask(`/v1/comments/${id}/reopen`, { method: "POST", headers })
          case 2:
            return ask(`/v1/comments/${id}`, { method: "PATCH", json: { body: `edit ${n}` }, headers })
          case 3:
            return ask(`/v1/comments/${doomed}`, { method: "DELETE", headers })
          default:
            return ask(`/v1/comments/${doomed}/replies`, { json: { body: "too late?" }, headers })
        }
      })
      const answers = yield* Effect.all(tries, { concurrency: "unbounded" })
      const statuses = (kind: number) => new Set(answers.filter((_, n) => n % 5 === kind).map(({ status }) => status))
      assert.deepStrictEqual([...statuses(0), ...statuses(1)], [200, 200])
      for (const status of statuses(2)) assert.include([200, 409], status)
      assert.strictEqual(answers.filter(({ status }, n) => n % 5 === 3 && status === 200).length, 1, "deleted once")
      for (const status of statuses(4)) assert.include([201, 404], status)
      const left = (yield* ask(at, { headers })).json.comments
      assert.deepStrictEqual(left.map(({ id }: { id: string }) => id), [id])
    }))

  it.effect("is found while its project moves to another address", () =>
    Effect.gen(function*() {
      const { account, ask, inside } = yield* Service
      const owner = yield* account()
      const { slug } = yield* commented(owner)
      const { id } = (yield* ask(`/v1/projects/${slug}/comments`, { json: { body: "Hm?" }, headers: owner.bearer })).json
      yield* inside(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // The comment is read, and its project not yet.
        const free = yield* locked("LOCK TABLE folders IN ACCESS EXCLUSIVE MODE")
        const answer = yield* Effect.forkChild(ask(`/v1/comments/${id}/resolve`, { method: "POST", headers: owner.bearer }))
        yield* Effect.repeat(waiting(sql), { until: (many) => many > 0, schedule: Schedule.spaced("20 millis") })
        yield* Effect.orDie(sql`UPDATE projects SET slug = ${`${slug}-moved`} WHERE slug = ${slug}`)
        yield* free
        assert.strictEqual(verdict(yield* Fiber.join(answer)), "200")
      }))
    }))

  it.effect("thirty a minute a user, counted before anything else", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const [owner, other] = [yield* account(), yield* account()]
      const { slug } = yield* commented(owner)
      const path = `/v1/projects/${slug}/comments`
      const answers = yield* Effect.all(Array.from({ length: 40 }, (_, n) => ask(path, { json: { body: `n ${n}` }, headers: owner.bearer })), { concurrency: 10 })
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 30)
      const late = answers.find(({ status }) => status === 429)!
      assert.strictEqual(late.headers["retry-after"], String(late.json.error.details.retry_after_seconds))
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${MISSING}/replies`, { json: { body: "x" }, headers: owner.bearer })), "429 rate_limited")
      assert.strictEqual(verdict(yield* ask(path, { json: { body: "x" }, headers: other.bearer })), "404 not_found")
    }))

  it.effect("a digest's letter quotes plain words, and its link mutes on a click: the reader's, or their mail client's", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { account, ask, inside } = service
      const owner = yield* account()
      const member = yield* joined(owner, "member")
      const { slug } = yield* commented(owner)
      const muted = (who = owner) => Effect.map(ask(`/v1/projects/${slug}/comment-notifications`, { headers: who.bearer }), ({ json }) => json)
      yield* ask(`/v1/projects/${slug}/comments`, { json: { body: "<b>Look</b>\nhttps://evil.example/x" }, headers: member.bearer })
      yield* inside(CommentDigests.use((digests) => digests.sendAll()))
      const [mail] = yield* mailTo(service, owner.email)
      assert.include(mail!.text, "> <b>Look</b> evil.\u200bexample/x")
      assert.deepStrictEqual(mail!.links.map((link) => new URL(link).pathname), ["/", "/comments/mute"])
      const token = tokenIn(mail!.links)
      const path = `/comments/mute?token=${encodeURIComponent(token)}`
      const page = yield* ask(path)
      assert.strictEqual(page.status, 200)
      assert.deepStrictEqual(yield* muted(), { muted: false }, "opened is not clicked")
      const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } }
      const clicked = yield* ask("/comments/mute", { ...form, body: `token=${encodeURIComponent(token)}` })
      assert.strictEqual(clicked.status, 200)
      assert.deepStrictEqual([yield* muted(), yield* muted(member)], [{ muted: true }, { muted: false }])
      const on = yield* ask(`/v1/projects/${slug}/comment-notifications`, { method: "PUT", json: { muted: false }, headers: owner.bearer })
      assert.deepStrictEqual(on.json, { muted: false })
      yield* ask("/comments/mute", { ...form, body: `token=${encodeURIComponent(token)}` })
      // Somebody who is not a member has no notification setting: the page itself can undo it.
      assert.notInclude(clicked.text, "bell")
      const fields = new URLSearchParams([...clicked.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
      assert.deepStrictEqual(Object.fromEntries(fields), { token, again: "1" })
      const again = yield* ask("/comments/mute", { ...form, body: fields.toString() })
      assert.deepStrictEqual([again.status, again.text.includes("come to you by mail, as before")], [200, true])
      assert.deepStrictEqual(yield* muted(), { muted: false })
      assert.strictEqual((yield* ask("/comments/mute", { ...form, body: "token=x&again=1" })).status, 400)
      assert.strictEqual((yield* ask(path, { ...form, body: "List-Unsubscribe=One-Click" })).status, 200)
      assert.deepStrictEqual(yield* muted(), { muted: true })
      const lost = yield* ask("/comments/mute", { ...form, body: "token=x" })
      assert.deepStrictEqual([lost.status, lost.text.includes("press the bell on the project’s Comments page")], [400, true])
      assert.strictEqual((yield* ask("/comments/mute", { ...form, headers: { ...form.headers, "sec-fetch-site": "cross-site" }, body: `token=${token}` })).status, 403)
    }))
})
