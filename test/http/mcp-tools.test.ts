/** Every tool of `/mcp`, called for real by the official client, its effect read back over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sweepUploadsOnce } from "../../src/workers/sweep-uploads.ts"
import { agentNow, consent } from "../support/agents.ts"
import { signIn } from "../support/oauth.ts"
import { foreignPatterns } from "../support/patterns.ts"
import { PIXEL } from "../support/pngs.ts"
import type { Account } from "../support/service.ts"
import { Service, serviceWith } from "../support/service.ts"
import { agentOf, raw, refused } from "../support/tools.ts"
import { member } from "../support/team.ts"
import { zipOf } from "../support/zips.ts"

type It = typeof Service.Service

const get = (service: It, { bearer }: Account, path: string) => Effect.map(service.ask(path, { headers: bearer }), ({ json }) => json)

const page = (service: It, slug: string, path = "/") => service.ask(path, { host: `${slug}.svc.localhost` })

interface Shown {
  readonly description?: string
  readonly maxLength?: number
  readonly additionalProperties?: boolean
  readonly properties?: Readonly<Record<string, Shown>>
  readonly items?: Shown
  readonly anyOf?: ReadonlyArray<Shown>
}

const SPECIFIED = ["publish", "update", "list_projects", "list_folders", "create_folder", "update_folder", "delete_folder", "move_project", "get_comments", "resolve_comment", "reply_comment", "edit_comment", "delete_comment", "set_visibility", "create_share_link", "get_project_link", "get_analytics"]
const BESIDE = ["read_project", "list_versions", "restore_version", "list_share_links", "revoke_share_link", "delete_project", "set_commenters", "catch_up", "begin_upload", "append_upload", "finish_upload"]

layer(serviceWith(), { excludeTestServices: true })("agents’ tools", (it) => {
  it.effect("every tool does what it says", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { call, called, fails, tools } = yield* agentOf(service, account)
      assert.sameMembers(tools.map(({ name }) => name), [...SPECIFIED, ...BESIDE])
      for (const { annotations, description, inputSchema, name, outputSchema, title } of tools) {
        assert.isTrue(title !== undefined && (description?.length ?? 0) > 30, name)
        assert.hasAllKeys(annotations, ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"], name)
        assert.deepStrictEqual([inputSchema.type, outputSchema?.["type"]], ["object", "object"], name)
        const walk = (at: string, { anyOf, items, properties, ...schema }: Shown): void => {
          for (const one of [...anyOf ?? [], ...items === undefined ? [] : [items]]) walk(at, one)
          if (properties !== undefined) assert.strictEqual(schema.additionalProperties, annotations?.readOnlyHint === true ? undefined : false, at)
          for (const [key, property] of Object.entries(properties ?? {})) {
            assert.property(property, "description", `${at}.${key}`)
            walk(`${at}.${key}`, property)
          }
        }
        walk(name, inputSchema as Shown)
        // Some agents' libraries can say neither several types of one argument nor null: what may be left out says one.
        const { properties = {}, required = [] } = inputSchema as Shown & { readonly required?: ReadonlyArray<string> }
        for (const [key, given] of Object.entries(properties)) {
          if (!required.includes(key)) assert.notInclude(JSON.stringify(given), "\"null\"", `${name}.${key}`)
          assert.isFalse(Array.isArray((given as { readonly type?: unknown }).type), `${name}.${key}`)
        }
      }
      const texts = (key: string) => tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties ?? {})).filter(([name]) => name === key).map(([, given]) => given as Shown)
      for (const [key, maxLength] of [["title", 200], ["label", 100], ["name", 100], ["query", 200], ["body", 10_000]] as const) {
        for (const given of texts(key)) assert.strictEqual((given.anyOf?.[0] ?? given).maxLength, maxLength, key)
      }
      assert.include(texts("since")[0]!.description, "at any offset")
      // Official clients compile what a tool answers with, and refuse an answer where they cannot.
      assert.deepStrictEqual(foreignPatterns(tools), [])
      const all = JSON.stringify(tools)
      assert.include(all, "Pass it as since the next time")
      for (const noise of [`${Number.MIN_SAFE_INTEGER}`, "RFC 3339, UTC, with milliseconds"]) assert.notInclude(all, noise)
      // Every agent reads all of it before it begins.
      assert.isBelow(all.length, 80_000)

      // Publishing.
      const made = yield* call("publish", { slug: "tool-site", files: [{ path: "index.html", text: "<title>Plan</title>one" }, { path: "css/a.css", text: "a{}" }], comments_enabled: true, html_display_mode: "raw" })
      assert.deepInclude(made, { slug: "tool-site", url: `http://tool-site.svc.localhost:${service.port}`, kind: "site", version: 1, created: true, visibility: "public", password: null })
      assert.include(made.words, made.url)
      assert.include((yield* page(service, "tool-site")).text, "one")
      // As of a zip, the one folder that holds all of them is not served.
      const inFolder = (...names: ReadonlyArray<string>) => ({ slug: "tool-folder", files: names.map((path) => ({ path, text: path })) })
      const lifted = yield* call("publish", inFolder("dist/index.html", "dist/css/a.css"))
      assert.deepInclude(lifted, { kind: "site", version: 1 })
      assert.include(lifted.words, 'without the folder "dist/" that held them')
      assert.strictEqual((yield* page(service, "tool-folder", "/css/a.css")).text, "dist/css/a.css")
      assert.include(yield* fails("publish", inFolder("dist/index.html", "dist/_svc/a.css")), { code: "validation_error" })
      assert.include((yield* fails("publish", inFolder("dist/index.html", "css/a.css"))).message, "no index.html")
      const made_up = yield* call("publish", { text: "# Hi", content_type: "text/markdown", visibility: "password" })
      assert.deepInclude(made_up, { kind: "markdown", created: true, visibility: "password" })
      assert.isAtLeast(made_up.password.length, 8)
      const picture = PIXEL
      assert.deepInclude(yield* call("publish", { slug: "tool-image", base64: picture.toString("base64") }), { kind: "image" })

      // Updating: files by path, the whole content, or settings.
      assert.strictEqual((yield* call("update", { slug: "tool-site", files: [{ path: "b.html", text: "two" }], delete_files: ["css/a.css"] })).version, 2)
      assert.strictEqual((yield* page(service, "tool-site", "/b.html")).text, "two")
      assert.strictEqual((yield* page(service, "tool-site", "/css/a.css")).status, 404)
      assert.strictEqual((yield* call("update", { slug: "tool-image", text: "a,b\n1,2", content_type: "text/csv" })).kind, "data")
      const titled = yield* call("update", { slug: "tool-site", title: "The plan", expires_at: "2199-01-01T00:00:00Z" })
      assert.deepInclude(titled, { title: "The plan", version: 2, expires_at: "2199-01-01T00:00:00.000Z" })
      assert.strictEqual((yield* call("update", { slug: "tool-site", own_title: true })).title, "Plan")
      assert.strictEqual((yield* call("update", { slug: "tool-site", title: "The plan" })).title, "The plan")
      assert.strictEqual((yield* call("update", { slug: "tool-site", no_expiry: true, new_slug: "tool-plan" })).expires_at, null)
      assert.strictEqual((yield* page(service, "tool-site")).status, 404)
      assert.strictEqual((yield* fails("update", { slug: "tool-plan", title: "x", text: "y" })).code, "validation_error")
      assert.strictEqual((yield* get(service, account, "/v1/projects/tool-plan")).title, "The plan")

      // Reading and versions.
      const read = yield* call("read_project", { slug: "tool-plan", path: "/b.html" })
      assert.deepInclude(read, { version: 2, path: "b.html", text: "two", next_offset: null, left_out: null, file_count: 2 })
      const log = { method: "PUT", body: Buffer.from("gr\xc3\xbcn \xff", "latin1"), headers: { ...account.bearer, "content-type": "text/plain" } }
      assert.strictEqual((yield* service.ask("/v1/projects/tool-log", log)).status, 201)
      assert.deepInclude(yield* call("read_project", { slug: "tool-log" }), { text: "grün \uFFFD", left_out: null })
      assert.include((yield* call("read_project", { slug: "tool-plan", version: 1 })).text, "one")
      assert.deepStrictEqual((yield* call("list_versions", { slug: "tool-plan" })).versions.map(({ version }: { version: number }) => version), [2, 1])
      assert.deepInclude(yield* call("restore_version", { slug: "tool-plan", version: 1 }), { version: 3, created: false })
      assert.strictEqual((yield* page(service, "tool-plan", "/css/a.css")).status, 200)
      assert.strictEqual((yield* fails("read_project", { slug: "tool-plan", path: "b.html" })).field, "path")
      assert.deepInclude(yield* fails("read_project", { slug: "tool-plan", list_files: -1 }), { field: "list_files", message: "Between 0 and 1000." })
      assert.deepInclude(yield* fails("read_project", { slug: made.url }), { code: "validation_error", field: "slug", message: "Send the first label of the address alone, such as q3-report." })

      // Who may open it.
      const shut = yield* call("set_visibility", { slug: "tool-plan", visibility: "password", password: "four green apples" })
      assert.deepInclude(shut, { visibility: "password", password: "four green apples" })
      assert.strictEqual((yield* page(service, "tool-plan")).status, 401)
      assert.include((yield* call("get_project_link", { slug: "tool-plan" })).words, "four green apples")
      const unasked = yield* call("publish", { slug: "tool-open", text: "open", visibility: "public", password: "four green apples" })
      assert.include(unasked.words, "public: anyone with the address, without the doorcode.")
      const commenters = yield* call("set_commenters", { slug: "tool-plan", emails: [" Eve@Example.com", "bob@example.com"], comment_allowlist_inherit: false })
      assert.deepInclude(commenters, { slug: "tool-plan", comments_enabled: true, comment_access: "allowlist", comment_allowlist_inherit: false, emails: ["eve@example.com", "bob@example.com"], inherited_emails: [] })
      assert.deepInclude(yield* get(service, account, "/v1/projects/tool-plan/comment-allowlist"), { emails: commenters.emails, comment_allowlist_inherit: false })
      const shared = yield* call("create_share_link", { slug: "tool-plan", label: "Ada", expires_in_days: 3 })
      const through = yield* service.ask(new URL(shared.share_url).pathname + new URL(shared.share_url).search, { host: "tool-plan.svc.localhost" })
      assert.strictEqual(through.status, 303)
      const links = yield* call("list_share_links", { slug: "tool-plan" })
      assert.deepStrictEqual(links.share_links.map(({ id, label }: { id: string; label: string }) => [id, label]), [[shared.id, "Ada"]])
      assert.notInclude(JSON.stringify(links), shared.token)
      assert.include(links.words, `"Ada": opened 1 time, last on ${links.share_links[0].last_opened_at}, until `)
      yield* call("revoke_share_link", { share_link_id: shared.id })
      assert.deepStrictEqual(yield* get(service, account, "/v1/projects/tool-plan/share-links"), [])
      const analysed = yield* call("get_analytics", { slug: "tool-plan", days: 2 })
      assert.deepStrictEqual(analysed.window, { days: 2, requested_days: 2, retention_days: 90, truncated: false })

      // Folders.
      const folder = yield* call("create_folder", { name: "Plans" })
      assert.deepInclude(yield* call("update_folder", { folder_id: folder.id, name: "Old plans", sharing: "private" }), { name: "Old plans", sharing: "private" })
      assert.strictEqual((yield* call("move_project", { slug: "tool-plan", folder_id: folder.id })).folder_id, folder.id)
      assert.deepStrictEqual((yield* call("list_folders")).folders.map(({ name, project_count }: { name: string; project_count: number }) => [name, project_count]), [["Old plans", 1]])
      assert.deepStrictEqual((yield* call("list_projects", { folder_id: folder.id })).projects.map(({ slug }: { slug: string }) => slug), ["tool-plan"])
      const whole = yield* fails("delete_folder", { folder_id: folder.id })
      assert.deepStrictEqual([whole.code, whole.message.includes("where the whole team sees it")], ["conflict", true])
      // By the tool's own names.
      const [nowhere] = [{ folder_id: "01890000-0000-7000-8000-000000000000" }]
      assert.deepInclude(yield* fails("delete_folder", nowhere), { code: "not_found", field: "folder_id" })
      assert.deepInclude(yield* fails("delete_comment", { comment_id: nowhere.folder_id }), { code: "not_found", field: "comment_id" })
      // What a caller called wrongly has the caller's name: the right one is not said to be unknown.
      for (const [name, given, ...fields] of [
        ["delete_comment", { id: "x" }, "id", "comment_id"], ["update_folder", { id: "x", name: "Y" }, "id", "folder_id"],
        ["publish", { file: "x", text: "y" }, "file"], ["update", { slug: "tool-plan", delete: ["x"] }, "delete"]
      ] as const) {
        const { details } = yield* fails(name, given)
        assert.sameMembers(details.errors.map(({ field }: { field: string }) => field), fields, name)
      }
      for (const path of ["../x.html", "/abs.html", "_svc/x.html", "a\\b.html", "x\u202elmth.exe"]) {
        const { details, ...refused } = yield* fails("publish", { slug: "tool-paths", files: [{ path: "index.html", text: "x" }, { path, text: "x" }] })
        assert.deepInclude(refused, { code: "validation_error", field: "files" }, path)
        assert.strictEqual(details.entry, path.replace("\u202e", "\\u202e"))
      }
      // By the argument that brought it.
      const zip = (yield* Effect.promise(() => zipOf({ "a.html": "x" }))).toString("base64")
      for (const [given, field] of [
        [{ text: "x", file_name: "../x.md" }, "file_name"],
        [{ text: "x", content_type: "application/zip" }, "text"],
        [{ base64: zip, content_type: "application/zip" }, "base64"]
      ] as const) {
        assert.deepInclude(yield* fails("publish", { slug: "tool-lone", ...given }), { code: "validation_error", field })
        assert.deepInclude(yield* fails("update", { slug: "tool-plan", ...given }), { code: "validation_error", field })
      }
      assert.deepInclude(yield* fails("begin_upload", { slug: "tool-lone", file_name: "a\\b.md" }), { code: "validation_error", field: "file_name" })
      yield* call("delete_folder", { folder_id: folder.id, move_projects: true })
      assert.deepStrictEqual((yield* get(service, account, "/v1/folders")).folders, [])

      // Comments, and catching up.
      const since = new Date().toISOString()
      const posted = (yield* service.ask("/v1/projects/tool-plan/comments", { headers: account.bearer, json: { body: "Say why", anchor: { path: "/", quote: "one" } } })).json
      const other = (yield* service.ask("/v1/projects/tool-plan/comments", { headers: account.bearer, json: { body: "Typo" } })).json
      const threads = yield* call("get_comments", { slug: "tool-plan" })
      assert.deepStrictEqual(threads.comments.map(({ body }: { body: string }) => body), ["Typo", "Say why"])
      assert.include(threads.words, "on “one”")
      const reply = yield* call("reply_comment", { comment_id: posted.id, body: "Done" })
      assert.deepInclude((yield* call("edit_comment", { comment_id: reply.id, body: "Done now" })).comment, { body: "Done now", edited: true })
      yield* call("delete_comment", { comment_id: other.id })
      assert.strictEqual((yield* call("resolve_comment", { comment_id: posted.id })).status, "resolved")
      const [thread, ...more] = (yield* get(service, account, "/v1/projects/tool-plan/comments")).comments
      assert.deepStrictEqual([thread.status, thread.replies[0].body, more], ["resolved", "Done now", []])
      const none = yield* call("get_comments", { slug: "tool-plan" })
      assert.deepStrictEqual([none.comments, none.words], [[], "No open comments here; status all shows resolved ones too."])
      yield* call("publish", { slug: "tool-plan", text: "<p>new", content_type: "text/html" })
      const news = yield* call("catch_up", { slug: "tool-plan", since })
      assert.deepStrictEqual(news.versions.map(({ version }: { version: number }) => version), [4])
      assert.deepStrictEqual(news.comments.map(({ happened, id }: { happened: unknown; id: string }) => [id, happened]), [[posted.id, ["opened", "replied", "resolved", "edited"]]])
      assert.deepInclude(news.views, { from_date: since.slice(0, 10), truncated: false })
      const later = yield* call("catch_up", { slug: "tool-plan", since: new Date(Date.now() + 1000).toISOString() })
      assert.deepStrictEqual([later.versions, later.comments, later.share_links], [[], [], []])

      // A file that is larger than a call may be.
      const text = "é".repeat(300 * 1024)
      const begun = yield* call("begin_upload", { slug: "tool-large", file_name: "long.txt", content_type: "text/plain", size_bytes: Buffer.byteLength(text) })
      const step = begun.chunk_bytes / 2
      for (const index of [1, 0, 2]) {
        // Nobody could tell by the indexes that the last one is missing.
        if (index === 2) assert.include((yield* fails("finish_upload", { upload_id: begun.upload_id })).message, `${4 * step} bytes, and ${Buffer.byteLength(text)} were announced`)
        yield* call("append_upload", { upload_id: begun.upload_id, index, text: text.slice(index * step, (index + 1) * step) })
      }
      assert.deepInclude(yield* call("finish_upload", { upload_id: begun.upload_id, visibility: "public" }), { slug: "tool-large", kind: "text", version: 1 })
      assert.strictEqual((yield* get(service, account, "/v1/projects/tool-large")).size_bytes, Buffer.byteLength(text))
      const first = yield* call("read_project", { slug: "tool-large" })
      const second = yield* call("read_project", { slug: "tool-large", offset: first.next_offset })
      assert.strictEqual(first.text + second.text, text.slice(0, second.next_offset))

      yield* call("delete_project", { slug: "tool-plan" })
      assert.strictEqual((yield* page(service, "tool-plan")).status, 404)
      assert.deepStrictEqual([...called].sort(), [...SPECIFIED, ...BESIDE].sort())
    }))

  it.effect("an access token of OAuth publishes as its account", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const session = yield* signIn(service, account.email)
      const published = yield* Effect.promise(async () => {
        const agent = agentNow(service, "auto")
        await agent.first().then(() => assert.fail("no sign-in"), () => undefined)
        await agent.finish(await consent(service, session, agent.kept.sentTo!))
        const client = await agent.connect()
        return await client.callTool({ name: "publish", arguments: { slug: "by-oauth", text: "hello", content_type: "text/plain" } })
      })
      assert.isNotTrue(published["isError"])
      assert.strictEqual((yield* get(service, account, "/v1/projects/by-oauth")).owner.id, account.id)
    }))

  it.effect("what is a stranger's is as good as missing, to every tool", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [owner, stranger] = [yield* service.account(), yield* service.account()]
      const own = yield* agentOf(service, owner)
      yield* own.call("publish", { slug: "not-yours", text: "<p>secret", content_type: "text/html", comments_enabled: true, visibility: "private" })
      const folder = yield* own.call("create_folder", { name: "Secret" })
      const link = yield* own.call("create_share_link", { slug: "not-yours", label: "Secret" })
      const comment = (yield* service.ask("/v1/projects/not-yours/comments", { headers: owner.bearer, json: { body: "secret" } })).json
      const upload = yield* own.call("begin_upload", { slug: "not-yours" })
      const before = yield* get(service, owner, "/v1/projects/not-yours")

      const nobody = "0190f0f0-0000-7000-8000-000000000000"
      const [slug, comments, folders, links, uploads, homes] = [["not-yours", "no-such-thing"], [comment.id, nobody], [folder.id, nobody], [link.id, nobody], [upload.upload_id, nobody], [owner.workspaceId, nobody]] as const
      const table: ReadonlyArray<readonly [tool: string, key: string, ids: ReadonlyArray<string>, rest?: Record<string, unknown>]> = [
        ["publish", "workspace", homes, { slug: "some-other", text: "x" }],
        ["publish", "folder_id", folders, { slug: "some-other", text: "x" }],
        ["update", "slug", slug, { title: "x" }],
        ["update", "slug", slug, { text: "x" }],
        ["update", "slug", slug, { files: [{ path: "index.html", text: "x" }] }],
        ["list_projects", "workspace", homes],
        ["list_projects", "folder_id", folders],
        ["list_folders", "workspace", homes],
        ["create_folder", "workspace", homes, { name: "x" }],
        ["update_folder", "folder_id", folders, { name: "x" }],
        ["delete_folder", "folder_id", folders, { move_projects: true }],
        ["move_project", "slug", slug, { folder_id: null }],
        ["get_comments", "slug", slug],
        ["resolve_comment", "comment_id", comments],
        ["reply_comment", "comment_id", comments, { body: "x" }],
        ["edit_comment", "comment_id", comments, { body: "x" }],
        ["delete_comment", "comment_id", comments],
        ["set_visibility", "slug", slug, { visibility: "public" }],
        ["set_commenters", "slug", slug, { emails: [] }],
        ["create_share_link", "slug", slug, { label: "x" }],
        ["get_project_link", "slug", slug],
        ["get_analytics", "slug", slug],
        ["read_project", "slug", slug],
        ["list_versions", "slug", slug],
        ["restore_version", "slug", slug, { version: 1 }],
        ["list_share_links", "slug", slug],
        ["revoke_share_link", "share_link_id", links],
        ["delete_project", "slug", slug],
        ["catch_up", "slug", slug, { since: "2020-01-01T00:00:00Z" }],
        ["begin_upload", "workspace", homes, { slug: "some-other" }],
        ["append_upload", "upload_id", uploads, { index: 0, text: "x" }],
        ["finish_upload", "upload_id", uploads]
      ]
      assert.sameMembers([...new Set(table.map(([name]) => name))], own.tools.map(({ name }) => name))
      const { client, fails } = yield* agentOf(service, stranger)
      for (const [name, key, [theirs, missing], rest = {}] of table) {
        const answers = [yield* raw(client, name, { ...rest, [key]: theirs }), yield* raw(client, name, { ...rest, [key]: missing })]
        assert.strictEqual(JSON.parse(answers[0]!.content[0]!.text).error?.code, "not_found", name)
        assert.strictEqual(JSON.stringify(answers[0]), JSON.stringify(answers[1]), name)
      }
      // Addresses are a namespace shared by all: only that this one is taken is revealed.
      for (const [name, given] of [["publish", { text: "x" }], ["begin_upload", {}]] as const) {
        assert.strictEqual((yield* fails(name, { slug: "not-yours", ...given })).code, "slug_taken")
      }
      assert.deepStrictEqual(yield* get(service, owner, "/v1/projects/not-yours"), before)
      assert.strictEqual((yield* get(service, stranger, "/v1/projects")).projects.length, 0)
      assert.strictEqual((yield* get(service, owner, "/v1/projects/not-yours/comments")).comments[0].replies.length, 0)
    }))

  it.effect("an admin's upload adds a file to a colleague's site, and does not take its place", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account()
      const colleague = yield* member(admin, "member")
      const [theirs, own] = [yield* agentOf(service, colleague), yield* agentOf(service, admin)]
      yield* theirs.call("publish", { slug: "tool-colleagues", text: "<h1>Theirs</h1>", content_type: "text/html", workspace: admin.workspaceId })
      const begun = Effect.map(own.call("begin_upload", { slug: "tool-colleagues", content_type: "text/plain" }), ({ upload_id }) => upload_id as string)
      const [added, instead] = [yield* begun, yield* begun]
      for (const upload_id of [added, instead]) yield* own.call("append_upload", { upload_id, index: 0, text: "more" })
      assert.deepInclude(yield* own.call("finish_upload", { upload_id: added, path: "more.txt" }), { version: 2 })
      assert.include((yield* own.call("begin_upload", { slug: "tool-colleagues" })).words, "A colleague’s project has this address")
      const taken = yield* own.fails("finish_upload", { upload_id: instead })
      assert.strictEqual(taken.code, "slug_taken")
      assert.include(taken.message, "update: true of finish_upload")
      assert.strictEqual((yield* own.fails("publish", { slug: "tool-colleagues", text: "Ours" })).code, "slug_taken")
      const nowhere = yield* own.call("begin_upload", { slug: "tool-of-nobody", content_type: "text/plain" })
      yield* own.call("append_upload", { upload_id: nowhere.upload_id, index: 0, text: "words" })
      assert.deepInclude(yield* own.fails("finish_upload", { upload_id: nowhere.upload_id, update: true }), { code: "not_found", field: "update", message: "There is no such project. Leave out update to publish a new one." })
      assert.deepInclude(yield* own.call("finish_upload", { upload_id: instead, update: true }), { version: 3, created: false })
      const { id: workspace } = (yield* service.ask("/v1/workspaces", { headers: admin.bearer, json: { name: "Second" } })).json
      const elsewhere = yield* own.fails("begin_upload", { slug: "tool-colleagues", workspace })
      assert.strictEqual(elsewhere.message, "A colleague’s project in another workspace has this address. Leave out workspace to publish to it, or choose another.")
    }))

  it.effect("too much in one call is a tool error that names the staged upload", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account({ plan: "starter" })
      const { call, fails } = yield* agentOf(service, account)
      const [text, binary] = [256 * 1024, 1024 * 1024]
      const over = [
        { text: "x".repeat(text + 1) },
        { text: "é".repeat(text / 2 + 1) },
        { base64: Buffer.alloc(binary + 1, 7).toString("base64") },
        { files: [{ path: "index.html", text: "x".repeat(text) }, { path: "b.txt", text: "x" }] }
      ]
      for (const given of over) {
        for (const [name, rest] of [["publish", { content_type: "text/plain" }], ["update", {}]] as const) {
          const error = yield* fails(name, { slug: "too-large", ...given, ...("files" in given ? {} : rest) })
          assert.deepStrictEqual([error.code, error.details.instead], ["upload_too_large", "begin_upload"])
          assert.include(error.message, "begin_upload")
        }
      }
      assert.deepStrictEqual((yield* get(service, account, "/v1/projects")).projects, [])
      yield* call("publish", { slug: "just-right", text: "x".repeat(text), content_type: "text/plain" })
      yield* call("publish", { slug: "just-right", base64: Buffer.alloc(binary, 120).toString("base64"), content_type: "text/plain" })
      assert.strictEqual((yield* get(service, account, "/v1/projects/just-right")).size_bytes, binary)

      assert.strictEqual((yield* fails("begin_upload", { slug: "a-film", size_bytes: 25 * 1024 * 1024 + 1 })).code, "upload_too_large")
      const { upload_id } = yield* call("begin_upload", { slug: "a-film", content_type: "text/plain" })
      assert.strictEqual((yield* fails("append_upload", { upload_id, index: 0, base64: Buffer.alloc(256 * 1024 + 1).toString("base64") })).code, "upload_too_large")
      yield* service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE uploads SET max_bytes = 10 WHERE id = ${upload_id}`))
      yield* call("append_upload", { upload_id, index: 0, text: "0123456789" })
      assert.strictEqual((yield* fails("append_upload", { upload_id, index: 1, text: "x" })).code, "upload_too_large")
      assert.strictEqual((yield* call("append_upload", { upload_id, index: 0, text: "again" })).size_bytes, 5)
    }))

  it.effect("wrong arguments are tool errors that say where, never broken calls", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { client, fails, tools } = yield* agentOf(service, account)
      for (const { annotations, inputSchema, name } of tools) {
        const keys = Object.keys(inputSchema.properties ?? {})
        for (const wrong of [{ deep: [] }, "\u0000", "\ud800", -1]) {
          const told = yield* raw(client, name, Object.fromEntries(keys.map((key) => [key, wrong])))
          assert.isTrue(told.isError, `${name} ${JSON.stringify(wrong)}`)
          const { error } = JSON.parse(told.content[0]!.text)
          assert.strictEqual(error.code, "validation_error", `${name} ${JSON.stringify(wrong)}`)
          assert.include(keys, error.field.split(".")[0], name)
        }
        for (const key of inputSchema.required ?? []) {
          const error = yield* fails(name, {})
          assert.include(error.details.errors.map(({ field }: { field: string }) => field), key, name)
        }
        if (annotations?.readOnlyHint !== true) {
          const fields = (yield* fails(name, { visibilty: "private", toString: "x" })).details.errors.map(({ field }: { field: string }) => field)
          assert.includeMembers(fields, ["visibilty", "toString"], name)
        }
      }
      for (const [field, instead] of [["content", "text"], ["path", "file_name"], ["expires_at", "expires_in_days"]] as const) {
        const { errors } = (yield* fails("publish", { slug: "never-made", [field]: "/tmp/report.html" })).details
        assert.include(errors.find((fault: { field: string }) => fault.field === field).message, instead)
      }
      for (const given of [{}, { text: "x", base64: "eA==" }, { base64: "no base64!" }, { base64: "A" }, { text: "x", files: [] }, { files: [] }, { files: [{ path: "../x", text: "x" }, { path: "y", text: "x" }] }, { files: [{ path: "index.html" }] }]) {
        assert.strictEqual((yield* fails("publish", { slug: "never-made", ...given })).code, "validation_error", JSON.stringify(given))
      }
      for (const [name, field, says] of [["set_visibility", "password", "Send text or null."], ["delete_comment", "author_only", "Send true, false or null."]] as const) {
        const { errors } = (yield* fails(name, { [field]: {} })).details
        assert.strictEqual(errors.find((fault: { field: string }) => fault.field === field).message, says)
      }
      // Nested too deep for JSON.stringify to write, so it is sent as text.
      const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
      for (const [name, given] of [["publish", `"deep":${deep}`], ["publish", `"text":${deep}`], ["publish", `"files":${deep}`], ["list_projects", `"query":${deep}`]] as const) {
        for (const key of ["", ",\"idempotency_key\":\"deep\""]) {
          const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{${given}${key}}}}`
          const headers = { ...account.bearer, "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" }
          const { text } = yield* service.ask("/mcp", { method: "POST", headers, body })
          assert.include(text, "validation_error", `${name} ${given.slice(0, 9)}${key}`)
        }
      }
      const many = yield* fails("update", { delete_files: Array<number>(10_001).fill(0) })
      assert.deepInclude(many, { code: "validation_error", message: "At most 10,000 in one call." })
      assert.lengthOf(many.details.errors, 1)
      assert.deepStrictEqual((yield* get(service, account, "/v1/projects")).projects, [])
      yield* Effect.promise(() => client.callTool({ name: "no_such_tool", arguments: {} }).then(({ isError }) => assert.isTrue(isError), () => undefined))
    }))

  it.effect("a staged upload: whole or not at all, once, for an hour, a few at a time", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { call, client, fails } = yield* agentOf(service, account)
      const begin = (slug: string) => Effect.map(call("begin_upload", { slug, content_type: "text/html" }), ({ upload_id }) => upload_id as string)
      const sql = <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) => service.inside(Effect.orDie(SqlClient.SqlClient.use(use)))

      const gapped = yield* begin("staged")
      assert.strictEqual((yield* fails("finish_upload", { upload_id: gapped })).code, "validation_error")
      yield* call("append_upload", { upload_id: gapped, index: 1, text: "<p>two" })
      assert.include((yield* fails("finish_upload", { upload_id: gapped })).message, "Chunk 0")
      yield* call("append_upload", { upload_id: gapped, index: 0, text: "<p>wrong" })
      yield* call("append_upload", { upload_id: gapped, index: 0, text: "<p>one" })

      const tries = yield* Effect.all(Array.from({ length: 20 }, () => raw(client, "finish_upload", { upload_id: gapped })), { concurrency: "unbounded" })
      assert.strictEqual(tries.filter(({ isError }) => isError !== true).length, 1)
      assert.strictEqual((yield* get(service, account, "/v1/projects/staged")).version, 1)
      assert.strictEqual((yield* call("read_project", { slug: "staged" })).text, "<p>one<p>two")
      assert.strictEqual((yield* fails("append_upload", { upload_id: gapped, index: 0, text: "x" })).code, "not_found")
      // Whoever did not hear that it was published is not led to publish it twice.
      assert.deepInclude(yield* fails("finish_upload", { upload_id: gapped }), { code: "not_found", message: "There is no such upload: it is published or given up, or its hour is over. See what list_versions shows before you begin another with begin_upload." })

      const added = yield* begin("staged")
      yield* call("append_upload", { upload_id: added, index: 0, base64: Buffer.from("body{}").toString("base64") })
      assert.strictEqual((yield* fails("finish_upload", { upload_id: added, path: "a.css", title: "x" })).code, "validation_error")
      assert.strictEqual((yield* call("finish_upload", { upload_id: added, path: "css/a.css" })).version, 2)
      assert.strictEqual((yield* call("read_project", { slug: "staged", path: "css/a.css" })).text, "body{}")

      const begun = yield* Effect.all(Array.from({ length: 50 }, () => raw(client, "begin_upload", { slug: "staged" })), { concurrency: "unbounded" })
      const open = begun.filter(({ isError }) => isError !== true).map(({ structuredContent }) => structuredContent.upload_id as string)
      assert.strictEqual(open.length, 4)
      const full = yield* fails("begin_upload", { slug: "staged" })
      assert.deepInclude(full, { code: "conflict", field: "instead_of" })
      assert.sameMembers(full.details.uploads.map(({ upload_id }: { upload_id: string }) => upload_id), open)
      // Given up, its chunks go and there is room; nobody gives up another's.
      yield* call("append_upload", { upload_id: open[0], index: 0, text: "x" })
      assert.deepInclude(yield* fails("append_upload", { upload_id: open[0], index: 1, text: "" }), { code: "validation_error", field: "text" })
      const stranger = yield* agentOf(service, yield* service.account())
      yield* stranger.call("begin_upload", { slug: "staged-elsewhere", instead_of: open[0] })
      open.push((yield* call("begin_upload", { slug: "staged", instead_of: open[0] })).upload_id)
      assert.strictEqual((yield* fails("append_upload", { upload_id: open[0], index: 0, text: "x" })).code, "not_found")
      assert.lengthOf(yield* sql((sql) => sql`SELECT 1 FROM upload_chunks WHERE upload_id = ${open[0]!}`), 0)
      const [late, later] = open.slice(1) as [string, string]
      yield* call("append_upload", { upload_id: late, index: 0, text: "x" })
      const chunk = (yield* sql((sql) => sql<{ pack: string }>`SELECT pack_id AS pack FROM upload_chunks WHERE upload_id = ${late}`))[0]!.pack
      yield* sql((sql) => sql`UPDATE uploads SET created_at = created_at - interval '1 hour' WHERE id = ${late}`)
      yield* sql((sql) => sql`UPDATE uploads SET created_at = created_at - interval '76 minutes' WHERE id = ${later}`)
      const gone = yield* fails("finish_upload", { upload_id: late })
      assert.deepStrictEqual(gone, yield* fails("finish_upload", { upload_id: "0190f0f0-0000-7000-8000-000000000000" }))
      yield* call("begin_upload", { slug: "staged" })

      const { Packs } = yield* Effect.promise(() => import("../../src/domain/ports/packs.ts"))
      const there = service.inside(Effect.isSuccess(Packs.use((packs) => packs.slice(chunk, 0, 1))))
      yield* service.inside(sweepUploadsOnce)
      assert.deepStrictEqual((yield* sql((sql) => sql`SELECT id FROM uploads WHERE id IN (${late}, ${later})`)).map(({ id }) => id), [late])
      assert.isTrue(yield* there)
      yield* sql((sql) => sql`UPDATE uploads SET created_at = created_at - interval '16 minutes' WHERE id = ${late}`)
      yield* service.inside(sweepUploadsOnce)
      assert.isFalse(yield* there)

      const unverified = yield* service.account({ verified: false })
      assert.strictEqual((yield* refused((yield* agentOf(service, unverified)).client, "begin_upload", { slug: "unverified" })).code, "email_not_verified")
    }))

  it.effect("/llms.txt leads to the references, on our own host alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { headers, status, text } = yield* service.ask("/llms.txt")
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/plain; charset=utf-8"])
      const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, link]) => new URL(link!))
      assert.sameMembers(links.map(({ pathname }) => pathname), ["/docs.md", "/mcp.md", "/openapi.json"])
      for (const { host, pathname } of links) assert.deepStrictEqual([host, (yield* service.ask(pathname)).status], [`svc.localhost:${service.port}`, 200])
      yield* service.ask("/v1/projects/without-llms", { method: "PUT", body: "<h1>Hi</h1>", headers: { ...(yield* service.account()).bearer, "content-type": "text/html" } })
      assert.strictEqual((yield* page(service, "without-llms", "/llms.txt")).status, 404)
    }))

  it.effect("/mcp.md names this very service to each client, and every tool", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { headers, status, text } = yield* service.ask("/mcp.md")
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/markdown; charset=utf-8"])
      const url = `http://svc.localhost:${service.port}/mcp`
      for (const said of [`claude mcp add --transport http svc ${url}`, "claude_desktop_config.json", ".cursor/mcp.json", ".vscode/mcp.json", `codex mcp add svc --url ${url}`, `gemini mcp add --scope user --transport http svc ${url}`, "mcp_config.json", "Developer mode", "remove svc in that program and add it again", "refuses to sign in there without TLS", ...[...SPECIFIED, ...BESIDE].map((name) => `\`${name}\``)]) {
        assert.include(text, said)
      }
      const rows = text.split("\n").filter((line) => line.startsWith("| `"))
      assert.lengthOf(rows, SPECIFIED.length + BESIDE.length)
      for (const row of rows) assert.match(row, /\. \|$/)
      const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block]) => JSON.parse(block!))
      const servers = blocks.map(({ mcpServers, servers }) => (mcpServers ?? servers).svc)
      assert.sameMembers(servers.flatMap((one) => [one.url, one.httpUrl, one.serverUrl].filter((address) => address !== undefined)), Array.from({ length: 6 }, () => url))
    }))
})
