/** Share links over the wire: making, listing, changing and revoking them, who is refused and how, races. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Gates } from "../../src/domain/hosting/gates.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { form, withoutId } from "../support/ask.ts"
import type { Answer, Question } from "../support/ask.ts"
import { enqueued } from "../support/enqueued.ts"
import { locked, waiting } from "../support/locked.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

const LISTED = ["id", "label", "expires_at", "notify_on_first_open", "view_count", "first_opened_at", "last_opened_at", "created_at"]
const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"
const DAY = 24 * 60 * 60 * 1000

const refusedWith = (answer: Answer, status: number, code: string, field: string | null = null) =>
  assert.deepStrictEqual([answer.status, answer.json.error.code, answer.json.error.field], [status, code, field], answer.text)

layer(serviceWith(), { excludeTestServices: true })("share links", (it) => {
  let names = 0

  const call = (account: Account | undefined, path: string, question: Question = {}) =>
    Service.use(({ ask }) => ask(`/v1${path}`, { ...question, headers: { ...account?.bearer, ...question.headers } }))

  /** A private project of a fresh account. */
  const project = Effect.gen(function*() {
    const owner = yield* (yield* Service).account()
    const slug = `shared-${++names}`
    const headers = { "content-type": "text/html" }
    const made = yield* call(owner, `/projects/${slug}?visibility=private`, { method: "PUT", body: "<h1>Hi</h1>", headers })
    assert.strictEqual(made.status, 201, made.text)
    return { owner, slug, path: `/projects/${slug}/share-links` }
  })

  const create = (account: Account, path: string, json: Record<string, unknown> = {}) => call(account, path, { json: { label: "Acme", ...json } })

  const sharing = Effect.gen(function*() {
    const made = yield* project
    const link = (yield* create(made.owner, made.path)).json
    return { ...made, link, at: `/share-links/${link.id}` }
  })

  const colleague = (of: Account, role: "admin" | "member") =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* service.inside(Effect.gen(function*() {
        yield* (yield* WorkspaceStore).join(account.id, { workspaceId: of.workspaceId, role, isOwner: false }, yield* DateTime.now)
      }))
      return account
    })

  /** Whether the gate lets a token in. */
  const opens = (slug: string, token: string) =>
    Service.use(({ inside }) => inside(Gates.use((gates) => gates.link(slug, token, "a"))).pipe(
      Effect.map((passage) => passage.let === "in"),
      Effect.catchTag("not_found", () => Effect.succeed(false))
    ))

  const statement = (run: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    Service.use(({ inside }) => inside(Effect.orDie(SqlClient.SqlClient.use(run))))

  it.effect("shows the address and its token once; the project opens to it, and every open counts", () =>
    Effect.gen(function*() {
      const { owner, path, slug } = yield* project
      assert.deepStrictEqual((yield* call(owner, path)).json, [])
      const { port } = yield* Service
      const before = Date.now()
      const answer = yield* create(owner, path, { label: "  Acme, Ltd ", expires_in_days: 30, notify_on_first_open: true })
      assert.strictEqual(answer.status, 201, answer.text)
      const { share_url, token, ...link } = answer.json
      assert.sameMembers(Object.keys(link), LISTED)
      assert.deepInclude(link, { label: "Acme, Ltd", notify_on_first_open: true, view_count: 0, first_opened_at: null, last_opened_at: null })
      assert.strictEqual(Date.parse(link.expires_at) - Date.parse(link.created_at), 30 * DAY)
      assert.isTrue(Date.parse(link.created_at) >= before && Date.parse(link.created_at) <= Date.now())
      assert.match(token, /^[\w-]{43}$/)
      assert.strictEqual(share_url, `http://${slug}.svc.localhost:${port}/_svc/gate/share?t=${token}`)
      assert.deepStrictEqual((yield* call(owner, path)).json, [link])

      const plain = (yield* create(owner, path, { label: "x".repeat(100), expires_in_days: null, notify_on_first_open: null })).json
      assert.deepInclude(plain, { expires_at: null, notify_on_first_open: false })
      const until = "2999-01-01T00:00:00.000Z"
      for (const [ends, end] of [[{ expires_in_days: null, expires_at: null }, null], [{ expires_in_days: null, expires_at: until }, until], [{ expires_in_days: 1, expires_at: null }, DAY]] as const) {
        const nulled = yield* create(owner, path, ends)
        const { created_at, expires_at } = nulled.json
        assert.deepStrictEqual([nulled.status, end === DAY ? Date.parse(expires_at) - Date.parse(created_at) : expires_at], [201, end], nulled.text)
        yield* call(owner, `/share-links/${nulled.json.id}`, { method: "DELETE" })
      }
      assert.isTrue(yield* opens(slug, token))
      const [once] = (yield* call(owner, path)).json.filter(({ view_count }: { view_count: number }) => view_count === 1)
      assert.deepStrictEqual([once.id, once.last_opened_at], [link.id, once.first_opened_at])
      assert.isTrue(yield* opens(slug, token))
      const listed = yield* call(owner, path)
      assert.deepStrictEqual(listed.json.map((one: { id: string }) => one.id), [plain.id, link.id])
      assert.deepStrictEqual(listed.json.map((one: { view_count: number }) => one.view_count), [0, 2])
      assert.deepInclude(listed.json[0], { first_opened_at: null, last_opened_at: null })
      assert.isAtLeast(Date.parse(listed.json[1].first_opened_at), before)
      assert.deepStrictEqual([listed.json[1].first_opened_at, listed.json[1].last_opened_at >= once.last_opened_at], [once.first_opened_at, true])
      for (const secret of [token, plain.token, "share_url", "token", "hash"]) assert.notInclude(listed.text, secret)
      yield* statement((sql) =>
        Effect.map(sql<{ all: string }>`SELECT string_agg(l::text, ' ') AS all FROM share_links l`, ([rows]) => assert.notInclude(rows!.all, token)))
    }))

  it.effect("mail their first opening to an address that was proved, and to no other", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const letters = enqueued("ShareLinkOpened")
      const before = yield* letters
      for (const [verified, mails] of [[false, 0], [true, 1]] as const) {
        const owner = yield* service.account({ verified })
        const slug = `first-opened-${mails}`
        assert.strictEqual((yield* call(owner, "/projects", form({ name: "slug", value: slug }))).status, 201)
        const { token } = (yield* create(owner, `/projects/${slug}/share-links`, { notify_on_first_open: true })).json
        assert.isTrue(yield* opens(slug, token))
        assert.strictEqual((yield* letters) - before, mails)
      }
    }))

  it.effect("names every fault of a new link, and extra fields change nothing", () =>
    Effect.gen(function*() {
      const { owner, path } = yield* project
      const faulty: ReadonlyArray<readonly [json: unknown, ...fields: ReadonlyArray<string>]> = [
        [{}, "label"], [{ label: null }, "label"], [{ label: "  " }, "label"], [{ label: "x".repeat(101) }, "label"], [{ label: "two\nlines" }, "label"],
        [{ label: "a", expires_in_days: 0 }, "expires_in_days"], [{ label: "a", expires_in_days: 3651 }, "expires_in_days"],
        [{ label: "a", expires_in_days: 1.5 }, "expires_in_days"], [{ label: "a", expires_in_days: "7" }, "expires_in_days"],
        [{ label: "a", notify_on_first_open: "yes" }, "notify_on_first_open"],
        [{ label: "a", expires_at: "2026-01-01T00:00:00Z" }, "expires_at"], [{ label: "a", expires_at: "soon" }, "expires_at"],
        [{ label: "a", expires_in_days: 7, expires_at: "2999-01-01T00:00:00Z" }, "expires_at"],
        [{ label: 7, expires_in_days: -1, notify_on_first_open: 1 }, "label", "expires_in_days", "notify_on_first_open"]
      ]
      for (const [json, ...fields] of faulty) {
        const refused = yield* call(owner, path, { json })
        refusedWith(refused, 422, "validation_error", fields[0]!)
        assert.deepStrictEqual([...new Set(refused.json.error.details.errors.map((fault: { field: string }) => fault.field))], fields)
      }
      assert.deepStrictEqual((yield* call(owner, path)).json, [])
      // Length counts characters as people see them.
      const emoji = (yield* create(owner, path, { label: "🙂".repeat(100) })).json
      assert.strictEqual((yield* call(owner, `/share-links/${emoji.id}`, { method: "DELETE" })).status, 200)
      assert.strictEqual((yield* call(owner, path, { json: { label: "🙂".repeat(101) } })).status, 422)
      const extra = { id: MISSING, token: "chosen", view_count: 9, first_opened_at: "2026-01-01T00:00:00Z", last_opened_at: "2026-01-01T00:00:00Z", project_id: MISSING }
      const made = (yield* create(owner, path, extra)).json
      assert.deepInclude(made, { view_count: 0, first_opened_at: null, last_opened_at: null, expires_at: null })
      const ending = yield* create(owner, path, { label: "Until then", expires_at: "2199-01-01T01:00:00+01:00" })
      assert.strictEqual(ending.json.expires_at, "2199-01-01T00:00:00.000Z")
      assert.notInclude([made.id, made.token], MISSING)
      assert.notStrictEqual(made.token, "chosen")
    }))

  it.effect("changes a label and an end in either form; the address goes on", () =>
    Effect.gen(function*() {
      const { at, link, owner, path, slug } = yield* sharing
      const other = (yield* create(owner, path, { label: "Other", expires_in_days: 5 })).json
      const patch = (json: unknown) => call(owner, at, { method: "PATCH", json })
      const shown = (answer: Answer) => [answer.status, answer.json.label, answer.json.expires_at]

      assert.deepStrictEqual(shown(yield* patch({})), [200, "Acme", null])
      const renamed = yield* patch({ label: " Bolt " })
      assert.sameMembers(Object.keys(renamed.json), LISTED)
      assert.deepStrictEqual(shown(renamed), [200, "Bolt", null])
      assert.deepStrictEqual(shown(yield* patch({ expires_at: "2199-01-01T01:00:00+01:00" })), [200, "Bolt", "2199-01-01T00:00:00.000Z"])
      for (const days of [1, 3650]) {
        const before = Date.now()
        const end = Date.parse((yield* patch({ expires_in_days: days })).json.expires_at)
        assert.isTrue(end >= before + days * DAY && end <= Date.now() + days * DAY)
      }
      assert.deepStrictEqual(shown(yield* patch({ expires_in_days: null })), [200, "Bolt", null])
      yield* patch({ expires_in_days: 1 })
      assert.deepStrictEqual(shown(yield* patch({ expires_at: null })), [200, "Bolt", null])

      // A client may send back everything that it read.
      assert.isTrue(yield* opens(slug, link.token))
      const readOnly = { ...link, label: "Whole", view_count: 40, created_at: "2020-01-01T00:00:00Z" }
      const whole = yield* patch(readOnly)
      assert.deepInclude(whole.json, { id: link.id, label: "Whole", view_count: 1, notify_on_first_open: false, created_at: link.created_at })
      assert.deepInclude((yield* patch({ notify_on_first_open: true })).json, { label: "Whole", notify_on_first_open: true })
      const last = yield* patch({ notify_on_first_open: false })
      assert.deepStrictEqual(last.json, whole.json)
      const { share_url: _url, token: _token, ...unchanged } = other
      assert.deepStrictEqual((yield* call(owner, path)).json, [unchanged, whole.json])
    }))

  it.effect("refuses what a link cannot become, whole", () =>
    Effect.gen(function*() {
      const { at, owner, path } = yield* sharing
      const faulty: ReadonlyArray<readonly [json: unknown, field: string]> = [
        [{ label: null }, "label"], [{ label: "" }, "label"], [{ label: "x".repeat(101) }, "label"],
        [{ expires_in_days: 0 }, "expires_in_days"], [{ expires_in_days: 3651 }, "expires_in_days"],
        [{ expires_at: "tomorrow" }, "expires_at"], [{ expires_at: "2199-13-01T00:00:00Z" }, "expires_at"], [{ expires_at: "2199-02-29T00:00:00Z" }, "expires_at"], [{ expires_at: 1 }, "expires_at"],
        [{ expires_at: new Date(Date.now() - 1).toISOString() }, "expires_at"],
        [{ expires_in_days: 1, expires_at: "2199-01-01T00:00:00Z" }, "expires_at"], [{ expires_in_days: null, expires_at: null }, "expires_at"],
        [{ expires: null }, "expires"], [{ notify: true }, "notify"], [{ project_id: MISSING }, "project_id"]
      ]
      for (const [json, field] of faulty) {
        refusedWith(yield* call(owner, at, { method: "PATCH", json: { label: "Bolt", ...(json as object) } }), 422, "validation_error", field)
      }
      refusedWith(yield* call(owner, "/share-links/1", { method: "PATCH", json: {} }), 422, "validation_error", "id")
      refusedWith(yield* call(owner, "/share-links/1", { method: "DELETE" }), 422, "validation_error", "id")
      assert.deepInclude((yield* call(owner, path)).json[0], { label: "Acme", expires_at: null })
    }))

  it.effect("an expired link stays in the list, opens nothing, and opens again with a new end", () =>
    Effect.gen(function*() {
      const { at, link, owner, path, slug } = yield* sharing
      yield* statement((sql) => sql`UPDATE share_links SET expires_at = created_at WHERE id = ${link.id}`)
      const [expired] = (yield* call(owner, path)).json
      assert.strictEqual(expired.expires_at, link.created_at)
      assert.isFalse(yield* opens(slug, link.token))
      const renamed = yield* call(owner, at, { method: "PATCH", json: { ...expired, label: "Late" } })
      assert.deepStrictEqual(renamed.json, { ...expired, label: "Late" })
      yield* call(owner, at, { method: "PATCH", json: { expires_in_days: 1 } })
      assert.isTrue(yield* opens(slug, link.token))
    }))

  it.effect("revokes one link and no other; foreign, revoked and missing ones are refused with the same bytes", () =>
    Effect.gen(function*() {
      const { at, link, owner, path, slug } = yield* sharing
      const kept = (yield* create(owner, path)).json
      const foreign = yield* sharing
      const gone = yield* sharing
      yield* call(gone.owner, `/projects/${gone.slug}`, { method: "DELETE" })
      const revoked = yield* call(owner, at, { method: "DELETE" })
      assert.deepStrictEqual([revoked.status, revoked.json], [200, { status: "ok" }])
      const sql = yield* (yield* Service).inside(SqlClient.SqlClient)
      assert.deepStrictEqual(yield* Effect.orDie(sql`SELECT label FROM share_links WHERE id = ${link.id}`), [{ label: "" }], "nor is it remembered whom it was for")
      assert.isFalse(yield* opens(slug, link.token))
      assert.isTrue(yield* opens(slug, kept.token))
      assert.deepStrictEqual((yield* call(owner, path)).json.map((one: { id: string }) => one.id), [kept.id])

      const missing = yield* call(owner, `/share-links/${MISSING}`, { method: "DELETE" })
      refusedWith(missing, 404, "not_found", "id")
      for (const question of [{ method: "DELETE" }, { method: "PATCH", json: { label: "Bolt" } }]) {
        const tries: ReadonlyArray<readonly [Account, string]> = [[owner, at], [owner, foreign.at], [owner, `/share-links/${MISSING}`], [gone.owner, gone.at]]
        for (const [who, where] of tries) assert.deepStrictEqual(withoutId(yield* call(who, where, question)), withoutId(missing))
      }
      assert.deepInclude((yield* call(foreign.owner, foreign.path)).json[0], { id: foreign.link.id, label: "Acme" })
      assert.isTrue(yield* opens(foreign.slug, foreign.link.token))
    }))

  it.effect("strangers find nothing, members look, its owner and the workspace’s admins change", () =>
    Effect.gen(function*() {
      const { at, owner, path, slug, link } = yield* sharing
      const [stranger, member, admin] = [yield* (yield* Service).account(), yield* colleague(owner, "member"), yield* colleague(owner, "admin")]
      const doors: ReadonlyArray<readonly [path: string, question: Question]> = [
        [path, {}], [path, { json: { label: "Mine" } }], [at, { method: "PATCH", json: { label: "Mine" } }], [at, { method: "DELETE" }]
      ]
      for (const [where, question] of doors) {
        refusedWith(yield* call(undefined, where, question), 401, "auth_required")
        refusedWith(yield* call(stranger, where, question), 404, "not_found", where === path ? "slug" : "id")
      }
      for (const [where, question] of doors.slice(1)) refusedWith(yield* call(member, where, question), 403, "forbidden")
      const seen = yield* call(member, path)
      assert.deepStrictEqual(seen.json.map((one: { id: string; label: string }) => [one.id, one.label]), [[link.id, "Acme"]])

      assert.strictEqual((yield* create(admin, path, { label: "By an admin" })).status, 201)
      assert.strictEqual((yield* call(admin, at, { method: "PATCH", json: { label: "Theirs" } })).json.label, "Theirs")

      // A project in a private folder is only its owner's.
      const moment = new Date()
      yield* statement((sql) => sql`
        WITH folder AS (
          INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at)
          VALUES (gen_random_uuid(), ${owner.workspaceId}, 'Mine', 'private', ${owner.id}, ${moment}, ${moment}) RETURNING id
        ) UPDATE projects SET folder_id = folder.id FROM folder WHERE slug = ${slug}`)
      for (const who of [member, admin]) {
        for (const [where, question] of doors) refusedWith(yield* call(who, where, question), 404, "not_found", where === path ? "slug" : "id")
      }
      assert.strictEqual((yield* call(owner, path)).json.length, 2)
      assert.strictEqual((yield* call(owner, at, { method: "DELETE" })).status, 200)
    }))

  it.effect("opens its own project alone, and follows it to a new address, where the old one opens nothing", () =>
    Effect.gen(function*() {
      const { link, owner, path, slug } = yield* sharing
      assert.isFalse(yield* opens((yield* project).slug, link.token))
      yield* call(owner, `/projects/${slug}`, { method: "PATCH", json: { slug: `${slug}-new` } })
      refusedWith(yield* call(owner, path), 404, "not_found", "slug")
      assert.isFalse(yield* opens(slug, link.token))
      assert.isTrue(yield* opens(`${slug}-new`, link.token))
      const later = (yield* create(owner, `/projects/${slug}-new/share-links`)).json
      assert.include(later.share_url, `//${slug}-new.svc.localhost:`)
    }))

  it.effect("is changed and revoked while its project moves to another address", () =>
    Effect.gen(function*() {
      const { at, owner, slug } = yield* sharing
      const service = yield* Service
      for (const [index, question] of ([{ method: "PATCH", json: { label: "Bolt" } }, { method: "DELETE" }] as const).entries()) {
        yield* service.inside(Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          // The link is read, and its project not yet.
          const free = yield* locked("LOCK TABLE folders IN ACCESS EXCLUSIVE MODE")
          const answer = yield* Effect.forkChild(Effect.provideService(call(owner, at, question), Service, service))
          yield* Effect.repeat(waiting(sql), { until: (many) => many > 0, schedule: Schedule.spaced("20 millis") })
          yield* Effect.orDie(sql`UPDATE projects SET slug = ${`${slug}-${index}`} WHERE slug LIKE ${`${slug}%`}`)
          yield* free
          const { status, text } = yield* Fiber.join(answer)
          assert.strictEqual(status, 200, text)
        }))
      }
      refusedWith(yield* call(owner, at, { method: "DELETE" }), 404, "not_found", "id")
    }))

  it.effect("holds a thousand: of 60 at once for the last place one is made, and a revoked one makes room", () =>
    Effect.gen(function*() {
      const { at, link, owner, path } = yield* sharing
      yield* statement((sql) => sql`
        INSERT INTO share_links (id, project_id, label, hash, notify_on_first_open, created_by, created_at, expires_at)
        SELECT gen_random_uuid(), l.project_id, 'Filler', 'filler ' || n, false, l.created_by, l.created_at, l.created_at
        FROM share_links l, generate_series(1, 998) n WHERE l.id = ${link.id}`)
      const tries = yield* Effect.forEach(Array.from({ length: 60 }), () => create(owner, path), { concurrency: "unbounded" })
      assert.strictEqual(tries.filter((answer) => answer.status === 201).length, 1)
      for (const answer of tries.filter((answer) => answer.status !== 201)) refusedWith(answer, 409, "conflict")
      assert.strictEqual((yield* call(owner, path)).json.length, 1_000)

      const revokes = yield* Effect.forEach(Array.from({ length: 50 }), () => call(owner, at, { method: "DELETE" }), { concurrency: "unbounded" })
      assert.deepStrictEqual(revokes.map((answer) => answer.status).sort(), [200, ...Array.from({ length: 49 }, () => 404)])
      assert.strictEqual((yield* create(owner, path)).status, 201)
      refusedWith(yield* create(owner, path), 409, "conflict")
      assert.strictEqual((yield* create((yield* project).owner, path)).status, 404)
    }))
})
