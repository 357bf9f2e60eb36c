/** Folders over the wire: who can see and change them, what moves in and out, and what a private one hides from whom. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { MAX_FOLDERS } from "../../src/domain/folders/rules.ts"
import type { Role } from "../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { code, form } from "../support/ask.ts"
import type { Answer, Question } from "../support/ask.ts"
import { memberPass } from "../support/member-pass.ts"
import { operations } from "../support/operations.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

type Running = typeof Service.Service

const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"

let names = 0
const fresh = (stem: string) => `${stem}-${++names}`

const ask = (service: Running, account: Account, method: string, path: string, json?: unknown) =>
  service.ask(path, { method, headers: account.bearer, ...(json === undefined ? {} : { json }) })

const joins = (service: Running, account: Account, { workspaceId }: Account, role: Role) =>
  service.inside(Effect.gen(function*() {
    yield* (yield* WorkspaceStore).join(account.id, { workspaceId, role, isOwner: false }, yield* DateTime.now)
  }))

/** A workspace of `admin`, in which `creator` and `member` are plain members and `stranger` is nobody. */
const team = Effect.gen(function*() {
  const service = yield* Service
  const [admin, creator, member, stranger] = [yield* service.account({ plan: "agency" }), yield* service.account(), yield* service.account(), yield* service.account()]
  yield* joins(service, creator, admin, "member")
  yield* joins(service, member, admin, "member")
  return { service, admin, creator, member, stranger, within: `workspace=${admin.workspaceId}` }
})

const make = (service: Running, account: Account, workspace: string, sharing: "private" | "team") =>
  Effect.map(ask(service, account, "POST", "/v1/folders", { name: "Reports", sharing, workspace }), ({ json, status, text }) => {
    assert.strictEqual(status, 201, text)
    return String(json.id)
  })

const publish = (service: Running, account: Account, slug: string, query: string, headers: Record<string, string> = {}) =>
  service.ask(`/v1/projects/${slug}?${query}`, { method: "PUT", body: "<h1>Hi</h1>", headers: { ...account.bearer, "content-type": "text/html", ...headers } })

const project = (service: Running, account: Account, query: string) => {
  const slug = fresh("held")
  return Effect.map(publish(service, account, slug, query), ({ status, text }) => {
    assert.strictEqual(status, 201, text)
    return slug
  })
}

const move = (service: Running, account: Account, slug: string, folder: string | null) =>
  ask(service, account, "PATCH", `/v1/projects/${slug}`, { folder_id: folder })

const folderOf = (service: Running, account: Account, slug: string) =>
  Effect.map(ask(service, account, "GET", `/v1/projects/${slug}`), ({ json }) => json.folder_id as string | null)

const seenIn = (answer: Answer): ReadonlyArray<string> => answer.json.folders.map((folder: { id: string }) => folder.id)

layer(serviceWith(), { excludeTestServices: true })("folders", (it) => {
  it.effect("are made, listed newest first in pages, renamed and deleted", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const made = yield* ask(service, account, "POST", "/v1/folders", { name: "  Reports  " })
      assert.strictEqual(made.status, 201)
      const { created_at, id, updated_at, ...rest } = made.json
      assert.deepStrictEqual(rest, { name: "Reports", sharing: "team", project_count: 0, created_by: { id: account.id, name: "Ada Example" } })
      assert.strictEqual(created_at, updated_at)
      const second = yield* make(service, account, account.workspaceId, "private")
      const third = yield* make(service, account, account.workspaceId, "team")
      yield* project(service, account, `folder_id=${third}`)
      const deleted = yield* project(service, account, `folder_id=${third}`)
      yield* ask(service, account, "DELETE", `/v1/projects/${deleted}`)

      const first = yield* ask(service, account, "GET", "/v1/folders?limit=2")
      assert.deepStrictEqual([seenIn(first), first.json.folders[0].project_count, first.json.next_cursor], [[third, second], 1, second])
      const next = yield* ask(service, account, "GET", `/v1/folders?limit=2&cursor=${second}`)
      assert.deepStrictEqual([seenIn(next), next.json.next_cursor], [[id], null])

      const renamed = yield* ask(service, account, "PATCH", `/v1/folders/${third}`, { name: "Decks", project_count: 9, id: "x", created_by: null, created_at: 1 })
      assert.deepStrictEqual([renamed.status, renamed.json.name, renamed.json.sharing, renamed.json.project_count], [200, "Decks", "team", 1])
      assert.isAbove(Date.parse(renamed.json.updated_at), Date.parse(renamed.json.created_at) - 1)
      const gone = yield* ask(service, account, "DELETE", `/v1/folders/${id}`)
      assert.deepStrictEqual([gone.status, gone.json], [200, { status: "ok" }])
      assert.deepStrictEqual(code(yield* ask(service, account, "DELETE", `/v1/folders/${id}`)), [404, "not_found", "id"])
      assert.deepStrictEqual(seenIn(yield* ask(service, account, "GET", "/v1/folders")), [third, second])
    }))

  it.effect("refuse what does not fit, and say where", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const id = yield* make(service, account, account.workspaceId, "team")
      const wrong: ReadonlyArray<readonly [method: string, path: string, json: unknown, field: string]> = [
        ["POST", "/v1/folders", {}, "name"],
        ["POST", "/v1/folders", { name: "  " }, "name"],
        ["POST", "/v1/folders", { name: "x".repeat(101) }, "name"],
        ["POST", "/v1/folders", { name: "a\u0000b" }, "name"],
        ["POST", "/v1/folders", { name: "a", sharing: "public" }, "sharing"],
        ["POST", "/v1/folders", { name: "a", workspace: "home" }, "workspace"],
        ["POST", "/v1/folders?workspace=home", { name: "a" }, "workspace"],
        ["POST", `/v1/folders?workspace=${account.workspaceId}`, { name: "a", workspace: id }, "workspace"],
        ["PATCH", `/v1/folders/${id}`, { nmae: "a" }, "nmae"],
        ["PATCH", `/v1/folders/${id}`, { name: null }, "name"],
        ["PATCH", `/v1/folders/${id}`, { sharing: null }, "sharing"],
        ["PATCH", "/v1/folders/first", { name: "a" }, "id"],
        ["DELETE", `/v1/folders/${id}?move_projects=perhaps`, undefined, "move_projects"],
        ["GET", "/v1/folders?cursor=1", undefined, "cursor"],
        ["GET", "/v1/folders?limit=101", undefined, "limit"]
      ]
      for (const [method, path, json, field] of wrong) {
        assert.deepStrictEqual(code(yield* ask(service, account, method, path, json)), [422, "validation_error", field], `${method} ${path} ${JSON.stringify(json)}`)
      }
      const all = yield* ask(service, account, "GET", "/v1/folders")
      assert.deepStrictEqual(all.json.folders.map(({ name }: { name: string }) => name), ["Reports"])
      assert.strictEqual((yield* ask(service, account, "POST", "/v1/folders", { name: "x".repeat(100), sharing: null })).json.sharing, "team")
    }))

  it.effect("are a member's to make in the workspace that is named, and no stranger's", () =>
    Effect.gen(function*() {
      const { admin, creator, service, stranger, within } = yield* team
      const byQuery = yield* ask(service, creator, "POST", `/v1/folders?${within}`, { name: "One" })
      const byBody = yield* ask(service, creator, "POST", "/v1/folders", { name: "Two", workspace: admin.workspaceId })
      const atHome = yield* ask(service, creator, "POST", "/v1/folders", { name: "Three" })
      assert.deepStrictEqual(seenIn(yield* ask(service, admin, "GET", "/v1/folders")), [byBody.json.id, byQuery.json.id])
      assert.deepStrictEqual(seenIn(yield* ask(service, creator, "GET", "/v1/folders")), [atHome.json.id])
      for (const [method, json] of [["GET", undefined], ["POST", { name: "Mine" }]] as const) {
        assert.deepStrictEqual(code(yield* ask(service, stranger, method, `/v1/folders?${within}`, json)), [404, "not_found", "workspace"])
      }
    }))

  it.effect("of the team are seen by all members, and handled by their creator and the admins", () =>
    Effect.gen(function*() {
      const { admin, creator, member, service, stranger, within } = yield* team
      const id = yield* make(service, creator, admin.workspaceId, "team")
      for (const account of [admin, creator, member]) assert.include(seenIn(yield* ask(service, account, "GET", `/v1/folders?${within}`)), id)
      const path = `/v1/folders/${id}`
      assert.deepStrictEqual(code(yield* ask(service, member, "PATCH", path, { name: "Mine" })), [403, "forbidden", null])
      assert.deepStrictEqual(code(yield* ask(service, member, "DELETE", path)), [403, "forbidden", null])
      assert.deepStrictEqual(code(yield* ask(service, stranger, "PATCH", path, { name: "Mine" })), [404, "not_found", "id"])
      assert.deepStrictEqual(code(yield* ask(service, stranger, "DELETE", path)), [404, "not_found", "id"])
      assert.deepStrictEqual(code(yield* ask(service, admin, "PATCH", path, { sharing: "private" })), [403, "forbidden", "sharing"])
      const renamed = yield* ask(service, admin, "PATCH", path, { name: "Ours", sharing: "team" })
      assert.deepStrictEqual([renamed.status, renamed.json.name, renamed.json.sharing], [200, "Ours", "team"])
      assert.strictEqual((yield* ask(service, admin, "DELETE", path)).status, 200)
    }))

  it.effect("of somebody else, when private, answer as one that is not there", () =>
    Effect.gen(function*() {
      const { admin, creator, member, service, stranger, within } = yield* team
      const hidden = yield* make(service, creator, admin.workspaceId, "private")
      const inside = yield* project(service, creator, `${within}&folder_id=${hidden}`)
      for (const account of [admin, member, stranger]) {
        // A stranger has a project of its own at home; the others have one in the workspace.
        const home = account === stranger ? `workspace=${stranger.workspaceId}` : within
        const own = yield* project(service, account, home)
        const asked: ReadonlyArray<(id: string) => Effect.Effect<Answer>> = [
          (id) => ask(service, account, "PATCH", `/v1/folders/${id}`, { name: "Mine" }),
          (id) => ask(service, account, "DELETE", `/v1/folders/${id}?move_projects=true`),
          (id) => ask(service, account, "GET", `/v1/projects?${home}&folder_id=${id}`),
          (id) => move(service, account, own, id),
          (id) => publish(service, account, own, `folder_id=${id}`),
          (id) => publish(service, account, fresh("new"), `${home}&folder_id=${id}`)
        ]
        for (const [at, one] of asked.entries()) {
          const [there, missing] = [yield* one(hidden), yield* one(MISSING)]
          assert.deepStrictEqual([there.status, there.json.error.code], [404, "not_found"], `${at}: ${there.text}`)
          assert.strictEqual(there.text, missing.text)
        }
        assert.isNull(yield* folderOf(service, account, own))
        if (account !== stranger) assert.notInclude(seenIn(yield* ask(service, account, "GET", `/v1/folders?${within}`)), hidden)
      }
      const mine = yield* ask(service, creator, "GET", `/v1/folders?${within}`)
      assert.deepStrictEqual([seenIn(mine), mine.json.folders[0].name, mine.json.folders[0].project_count], [[hidden], "Reports", 1])
      const listed = yield* ask(service, creator, "GET", `/v1/projects?${within}&folder_id=${hidden}`)
      assert.deepStrictEqual(listed.json.projects.map(({ slug }: { slug: string }) => slug), [inside])
    }))

  it.effect("hide a project on every route of the API, for everybody but its creator", () =>
    Effect.gen(function*() {
      const { admin, creator, member, service, stranger, within } = yield* team
      const hidden = yield* make(service, creator, admin.workspaceId, "private")
      const slug = yield* project(service, creator, `${within}&folder_id=${hidden}&visibility=private`)
      const free = fresh("nobodys")
      const routes = operations.filter(({ name }) => name.includes("/v1/projects/{slug}"))
      const question = (account: Account | undefined, question: Question) => ({ ...question, headers: { ...question.headers, ...account?.bearer } })
      const at = (route: (typeof routes)[number], name: string, account: Account | undefined) => {
        const { path, question: asked } = route.request({ slug: name, version: 1, title: "Another title" })
        return service.ask(path, question(account, asked))
      }
      for (const route of routes) {
        for (const account of [admin, member, stranger]) {
          // Its address stays taken, which anyone could find out by opening it.
          if (route.name === "PUT /v1/projects/{slug}") {
            assert.deepStrictEqual(code(yield* at(route, slug, account)), [409, "slug_taken", "slug"])
          } else if (route.name === "GET /v1/projects/{slug}/available") {
            assert.deepStrictEqual((yield* at(route, slug, account)).json, { slug, available: false, reason: "slug_taken" })
          } else {
            const [there, missing] = [yield* at(route, slug, account), yield* at(route, free, account)]
            assert.deepStrictEqual([there.status, there.json.error.code], [404, "not_found"], `${route.name}: ${there.text}`)
            assert.strictEqual(there.text, missing.text, route.name)
          }
        }
        const nobody = yield* at(route, slug, undefined)
        if (route.doors.size > 0) assert.strictEqual(nobody.status, 401, route.name)
        else assert.isAtLeast(nobody.status, 400, route.name)
      }
      for (const account of [admin, member]) {
        const listed = yield* ask(service, account, "GET", `/v1/projects?${within}`)
        assert.notInclude(listed.text, slug)
        const taken = form({ name: "slug", value: slug }, { name: "workspace", value: admin.workspaceId })
        assert.deepStrictEqual(code(yield* service.ask("/v1/projects", question(account, taken))), [409, "slug_taken", "slug"])
        const renamed = yield* project(service, account, within)
        assert.deepStrictEqual(code(yield* ask(service, account, "PATCH", `/v1/projects/${renamed}`, { slug })), [409, "slug_taken", "slug"])
      }
      // Everything is still there, and its creator can use it: nothing above was refused for another reason.
      const detail = yield* ask(service, creator, "GET", `/v1/projects/${slug}`)
      assert.deepStrictEqual([detail.status, detail.json.version, detail.json.title], [200, 1, slug])
      let worked = 0
      for (const route of routes) {
        const own = yield* project(service, creator, `${within}&folder_id=${hidden}`)
        if ((yield* at(route, own, creator)).status < 300) worked++
      }
      assert.isAtLeast(worked, 8)
      console.log(`folders: ${routes.length} routes of a project asked; its creator did ${worked}, everybody else found nothing`)
    }))

  it.effect("when private take their creator's projects only, by whichever door", () =>
    Effect.gen(function*() {
      const { admin, creator, service, within } = yield* team
      const own = yield* make(service, admin, admin.workspaceId, "private")
      const theirs = yield* project(service, creator, within)
      assert.deepStrictEqual(code(yield* move(service, admin, theirs, own)), [403, "forbidden", "folder_id"])
      assert.deepStrictEqual(code(yield* publish(service, admin, theirs, `folder_id=${own}`, { "if-match": "*" })), [403, "forbidden", "folder_id"])
      const detail = yield* ask(service, creator, "GET", `/v1/projects/${theirs}`)
      assert.deepStrictEqual([detail.json.folder_id, detail.json.version], [null, 1])

      const mine = yield* project(service, admin, `folder_id=${own}`)
      assert.strictEqual(yield* folderOf(service, admin, mine), own)
      assert.strictEqual((yield* ask(service, creator, "GET", `/v1/projects/${mine}`)).status, 404)
      assert.strictEqual((yield* move(service, admin, mine, null)).json.folder_id, null)
      assert.strictEqual((yield* ask(service, creator, "GET", `/v1/projects/${mine}`)).status, 200)
    }))

  it.effect("take no project of another workspace", () =>
    Effect.gen(function*() {
      const { admin, creator, service, within } = yield* team
      const elsewhere = yield* make(service, creator, creator.workspaceId, "team")
      const here = yield* make(service, creator, admin.workspaceId, "team")
      const slug = yield* project(service, creator, `${within}&folder_id=${here}`)
      assert.deepStrictEqual(code(yield* move(service, creator, slug, elsewhere)), [404, "not_found", "folder_id"])
      assert.deepStrictEqual(code(yield* publish(service, creator, slug, `folder_id=${elsewhere}`)), [404, "not_found", "folder_id"])
      assert.deepStrictEqual(code(yield* publish(service, creator, fresh("new"), `folder_id=${here}`)), [404, "not_found", "folder_id"])
      const filed = form({ name: "folder_id", value: here })
      assert.deepStrictEqual(code(yield* service.ask("/v1/projects", { ...filed, headers: { ...filed.headers, ...creator.bearer } })), [404, "not_found", "folder_id"])
      assert.deepStrictEqual(code(yield* ask(service, creator, "GET", `/v1/projects?folder_id=${here}`)), [404, "not_found", "folder_id"])
      assert.strictEqual(yield* folderOf(service, creator, slug), here)
    }))

  it.effect("turn private when nobody else's project lies there, and show all again when they turn back", () =>
    Effect.gen(function*() {
      const { admin, creator, member, service, within } = yield* team
      const id = yield* make(service, creator, admin.workspaceId, "team")
      const mine = yield* project(service, creator, `${within}&folder_id=${id}&visibility=private`)
      const pass = yield* memberPass(service, member, mine)
      const opened = Effect.map(service.ask("/", { host: `${mine}.svc.localhost`, headers: { cookie: pass } }), ({ status }) => status)
      const theirs = yield* project(service, member, `${within}&folder_id=${id}`)
      const gone = yield* project(service, member, `${within}&folder_id=${id}`)
      assert.strictEqual((yield* ask(service, member, "DELETE", `/v1/projects/${gone}`)).status, 200)

      const refused = yield* ask(service, creator, "PATCH", `/v1/folders/${id}`, { sharing: "private", name: "Secret" })
      assert.deepStrictEqual([...code(refused), refused.json.error.details.projects], [409, "conflict", "sharing", 1])
      const still = yield* ask(service, member, "GET", `/v1/folders?${within}`)
      assert.deepStrictEqual([still.json.folders[0].name, still.json.folders[0].sharing], ["Reports", "team"])

      assert.strictEqual((yield* move(service, member, theirs, null)).status, 200)
      assert.strictEqual((yield* ask(service, creator, "PATCH", `/v1/folders/${id}`, { sharing: "private" })).json.sharing, "private")
      assert.strictEqual(yield* opened, 403, "a pass from before")
      for (const account of [admin, member]) {
        assert.strictEqual((yield* ask(service, account, "GET", `/v1/projects/${mine}`)).status, 404)
        assert.deepStrictEqual(seenIn(yield* ask(service, account, "GET", `/v1/folders?${within}`)), [])
      }
      assert.strictEqual((yield* ask(service, admin, "PATCH", `/v1/folders/${id}`, { sharing: "team" })).status, 404)
      assert.strictEqual((yield* ask(service, creator, "PATCH", `/v1/folders/${id}`, { sharing: "team" })).json.sharing, "team")
      assert.strictEqual((yield* ask(service, member, "GET", `/v1/projects/${mine}`)).json.folder_id, id)
      assert.strictEqual(yield* opened, 200)
    }))

  it.effect("go with projects in them only when told to, and leave those in the workspace", () =>
    Effect.gen(function*() {
      const { admin, creator, member, service, within } = yield* team
      const id = yield* make(service, creator, admin.workspaceId, "team")
      const slugs = [yield* project(service, creator, `${within}&folder_id=${id}`), yield* project(service, member, `${within}&folder_id=${id}`)]
      for (const query of ["", "?move_projects=false"]) {
        const refused = yield* ask(service, creator, "DELETE", `/v1/folders/${id}${query}`)
        assert.deepStrictEqual([...code(refused), refused.json.error.details], [409, "conflict", null, { projects: 2 }])
      }
      assert.strictEqual(yield* folderOf(service, member, slugs[1]!), id)
      assert.strictEqual((yield* ask(service, creator, "DELETE", `/v1/folders/${id}?move_projects=true`)).status, 200)
      for (const slug of slugs) {
        assert.isNull(yield* folderOf(service, member, slug))
        assert.strictEqual((yield* service.ask("/", { host: `${slug}.svc.localhost` })).status, 200)
      }
    }))

  it.effect("never leave a project pointing nowhere, when fifty move in while the folder goes", () =>
    Effect.gen(function*() {
      const { admin, creator, service, within } = yield* team
      const slugs = yield* Effect.forEach(Array.from({ length: 50 }), () => {
        const empty = form({ name: "workspace", value: admin.workspaceId })
        return Effect.map(service.ask("/v1/projects", { ...empty, headers: { ...empty.headers, ...creator.bearer } }), ({ json }) => String(json.slug))
      }, { concurrency: 10 })
      for (const [query, at] of [["?move_projects=true", 20], ["", 3]] as const) {
        const id = yield* make(service, creator, admin.workspaceId, "team")
        const moves = slugs.map((slug) => move(service, creator, slug, id))
        moves.splice(at, 0, ask(service, creator, "DELETE", `/v1/folders/${id}${query}`))
        const answers = yield* Effect.all(moves, { concurrency: "unbounded" })
        const deleted = answers.splice(at, 1)[0]!
        const kept = deleted.status === 409
        assert.isTrue(deleted.status === 200 || (kept && query === ""), deleted.text)
        for (const answer of answers) assert.isTrue(answer.status === 200 || (!kept && answer.status === 404), answer.text)
        const listed = (yield* ask(service, creator, "GET", `/v1/projects?${within}&limit=100`)).json.projects as ReadonlyArray<{ folder_id: string | null }>
        assert.strictEqual(listed.length, 50)
        assert.isTrue(listed.every(({ folder_id }) => folder_id === (kept ? id : null)))
        assert.strictEqual(seenIn(yield* ask(service, creator, "GET", `/v1/folders?${within}`)).includes(id), kept)
        console.log(`folders: a delete${query} among fifty moves answered ${deleted.status}, ${answers.filter(({ status }) => status === 200).length} moves were in time`)
        if (kept) yield* ask(service, creator, "DELETE", `/v1/folders/${id}?move_projects=true`)
      }
    }))

  it.effect("never hide somebody's project, when it moves in while the folder turns private", () =>
    Effect.gen(function*() {
      const { admin, creator, member, service, within } = yield* team
      const slug = yield* project(service, member, within)
      for (let round = 0; round < 10; round++) {
        const id = yield* make(service, creator, admin.workspaceId, "team")
        const turn = ask(service, creator, "PATCH", `/v1/folders/${id}`, { sharing: "private" })
        const race = [turn, move(service, member, slug, id)]
        yield* Effect.all(round % 2 === 0 ? race : race.toReversed(), { concurrency: "unbounded" })
        assert.strictEqual((yield* ask(service, member, "GET", `/v1/projects/${slug}`)).status, 200)
      }
    }))

  it.effect("end at a thousand a workspace, however many are made at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* service.inside(SqlClient.SqlClient.use((sql) => sql`
        INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at)
        SELECT gen_random_uuid(), ${account.workspaceId}, 'Old', 'private', ${account.id}, to_timestamp(0), to_timestamp(0)
        FROM generate_series(1, ${MAX_FOLDERS - 2}::int)`))
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => ask(service, account, "POST", "/v1/folders", { name: "New" })), { concurrency: "unbounded" })
      const made = answers.filter(({ status }) => status === 201)
      assert.strictEqual(made.length, 2)
      assert.isTrue(answers.every((answer) => answer.status === 201 || (answer.status === 409 && answer.json.error.code === "conflict")))
      yield* ask(service, account, "DELETE", `/v1/folders/${made[0]!.json.id}`)
      assert.strictEqual((yield* ask(service, account, "POST", "/v1/folders", { name: "New" })).status, 201)
    }))
})
