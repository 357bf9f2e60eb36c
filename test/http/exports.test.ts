/** Exports over the wire: who may take one, what is in it, how its link works and fails, races, the audit log. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Packs } from "../../src/domain/ports/packs.ts"
import { withoutId } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { commented } from "../support/commented.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { ask, homeless, joins, member } from "../support/team.ts"
import { filesIn } from "../support/zips.ts"

const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"

const code = ({ json, status }: Answer) => [status, json.error?.code, json.error?.details?.reason]

const request = (by: Pick<Account, "bearer">, { workspaceId }: Account, password = PASSWORD) =>
  ask(by, "POST", "/v1/workspace/export", { workspace: workspaceId, password })

const latest = (by: Pick<Account, "bearer">, { workspaceId }: Account) => ask(by, "GET", `/v1/workspace/export?workspace=${workspaceId}`)

const publish = (account: Account, slug: string, body: string | Buffer, type = "text/html", query = "") =>
  Service.use((service) => service.ask(`/v1/projects/${slug}?${query}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } }))

const statement = (text: string, values: ReadonlyArray<unknown>) =>
  Service.use(({ inside }) => inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql.unsafe(text, values)))))

/** The path of the link in the newest mail to this address. */
const link = (to: Account) =>
  Effect.flatMap(Service, (service) =>
    Effect.promise(() => eventually("the mail with the link", async () => {
      const rows = await Effect.runPromise(service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql<{ text: string }>`
        SELECT text FROM mailbox WHERE recipient = ${to.email} AND subject = 'Your export is ready' ORDER BY id DESC`))))
      return /\/v1\/exports\/\S+/.exec(rows[0]?.text ?? "")?.[0]
    })))

const follow = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => Service.use((service) => service.ask(path, { method, headers }))

/** Requested, built and mailed. */
const exported = Effect.fnUntraced(function*(account: Account) {
  const asked = yield* request(account, account)
  assert.strictEqual(asked.status, 202, asked.text)
  return { id: asked.json.id as string, path: yield* link(account) }
})

layer(serviceWith(), { excludeTestServices: true })("exports", (it) => {
  it.effect("hold the workspace as its requester may see it, no doorcode, token or other's private folder among it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const other = yield* member(owner, "member")
      const folder = (by: Account, name: string) => ask(by, "POST", "/v1/folders", { name, sharing: "private", workspace: owner.workspaceId })
      const [own, hidden] = [(yield* folder(owner, "Mine")).json.id, (yield* folder(other, "Theirs")).json.id]
      const within = (id: string) => `workspace=${owner.workspaceId}&folder_id=${id}`
      const large = Buffer.alloc(200_000, "large and dull ")
      assert.strictEqual((yield* publish(owner, "exported-site", "<h1>First</h1>")).status, 201)
      yield* publish(owner, "exported-site", "<h1>Second</h1>")
      yield* publish(owner, "exported-text", large, "text/plain", within(own))
      yield* ask(owner, "PATCH", "/v1/projects/exported-text", { visibility: "password", password: "a secret doorcode" })
      assert.strictEqual((yield* publish(other, "exported-never", "<h1>Hidden words</h1>", "text/html", within(hidden))).status, 201)
      yield* publish(yield* service.account(), "exported-elsewhere", "<h1>Foreign</h1>")
      const talk = yield* commented(owner)
      const thread = yield* ask(owner, "POST", `/v1/projects/${talk.slug}/comments`, { body: "A word about it" })
      assert.strictEqual(thread.status, 201, thread.text)
      const shared = yield* ask(owner, "POST", `/v1/projects/${talk.slug}/share-links`, { label: "For Acme" })
      assert.strictEqual(shared.status, 201, shared.text)

      const before = (yield* ask(owner, "GET", `/v1/workspace?workspace=${owner.workspaceId}`)).json.usage.storage_bytes
      const { id, path } = yield* exported(owner)
      const record = (yield* latest(owner, owner)).json
      const answer = yield* follow(path)
      assert.strictEqual(answer.status, 200, answer.text.slice(0, 300))
      assert.deepStrictEqual({ ...record, requested_at: "", completed_at: "", expires_at: "" }, {
        id, status: "ready", requested_at: "", completed_at: "", expires_at: "", size_bytes: answer.bytes.length
      })
      assert.strictEqual(Date.parse(record.expires_at) - Date.parse(record.completed_at), 7 * 86_400_000)
      const { "accept-ranges": ranges, "cache-control": cache, "content-disposition": disposition, "content-length": length, "content-type": type } = answer.headers
      assert.deepStrictEqual([type, length, cache, answer.headers["referrer-policy"], ranges], ["application/zip", String(answer.bytes.length), "private, no-store", "no-referrer", "bytes"])
      assert.match(disposition!, /^attachment; filename="export-\d{4}-\d\d-\d\d\.zip"$/)

      const files = yield* Effect.promise(() => filesIn(answer.bytes))
      const folderOf = (slug: string, ...names: ReadonlyArray<string>) => [...names, "project.json", "comments.json", "share_links.json", "analytics.csv"].map((name) => `projects/${slug}/${name}`)
      const entry = [...files.keys()].find((name) => name.startsWith("projects/exported-text/files/"))!.slice("projects/exported-text/".length)
      const words = [...files.keys()].find((name) => name.startsWith(`projects/${talk.slug}/files/`))!.slice(`projects/${talk.slug}/`.length)
      assert.sameMembers([...files.keys()], [
        "workspace.json",
        "members.json",
        ...folderOf("exported-site", "files/index.html"),
        ...folderOf("exported-text", entry),
        ...folderOf(talk.slug, words)
      ])
      assert.strictEqual(String(files.get("projects/exported-site/files/index.html")), "<h1>Second</h1>")
      assert.isTrue(files.get(`projects/exported-text/${entry}`)!.equals(large))
      const read = (name: string) => JSON.parse(String(files.get(name)))
      assert.deepInclude(read("workspace.json"), { id: owner.workspaceId, name: "Home", plan: "studio" })
      assert.deepStrictEqual(read("workspace.json").folders.map(({ name }: { name: string }) => name), ["Mine"])
      assert.sameMembers(read("members.json").map(({ email }: { email: string }) => email), [owner.email, other.email])
      assert.deepInclude(read("projects/exported-site/project.json"), { slug: "exported-site", version: 2, kind: "site", visibility: "public" })
      assert.deepInclude(read("projects/exported-text/project.json"), { visibility: "password", folder_id: own, size_bytes: 200_000 })
      assert.deepStrictEqual(read(`projects/${talk.slug}/comments.json`).map(({ body }: { body: string }) => body), ["A word about it"])
      assert.deepStrictEqual(read("projects/exported-site/comments.json"), [])
      assert.deepStrictEqual(read(`projects/${talk.slug}/share_links.json`).map(({ label }: { label: string }) => label), ["For Acme"])
      const days = String(files.get("projects/exported-site/analytics.csv")).split("\r\n")
      assert.deepStrictEqual([days[0], days.length], ["date,views,unique_visitors", 92])

      const everything = [...files].map(([name, bytes]) => name + String(bytes)).join("\n")
      for (const secret of ["a secret doorcode", shared.json.token as string, "Hidden words", "exported-never", "Theirs", "Foreign"]) {
        assert.isFalse(everything.includes(secret), secret)
      }
      // An archive does not count towards the plan's storage.
      assert.strictEqual((yield* ask(owner, "GET", `/v1/workspace?workspace=${owner.workspaceId}`)).json.usage.storage_bytes, before)
    }))

  it.effect("are for admins with their password; members learn that they may not, strangers nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const plain = yield* member(owner, "member")
      const stranger = yield* service.account()
      const guest = yield* homeless
      yield* joins(guest, owner, "admin")
      assert.deepStrictEqual((yield* latest(owner, owner)).json, { status: null })
      for (const path of [request, latest]) {
        assert.deepStrictEqual(code(yield* path(plain, owner)), [403, "forbidden", undefined])
        assert.deepStrictEqual(code(yield* path(stranger, owner)), [404, "not_found", undefined])
        const nowhere = yield* path(owner, { ...owner, workspaceId: MISSING as typeof owner.workspaceId })
        assert.deepStrictEqual(withoutId(nowhere), withoutId(yield* path(stranger, owner)))
        assert.strictEqual((yield* path({ bearer: { authorization: "" } }, owner)).status, 401)
      }
      assert.deepStrictEqual(code(yield* request(guest, owner)), [403, "forbidden", "password_not_set"])
      assert.deepStrictEqual(code(yield* request(owner, owner, "wrong")), [403, "forbidden", "password_wrong"])
      for (const [json, field] of [[{ password: PASSWORD }, "workspace"], [{ workspace: "home", password: PASSWORD }, "workspace"], [{ workspace: owner.workspaceId }, "password"]] as const) {
        const refused = yield* ask(owner, "POST", "/v1/workspace/export", json)
        assert.deepStrictEqual([refused.status, refused.json.error.field], [422, field])
      }
      for (const query of ["", "?workspace=home"]) assert.strictEqual((yield* ask(owner, "GET", `/v1/workspace/export${query}`)).status, 422)
      assert.deepStrictEqual((yield* latest(owner, owner)).json, { status: null })

      // Five password tries a minute, whatever they are for.
      for (let left = 4; left > 0; left--) assert.strictEqual((yield* request(owner, owner, "wrong")).status, 403)
      const limited = yield* request(owner, owner)
      assert.deepStrictEqual([limited.status, limited.json.error.code], [429, "rate_limited"])
    }))

  it.effect("are taken once of a hundred requests at once, and once a day; a failed one gives the day back", () =>
    Effect.gen(function*() {
      const owner = yield* (yield* Service).account()
      const admins = yield* Effect.forEach(Array.from({ length: 19 }), () => member(owner, "admin"))
      const everyone = [owner, ...admins].flatMap((admin) => Array.from({ length: 5 }, () => admin))
      const answers = yield* Effect.forEach(everyone, (admin) => request(admin, owner), { concurrency: "unbounded" })
      const taken = answers.filter(({ status }) => status === 202)
      assert.strictEqual(taken.length, 1)
      // A machine that hashes slowly turns some away, who waited for too long.
      for (const refused of answers.filter(({ json, status }) => status !== 202 && json.error.code !== "unavailable")) {
        assert.deepStrictEqual(code(refused), [429, "validation_error", undefined], refused.text)
        assert.strictEqual(refused.headers["retry-after"], String(refused.json.error.details.retry_after_seconds))
      }
      assert.strictEqual(answers.length, 100)
      const { id } = taken[0]!.json
      assert.deepInclude(taken[0]!.json, { status: "queued", completed_at: null, expires_at: null, size_bytes: null })
      const rows = yield* statement("SELECT id FROM exports WHERE workspace_id = $1", [owner.workspaceId])
      assert.deepStrictEqual(rows, [{ id }])
      const state = Effect.map(latest(owner, owner), ({ json }) => json.status)
      yield* Effect.flatMap(Effect.context<Service>(), (context) =>
        Effect.promise(() => eventually("it is built", async () => (await Effect.runPromiseWith(context)(state)) === "ready")))

      const late = yield* (yield* Service).account()
      yield* joins(late, owner, "admin")
      assert.strictEqual((yield* request(late, owner)).status, 429)
      yield* statement("UPDATE exports SET completed_at = NULL, failed_at = requested_at WHERE id = $1", [id])
      assert.deepInclude((yield* latest(late, owner)).json, { id, status: "failed" })
      assert.strictEqual((yield* request(late, owner)).status, 202)
      yield* link(late)
    }))

  it.effect("are fetched any number of times, in parts too; every failure is one and the same", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, other] = [yield* service.account(), yield* service.account()]
      yield* publish(owner, "fetched-again", "<h1>Hi</h1>")
      const admin = yield* member(owner, "admin")
      const { id, path } = yield* exported(owner)
      const foreign = yield* exported(other)
      const whole = yield* follow(path)
      assert.strictEqual(whole.status, 200)
      assert.isTrue((yield* follow(path)).bytes.equals(whole.bytes))
      // A range is for GET alone (RFC 9110 §14.2).
      for (const headers of [{}, { range: "bytes=0-9" }, { range: "bytes=99999999-" }]) {
        const head = yield* follow(path, headers, "HEAD")
        assert.deepStrictEqual([head.status, head.bytes.length, head.headers["content-length"]], [200, 0, String(whole.bytes.length)])
      }

      const { etag } = whole.headers
      const part = yield* follow(path, { range: "bytes=100-", "if-range": etag! })
      assert.deepStrictEqual([part.status, part.headers["content-range"]], [206, `bytes 100-${whole.bytes.length - 1}/${whole.bytes.length}`])
      assert.isTrue(part.bytes.equals(whole.bytes.subarray(100)))
      assert.strictEqual((yield* follow(path, { range: "bytes=100-", "if-range": "\"another\"" })).status, 200)
      const beyond = yield* follow(path, { range: "bytes=99999999-" })
      assert.deepStrictEqual([beyond.status, beyond.headers["content-range"], beyond.headers["cache-control"]], [416, `bytes */${whole.bytes.length}`, "no-store"])
      assert.deepInclude(JSON.parse(beyond.bytes.toString()).error, { code: "validation_error", field: "Range" })

      const token = path.split("token=")[1]!
      const at = (one: string, query: string) => `/v1/exports/${one}/download${query}`
      const failures: Array<Answer> = []
      for (const query of ["", "?token=", "?token=wrong", `?token=${token}x`, `?token=${token}&token=${token}`, `?token[]=${token}`, "?token=%00", `?token=${foreign.path.split("token=")[1]}`]) {
        failures.push(yield* follow(at(id, query)))
      }
      for (const one of [MISSING, foreign.id, "no-id", "%00"]) failures.push(yield* follow(at(one, `?token=${token}`)))
      const changed = Effect.fnUntraced(function*(away: string, back: string, values: ReadonlyArray<unknown>) {
        yield* statement(away, values)
        failures.push(yield* follow(path), yield* follow(path, { range: "bytes=100-" }), yield* follow(path, owner.bearer))
        yield* statement(back, values)
        assert.strictEqual((yield* follow(path)).status, 200)
      })
      const ofExport = (facts: string) => `UPDATE exports SET ${facts} WHERE id = $1`
      const [facts] = (yield* statement("SELECT * FROM exports WHERE id = $1", [id])) as ReadonlyArray<Record<string, unknown>>
      yield* changed(ofExport("completed_at = completed_at - interval '7 days'"), ofExport("completed_at = completed_at + interval '7 days'"), [id])
      yield* changed(ofExport("completed_at = NULL, failed_at = now()"), ofExport("completed_at = requested_at, failed_at = NULL"), [id])
      yield* changed(ofExport("completed_at = NULL"), ofExport("completed_at = requested_at"), [id])
      yield* changed(ofExport("pack_id = NULL"), ofExport(`pack_id = '${String(facts!["pack_id"])}'`), [id])
      const role = (to: string) => `UPDATE members SET role = '${to}' WHERE user_id = $1`
      yield* changed(role("member"), role("admin"), [owner.id])
      const leaving = `WITH d AS (
        INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on)
        SELECT gen_random_uuid(), 'user', id, id, now(), now() + interval '30 days' FROM users WHERE id = $1 RETURNING id, target_id
      ) UPDATE users u SET deletion_id = d.id FROM d WHERE u.id = d.target_id`
      yield* changed(leaving, "UPDATE users SET deletion_id = NULL WHERE id = $1", [owner.id])
      // Being an admin somewhere else opens nothing here.
      yield* statement("INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())", [(yield* service.account()).workspaceId, owner.id])
      yield* statement("DELETE FROM members WHERE user_id = $1 AND workspace_id = $2", [owner.id, owner.workspaceId])
      failures.push(yield* follow(path))
      assert.strictEqual(failures.length, 31)
      for (const failure of failures) assert.deepStrictEqual(withoutId(failure), withoutId(failures[0]!))
      assert.deepStrictEqual(code(failures[0]!), [404, "not_found", undefined])
      const shown = yield* follow(path, { accept: "text/html,*/*;q=0.8" })
      assert.deepStrictEqual([shown.status, shown.headers["content-type"], shown.headers["cache-control"]], [404, "text/html; charset=utf-8", "no-store"])
      assert.include(shown.text, `href="http://svc.localhost:${service.port}/workspace/export"`)
      // A HEAD has no body, but the same status.
      assert.strictEqual((yield* follow(path, {}, "HEAD")).status, 404)

      const log = (yield* ask(admin, "GET", `/v1/workspace/audit?workspace=${owner.workspaceId}`)).json.entries as ReadonlyArray<{ action: string; target: unknown }>
      const entries = log.filter(({ action }) => action.startsWith("export."))
      assert.deepStrictEqual(entries.at(-1), { ...entries.at(-1)!, action: "export.requested", target: { type: "export", id } })
      // Only complete downloads: two at first, one with another condition, one after each change that was undone.
      assert.strictEqual(entries.filter(({ action }) => action === "export.downloaded").length, 9)
      assert.notInclude(JSON.stringify(log), token)
    }))

  it.effect("answer 503 while their bytes cannot be read, and the link goes on", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const { id, path } = yield* exported(owner)
      const [row] = (yield* statement("SELECT pack_id FROM exports WHERE id = $1", [id])) as ReadonlyArray<{ pack_id: string }>
      yield* service.inside(Effect.orDie(Packs.use((packs) => packs.remove(row!.pack_id))))
      const away = yield* follow(path)
      assert.deepStrictEqual([away.status, away.json.error.code], [503, "unavailable"])
      assert.isBelow(Date.parse((yield* latest(owner, owner)).json.completed_at), DateTime.toEpochMillis(yield* DateTime.now) + 1)
    }))
})
