/** Every endpoint of openapi.json and every kind of caller: another's things are answered like missing ones, and stay as they are. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { UNFOLLOWED } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { signIn } from "../support/member-pass.ts"
import type { Known, Operation } from "../support/operations.ts"
import { operations } from "../support/operations.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { ask, homeless, member } from "../support/team.ts"
import type { Person } from "../support/team.ts"

type It = typeof Service.Service

const MISSING = "01900000-0000-7000-8000-000000000000"
const MARK = "zanzibar"

/** Endpoints whose `id` is one of these. */
const kinds = { comments: "comment", folders: "folder", "share-links": "link", me: "grant" } as const

type Things = Readonly<Record<"comment" | "folder" | "grant" | "invite" | "link" | "slug" | "token" | "user" | "workspace", string>>

const missing: Things = {
  comment: MISSING, folder: MISSING, grant: MISSING, invite: MISSING, link: MISSING, slug: "no-such-project", token: MISSING, user: MISSING, workspace: MISSING
}

/** A workspace with one of everything, all of it bearing the mark. */
const settled = Effect.fnUntraced(function*(owner: Account, mark = MARK) {
  const user = (yield* member(owner, "member")).id
  const at = `workspace=${owner.workspaceId}`
  yield* ask(owner, "PATCH", `/v1/workspace?${at}`, { name: MARK })
  const folder = (yield* ask(owner, "POST", "/v1/folders", { name: MARK, workspace: owner.workspaceId })).json.id as string
  const slug = `${mark}-plan`
  const { ask: send } = yield* Service
  yield* send(`/v1/projects/${slug}?title=${MARK}`, { method: "PUT", body: `<h1>${MARK}</h1>`, headers: { ...owner.bearer, "content-type": "text/html" } })
  assert.strictEqual((yield* ask(owner, "PATCH", `/v1/projects/${slug}`, { comments_enabled: true, comment_access: "anyone", visibility: "private" })).status, 200)
  const comment = (yield* ask(owner, "POST", `/v1/projects/${slug}/comments`, { body: MARK })).json.id as string
  const link = (yield* ask(owner, "POST", `/v1/projects/${slug}/share-links`, { label: MARK })).json.id as string
  const invite = (yield* ask(owner, "POST", `/v1/workspace/invites?${at}`, { email: `${MARK}@example.com`, role: "member" })).json.id as string
  const [{ id: token }] = (yield* ask(owner, "GET", "/v1/tokens")).json
  // As if the page were a picture.
  const { inside } = yield* Service
  yield* inside(Effect.orDie(SqlClient.SqlClient.use((sql) => sql`
    INSERT INTO thumbnails (version_id, image, width, height, drawn_at) SELECT current_version_id, ${Buffer.from(MARK)}, 1, 1, now() FROM projects WHERE slug = ${slug}`)))
  const things: Things = { comment, folder, grant: token, invite, link, slug, token, user, workspace: owner.workspaceId }
  for (const [what, id] of Object.entries(things)) assert.isString(id, what)
  return things
})

/** A request that names these things wherever it can, optional ones too. */
const request = (operation: Operation, things: Things) => {
  const kind = kinds[/^\w+ \/v1\/([\w-]+)/.exec(operation.name)?.[1] as keyof typeof kinds]
  const named: Known = {
    slug: things.slug, workspace: things.workspace, folder_id: things.folder, token_id: things.token, user_id: things.user, invite_id: things.invite,
    target_type: "workspace", target_id: things.workspace, version: 1, from: 1, to: 1, ...(kind === undefined ? {} : { id: things[kind] })
  }
  const { path, question } = operation.request(named)
  const inBody = question.body instanceof Uint8Array || (question.json as Known | undefined)?.["workspace"] !== undefined
  const optional = operation.names.has("workspace") && !inBody && !path.includes("workspace=")
  return { path: optional ? `${path}${path.includes("?") ? "&" : "?"}workspace=${things.workspace}` : path, question }
}

const send = (service: It, operation: Operation, things: Things, person?: Person) => {
  const { path, question } = request(operation, things)
  return service.ask(path, { ...question, headers: { ...question.headers, ...person?.bearer } })
}

const said = ({ status, text }: Answer) => `${status} ${text}`

/** Endpoints that may tell others that a name is taken. */
const NAMES = ["GET /v1/projects/{slug}/available", "PUT /v1/projects/{slug}"]

const NAMING = ["folder_id", "id", "invite_id", "slug", "target_id", "token_id", "user_id", "workspace"]
/** Concerns only the caller: the id that it shows is sent back and ignored. */
const OWN = "PATCH /v1/me"
const foreign = operations.filter(({ doors, name, names }) => name !== OWN && doors.has("bearer") && NAMING.some((one) => names.has(one)))

/** What a member may do with another member's project, folder and comment in their workspace. */
const MEMBERS = [
  ...["", "/files", "/missing", "/available", "/versions/{version}/download", "/versions/{version}/thumbnail", "/versions/{from}/compare/{to}", "/comment-allowlist", "/share-links", "/comments", "/comment-notifications", "/analytics"]
    .map((what) => `GET /v1/projects/{slug}${what}`),
  "GET /v1/projects", "GET /v1/folders", "POST /v1/folders", "GET /v1/folders/{id}/comment-allowlist", "GET /v1/workspace/comment-allowlist", "GET /v1/workspace/members",
  "POST /v1/projects/{slug}/comments", "POST /v1/comments/{id}/replies", "POST /v1/comments/{id}/resolve", "POST /v1/comments/{id}/reopen",
  "PUT /v1/projects/{slug}/comment-notifications"
]

/** Every row that belongs to somebody, as one text; counts of tries and days belong to nobody. */
const rows = (service: It) =>
  service.inside(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const tables = ["workspaces", "members", "folders", "projects", "versions", "share_links", "comments", "invites", "api_tokens", "mails", "exports", "audit_entries", "users"]
    // Mails are sent meanwhile, which changes their rows; an additional mail would show.
    const sum = (name: string) => name === "mails" ? "0" : "coalesce(sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)), 0)"
    const sums = tables.map((name) => `SELECT '${name}' || count(*) || ':' || ${sum(name)} AS sum FROM "${name}" t`)
    return (yield* sql.unsafe<{ sum: string }>(sums.join(" UNION ALL "))).map(({ sum }) => sum).sort().join("\n")
  }).pipe(Effect.orDie))

layer(serviceWith(), { excludeTestServices: true })("tenancy", (it) => {
  it.effect("nobody, a stranger, a removed member and somebody without a workspace meet a foreign id as a missing one, at every door", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account({ plan: "agency" })
      const theirs = yield* settled(owner)
      const [stranger, removed, hal] = [yield* service.account(), yield* member(owner, "admin"), yield* homeless]
      assert.strictEqual((yield* ask(owner, "DELETE", `/v1/workspace/members/${removed.id}?workspace=${owner.workspaceId}`)).status, 200)
      const before = yield* rows(service)
      for (const door of operations.filter(({ doors }) => doors.size > 0)) {
        const { path, question } = request(door, theirs)
        const refused = yield* service.ask(path, { ...question, headers: { ...question.headers, ...UNFOLLOWED } })
        assert.deepStrictEqual([refused.status, refused.json.error.code], [401, "auth_required"], door.name)
      }
      for (const door of foreign.filter(({ name }) => !NAMES.includes(name))) {
        const tries = Object.entries({ stranger, removed, hal }).map(([who, person]) =>
          Effect.map(Effect.all([send(service, door, theirs, person), send(service, door, missing, person)]), ([met, none]) => ({ who, met, none })))
        for (const { met, none, who } of yield* Effect.all(tries, { concurrency: 3 })) {
          assert.strictEqual(said(met), said(none), `${door.name} to ${who}`)
          assert.notInclude(met.text, MARK, `${door.name} to ${who}`)
          assert.isTrue([403, 404, 422, 503].includes(met.status) || said(met) === "200 []", `${door.name} to ${who}: ${said(met)}`)
        }
      }
      for (const person of [stranger, removed, hal]) {
        const taken = yield* send(service, operations.find(({ name }) => name === NAMES[1])!, theirs, person)
        assert.oneOf(taken.status, [404, 409], taken.text)
        assert.notInclude(taken.text, owner.email)
      }
      assert.strictEqual(yield* rows(service), before)
      console.log(`tenancy: ${foreign.length} doors that name something met three strangers each`)
      assert.isAtLeast(foreign.length, 45)
    }))

  it.effect("a member who is no admin reads what is the workspace's, and changes nothing that is not their own", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account({ plan: "agency" })
      const theirs = yield* settled(owner, "madras")
      const plain = yield* member(owner, "member")
      const before = yield* rows(service)
      const met = new Map<string, Array<string>>()
      // The requests that the member may make come last: all others must leave no trace.
      for (const door of [...foreign].sort((a, b) => Number(MEMBERS.includes(a.name)) - Number(MEMBERS.includes(b.name)))) {
        if (MEMBERS.includes(door.name) && !met.has("2xx")) {
          assert.strictEqual(yield* rows(service), before)
          met.set("2xx", [])
        }
        const { status, text } = yield* send(service, door, theirs, plain)
        const as = status < 300 ? "2xx" : String(status)
        assert.isBelow(status, 500, text)
        met.set(as, [...met.get(as) ?? [], door.name])
      }
      assert.sameMembers(met.get("2xx")!, MEMBERS)
      assert.strictEqual((yield* service.ask(`/v1/workspace?workspace=${owner.workspaceId}`, { method: "PATCH", json: { name: "Theirs" }, headers: { ...plain.bearer, ...UNFOLLOWED } })).status, 403)
      // Other people's tokens and grants do not even show; of names, only that they are taken.
      assert.sameMembers(met.get("404")!, ["DELETE /v1/tokens/{token_id}", "DELETE /v1/me/grants/{id}"])
      assert.sameMembers(met.get("409")!, ["POST /v1/projects", "PUT /v1/projects/{slug}"])
      assert.sameMembers([...met.keys()], ["2xx", "403", "404", "409"])
    }))

  it.effect("what a page of another origin makes a browser load is answered as nobody's, whoever is signed in", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, stranger] = [yield* service.account({ plan: "agency" }), yield* service.account()]
      const theirs = yield* settled(owner, "mysore")
      const sessions = { member: yield* signIn(service, owner), stranger: yield* signIn(service, stranger) }
      const doors = operations.filter(({ doors, mutates }) => !mutates && doors.size > 0)
      assert.isAtLeast(doors.length, 20)
      for (const door of doors) {
        const { path } = request(door, theirs)
        const looked = (cookie: string, method: string, site: string, more: Readonly<Record<string, string>> = {}) =>
          Effect.map(service.ask(path, { method, headers: { cookie, "sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty", ...more } }), ({ headers, status, text }) => {
            const { date: _, "x-request-id": __, ...told } = headers
            return { status, text, told }
          })
        for (const [method, site] of [["GET", "same-site"], ["HEAD", "cross-site"]] as const) {
          const nobody = yield* looked("", method, site)
          assert.strictEqual(nobody.status, 401, door.name)
          for (const cookie of Object.values(sessions)) assert.deepStrictEqual(yield* looked(cookie, method, site), nobody, door.name)
        }
        const followed = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-user": "?1" }
        assert.strictEqual((yield* looked(sessions.member, "GET", "cross-site", followed)).status, 401, door.name)
      }
      const asked = (headers: Readonly<Record<string, string>>) =>
        Effect.map(service.ask(`/v1/projects/${theirs.slug}`, { headers: { cookie: sessions.member, ...headers } }), ({ status }) => status)
      const read = [{}, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }, { "sec-fetch-site": "same-site", origin: "http://pages.svc.localhost" }]
      assert.deepStrictEqual(yield* Effect.forEach(read, asked), [200, 200, 200, 200])
      assert.strictEqual((yield* service.ask("/v1/projects/mysore-plan", { headers: { ...owner.bearer, "sec-fetch-site": "cross-site" } })).status, 200)
    }))

  it.effect("what lies in another workspace is not put into one’s own, nor one’s own into theirs", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, stranger] = [yield* service.account({ plan: "agency" }), yield* service.account({ plan: "agency" })]
      const theirs = yield* settled(owner, "malabar")
      const mine = yield* settled(stranger, "malacca")
      const before = yield* rows(service)
      const html = { body: "<h1>Hi</h1>", headers: { ...stranger.bearer, "content-type": "text/html" } }
      const tries = (folder: string, workspace: string, invite: string, user: string) => [
        service.ask(`/v1/projects/malacca-two?folder_id=${folder}`, { method: "PUT", ...html }),
        service.ask(`/v1/projects/malacca-two?workspace=${workspace}`, { method: "PUT", ...html }),
        service.ask(`/v1/projects/${mine.slug}?workspace=${workspace}`, { method: "PUT", ...html }),
        service.ask(`/v1/projects/${mine.slug}?folder_id=${folder}`, { method: "PUT", ...html }),
        ask(stranger, "PATCH", `/v1/projects/${mine.slug}`, { folder_id: folder }),
        ask(stranger, "GET", `/v1/projects?folder_id=${folder}`),
        ask(stranger, "GET", `/v1/projects?workspace=${workspace}&folder_id=${mine.folder}`),
        ask(stranger, "DELETE", `/v1/workspace/invites/${invite}`),
        ask(stranger, "POST", `/v1/workspace/invites/${invite}/resend`),
        ask(stranger, "PATCH", `/v1/workspace/members/${user}`, { role: "member" }),
        ask(stranger, "DELETE", `/v1/workspace/members/${user}`),
        ask(stranger, "DELETE", `/v1/workspace/invites/${theirs.invite}?workspace=${workspace}`),
        ask(stranger, "DELETE", `/v1/workspace/members/${theirs.user}?workspace=${workspace}`)
      ]
      const [met, none] = [yield* Effect.all(tries(theirs.folder, theirs.workspace, theirs.invite, theirs.user)), yield* Effect.all(tries(MISSING, MISSING, MISSING, MISSING))]
      for (const [index, answer] of met.entries()) {
        assert.strictEqual(said(answer), said(none[index]!))
        assert.isTrue(answer.status === 404 || answer.json.projects?.length === 0, `${index}: ${said(answer)}`)
      }
      assert.strictEqual(yield* rows(service), before)
    }))
})
