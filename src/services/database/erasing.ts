/** The steps of an erasure in PostgreSQL; each works on whatever is left to erase. */
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../domain/accounts/model.ts"
import { inBatches } from "../../domain/batches.ts"
import { ErasingStore } from "../../domain/erasure/store.ts"
import type { Unnamed } from "../../domain/erasure/store.ts"
import { Seals } from "../../domain/ports/seals.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { FORMER_NAME, FORMER_USER } from "./erasure.ts"
import { uncoverFolders } from "./folders.ts"
import { opened } from "./mails.ts"
import { anyRow, date, executed, idsOf, past, rowCount } from "./rows.ts"
import { dropViews } from "./view-partitions.ts"
import { lockWorkspacesOf } from "./workspaces.ts"

/** Projects or packs per step, and mails per read. */
const SOME = 100

/** Audit entries per statement. */
const ENTRIES = 5_000

/** Rows that are passed on per statement: nobody waits for more than these. */
const PASSED_AT_ONCE = 1_000

/** What outlives the account that made it, and the column that names the maker. Foreign keys delete or clear all other references. */
const MADE = [["projects", "owner_id"], ["folders", "created_by"], ["versions", "created_by"], ["share_links", "created_by"]] as const

/** What may be many rows, and what their column says once they are passed on. Folders are not: those that are private are still found by their maker. */
const PASSED = [
  ["projects", "owner_id", FORMER_USER], ["versions", "created_by", FORMER_USER], ["share_links", "created_by", FORMER_USER],
  ["comments", "author_id", null], ["comments", "resolved_by", null], ["audit_entries", "actor_id", null]
] as const

const set = (rows: ReadonlyArray<{ readonly value: string }>) => new Set(rows.map(({ value }) => value))

export const ErasingStoreSql = Layer.effect(
  ErasingStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const seals = yield* Seals
    const whole = <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.orDie(sql.withTransaction(program))
    const makeFormer = (now: DateTime.Utc) => sql`
      INSERT INTO users (id, email, name, created_at) VALUES (${FORMER_USER}, '', ${FORMER_NAME}, ${date(now)}) ON CONFLICT DO NOTHING`

    return ErasingStore.of({
      begin: Effect.fn("ErasingStoreSql.begin")(function*(id, now) {
        const rows = yield* sql<{ eraseOn: Date }>`
          UPDATE deletions SET begun_at = coalesce(begun_at, ${date(now)})
          WHERE id = ${id} AND erase_on <= ${date(now)} AND restored_at IS NULL AND erased_at IS NULL
          RETURNING erase_on AS "eraseOn"`
        if (rows[0] === undefined) return Option.none()
        const eraseOn = DateTime.fromDateUnsafe(rows[0].eraseOn)
        const users = yield* sql<{ id: UserId; email: string; verified: boolean }>`
          SELECT id, email, email_verified_at IS NOT NULL AS verified FROM users WHERE deletion_id = ${id}`
        const workspaces = yield* idsOf(sql<{ id: WorkspaceId }>`SELECT id FROM workspaces WHERE deletion_id = ${id} ORDER BY id`)
        return Option.some({ id, eraseOn, account: users[0] ?? null, workspaces })
      }, whole),

      traces: Effect.fn("ErasingStoreSql.traces")(function*(id) {
        const slugs = yield* sql<{ value: string }>`
          SELECT slug AS value FROM projects WHERE workspace_id = ${id} AND deleted_at IS NULL
          UNION SELECT f.slug FROM freed_slugs f WHERE f.workspace_id = ${id}
            AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.slug = f.slug AND p.deleted_at IS NULL)`
        const exports = yield* sql<{ value: string }>`SELECT id::text AS value FROM exports WHERE workspace_id = ${id}`
        const invites = yield* sql<{ value: string }>`SELECT token_hash AS value FROM invites WHERE workspace_id = ${id}`
        return { slugs: set(slugs), exports: set(exports), invites: set(invites) }
      }, Effect.orDie),

      mails: Effect.fn("ErasingStoreSql.mails")(function*(after) {
        const rows = yield* sql<{ id: string; sealed: string }>`
          SELECT id, sealed FROM mails WHERE sealed IS NOT NULL ${past(sql, "id >", after)}
          ORDER BY id LIMIT ${SOME}`
        const mails = yield* Effect.forEach(rows, ({ id, sealed }) => Effect.map(opened(seals, sealed), Option.map((mail) => ({ id, mail }))))
        return { mails: mails.flatMap(Option.toArray), next: rows.length < SOME ? undefined : rows.at(-1)!.id }
      }, Effect.orDie),

      dropMails: (ids) => executed(sql`DELETE FROM mails WHERE id = ANY(${ids}::uuid[])`),

      packs: (id) =>
        idsOf(sql<{ id: string }>`
          SELECT pack_id AS id FROM exports WHERE workspace_id = ${id} AND pack_id IS NOT NULL
          UNION ALL SELECT id FROM packs WHERE workspace_id = ${id} LIMIT ${SOME}`),

      dropPacks: Effect.fn("ErasingStoreSql.dropPacks")(function*(id, packs) {
        yield* sql`DELETE FROM exports WHERE workspace_id = ${id} AND pack_id = ANY(${packs}::uuid[])`
        // In the order in which packs are locked to be settled.
        yield* sql`SELECT 1 FROM packs WHERE id = ANY(${packs}::uuid[]) ORDER BY id FOR UPDATE`
        yield* sql`DELETE FROM packs WHERE workspace_id = ${id} AND id = ANY(${packs}::uuid[])`
      }, whole),

      dropProjects: Effect.fn("ErasingStoreSql.dropProjects")(function*(id, now) {
        const some = yield* idsOf(sql<{ id: string }>`SELECT id FROM projects WHERE workspace_id = ${id} ORDER BY id LIMIT ${SOME}`)
        if (some.length === 0) return false
        yield* dropViews(sql, some)
        yield* sql`DELETE FROM view_visitors WHERE project_id = ANY(${some}::uuid[])`
        yield* Effect.forEach(some, (project) => whole(Effect.gen(function*() {
          yield* sql`
            INSERT INTO freed_slugs (slug, workspace_id, freed_at)
            SELECT slug, NULL, ${date(now)}::timestamptz FROM projects WHERE id = ${project} AND deleted_at IS NULL
            ON CONFLICT (slug) DO UPDATE SET workspace_id = NULL, freed_at = excluded.freed_at, only_holder_id = NULL`
          yield* sql`DELETE FROM projects WHERE id = ${project}`
        })), { discard: true })
        return true
      }, Effect.orDie),

      dropWorkspace: Effect.fn("ErasingStoreSql.dropWorkspace")(function*(id) {
        yield* inBatches(ENTRIES, rowCount(sql`
          DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE workspace_id = ${id} LIMIT ${ENTRIES}) RETURNING 1`))
        yield* sql`DELETE FROM workspaces WHERE id = ${id}`
      }, Effect.orDie),

      naming: (email) =>
        idsOf(sql<{ id: WorkspaceId }>`
          SELECT id FROM workspaces WHERE ${email} = ANY(comment_emails)
          UNION SELECT workspace_id FROM folders WHERE ${email} = ANY(comment_emails)
          UNION SELECT workspace_id FROM projects WHERE ${email} = ANY(comment_emails)
          UNION SELECT workspace_id FROM invites WHERE email = ${email} AND accepted_at IS NULL
          ORDER BY 1`),

      unname: Effect.fn("ErasingStoreSql.unname")(function*(id, email, now) {
        yield* sql`SELECT 1 FROM workspaces WHERE id = ${id} FOR UPDATE`
        const lists = yield* sql<Unnamed["lists"][number]>`
          WITH of_workspace AS (
            UPDATE workspaces SET comment_emails = array_remove(comment_emails, ${email})
            WHERE id = ${id} AND ${email} = ANY(comment_emails) RETURNING id
          ), of_folders AS (
            UPDATE folders SET comment_emails = array_remove(comment_emails, ${email})
            WHERE workspace_id = ${id} AND ${email} = ANY(comment_emails) RETURNING id
          ), of_projects AS (
            UPDATE projects SET comment_emails = array_remove(comment_emails, ${email}), updated_at = ${date(now)}
            WHERE workspace_id = ${id} AND ${email} = ANY(comment_emails) RETURNING id
          )
          SELECT 'workspace' AS level, id FROM of_workspace
          UNION ALL SELECT 'folder', id FROM of_folders UNION ALL SELECT 'project', id FROM of_projects ORDER BY 1, 2`
        const invites = yield* sql<Unnamed["invites"][number]>`
          DELETE FROM invites WHERE workspace_id = ${id} AND email = ${email} AND accepted_at IS NULL RETURNING id, role`
        return { lists, invites }
      }, whole),

      passOn: Effect.fn("ErasingStoreSql.passOn")(function*({ id }, now) {
        yield* makeFormer(now)
        for (const [table, column, to] of PASSED) {
          // Skips what a publish holds: waiting for it without its workspace's lock could end in a deadlock.
          yield* inBatches(PASSED_AT_ONCE, rowCount(sql`
            UPDATE ${sql(table)} SET ${sql(column)} = ${to} WHERE id IN (
              SELECT id FROM ${sql(table)} WHERE ${sql(column)} = ${id} LIMIT ${PASSED_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED
            ) RETURNING 1`))
        }
      }, Effect.orDie),

      dropAccount: Effect.fn("ErasingStoreSql.dropAccount")(function*({ email, id }, now) {
        yield* lockWorkspacesOf(sql, id)
        // Locked first: from here on no new row can name the account unseen by the statements below.
        yield* sql`SELECT 1 FROM users WHERE id = ${id} FOR UPDATE`
        yield* makeFormer(now)
        const workspaces = yield* idsOf(sql<{ id: WorkspaceId }>`SELECT workspace_id AS id FROM members WHERE user_id = ${id} ORDER BY 1`)
        const folders = yield* uncoverFolders(sql, id, now)
        for (const [table, column] of MADE) {
          yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = ${FORMER_USER} WHERE ${sql(column)} = ${id}`
        }
        // Accepted invites still name its address in workspaces that it has since left.
        yield* sql`DELETE FROM invites WHERE email = ${email} AND accepted_at IS NOT NULL`
        yield* sql`DELETE FROM mailbox WHERE recipient = ${email}`
        yield* sql`DELETE FROM users WHERE id = ${id}`
        return { workspaces, folders }
      }, whole),

      finish: (id, now) => anyRow(sql`UPDATE deletions SET erased_at = ${date(now)} WHERE id = ${id} AND erased_at IS NULL RETURNING 1`)
    })
  })
)
