/** Comments on a project's own host: who may do what at either endpoint, gates, tokens, and what followers are told. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { cookiesOf } from "../../../support/ask.ts"
import type { Question } from "../../../support/ask.ts"
import { commented, commentToken, joined, onOrigin, removed, verdict } from "../../../support/commented.ts"
import type { Commented } from "../../../support/commented.ts"
import { openEvents } from "../../../support/event-stream.ts"
import { locked, waiting } from "../../../support/locked.ts"
import { Service, serviceWith } from "../../../support/service.ts"
import type { Account } from "../../../support/service.ts"

const CODE = "open sesame"

const passOf = Effect.fnUntraced(function*(project: Commented) {
  const { ask } = yield* Service
  const entered = yield* ask("/_svc/gate/password", { json: { password: CODE }, headers: { accept: "application/json" }, host: `${project.slug}.svc.localhost` })
  assert.strictEqual(entered.status, 200, entered.text)
  return cookiesOf(entered)
})

const changed = Effect.fnUntraced(function*(project: Commented, json: object) {
  const { ask } = yield* Service
  assert.strictEqual((yield* ask(`/v1/projects/${project.slug}`, { method: "PATCH", json, headers: project.owner.bearer })).status, 200)
})

const following = Effect.fnUntraced(function*(project: Commented, headers: Readonly<Record<string, string>> = {}) {
  const { port } = yield* Service
  return yield* Effect.promise(() => openEvents(port, "/_svc/comments/events", { host: `${project.slug}.svc.localhost:${port}`, ...headers }))
})

layer(serviceWith(), { excludeTestServices: true })("comments on the origin", (it) => {
  it.effect("who may read, post, reply, edit, resolve and delete, on both doors", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const people = {
        owner,
        admin: yield* joined(owner, "admin"),
        member: yield* joined(owner, "member"),
        author: yield* account({ email: "listed@example.com" }),
        listed: yield* account({ email: "listed.too@example.com" }),
        unlisted: yield* account(),
        unverified: yield* account({ email: "unverified@example.com", verified: false }),
        removed: yield* joined(owner, "member"),
        nobody: undefined as Account | undefined
      }
      const emails = [people.author.email, people.listed.email, people.unverified.email]
      const listed = yield* ask(`/v1/projects/${project.slug}/comment-allowlist`, { method: "PUT", json: { emails }, headers: owner.bearer })
      assert.strictEqual(listed.status, 200, listed.text)
      yield* removed(owner, people.removed)
      const written = Effect.gen(function*() {
        const token = yield* commentToken(people.author, project)
        return (yield* onOrigin(project, "", { json: { body: "theirs" }, token })).json.id as string
      })

      const origin = Effect.fnUntraced(function*(who: Account | undefined) {
        const token = who === undefined ? {} : { token: yield* commentToken(who, project) }
        return (path: string, question: Question) => onOrigin(project, path, { ...question, ...token })
      })
      const api = (who: Account | undefined) => Effect.succeed((path: string, question: Question) => ask(`/v1${path}`, { ...question, headers: who?.bearer ?? {} }))

      const table: Record<string, Array<string>> = {}
      for (const [name, who] of Object.entries(people)) {
        const [here, there] = [yield* origin(who), yield* api(who)]
        const thread = yield* written
        const undo = ask(`/v1/comments/${thread}/reopen`, { method: "POST", headers: owner.bearer })
        const at = `/projects/${project.slug}/comments`
        table[`${name} here`] = (yield* Effect.all([
          here("", {}),
          here("", { json: { body: "new" } }),
          here("", { json: { body: "answer", parent_id: thread } }),
          here(`/${thread}`, { method: "PATCH", json: { body: "changed" } }),
          Effect.tap(here(`/${thread}`, { method: "PATCH", json: { status: "resolved" } }), undo),
          here(`/${thread}`, { method: "DELETE" })
        ])).map(verdict)
        const another = yield* written
        const undoAnother = ask(`/v1/comments/${another}/reopen`, { method: "POST", headers: owner.bearer })
        table[`${name} api`] = (yield* Effect.all([
          there(at, {}),
          there(at, { json: { body: "new" } }),
          there(`/comments/${another}/replies`, { json: { body: "answer" } }),
          there(`/comments/${another}`, { method: "PATCH", json: { body: "changed" } }),
          Effect.tap(there(`/comments/${another}/resolve`, { method: "POST" }), undoAnother),
          there(`/comments/${another}`, { method: "DELETE" })
        ])).map(verdict)
      }
      const same = (word: string, from = 0) => Array.from({ length: 6 }, (_, at) => at < from ? "200" : word)
      const moderator = ["200", "201", "201", "403 not_author", "200", "200"]
      assert.deepStrictEqual(table, {
        "owner here": moderator,
        "owner api": moderator,
        "admin here": moderator,
        "admin api": moderator,
        "member here": ["200", "201", "201", "403 not_author", "200", "403 not_author"],
        "member api": ["200", "201", "201", "403 not_author", "200", "403 not_author"],
        "author here": ["200", "201", "201", "200", "200", "200"],
        "author api": ["404 not_found", "404 not_found", "201", "200", "200", "200"],
        "listed here": ["200", "201", "201", "403 not_author", "403 not_author", "403 not_author"],
        "listed api": same("404 not_found"),
        "unlisted here": same("403 not_allowed_to_comment", 1),
        "unlisted api": same("404 not_found"),
        "unverified here": same("403 email_not_verified", 1),
        "unverified api": same("404 not_found"),
        "removed here": same("403 not_allowed_to_comment", 1),
        "removed api": same("404 not_found"),
        "nobody here": same("401 auth_required", 1),
        "nobody api": same("401 auth_required")
      })

      // Readers see names; only members see addresses.
      const token = yield* commentToken(people.listed, project)
      const read = yield* onOrigin(project, "", { token })
      assert.notInclude(read.text, "@example.com")
      assert.deepStrictEqual(read.json.you, { id: people.listed.id, name: "Ada Example", may_comment: true, is_member: false, may_delete_any: false })
      assert.isNull((yield* onOrigin(project, "")).json.you)
      assert.deepStrictEqual(Object.keys(read.json.comments[0].author), ["id", "name"])
      const { created_at: at, editable_until: until } = read.json.comments[0]
      assert.strictEqual(Date.parse(until) - Date.parse(at), 15 * 60_000)

      // The grounds for a token are checked every time.
      yield* changed(project, { comment_access: "members" })
      assert.strictEqual(verdict(yield* onOrigin(project, "", { json: { body: "x" }, token })), "403 not_allowed_to_comment")
      const mine = yield* written.pipe(Effect.exit)
      assert.strictEqual(mine._tag, "Success")
      yield* changed(project, { comment_access: "anyone" })
      assert.strictEqual(verdict(yield* onOrigin(project, "", { json: { body: "x" }, token: yield* commentToken(people.unlisted, project) })), "201")
    }))

  it.effect("a closed door says what `/` says; a pass or membership opens it, for as long as they hold", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner, { visibility: "password", password: CODE, comment_access: "anyone" })
      const reviewer = yield* account()
      const [token, members] = [yield* commentToken(reviewer, project), yield* commentToken(owner, project)]
      const cookie = yield* passOf(project)
      const shut = "401 doorcode"
      const tried = (more: Question & { readonly token?: string } = {}) =>
        Effect.map(Effect.all([onOrigin(project, "", more), onOrigin(project, "", { ...more, json: { body: "x" } })]), (both) => both.map(verdict))
      assert.deepStrictEqual(yield* tried(), [shut, shut])
      assert.deepStrictEqual(yield* tried({ token }), [shut, shut])
      assert.deepStrictEqual(yield* tried({ token: "junk" }), [shut, shut])
      assert.deepStrictEqual(yield* tried({ headers: { cookie } }), ["200", "401 auth_required"])
      assert.deepStrictEqual(yield* tried({ headers: { cookie }, token: "junk" }), ["401 auth_required", "401 auth_required"])
      assert.deepStrictEqual(yield* tried({ headers: { cookie, authorization: "Basic eDp5" } }), ["401 auth_required", "401 auth_required"])
      assert.deepStrictEqual(yield* tried({ headers: { cookie }, token }), ["200", "201"])
      assert.deepStrictEqual(yield* tried({ token: members }), ["200", "201"])
      const mine = (yield* onOrigin(project, "", { json: { body: "mine" }, headers: { cookie }, token })).json.id
      // Without the pass, the API offers no way around the gate.
      assert.strictEqual(verdict(yield* ask(`/v1/comments/${mine}`, { method: "PATCH", json: { body: "y" }, headers: reviewer.bearer })), "404 not_found")

      const stream = yield* following(project, { cookie })
      assert.strictEqual((yield* following(project)).status, 401)
      yield* changed(project, { password: "another one" })
      assert.deepStrictEqual(yield* tried({ headers: { cookie }, token }), [shut, shut])
      assert.deepStrictEqual(yield* tried({ token: members }), ["200", "201"])
      yield* Effect.promise(stream.end)
      assert.deepStrictEqual(stream.told().map(({ event }) => event), ["ready"])
      yield* changed(project, { visibility: "private" })
      assert.deepStrictEqual(yield* tried({ token }), ["403 private", "403 private"])
      yield* changed(project, { expires_at: "2020-01-01T00:00:00Z", visibility: "public" })
      assert.deepStrictEqual(yield* tried({ token: members }), ["410 not_found", "410 not_found"])
      assert.strictEqual((yield* following(project)).status, 410)
    }))

  it.effect("comments are there where they are on and our code alone runs; a token is one project's, within one epoch", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const [project, other] = [yield* commented(owner), yield* commented(owner)]
      const token = yield* commentToken(owner, project)
      const { id } = (yield* onOrigin(project, "", { json: { body: "x" }, token })).json
      const theirs = { token: yield* commentToken(owner, other) }
      assert.strictEqual(verdict(yield* onOrigin(project, "", { json: { body: "x" }, ...theirs })), "401 auth_required")
      for (const question of [{ json: { body: "y" }, method: "PATCH" }, { json: { status: "resolved" }, method: "PATCH" }, { method: "DELETE" }]) {
        assert.strictEqual(verdict(yield* onOrigin(other, `/${id}`, { ...question, ...theirs })), "404 not_found", "a comment of another project")
      }
      yield* changed(project, { comments_enabled: false })
      for (const path of ["", "/events"]) assert.strictEqual(verdict(yield* onOrigin(project, path, { token })), "404 not_found")
      yield* changed(project, { comments_enabled: true })

      yield* ask(`/v1/projects/${project.slug}`, { method: "PUT", body: "<h1>Hello</h1>", headers: { ...owner.bearer, "content-type": "text/html" } })
      assert.strictEqual(verdict(yield* onOrigin(project, "")), "200")
      yield* changed(project, { html_display_mode: "raw" })
      assert.strictEqual(verdict(yield* onOrigin(project, "")), "404 not_found")
      yield* changed(project, { html_display_mode: "framed" })
      assert.strictEqual(verdict(yield* onOrigin(project, "", { json: { body: "version two" }, token })), "201")
      assert.strictEqual((yield* onOrigin(project, "")).json.comments[0].version, 2)

      const login = yield* ask("/v1/auth/login", { json: { email: owner.email, password: owner.password } })
      yield* ask("/v1/auth/logout-all", { method: "POST", headers: { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token } })
      assert.strictEqual(verdict(yield* onOrigin(project, "", { json: { body: "x" }, token })), "401 auth_required")
      const nowhere = { slug: "nobody-has-this", id: project.id, owner }
      assert.strictEqual(verdict(yield* onOrigin(nowhere, "")), "404 not_found")
    }))

  it.effect("foreign pages, large bodies and odd requests are refused in the envelope", () =>
    Effect.gen(function*() {
      const { account, ask, port } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const token = yield* commentToken(owner, project)
      const own = `http://${project.slug}.svc.localhost:${port}`
      const from = (origin: string) => ({ json: { body: "x" }, token, headers: { origin } })
      for (const origin of [own.replace("talked", "walked"), "null", "https://evil.example", own.replace("http:", "https:"), `${own}.evil.example`]) {
        assert.strictEqual(verdict(yield* onOrigin(project, "", from(origin))), "403 foreign_origin", origin)
      }
      for (const site of ["same-site", "cross-site"]) {
        for (const path of ["", "/events"]) assert.strictEqual(verdict(yield* onOrigin(project, path, { headers: { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "object" } })), "403 foreign_origin", path)
      }
      const listed = yield* onOrigin(project, "", { headers: { "sec-fetch-site": "same-origin" } })
      assert.deepStrictEqual([listed.status, listed.headers["content-security-policy"]], [200, "frame-ancestors 'none'"])
      const posted = yield* onOrigin(project, "", from(own))
      // The longest there is, as programs write it that escape all but ASCII.
      const escaped = yield* onOrigin(project, "", { method: "POST", body: `{"body":"${"\\ud83d\\ude00".repeat(10_000)}"}`, headers: { "content-type": "application/json" }, token })
      assert.strictEqual(escaped.json.body, "😀".repeat(10_000), verdict(escaped))
      assert.deepStrictEqual([posted.status, posted.headers["cache-control"], posted.headers["access-control-allow-origin"]], [201, "private, no-store", undefined])
      assert.strictEqual(posted.headers["cross-origin-resource-policy"], "same-origin")
      const foreign = yield* onOrigin(project, "", from("https://evil.example"))
      for (const answer of [listed, posted, foreign]) assert.strictEqual(answer.headers.vary, "Authorization, Cookie, Origin")
      const at = `/${posted.json.id}`
      const type = { "content-type": "application/json" }
      const odd: ReadonlyArray<readonly [string, Question & { readonly token?: string }, string]> = [
        ["", { json: { body: "x".repeat(1024 * 1024) }, token }, "413 upload_too_large"],
        ["", { method: "POST", body: `{"body":"${"x".repeat(1_050_000)}"}`, headers: { ...type, "transfer-encoding": "chunked" }, token }, "413 upload_too_large"],
        ["", { json: { body: "" }, token }, "422 validation_error"],
        ["", { json: { body: "x", anchor: { path: "x" } }, token }, "422 validation_error"],
        ["", { json: { body: "x", parent_id: "x" }, token }, "422 validation_error"],
        ["", { json: { body: "x", parent_id: project.id }, token }, "404 not_found"],
        ["", { method: "POST", body: "{", headers: type, token }, "422 validation_error"],
        ["", { method: "POST", body: Buffer.from('{"body":"M\xfcller"}', "latin1"), headers: type, token }, "422 validation_error"],
        ["", { method: "POST", body: `{"body":"x","more":${"[".repeat(64)}${"]".repeat(64)}}`, headers: type, token }, "422 validation_error"],
        ["", { method: "POST", body: "body=x", headers: { "content-type": "application/x-www-form-urlencoded" }, token }, "422 validation_error"],
        ["", { method: "PUT", json: { body: "x" }, token, headers: { accept: "application/json" } }, "405 method_not_allowed"],
        ["?status=closed", {}, "422 validation_error"],
        ["?limit=0", {}, "422 validation_error"],
        ["?limit=x", {}, "422 validation_error"],
        ["?cursor=x", {}, "422 validation_error"],
        [at, { json: { status: "gone" }, method: "PATCH", token }, "422 validation_error"],
        [at, { json: {}, method: "PATCH", token }, "422 validation_error"],
        [at, { json: { body: "x", status: "resolved" }, method: "PATCH", token }, "422 validation_error"],
        [`${at}?author_only=maybe`, { method: "DELETE", token }, "422 validation_error"],
        ["/x", { method: "DELETE", token }, "404 not_found"],
        [`${at}/more`, { method: "DELETE", token }, "404 not_found"]
      ]
      for (const [path, question, expected] of odd) {
        const refused = yield* onOrigin(project, path, question)
        assert.strictEqual(verdict(refused), expected, `${path} ${JSON.stringify(question).slice(0, 60)}`)
        assert.containsAllKeys(refused.json.error, ["code", "message", "field", "details"])
        if (path === at && "json" in question) assert.lengthOf(refused.json.error.details.errors, 1, "one mistake is told once")
        if (expected === "404 not_found" && "json" in question) assert.strictEqual(refused.json.error.field, "parent_id")
      }
      const unread = yield* onOrigin(project, "", { method: "POST", body: `{"body":"${"x".repeat(1_050_000)}"}`, headers: { ...type, connection: "keep-alive" }, token })
      assert.deepStrictEqual([unread.status, unread.headers.connection], [413, "close"])
      assert.strictEqual((yield* onOrigin(project, "?limit=1&status=open", { method: "HEAD" })).status, 200)
      assert.strictEqual((yield* onOrigin(project, "", { token: "junk" })).headers["www-authenticate"], "Bearer")

      // Thirty a minute over both endpoints together.
      const flood = [
        ...Array.from({ length: 20 }, () => onOrigin(project, "", { json: { body: "x" }, token })),
        ...Array.from({ length: 20 }, () => ask(`/v1/projects/${project.slug}/comments`, { json: { body: "x" }, headers: owner.bearer }))
      ]
      const answers = yield* Effect.all(flood, { concurrency: 10 })
      assert.isAtMost(answers.filter(({ status }) => status === 201).length, 29)
      const late = yield* onOrigin(project, "", { json: { body: "x" }, token })
      assert.deepStrictEqual([late.status, late.headers["retry-after"]], [429, String(late.json.error.details.retry_after_seconds)])
      assert.strictEqual((yield* onOrigin(project, at, { json: { status: "resolved" }, method: "PATCH", token })).status, 200)
    }))

  it.effect("a comment sent again under its key is made once: for its writer, on its project, while they may write", () =>
    Effect.gen(function*() {
      const { account } = yield* Service
      const owner = yield* account()
      const [project, other] = [yield* commented(owner), yield* commented(owner)]
      const [mate, mia] = [yield* joined(owner, "member"), yield* joined(owner, "member")]
      const [token, others, mias] = [yield* commentToken(mate, project), yield* commentToken(mate, other), yield* commentToken(mia, project)]
      const send = (body: string, key: string, at = project, by = token) => onOrigin(at, "", { json: { body }, token: by, headers: { "idempotency-key": key } })
      const bodies = Effect.map(onOrigin(project, "", { token: yield* commentToken(owner, project) }), ({ json }) => json.comments.map(({ body }: { body: string }) => body))

      const all = yield* Effect.all(Array.from({ length: 50 }, () => send("once", "a")), { concurrency: "unbounded" })
      const [first, ...rest] = all.filter(({ headers, status }) => status === 201 && headers["idempotent-replayed"] === undefined)
      assert.deepStrictEqual([first?.json.body, rest.length], ["once", 0])
      for (const one of all) assert.include(["201", "409 conflict"], verdict(one))
      const again = yield* send("once", "a")
      assert.deepStrictEqual([again.status, again.headers["idempotent-replayed"], again.json], [201, "true", first!.json])
      assert.deepStrictEqual(yield* bodies, ["once"])

      for (const another of ["twice", "ones"]) assert.strictEqual(verdict(yield* send(another, "a")), "422 validation_error", another)
      assert.deepStrictEqual((yield* send("once", "a b")).json.error.field, "Idempotency-Key")
      assert.strictEqual(verdict(yield* send("", "b")), "422 validation_error")
      // A refused comment was not made, so its key is free. Another project and another writer have keys of their own.
      for (const [made, by] of [[yield* send("second", "b"), mate], [yield* send("once", "a", other, others), mate], [yield* send("once", "a", project, mias), mia]] as const) {
        assert.deepStrictEqual([made.status, made.headers["idempotent-replayed"], made.json.author.id], [201, undefined, by.id])
      }
      assert.deepStrictEqual(yield* bodies, ["once", "second", "once"])

      // In its present state, not as it was made.
      const { id } = first!.json
      yield* onOrigin(project, "", { json: { body: "an answer", parent_id: id }, token: mias })
      assert.deepStrictEqual((yield* send("once", "a")).json.replies.map(({ body }: { body: string }) => body), ["an answer"])
      const gone = (yield* send("gone", "c")).json.id
      assert.strictEqual((yield* onOrigin(project, `/${gone}`, { method: "DELETE", token })).status, 200)
      assert.strictEqual(verdict(yield* send("gone", "c")), "404 not_found")

      yield* changed(project, { comment_access: "allowlist" })
      yield* removed(owner, mate)
      assert.strictEqual(verdict(yield* send("once", "a")), "403 not_allowed_to_comment")
      assert.strictEqual(verdict(yield* send("once", "a", project, "none")), "401 auth_required")
    }))

  it.effect("whoever asks for one project's comments again and again leaves connections for those of another", () =>
    Effect.gen(function*() {
      const { account, inside } = yield* Service
      const [asked, other] = [yield* commented(yield* account()), yield* commented(yield* account())]
      yield* inside(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const free = yield* locked("LOCK TABLE comments IN ACCESS EXCLUSIVE MODE")
        const first = yield* Effect.forkChild(Effect.all(Array.from({ length: 12 }, () => onOrigin(asked, "")), { concurrency: "unbounded" }))
        yield* Effect.repeat(waiting(sql), { until: (many) => many >= 3, schedule: Schedule.spaced("20 millis") })
        yield* Effect.sleep("200 millis")
        assert.strictEqual(yield* waiting(sql), 3)
        const second = yield* Effect.forkChild(onOrigin(other, ""))
        yield* Effect.repeat(waiting(sql), { until: (many) => many >= 4, schedule: Schedule.spaced("20 millis") })
        yield* free
        for (const { status } of [...(yield* Fiber.join(first)), yield* Fiber.join(second)]) assert.strictEqual(status, 200)
      }).pipe(Effect.provideService(Service, yield* Service)))
    }))

  it.effect("sixty resolves and edits at once succeed; a user may change sixty times a minute, over both endpoints together", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const project = yield* commented(yield* account())
      const token = yield* commentToken(project.owner, project)
      const { id } = (yield* onOrigin(project, "", { json: { body: "busy" }, token })).json
      const tries = Array.from({ length: 60 }, (_, n) =>
        onOrigin(project, `/${id}`, { method: "PATCH", json: n % 2 === 0 ? { body: `edit ${n}` } : { status: n % 4 === 1 ? "resolved" : "open" }, token }))
      const statuses = new Set((yield* Effect.all(tries, { concurrency: "unbounded" })).map(({ status }) => status))
      for (const status of statuses) assert.include([200, 409], status)

      const headers = project.owner.bearer
      const late = yield* Effect.all([
        onOrigin(project, `/${id}`, { method: "PATCH", json: { status: "open" }, token }),
        onOrigin(project, `/${id}`, { method: "PATCH", json: { body: "x" }, token }),
        onOrigin(project, `/${id}`, { method: "DELETE", token }),
        ask(`/v1/comments/${id}/resolve`, { method: "POST", headers }),
        ask(`/v1/comments/${id}/reopen`, { method: "POST", headers }),
        ask(`/v1/comments/${id}`, { method: "PATCH", json: { body: "x" }, headers }),
        ask(`/v1/comments/${id}`, { method: "DELETE", headers })
      ])
      for (const one of late) {
        assert.deepStrictEqual([verdict(one), one.headers["retry-after"]], ["429 rate_limited", String(one.json.error.details.retry_after_seconds)])
      }
      // Other people have tries of their own, and posting has a limit of its own.
      const mate = yield* commentToken(yield* joined(project.owner, "member"), project)
      assert.strictEqual(verdict(yield* onOrigin(project, `/${id}`, { method: "PATCH", json: { status: "open" }, token: mate })), "200")
      assert.strictEqual(verdict(yield* onOrigin(project, "", { json: { body: "x" }, token })), "201")
    }))

  it.effect("followers hear of every change with its thread, as readers see it, of their project alone", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const [project, other] = [yield* commented(owner), yield* commented(owner)]
      const headers = owner.bearer
      const stream = yield* following(project)
      assert.deepStrictEqual([stream.status, stream.headers["content-type"], stream.headers["cache-control"]], [200, "text/event-stream", "private, no-store"])
      const quiet = yield* following(other)
      const { id } = (yield* ask(`/v1/projects/${project.slug}/comments`, { json: { body: "one", anchor: { path: "/", page: 2 } }, headers })).json
      const reply = (yield* ask(`/v1/comments/${id}/replies`, { json: { body: "two" }, headers })).json.id
      for (const body of ["one", "uno", "uno"]) yield* ask(`/v1/comments/${id}`, { method: "PATCH", json: { body }, headers })
      for (const step of ["resolve", "resolve", "reopen", "reopen"]) yield* ask(`/v1/comments/${id}/${step}`, { method: "POST", headers })
      yield* ask(`/v1/comments/${reply}`, { method: "DELETE", headers })
      yield* ask(`/v1/comments/${id}`, { method: "DELETE", headers })
      yield* Effect.promise(() => stream.count(8))
      const told = stream.told()
      assert.deepStrictEqual(told.map(({ data, event }) => [event, data.id, data.thread_id]), [
        ["ready", undefined, undefined],
        ["created", id, id],
        ["created", reply, id],
        ["edited", id, id],
        ["resolved", id, id],
        ["reopened", id, id],
        ["deleted", reply, id],
        ["deleted", id, id]
      ])
      assert.isNull(told.at(-1)?.data.comment)
      assert.notInclude(stream.text(), "@example.com")
      assert.deepStrictEqual(quiet.told().map(({ event }) => event), ["ready"])
      // An event carries the thread as it was when read, which may be later than the event.
      for (const { data, event } of told.slice(1, -1)) if (data.comment !== null) assert.strictEqual(data.comment.anchor.where, "on page 2", event)
      for (const one of [stream, quiet]) one.close()
    }))

  it.effect("a comment is on the version that its writer read; who follows hears of the next one, and a list says which is newest", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const token = yield* commentToken(owner, project)
      const post = (json: object) => onOrigin(project, "", { json: { body: "on it", ...json }, token })
      const inApi = (json: object) => ask(`/v1/projects/${project.slug}/comments`, { json: { body: "on it", ...json }, headers: owner.bearer })
      const stream = yield* following(project)
      yield* Effect.promise(() => stream.count(1))
      assert.strictEqual((yield* onOrigin(project, "?limit=1")).json.version, 1)
      for (const send of [post, inApi]) {
        assert.deepStrictEqual((yield* send({ version: 2 })).json.error.details.errors, [{ field: "version", message: "The newest version is 1." }])
        for (const version of [0, -1, 1.5, "1", 2 ** 31]) assert.strictEqual((yield* send({ version })).json.error.field, "version", String(version))
      }
      const again = yield* ask(`/v1/projects/${project.slug}`, { method: "PUT", body: "# Other words", headers: { ...owner.bearer, "content-type": "text/markdown" } })
      assert.strictEqual(again.json.version, 2)
      for (const send of [post, inApi]) {
        assert.deepStrictEqual([(yield* send({ version: 1 })).json.version, (yield* send({ version: null })).json.version, (yield* send({})).json.version], [1, 2, 2])
      }
      // With the next event, or within ten seconds.
      yield* Effect.promise(() => stream.count(8))
      assert.deepStrictEqual(stream.told().filter(({ event }) => event === "published").map(({ data }) => data), [{ version: 2 }])
      assert.strictEqual((yield* onOrigin(project, "?limit=1")).json.version, 2)
      stream.close()
    }))

  it.effect("followers outlive a database that is away, and look at everything again", () =>
    Effect.gen(function*() {
      const { account, ask, database } = yield* Service
      const owner = yield* account()
      const project = yield* commented(owner)
      const stream = yield* following(project)
      yield* Effect.promise(() => stream.count(1))
      yield* database.away
      yield* database.back
      yield* Effect.promise(() => stream.count(2))
      const { status } = yield* ask(`/v1/projects/${project.slug}/comments`, { json: { body: "again" }, headers: owner.bearer })
      assert.strictEqual(status, 201)
      yield* Effect.promise(() => stream.count(3))
      const [first, second, ...rest] = stream.told().map(({ event }) => event)
      assert.deepStrictEqual([first, second], ["ready", "ready"])
      // A connection that was opened as the database went away is lost once more: then followers read again, and miss nothing.
      for (const event of rest) assert.oneOf(event, ["ready", "created"])
      stream.close()
    }))
})
