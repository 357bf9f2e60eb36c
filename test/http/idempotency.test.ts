/** `Idempotency-Key` over the wire: a repeat gets the first answer, and the work is not done again; for whom, for what and for how long. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Fiber, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { request } from "node:http"
import { Readable } from "node:stream"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { Idempotency } from "../../src/domain/idempotency/idempotency.ts"
import { IdempotencyKey } from "../../src/domain/idempotency/model.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { GUARDS, stillSeen } from "../../src/http/server/middleware/still-seen.ts"
import { agentNow } from "../support/agents.ts"
import { form } from "../support/ask.ts"
import type { Answer, Question } from "../support/ask.ts"
import { signIn } from "../support/oauth.ts"
import { operations } from "../support/operations.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { member } from "../support/team.ts"

type It = typeof Service.Service

const ROOT = "root@example.com"
const OPERATOR = "operator@example.com"

const put = (service: It, { bearer }: Account, path: string, key: string, body: Question["body"] = "# One", more: Record<string, string> = {}) =>
  service.ask(path, { method: "PUT", headers: { ...bearer, "content-type": "text/markdown", "idempotency-key": key, ...more }, body: body! })

const post = (service: It, { bearer }: Account, path: string, key: string, json: unknown) =>
  service.ask(path, { headers: { ...bearer, "idempotency-key": key }, json })

const version = (service: It, { bearer }: Account, slug: string) => Effect.map(service.ask(`/v1/projects/${slug}`, { headers: bearer }), ({ json }) => json.version as number)

const replays = (first: Answer, again: Answer) => {
  assert.strictEqual(again.headers["idempotent-replayed"], "true", again.text)
  assert.notProperty(first.headers, "idempotent-replayed")
  assert.deepStrictEqual([again.status, again.json, again.headers["content-type"]], [first.status, first.json, first.headers["content-type"]])
}

const refusedAs = (answer: Answer, status: number, code: string, field: string | null = "Idempotency-Key") => {
  assert.deepStrictEqual([answer.status, answer.json?.error?.code, answer.json?.error?.field], [status, code, field], answer.text)
  assert.notProperty(answer.headers, "idempotent-replayed")
}

/** A form with a boundary of this sender's choosing. */
const multipart = (boundary: string, text: string): Pick<Question, "body" | "headers" | "method"> => ({
  method: "POST",
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  // Byte by byte, so that every boundary is cut.
  body: Readable.from([...Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n${text}\r\n--${boundary}--\r\n`)].map((byte) => Buffer.from([byte])))
})

layer(serviceWith({ SVC_PLATFORM_ADMINS: `${ROOT},${OPERATOR}` }), { excludeTestServices: true })("idempotency keys", (it) => {
  it.effect("the same request gets the first answer and makes no second version; another with its key is refused", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, bob] = [yield* service.account(), yield* service.account()]
      const path = "/v1/projects/keyed?visibility=password&note=?"
      const first = yield* put(service, ada, path, "a")
      assert.strictEqual(first.status, 201, first.text)
      replays(first, yield* put(service, ada, path, "a"))
      for (const [text, more, at] of [["# Two", {}, path], ["# One and more", {}, path], ["#", {}, path], ["# One", { "content-type": "text/plain" }, path], ["# One", { "x-filename": "b.md" }, path], ["# One", { "if-none-match": "*" }, path], ["# One", {}, "/v1/projects/keyed"], ["# One", {}, `${path}?&title=Two`]] as const) {
        refusedAs(yield* put(service, ada, at, "a", text, more), 422, "validation_error")
      }
      assert.strictEqual(yield* version(service, ada, "keyed"), 1)
      // Another key, another path, another account: separate calls.
      assert.strictEqual((yield* put(service, ada, path, "b")).status, 200)
      assert.strictEqual((yield* put(service, ada, "/v1/projects/keyed-too", "a")).status, 201)
      assert.strictEqual((yield* put(service, bob, path, "a")).json.error.code, "slug_taken")
      assert.strictEqual(yield* version(service, ada, "keyed"), 2)
      // The answer holds a doorcode; it is stored sealed.
      const rows = yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`SELECT * FROM idempotent_calls WHERE user_id = ${ada.id}`)))
      assert.isAbove(rows.length, 2)
      assert.notInclude(JSON.stringify(rows), first.json.password)
    }))

  it.effect("while the first one runs others wait their turn, and none runs beside it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      let rest!: () => void
      const body = new Readable({ read: () => {} })
      body.push("# Slow")
      rest = () => (body.push(" and steady"), void body.push(null))
      const first = yield* Effect.forkChild(put(service, ada, "/v1/projects/slow", "s", body))
      let second = yield* put(service, ada, "/v1/projects/slow-probe", "s")
      for (;;) {
        const rows = yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`SELECT 1 FROM idempotent_calls WHERE user_id = ${ada.id}`)))
        if (rows.length === 2) break
        yield* Effect.yieldNow
      }
      second = yield* put(service, ada, "/v1/projects/slow", "s", "# Slow and steady")
      refusedAs(second, 409, "conflict")
      rest()
      const done = yield* Fiber.join(first)
      assert.strictEqual(done.status, 201)
      replays(done, yield* put(service, ada, "/v1/projects/slow", "s", "# Slow and steady"))
    }))

  it.effect("of 200 publishes at once with one key there is one version", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const all = yield* Effect.forEach(Array.from({ length: 200 }), () => put(service, ada, "/v1/projects/stampede", "x"), { concurrency: "unbounded" })
      const fresh = all.filter(({ headers, status }) => status === 201 && headers["idempotent-replayed"] === undefined)
      assert.strictEqual(fresh.length, 1)
      for (const answer of all) {
        if (answer.status === 201) assert.deepStrictEqual(answer.json, fresh[0]!.json)
        else refusedAs(answer, 409, "conflict")
      }
      assert.strictEqual(yield* version(service, ada, "stampede"), 1)
    }))

  it.effect("a form sent again under another boundary is the same form", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const send = (boundary: string, text: string, key = "form") => {
        const { headers, ...question } = multipart(boundary, text)
        return service.ask("/v1/projects", { ...question, headers: { ...headers, ...ada.bearer, "idempotency-key": key } })
      }
      const first = yield* send("----one", "# Text")
      assert.strictEqual(first.status, 201, first.text)
      replays(first, yield* send("----another-boundary", "# Text"))
      refusedAs(yield* send("----one", "# Other"), 422, "validation_error")
      // A boundary is one only where it begins a line.
      const short = yield* send("a", "# banana", "short")
      assert.strictEqual(short.status, 201, short.text)
      replays(short, yield* send("----one", "# banana", "short"))
      refusedAs(yield* send("a", "# bnn", "short"), 422, "validation_error")
    }))

  it.effect("refusals are not kept, whoever lost the right gets nothing, and sessions show their token each time", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, bob] = [yield* service.account({ plan: "agency" }), yield* service.account()]
      const bad = yield* post(service, ada, "/v1/folders", "f", { name: "" })
      assert.strictEqual(bad.json.error.field, "name")
      const made = yield* post(service, ada, "/v1/folders", "f", { name: "Reports" })
      assert.strictEqual(made.status, 201, made.text)
      for (const path of ["/v1/folders", "/v1/folders/"]) replays(made, yield* post(service, ada, path, "f", { name: "Reports" }))
      // What was sent before its address was confirmed is sent again as it was.
      const eve = yield* service.account({ verified: false })
      refusedAs(yield* put(service, eve, "/v1/projects/early", "e"), 403, "email_not_verified", null)
      yield* service.inside(AccountStore.use((accounts) => Effect.flatMap(DateTime.now, (now) => accounts.verifyEmail(eve.id, now))))
      assert.strictEqual((yield* put(service, eve, "/v1/projects/early", "e")).status, 201)

      const store = yield* service.inside(WorkspaceStore)
      const now = yield* DateTime.now
      yield* service.inside(store.join(bob.id, { workspaceId: ada.workspaceId, role: "member", isOwner: false }, now))
      const at = `/v1/projects/of-a-guest?workspace=${ada.workspaceId}`
      const published = yield* put(service, bob, at, "g")
      assert.strictEqual(published.status, 201, published.text)
      replays(published, yield* put(service, bob, at, "g"))
      yield* service.ask(`/v1/workspace/members/${bob.id}?workspace=${ada.workspaceId}`, { method: "DELETE", headers: ada.bearer })
      refusedAs(yield* put(service, bob, at, "g"), 404, "not_found", "slug")

      const session = yield* signIn(service, bob.email)
      const folder = (headers: Record<string, string>) => service.ask("/v1/folders", { headers: { ...headers, "idempotency-key": "s" }, json: { name: "Mine" } })
      const mine = yield* folder(session)
      replays(mine, yield* folder(session))
      refusedAs(yield* folder({ cookie: session.cookie }), 403, "forbidden", null)
      // The same account with its token is the same caller.
      replays(mine, yield* folder(bob.bearer))
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`DELETE FROM api_tokens WHERE user_id = ${bob.id}`)))
      refusedAs(yield* folder(bob.bearer), 401, "auth_required", null)
    }))

  it.effect("whoever could not do it any more gets no answer again, whatever it was", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, bob, root] = [yield* service.account({ plan: "agency" }), yield* service.account(), yield* service.account({ email: ROOT })]
      const sql = (text: string, ...values: ReadonlyArray<unknown>) => service.inside(SqlClient.SqlClient.use((one) => Effect.orDie(one.unsafe(text, values))))
      const within = `workspace=${ada.workspaceId}`
      const store = yield* service.inside(WorkspaceStore)
      yield* service.inside(store.join(bob.id, { workspaceId: ada.workspaceId, role: "admin", isOwner: false }, yield* DateTime.now))
      yield* put(service, ada, "/v1/projects/adas-own", "p")
      yield* service.ask("/v1/projects/adas-own", { method: "PATCH", headers: ada.bearer, json: { comments_enabled: true } })
      const { id: comment } = (yield* post(service, ada, "/v1/projects/adas-own/comments", "c", { body: "Well" })).json

      const calls: Record<string, Effect.Effect<Answer>> = {
        publish: put(service, bob, "/v1/projects/adas-own?visibility=password", "x", "# One", { "if-match": "*" }),
        restore: post(service, bob, "/v1/projects/adas-own/versions/1/restore", "x", {}),
        export: post(service, bob, "/v1/workspace/export", "x", { workspace: ada.workspaceId, password: bob.password }),
        invite: post(service, bob, `/v1/workspace/invites?${within}`, "x", { email: "guest@example.com", role: "member" }),
        folder: post(service, bob, "/v1/folders", "x", { name: "Plans", workspace: ada.workspaceId }),
        comment: post(service, bob, "/v1/projects/adas-own/comments", "x", { body: "Aha" }),
        answered: post(service, bob, "/v1/projects/adas-own/comments", "y", { body: "Aha", parent_id: comment }),
        reply: post(service, bob, `/v1/comments/${comment}/replies`, "x", { body: "Indeed" }),
        resolve: post(service, bob, `/v1/comments/${comment}/resolve`, "x", {})
      }
      const first: Record<string, Answer> = {}
      for (const [name, call] of Object.entries(calls)) {
        first[name] = yield* call
        assert.isBelow(first[name].status, 300, `${name} ${first[name].text}`)
        replays(first[name], yield* call)
      }
      const now = Effect.fnUntraced(function*(wanted: Record<string, number>) {
        for (const [name, call] of Object.entries(calls)) {
          const answer = yield* call
          if (wanted[name] === undefined) replays(first[name]!, answer)
          else {
            assert.strictEqual(answer.status, wanted[name], `${name} ${answer.text}`)
            assert.notProperty(answer.headers, "idempotent-replayed", name)
          }
        }
      })
      yield* sql("UPDATE members SET role = 'member' WHERE user_id = $1 AND workspace_id = $2", bob.id, ada.workspaceId)
      yield* now({ publish: 403, restore: 403, export: 403, invite: 403 })
      // What was written and taken away is not told as if it stood.
      yield* service.ask(`/v1/comments/${first["comment"]!.json.id}`, { method: "DELETE", headers: bob.bearer })
      yield* now({ publish: 403, restore: 403, export: 403, invite: 403, comment: 404 })
      yield* sql("DELETE FROM members WHERE user_id = $1 AND workspace_id = $2", bob.id, ada.workspaceId)
      yield* now(Object.fromEntries(Object.keys(calls).map((name) => [name, 404])))

      const make = post(service, bob, "/v1/workspaces", "w", { name: "Bob’s other" })
      const made = yield* make
      replays(made, yield* make)
      yield* sql("DELETE FROM members WHERE workspace_id = $1", made.json.id)
      refusedAs(yield* make, 404, "not_found", "workspace")

      yield* service.ask("/v1/me", { method: "DELETE", headers: yield* signIn(service, bob.email), json: { password: bob.password } })
      const bringBack = post(service, root, `/v1/admin/deletions/user/${bob.id}/restore`, "r", {})
      const back = yield* bringBack
      assert.deepStrictEqual(back.json, { restored: true })
      replays(back, yield* bringBack)
      yield* sql("UPDATE users SET email_verified_at = NULL WHERE id = $1", root.id)
      refusedAs(yield* bringBack, 403, "forbidden", null)
    }))

  it.effect("what was published is answered again at its key once it has moved to another address, and not once it is gone or another’s", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, bob] = [yield* service.account({ plan: "agency" }), yield* service.account()]
      yield* service.inside(WorkspaceStore.use((store) => Effect.flatMap(DateTime.now, (now) => store.join(bob.id, { workspaceId: ada.workspaceId, role: "member", isOwner: false }, now))))
      const rename = (from: string, to: string) => Effect.map(service.ask(`/v1/projects/${from}`, { method: "PATCH", headers: bob.bearer, json: { slug: to } }), ({ status, text }) => assert.strictEqual(status, 200, text))
      const within = `?workspace=${ada.workspaceId}`
      const agent = yield* Effect.promise(() => agentNow(service, "auto", bob.bearer).connect())
      const tool = (name: string, given: Record<string, unknown>) => Effect.promise(() => agent.callTool({ name, arguments: given }) as Promise<any>)
      const calls = {
        put: put(service, bob, `/v1/projects/moving${within}`, "m"),
        form: service.ask("/v1/projects", { ...form({ name: "slug", value: "moving-form" }, { name: "workspace", value: ada.workspaceId }), headers: { ...form().headers, ...bob.bearer, "idempotency-key": "m" } })
      }
      const first = { put: yield* calls.put, form: yield* calls.form }
      const sent = { slug: "moving-tool", text: "# One", workspace: ada.workspaceId, idempotency_key: "m" }
      const told = yield* tool("publish", sent)
      assert.isNotTrue(told.isError, told.content?.[0]?.text)
      for (const slug of ["moving", "moving-form", "moving-tool"]) yield* rename(slug, `${slug}-on`)
      replays(first.put, yield* calls.put)
      replays(first.form, yield* calls.form)
      const again = yield* tool("publish", sent)
      assert.deepStrictEqual([again.structuredContent, again._meta.idempotent_replayed, "about" in again._meta], [told.structuredContent, true, false])
      refusedAs(yield* service.ask("/v1/projects/moving", { headers: bob.bearer }), 404, "not_found", "slug")
      // Another project at the address changes nothing.
      assert.strictEqual((yield* put(service, ada, "/v1/projects/moving", "a")).status, 201)
      replays(first.put, yield* calls.put)
      yield* service.ask("/v1/projects/moving-form-on", { method: "DELETE", headers: bob.bearer })
      refusedAs(yield* calls.form, 404, "not_found", "slug")
      yield* service.ask(`/v1/workspace/members/${bob.id}?workspace=${ada.workspaceId}`, { method: "DELETE", headers: ada.bearer })
      refusedAs(yield* calls.put, 404, "not_found", "slug")
      assert.isTrue((yield* tool("publish", sent)).isError)
      yield* Effect.promise(() => agent.close())
    }))

  it.effect("each operation and tool has somebody who gets its answer again, and those who do not", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account({ plan: "agency" })
      const people = [yield* member(host, "admin"), yield* member(host, "member"), yield* service.account(), yield* service.account({ email: OPERATOR })]
      yield* put(service, host, "/v1/projects/guarded", "p")
      yield* service.ask("/v1/projects/guarded", { method: "PATCH", headers: host.bearer, json: { comments_enabled: true } })
      const [comment, folder] = [yield* post(service, host, "/v1/projects/guarded/comments", "c", { body: "Well" }), yield* post(service, host, "/v1/folders", "f", { name: "Plans" })]
      const given = { workspace: host.workspaceId, comment_id: comment.json.id }
      const begun = yield* service.ask("/mcp", {
        headers: { ...people[0]!.bearer, accept: "application/json, text/event-stream" },
        json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "begin_upload", arguments: { slug: "guarded-staged" } } }
      })
      const { upload_id } = JSON.parse(/^data: (.*)$/m.exec(begun.text)?.[1] ?? begun.text).result.structuredContent
      const verdicts = Effect.fnUntraced(function*(operation: string) {
        const [what = ""] = operation.split(".")
        const answer = { slug: "guarded", upload_id, id: { workspaces: host.workspaceId, comments: comment.json.id }[what] ?? folder.json.id }
        return yield* Effect.forEach(people, ({ id }) => Effect.gen(function*() {
          const user = Option.getOrThrow(yield* (yield* AccountStore).find(id))
          const seen = stillSeen(operation, { user, named: { slug: "guarded", id: comment.json.id }, given, answer, about: undefined })
          return yield* Effect.match(seen, { onFailure: ({ _tag }) => _tag, onSuccess: () => "kept" })
        }))
      })
      // For an admin of the workspace, a member, a stranger, and a platform administrator who is one too.
      const expected = [
        [["kept", "forbidden", "not_found", "not_found"], [
          "projects.create", "projects.publish", "projects.addFiles", "projects.restore", "tool publish", "tool update", "tool set_visibility",
          "tool set_commenters", "tool move_project", "tool restore_version", "tool finish_upload", "billing.checkout", "billing.portal", "exports.request"
        ]],
        [["kept", "kept", "not_found", "not_found"], [
          "comments.post", "comments.reply", "comments.resolve", "comments.reopen", "folders.create", "workspaces.create",
          "tool resolve_comment", "tool reply_comment", "tool edit_comment", "tool create_folder", "tool update_folder"
        ]],
        [["forbidden", "forbidden", "forbidden", "kept"], ["erasure.restore"]],
        [["kept", "kept", "kept", "kept"], [
          "invites.create", "invites.resend", "tool delete_project", "tool delete_comment", "tool delete_folder", "tool revoke_share_link",
          "tool append_upload"
        ]],
        // Its own account alone.
        [["kept", "not_found", "not_found", "not_found"], ["tool begin_upload"]]
      ] as const
      const rows = expected.flatMap(([all, names]) => names.map((name) => [name, all] as const))
      const found = yield* service.inside(Effect.forEach(Object.keys(GUARDS), (name) => Effect.map(verdicts(name), (all) => [name, all] as const)))
      assert.deepStrictEqual(new Map<string, ReadonlyArray<string>>(found), new Map(rows))
    }))

  it.effect("one caller’s key is nothing to another, whatever they ask with it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, bob] = [yield* service.account(), yield* service.account()]
      const mine = yield* post(service, ada, "/v1/folders", "shared", { name: "Private plans" })
      const theirs = yield* post(service, bob, "/v1/folders", "shared", { name: "Private plans" })
      assert.deepStrictEqual([theirs.status, theirs.headers["idempotent-replayed"]], [201, undefined])
      assert.notStrictEqual(theirs.json.id, mine.json.id)
      // Nor does it reveal that somebody used the key: another body is refused only under one's own key.
      const other = yield* post(service, bob, "/v1/folders", "ada-only", { name: "One" })
      assert.strictEqual(other.status, 201)
      assert.strictEqual((yield* post(service, ada, "/v1/folders", "ada-only", { name: "Two" })).status, 201)
      refusedAs(yield* post(service, ada, "/v1/folders", "ada-only", { name: "Three" }), 422, "validation_error")
    }))

  it.effect("a key is 1 to 255 visible ASCII characters", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      for (const key of ["", "two words", "x".repeat(256), "ü", "a\tb"]) {
        refusedAs(yield* post(service, ada, "/v1/folders", key, { name: "Never" }), 422, "validation_error")
      }
      assert.strictEqual((yield* post(service, ada, "/v1/folders", `!~${"x".repeat(253)}`, { name: "Long" })).status, 201)
      const { folders } = (yield* service.ask("/v1/folders", { headers: ada.bearer })).json
      assert.deepStrictEqual(folders.map(({ name }: { readonly name: string }) => name), ["Long"])
    }))

  it.effect("a client that disconnects within a body may send it again; one that disconnects after it gets the first answer", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const open = (path: string, key: string, length: number) => {
        const outgoing = request({ host: "127.0.0.1", port: service.port, path, method: "PUT", headers: { host: "svc.localhost", ...ada.bearer, "content-type": "text/markdown", "content-length": length, "idempotency-key": key } })
        outgoing.on("error", () => {})
        return outgoing
      }
      const claims = (key: string) => service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`SELECT 1 FROM idempotent_calls WHERE user_id = ${ada.id} AND key = ${key}`)))
      const until = (key: string, there: boolean) => Effect.gen(function*() {
        while (((yield* claims(key)).length > 0) !== there) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      })
      const cut = open("/v1/projects/hung-up", "cut", 5)
      cut.write("# O")
      yield* until("cut", true)
      cut.destroy()
      yield* until("cut", false)
      const again = yield* put(service, ada, "/v1/projects/hung-up", "cut")
      assert.deepStrictEqual([again.status, again.headers["idempotent-replayed"]], [201, undefined], again.text)

      // Its workspace is locked, so that the publish is still running when its sender is gone.
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT 1 FROM workspaces WHERE id = ${ada.workspaceId} FOR UPDATE`
        const gone = open("/v1/projects/hung-up", "behind", 5)
        gone.end("# One")
        while ((yield* sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).length === 0) {
          // Within a transaction the statistics are a snapshot.
          yield* sql`SELECT pg_stat_clear_snapshot()`
        }
        gone.destroy()
      })))))
      let answer = yield* put(service, ada, "/v1/projects/hung-up", "behind")
      while (answer.status === 409) answer = yield* put(service, ada, "/v1/projects/hung-up", "behind")
      assert.deepStrictEqual([answer.status, answer.headers["idempotent-replayed"], answer.json.version], [200, "true", 2], answer.text)
      assert.strictEqual(yield* version(service, ada, "hung-up"), 2)
    }))

  it.effect("a client that hangs up right after a small body is no failure of the service's, and its key is free or has an answer", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const answered = Effect.map(service.ask("/metrics"), ({ text }) =>
        Object.fromEntries([...text.matchAll(/^svc_http_requests_total\{route="\/v1\/projects\/:slug",method="PUT",status="(\d+)"\} (\d+)/gm)].map(([, status, count]) => [status, Number(count)])))
      const before = yield* answered
      const hangUps = 60
      for (let turn = 0; turn < hangUps; turn++) {
        const headers = { host: "svc.localhost", ...ada.bearer, "content-type": "text/html", "content-length": 5, "idempotency-key": `hasty-${turn}` }
        const outgoing = request({ host: "127.0.0.1", port: service.port, path: "/v1/projects/hasty", method: "PUT", headers, agent: false })
        outgoing.on("error", () => {}).end("hasty")
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, turn % 10)))
        outgoing.destroy()
      }
      const since = yield* answered.pipe(
        Effect.map((now) => Object.fromEntries(["200", "201", "499", "500", "503"].map((status) => [status, (now[status] ?? 0) - (before[status] ?? 0)]))),
        Effect.repeat({ until: (now) => now["200"]! + now["201"]! + now["499"]! + now["500"]! > hangUps / 2, schedule: Schedule.spaced("20 millis") })
      )
      assert.deepStrictEqual([since["500"], since["503"]], [0, 0], JSON.stringify(since))
      let again = yield* put(service, ada, "/v1/projects/hasty", "hasty-0", "hasty", { "content-type": "text/html" })
      while (again.status === 409) again = yield* put(service, ada, "/v1/projects/hasty", "hasty-0", "hasty", { "content-type": "text/html" })
      assert.isBelow(again.status, 300, again.text)
    }))

  it.effect("of 200 clients that disconnect at any moment while their key is being claimed, none leaves it claimed", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { id } = yield* service.account()
      for (let turn = 0; turn < 200; turn++) {
        const call = { userId: id, operation: "POST /v1/things", key: IdempotencyKey.make(`gone-${turn}`) }
        const caller = yield* Effect.forkChild(service.inside(Idempotency.use((slice) =>
          slice.once(call, { run: Effect.succeed({ value: 1, kept: undefined }), print: () => Effect.succeed(Option.none()), again: () => Effect.succeed(2) })
        )))
        for (let wait = 0; wait < turn % 20; wait++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(caller)
      }
      const left = yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`SELECT key FROM idempotent_calls WHERE user_id = ${id}`)))
      assert.deepStrictEqual(left, [])
    }))

  it.effect("a database that goes away as an answer is recorded loses no answer, and one that stays away locks no key against a retry", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { id } = yield* service.account()
      const { away, back } = service.database
      let runs = 0
      const print = { hash: "a", length: 1 }
      const once = (key: string, work: Effect.Effect<unknown> = Effect.void) =>
        service.inside(Idempotency.use((slice) =>
          slice.once({ userId: id, operation: "POST /v1/things", key: IdempotencyKey.make(key) }, {
            run: Effect.andThen(work, Effect.sync(() => ({ value: ++runs, kept: { print, answer: runs } }))),
            print: () => Effect.succeed(Option.some(print)),
            again: (answer) => Effect.succeed(Number(answer) + 1000)
          })
        ))
      const restart = Effect.andThen(away, Effect.forkDetach(Effect.delay(back, "20 millis")))
      assert.strictEqual(yield* once("r", restart), 1)
      assert.strictEqual(yield* once("r"), 1001)
      assert.strictEqual(runs, 1)

      assert.isTrue(Exit.hasDies(yield* Effect.exit(once("s", Effect.andThen(away, Effect.die("no database"))))))
      yield* back
      const tried = once("s").pipe(Effect.retry({ schedule: Schedule.spaced("50 millis"), while: ({ _tag }) => _tag === "conflict" }))
      // An abandoned claim would be released only after a minute.
      assert.deepStrictEqual(yield* Effect.timeoutOption(tried, "30 seconds"), Option.some(2))
    }))

  it.effect("endpoints that answer a secret once take no key, and the description says which do", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      yield* put(service, ada, "/v1/projects/shared", "p")
      const links = [yield* post(service, ada, "/v1/projects/shared/share-links", "l", { label: "One" }), yield* post(service, ada, "/v1/projects/shared/share-links", "l", { label: "One" })]
      assert.deepStrictEqual(links.map(({ status }) => status), [201, 201])
      assert.notStrictEqual(links[0]!.json.token, links[1]!.json.token)
      const { paths } = (yield* service.ask("/openapi.json")).json as { readonly paths: Record<string, Record<string, { readonly parameters?: ReadonlyArray<{ readonly name: string }> }>> }
      const keyed = Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === "Idempotency-Key")).map(([method]) => `${method.toUpperCase()} ${path}`))
      const expected = operations.filter(({ doors, name }) =>
        doors.size > 0 && (name === "PUT /v1/projects/{slug}" || name.startsWith("POST ")) && !/ \/v1\/(auth|oauth|tokens)|share-links|webhook/.test(name))
      assert.sameMembers(keyed, expected.map(({ name }) => name))
      // Each has a guard for its repeats.
      assert.lengthOf(Object.keys(GUARDS).filter((name) => !name.startsWith("tool ")), keyed.length)
    }))

  it.effect("agents’ tools that write take a key of their own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const client = yield* Effect.promise(() => agentNow(service, "auto", ada.bearer).connect())
      const call = (name: string, given: Record<string, unknown>) => Effect.promise(() => client.callTool({ name, arguments: given }) as Promise<any>)
      const { tools } = yield* Effect.promise(() => client.listTools())
      const takes = tools.filter(({ inputSchema }) => "idempotency_key" in (inputSchema.properties ?? {})).map(({ name }) => name)
      assert.sameMembers(takes, tools.filter(({ annotations, name }) => annotations?.readOnlyHint !== true && name !== "create_share_link").map(({ name }) => name))

      assert.sameMembers(Object.keys(GUARDS).flatMap((name) => name.startsWith("tool ") ? [name.slice(5)] : []), takes)

      const given = { slug: "by-tool", text: "# One", idempotency_key: "t" }
      const first = yield* call("publish", given)
      assert.isNotTrue(first.isError, first.content?.[0]?.text)
      const { _meta: meta, content, ...again } = yield* call("publish", { idempotency_key: "t", text: "# One", slug: "by-tool" })
      assert.deepStrictEqual(again.structuredContent, first.structuredContent)
      // What it says was true then: the first line tells when.
      assert.isTrue(meta.idempotent_replayed)
      assert.strictEqual(content[0].text, `Nothing was done now: this idempotency_key was used at ${meta.answered_at}, and this was the answer then.\n${first.content[0].text}`)
      const other = yield* call("publish", { ...given, text: "# Two" })
      const { error } = JSON.parse(other.content[0].text)
      assert.deepInclude(error, { code: "validation_error", field: "idempotency_key" })
      assert.deepStrictEqual(error.details.errors, [{ field: "idempotency_key", message: error.message }])
      assert.strictEqual(yield* version(service, ada, "by-tool"), 1)
      yield* call("publish", { slug: "by-tool", text: "# One" })
      assert.strictEqual(yield* version(service, ada, "by-tool"), 2)
      const bad = yield* call("publish", { ...given, idempotency_key: "two words" })
      assert.deepInclude(JSON.parse(bad.content[0].text).error, { code: "validation_error", field: "idempotency_key" })
      assert.isTrue((yield* call("create_share_link", { slug: "by-tool", label: "x", idempotency_key: "t" })).isError)
      // A null says what is left out, in files too; out of its folder it leads a project.
      const { id: folder } = (yield* call("create_folder", { name: "Drafts", idempotency_key: "f" })).structuredContent
      yield* call("publish", { slug: "by-tool-site", files: [{ path: "index.html", text: "<h1>Hi</h1>" }], idempotency_key: "n" })
      for (const [name, sent] of [
        ["create_folder", { sharing: null, name: "Drafts", workspace: null, idempotency_key: "f" }],
        ["publish", { slug: "by-tool-site", files: [{ path: "index.html", text: "<h1>Hi</h1>", base64: null }], text: null, folder_id: null, idempotency_key: "n" }]
      ] as const) assert.isTrue((yield* call(name, sent))._meta?.idempotent_replayed, name)
      const move = (to: string | null) => call("move_project", { slug: "by-tool-site", folder_id: to, idempotency_key: "m" })
      assert.isNotTrue((yield* move(folder)).isError)
      assert.isTrue((yield* move(null)).isError)
      // Deleted once, and reported so on every repeat.
      const deleted = yield* call("delete_project", { slug: "by-tool", idempotency_key: "d" })
      const since = yield* call("delete_project", { slug: "by-tool", idempotency_key: "d" })
      assert.deepStrictEqual(since.structuredContent, deleted.structuredContent)
      assert.match(since.content[0].text, /^Nothing was done now: /)
      // An upload that is over is not begun by its key again.
      const begin = () => call("begin_upload", { slug: "by-tool-staged", content_type: "text/plain", idempotency_key: "u" })
      const { upload_id } = (yield* begin()).structuredContent
      assert.strictEqual((yield* begin()).structuredContent.upload_id, upload_id)
      yield* call("append_upload", { upload_id, index: 0, text: "words" })
      yield* call("finish_upload", { upload_id })
      assert.deepInclude(JSON.parse((yield* begin()).content[0].text).error, { code: "not_found", field: "idempotency_key", message: "The upload that this key began is finished or over. Begin another with a new key." })
      yield* Effect.promise(() => client.close())
    }))
})
