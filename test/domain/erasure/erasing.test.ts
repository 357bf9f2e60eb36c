/** Erasure at its moment: nothing before, everything then, however often it is interrupted; and nothing of anybody else. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { User } from "../../../src/domain/accounts/model.ts"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Views } from "../../../src/domain/analytics/views.ts"
import { Erasing } from "../../../src/domain/erasure/erasing.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import type { DeletionId } from "../../../src/domain/erasure/model.ts"
import { ErasingStore } from "../../../src/domain/erasure/store.ts"
import { Mail, Mailer } from "../../../src/domain/ports/mailer.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Passwords } from "../../../src/domain/ports/passwords.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { FORMER_USER } from "../../../src/services/database/erasure.ts"
import { houseWith } from "../../support/house.ts"
import { locked } from "../../support/locked.ts"
import { at, bytesOf } from "../../support/moments.ts"

const DAY = 86_400_000
const NOON = Date.UTC(2027, 0, 31, 12, 0, 0, 123)
const PASSWORD = "correct horse battery staple"

let made = 0

const person = Effect.gen(function*() {
  const store = yield* AccountStore
  const now = yield* DateTime.now
  const id = UserId.make(yield* (yield* Tokens).uuid)
  const home = { id: WorkspaceId.make(yield* (yield* Tokens).uuid), name: `Home ${++made}`, plan: "studio", trialEndsAt: DateTime.add(now, { days: 90 }) } as const
  const passwordHash = yield* Passwords.use((passwords) => passwords.hash(PASSWORD, "test"))
  yield* store.create({ id, email: `person-${made}@example.com`, name: `Person ${made}`, passwordHash, home }, now)
  yield* store.verifyEmail(id, now)
  return { user: Option.getOrThrow(yield* store.find(id)), home: home.id }
})

const publish = (user: User, slug: string, text: string, workspace?: WorkspaceId) =>
  Publishing.use((publishing) => publishing.put(user, slug, { path: undefined, contentType: "text/html", length: undefined, bytes: bytesOf(text) }, { workspace }))

const uuid = Tokens.use((tokens) => tokens.uuid)

/** One of everything that a workspace and an account can have, made by `user`. */
const furnish = Effect.fnUntraced(function*(user: User, workspaceId: WorkspaceId, slug: string) {
  const sql = yield* SqlClient.SqlClient
  const mailer = yield* Mailer
  const { project: { id: projectId } } = yield* publish(user, slug, `<h1>${slug}</h1>`, workspaceId)
  const { project: { id: thrown } } = yield* publish(user, `${slug}-thrown`, `<h1>${slug} thrown</h1>`, workspaceId)
  yield* Projects.use((projects) => projects.remove(user, `${slug}-thrown`))
  const [folder, link, comment, invite, wanted, token, family, pack] = yield* Effect.all(Array.from({ length: 8 }, () => uuid)) as unknown as Effect.Effect<Array<string>>
  const now = new Date(NOON)
  yield* sql`INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at) VALUES (${folder!}, ${workspaceId}, 'Mine', 'private', ${user.id}, ${now}, ${now})`
  yield* sql`UPDATE projects SET folder_id = ${folder!} WHERE id = ${projectId}`
  yield* sql`INSERT INTO share_links (id, project_id, label, hash, notify_on_first_open, created_by, created_at) VALUES (${link!}, ${projectId}, 'Client', ${link!}, true, ${user.id}, ${now})`
  yield* sql`
    INSERT INTO passes (id, project_id, hash, via, access_epoch, user_id, session_epoch, signed_in_at, frame_name, frame_hash, given_at)
    VALUES (gen_random_uuid(), ${projectId}, ${`pass ${link!}`}, 'member', 0, ${user.id}, 0, ${now}, ${`frame ${link!}`}, 'x', ${now})`
  yield* sql`
    INSERT INTO comments (id, project_id, version, body, author_id, created_at, updated_at, resolved_at, resolved_by)
    VALUES (${comment!}, ${projectId}, 1, 'Well said', ${user.id}, ${now}, ${now}, ${now}, ${user.id})`
  yield* sql`INSERT INTO comment_notices (user_id, project_id, comment_id, noted_at) VALUES (${user.id}, ${projectId}, ${comment!}, ${now})`
  yield* sql`INSERT INTO comment_mutes (user_id, project_id) VALUES (${user.id}, ${projectId})`
  yield* sql`
    INSERT INTO renderings (version_id, renderer, html, headings, made_at)
    SELECT id, 1, '\\x00', '[]', ${now} FROM versions WHERE project_id = ${projectId} ON CONFLICT DO NOTHING`
  yield* sql`
    INSERT INTO invites (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
    VALUES (${invite!}, ${workspaceId}, ${`guest-${slug}@example.com`}, 'member', ${invite!}, ${user.id}, ${now}, ${now})`
  yield* sql`
    INSERT INTO invites (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at, accepted_at)
    VALUES (gen_random_uuid(), ${workspaceId}, ${user.email}, 'member', ${`accepted ${invite!}`}, ${user.id}, ${now}, ${now}, ${now})`
  yield* Effect.scoped(Effect.gen(function*() {
    const draft = yield* (yield* Packs).draft
    yield* draft.keep(pack!, [yield* draft.append(bytesOf(`the archive of ${slug}`), 1000)])
  }))
  yield* sql`
    INSERT INTO exports (id, workspace_id, requested_by, requested_at, completed_at, pack_id, size_bytes, hash, token_hash)
    VALUES (${wanted!}, ${workspaceId}, ${user.id}, ${now}, ${now}, ${pack!}, 10, 'h', 't')`
  yield* sql`INSERT INTO audit_entries (id, workspace_id, at, actor_id, action, target) VALUES (gen_random_uuid(), ${workspaceId}, ${now}, ${user.id}, 'export.requested', ${JSON.stringify({ type: "export", id: wanted! })}::jsonb)`
  yield* sql`INSERT INTO customers (workspace_id, id, attempt, read_at, created_at) VALUES (${workspaceId}, ${`cus_${slug}`}, gen_random_uuid(), ${now}, ${now}) ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO trial_mails (workspace_id, kind, ends_at, claimed_at) VALUES (${workspaceId}, 'ending', ${now}, ${now}) ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at) VALUES (${token!}, ${user.id}, 'laptop', 'svc_', ${token!}, ${now})`
  yield* sql`
    INSERT INTO device_grants (id, device_hash, user_code, client, address, requested_at, expires_at, user_id, approved_at, consumed_at, token_id)
    VALUES (gen_random_uuid(), ${token!}, ${token!}, 'cli', '::1', ${now}, ${now}, ${user.id}, ${now}, ${now}, ${token!})`
  yield* sql`INSERT INTO oauth_codes (hash, id, user_id, client_id, client_name, redirect_uri, challenge, resource, expires_at) VALUES (${family!}, ${family!}, ${user.id}, 'c', 'Agent', 'r', 'c', 'r', ${now})`
  yield* sql`INSERT INTO oauth_families (id, user_id, client_id, client_name, resource, created_at) VALUES (${family!}, ${user.id}, 'c', 'Agent', 'r', ${now})`
  yield* sql`INSERT INTO oauth_tokens (hash, family_id, kind, expires_at) VALUES (${family!}, ${family!}, 'access', ${now})`
  yield* sql`INSERT INTO email_tokens (hash, user_id, purpose, expires_at) VALUES (${family!}, ${user.id}, 'magic-link', ${now})`
  yield* sql`INSERT INTO mailbox (id, recipient, subject, html, text, at) VALUES (gen_random_uuid(), ${user.email}, 's', 'h', 't', ${now})`
  yield* mailer.enqueue(Mail.cases.MagicLink.make({ to: user.email, name: user.name, token: "t" }))
  yield* mailer.enqueue(Mail.cases.ShareLinkOpened.make({ to: `owner-${slug}@example.com`, name: "O", label: "l", project: "P", slug }))
  yield* sql`UPDATE mails SET dead_at = ${now}`
  const views = yield* Views
  views.record({ projectId, at: NOON, address: "192.0.2.7", userAgent: "Mozilla/5.0 (X11) Firefox/127.0", shareLinkId: null })
  yield* views.flush
  return { projectId, thrown, comment: comment!, archive: pack!, link: link!, folder: folder! }
})

/** Every row of every table, as texts. */
const everything = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables t
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ '_\\d{8}$' ORDER BY 1`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql<{ row: string }>`SELECT t::text AS row FROM ${sql(name)} t ORDER BY 1`, (found) => found.map(({ row }) => `${name} ${row}`)))
  return rows.flat()
})

const stored = Packs.use(({ list }) => Effect.map(Stream.runCollect(list), (packs) => [...packs].map(({ id }) => id)))

const deletionOf = (id: string) =>
  SqlClient.SqlClient.use((sql) => Effect.map(sql<{ id: DeletionId; erased: Date | null; begun: Date | null }>`SELECT id, begun_at AS begun, erased_at AS erased FROM deletions WHERE target_id = ${id}`, (rows) => rows[0]!))

const erase = (id: DeletionId) => Erasing.use((erasing) => erasing.erase(id))
const deleteAccount = (user: User) => Erasure.use((erasure) => erasure.deleteAccount(user, PASSWORD))

const joined = (user: User, workspaceId: WorkspaceId) =>
  Effect.flatMap(DateTime.now, (now) => WorkspaceStore.use((store) => store.join(user.id, { workspaceId, role: "admin", isOwner: false }, now)))

layer(houseWith())("erasure", (it) => {
  it.effect("begins thirty days after the request, to the millisecond, and then there is no way back", () =>
    at(NOON, Effect.gen(function*() {
      const { home, user } = yield* person
      yield* publish(user, "on-the-day", "<h1>x</h1>")
      const scheduled = yield* deleteAccount(user)
      assert.strictEqual(DateTime.toEpochMillis(scheduled.eraseOn), NOON + 30 * DAY)
      const { id } = yield* deletionOf(user.id)
      const before = yield* everything
      for (const early of [NOON, NOON + 30 * DAY - 1]) {
        assert.isFalse(yield* at(early, erase(id)))
        assert.strictEqual(yield* at(early, Erasing.use(({ beginDue }) => beginDue())), 0)
      }
      assert.deepStrictEqual(yield* everything, before)
      assert.strictEqual(yield* at(NOON + 30 * DAY, Erasing.use(({ beginDue }) => beginDue())), 1)
      assert.isTrue(yield* at(NOON + 30 * DAY, erase(id)))
      assert.isFalse(yield* at(NOON + 30 * DAY + 1, erase(id)))
      assert.deepStrictEqual((yield* everything).filter((row) => row.includes(user.id) || row.includes(home)).map((row) => row.split(" ")[0]), ["deletions"])
      assert.strictEqual(yield* at(NOON + 31 * DAY, Erasing.use(({ beginDue }) => beginDue())), 0)
    })))

  it.effect("is begun on its day, though a clock that was ahead has set out to do it before", () =>
    at(NOON, Effect.gen(function*() {
      const { user } = yield* person
      yield* deleteAccount(user)
      const { id } = yield* deletionOf(user.id)
      const begun = (days: number) => at(NOON + days * DAY, Erasing.use(({ beginDue }) => beginDue()))
      assert.deepStrictEqual([yield* begun(90), yield* begun(90)], [1, 0])
      // Its job came to run once the clock was set back.
      assert.isFalse(yield* erase(id))
      assert.deepStrictEqual([yield* begun(29), yield* begun(30), yield* begun(30)], [0, 1, 0])
      assert.isTrue(yield* at(NOON + 30 * DAY, erase(id)))
    })))

  it.effect("is finished once, however many runs of its job there are", () =>
    at(NOON, Effect.gen(function*() {
      const { user } = yield* person
      for (const slug of ["once-1", "once-2", "once-3"]) yield* publish(user, slug, `<h1>${slug}</h1>`)
      yield* deleteAccount(user)
      const { id } = yield* deletionOf(user.id)
      const runs = yield* at(NOON + 30 * DAY, Effect.all(Array.from({ length: 50 }, () => erase(id)), { concurrency: "unbounded" }))
      assert.lengthOf(runs.filter((first) => first), 1)
    })))

  it.effect("of many that are due together goes two at a time, so that requests find connections", () =>
    at(NOON, Effect.gen(function*() {
      const leaving = yield* Effect.forEach(Array.from({ length: 8 }), () => person)
      yield* Effect.forEach(leaving, ({ user }) => deleteAccount(user), { discard: true })
      const ids = yield* Effect.forEach(leaving, ({ user }) => Effect.map(deletionOf(user.id), ({ id }) => id))
      let [now, most] = [0, 0]
      const counted = <A>(step: Effect.Effect<A>) =>
        Effect.acquireUseRelease(Effect.sync(() => (most = Math.max(most, ++now))), () => step, () => Effect.sync(() => now--))
      const erasing = yield* Effect.updateService(Erasing.make, ErasingStore, (store) =>
        ({ ...store, traces: (id) => counted(store.traces(id)), packs: (id) => counted(store.packs(id)), dropWorkspace: (id) => counted(store.dropWorkspace(id)) }))
      const runs = yield* at(NOON + 30 * DAY, Effect.all(ids.map((id) => erasing.erase(id)), { concurrency: "unbounded" }))
      assert.deepStrictEqual([runs.every((first) => first), most], [true, 2])
    })))

  it.effect("of an account removes it and everything that is only its own; the rest stays, as a former user's", () =>
    at(NOON, Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [leaver, host, stranger] = [yield* person, yield* person, yield* person]
      yield* joined(leaver.user, host.home)
      const own = yield* furnish(leaver.user, leaver.home, "all-my-own")
      const guest = yield* furnish(leaver.user, host.home, "among-others")
      yield* furnish(stranger.user, stranger.home, "far-away")
      const of = (rows: ReadonlyArray<string>, ...ids: ReadonlyArray<string>) => rows.filter((row) => ids.some((id) => row.includes(id)))
      const before = yield* everything
      const packs = yield* stored
      yield* deleteAccount(leaver.user)
      const { id } = yield* deletionOf(leaver.user.id)
      assert.isTrue(yield* at(NOON + 30 * DAY, erase(id)))
      const after = yield* everything

      // No row names it by id, address, name or slug, but these: ids and dates, that it left, and slugs whose address browsers remember.
      const traces = [leaver.user.id, leaver.home, own.projectId, own.thrown, own.comment, own.archive, leaver.user.email, "all-my-own"]
      const left = of(after, ...traces).map((row) => row.split(" ")[0])
      assert.deepStrictEqual(left.toSorted(), ["audit_entries", "deletions", "freed_slugs", "freed_slugs"])
      assert.deepStrictEqual(
        yield* sql`SELECT workspace_id FROM freed_slugs WHERE slug LIKE 'all-my-own%'`, [{ workspace_id: null }, { workspace_id: null }])
      const kept = yield* stored
      const archived = of(before, "exports ").length
      assert.isAbove(archived, 2)
      assert.lengthOf(packs.filter((pack) => !kept.includes(pack)), 3, "its two publishes and its archive")
      assert.notInclude(kept, own.archive)
      assert.include(kept, guest.archive)

      // Nobody else's row has changed; in rows that the account made elsewhere, only their author has.
      const touched = before.filter((row) => !after.includes(row))
      const untold = touched.filter((row) => of([row], ...traces).length === 0).map((row) => row.split(" ")[0]!)
      assert.sameMembers([...new Set(untold)], ["mails", "oauth_tokens", "renderings", "version_packs"])
      assert.lengthOf(untold.filter((table) => table === "mails"), 3, "two to it, and one about its project")
      const [project] = yield* sql`SELECT owner_id, slug FROM projects WHERE id = ${guest.projectId}`
      assert.deepStrictEqual(project, { owner_id: FORMER_USER, slug: "among-others" })
      assert.deepStrictEqual(yield* sql`SELECT created_by, sharing FROM folders WHERE id = ${guest.folder}`, [{ created_by: FORMER_USER, sharing: "team" }])
      assert.deepStrictEqual(yield* sql`SELECT author_id, resolved_by, body FROM comments WHERE id = ${guest.comment}`, [{ author_id: null, resolved_by: null, body: "Well said" }])
      assert.deepStrictEqual(yield* sql`SELECT created_by FROM share_links WHERE id = ${guest.link}`, [{ created_by: FORMER_USER }])
      const reach = yield* Projects.use((projects) => projects.get(host.user, "among-others"))
      assert.strictEqual(reach.owner.name, "Former user")
      assert.deepStrictEqual((yield* WorkspaceStore.use((store) => store.members(host.home))).map(({ userId }) => userId), [host.user.id])
      // The email address can be used again.
      assert.isTrue(Option.isNone(yield* AccountStore.use((store) => store.byEmail(leaver.user.email))))
    })))

  it.effect("of an account passes on what it made elsewhere while members go on there, and is cut between without harm", () =>
    at(NOON, Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [leaver, host] = [yield* person, yield* person]
      yield* joined(leaver.user, host.home)
      const { comment, folder, link, projectId } = yield* furnish(leaver.user, host.home, "passed-on")
      yield* deleteAccount(leaver.user)
      const { id } = yield* deletionOf(leaver.user.id)
      const made = Effect.map(
        sql<{ by: string | null }>`
          SELECT owner_id AS by FROM projects WHERE id = ${projectId} UNION SELECT created_by FROM versions WHERE project_id = ${projectId}
          UNION SELECT created_by FROM share_links WHERE id = ${link} UNION SELECT author_id FROM comments WHERE id = ${comment}
          UNION SELECT actor_id FROM audit_entries WHERE workspace_id = ${host.home} AND actor_id = ${leaver.user.id} ORDER BY 1`,
        (rows) => rows.map(({ by }) => by)
      )
      assert.deepStrictEqual(yield* made, [leaver.user.id])
      const letGo = yield* locked(`SELECT 1 FROM workspaces WHERE id = '${host.home}' FOR UPDATE`)
      const erasing = yield* Effect.forkChild(at(NOON + 30 * DAY, erase(id)))
      yield* TestClock.withLive(Effect.repeat(Effect.delay(made, "10 millis"), { until: (by) => !by.includes(leaver.user.id) }))
      assert.deepStrictEqual(yield* made, [FORMER_USER, null])
      yield* Fiber.interrupt(erasing)
      yield* letGo
      const folders = sql`SELECT created_by, sharing FROM folders WHERE id = ${folder}`
      assert.deepStrictEqual(yield* folders, [{ created_by: leaver.user.id, sharing: "private" }])
      assert.isTrue(yield* at(NOON + 30 * DAY, erase(id)))
      assert.deepStrictEqual(yield* folders, [{ created_by: FORMER_USER, sharing: "team" }])
    })))

  it.effect("of a workspace takes its rows and bytes, and leaves every account and every other workspace as it was", () =>
    at(NOON, Effect.gen(function*() {
      const [admin, other] = [yield* person, yield* person]
      yield* joined(other.user, admin.home)
      const { archive, projectId } = yield* furnish(other.user, admin.home, "shared-work")
      yield* furnish(other.user, other.home, "work-at-home")
      const before = yield* everything
      yield* Erasure.use((erasure) => erasure.deleteWorkspace(admin.user, undefined, { workspace: admin.home, password: PASSWORD }))
      const { id } = yield* deletionOf(admin.home)
      assert.isTrue(yield* at(NOON + 30 * DAY, erase(id)))
      const after = yield* everything
      const gone = before.filter((row) => !after.includes(row))
      const telling = [admin.home, projectId, archive, "shared-work"]
      const rest = gone.filter((row) => !telling.some((trace) => row.includes(trace)))
      // Rows that only its versions refer to, and the mail about it, of which only the sealed text shows.
      assert.sameMembers([...new Set(rest.map((row) => row.split(" ")[0]!))], ["mails", "renderings", "version_packs"])
      assert.lengthOf(rest.filter((row) => row.startsWith("mails")), 1)
      assert.deepStrictEqual(after.filter((row) => row.includes(admin.home)).map((row) => row.split(" ")[0]), ["deletions"])
      assert.include(after.filter((row) => row.startsWith("users ")).join("\n"), admin.user.email)
      assert.notInclude(yield* stored, archive)
    })))

  it.effect("of a workspace goes by the addresses that are still its own, in use or kept for it", () =>
    at(NOON, Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [leaver, other] = [yield* person, yield* person]
      for (const slug of ["address-shown", "address-kept", "address-passed"]) yield* publish(leaver.user, slug, `<h1>${slug}</h1>`)
      for (const slug of ["address-kept", "address-passed"]) yield* Projects.use((projects) => projects.remove(leaver.user, slug))
      yield* publish(other.user, "address-taken", "<h1>Mine</h1>")
      yield* sql`UPDATE projects SET slug = 'address-passed' WHERE slug = 'address-taken'`
      const { slugs } = yield* ErasingStore.use((store) => store.traces(leaver.home))
      assert.sameMembers([...slugs], ["address-shown", "address-kept"])
      // What is kept for another workspace stays so.
      yield* Projects.use((projects) => projects.remove(other.user, "address-passed"))
      const now = yield* DateTime.now
      while (yield* ErasingStore.use((store) => store.dropProjects(leaver.home, now)));
      const freed = sql`SELECT slug, workspace_id FROM freed_slugs WHERE slug IN ('address-shown', 'address-passed') ORDER BY slug`
      assert.deepStrictEqual(yield* freed, [{ slug: "address-passed", workspace_id: other.home }, { slug: "address-shown", workspace_id: null }])
    })))

  it.effect("cut anywhere goes on where it was, by two at once too, and comes to the same", () =>
    at(NOON, Effect.gen(function*() {
      const { home, user } = yield* person
      const other = yield* person
      yield* joined(user, other.home)
      for (let index = 0; index < 3; index++) yield* publish(user, `cut-${index}`, `<h1>cut ${index}</h1>`)
      const { archive } = yield* furnish(user, home, "cut-off")
      yield* publish(user, "cut-elsewhere", "<h1>elsewhere</h1>", other.home)
      yield* deleteAccount(user)
      const { id } = yield* deletionOf(user.id)
      let cuts = 0
      for (let millis = 0; (yield* deletionOf(user.id)).erased === null; millis += 3) {
        const fiber = yield* Effect.forkChild(at(NOON + 30 * DAY, erase(id)))
        const second = yield* Effect.forkChild(at(NOON + 30 * DAY, erase(id)))
        yield* TestClock.withLive(Effect.sleep(millis))
        yield* Fiber.interrupt(fiber)
        yield* Fiber.interrupt(second)
        cuts++
      }
      assert.isAbove(cuts, 2)
      const after = yield* everything
      const left = after.filter((row) => row.includes(user.id) || row.includes(home))
      assert.deepStrictEqual(left.map((row) => row.split(" ")[0]), ["audit_entries", "deletions"], "that it left is told once")
      assert.notInclude(yield* stored, archive)
      assert.isNotEmpty(after.filter((row) => row.startsWith("projects ") && row.includes("cut-elsewhere")))
    })))

  it.effect("knows every column that names an account, a workspace or a project", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* sql<{ at: string; to: string; gone: string }>`
        SELECT c.conrelid::regclass || '.' || a.attname AS at, c.confrelid::regclass::text AS to, c.confdeltype AS gone
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.confrelid IN ('users'::regclass, 'workspaces'::regclass, 'projects'::regclass)`
      // These foreign keys neither cascade nor become null: the erasure gives the rows to the former user.
      const byHand = keys.filter(({ gone }) => gone !== "c" && gone !== "n").map(({ at }) => at)
      assert.sameMembers(byHand, ["projects.owner_id", "folders.created_by", "versions.created_by", "share_links.created_by"])
      const columns = yield* sql<{ at: string }>`
        SELECT table_name || '.' || column_name AS at FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name !~ '_\\d{8}$'
          AND (column_name ~ '(^|_)(user|owner|actor|author|workspace|project|target)_id$' OR column_name ~ '_by$')`
      const known = new Set(keys.map(({ at }) => at))
      // Columns without a foreign key: rows that stay, views, which are removed project by project, and uploads, which go with their workspace.
      assert.sameMembers(columns.map(({ at }) => at).filter((at) => !known.has(at)), [
        "deletions.target_id", "deletions.requested_by", "deletions.restored_by", "views.project_id", "view_visitors.project_id", "uploads.project_id"
      ])
    }))
})
