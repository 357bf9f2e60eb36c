/** Workspaces and memberships in PostgreSQL. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { UserId } from "../../domain/accounts/model.ts"
import { MAKER } from "../../domain/workspaces/member-rules.ts"
import { Member, Workspace } from "../../domain/workspaces/model.ts"
import type { Membership, WorkspaceId } from "../../domain/workspaces/model.ts"
import { WorkspaceStore } from "../../domain/workspaces/store.ts"
import { uncoverFolders } from "./folders.ts"
import { counted, date, executed, firstOf, idsOf, instant, listsIn, placed } from "./rows.ts"
import type { Placed, RowOf } from "./rows.ts"
import { together } from "./together.ts"

const workspaceColumns = `w.id, w.name, w.plan, w.trial_ends_at AS "trialEndsAt", w.needs_charge AS "needsCharge",
  w.subscription_status AS "subscriptionStatus", w.subscription_ends_at AS "subscriptionEndsAt",
  w.storage_bytes::float8 AS "storageBytes", w.project_count AS "projectCount", w.created_at AS "createdAt"`

/** Only an admin owns: an owner who steps down loses ownership, and has it again once they are an admin (CONTRACT §5). */
export const owns = "(m.is_owner AND m.role = 'admin')"

export const membershipColumns = `${workspaceColumns}, m.role, ${owns} AS "isOwner", (u.home_workspace_id = w.id) IS TRUE AS "isHome"`

export const membershipTables = "members m JOIN workspaces w ON w.id = m.workspace_id JOIN users u ON u.id = m.user_id"

export const homeFirst = "(u.home_workspace_id = w.id) IS TRUE DESC, m.joined_at, w.id"

const memberColumns = `m.user_id AS "userId", u.name, u.email, m.role, ${owns} AS "isOwner", m.joined_at AS "joinedAt"`

export type MembershipRow = RowOf<Membership>

export const membershipOf = (row: MembershipRow): Membership => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  trialEndsAt: instant(row.trialEndsAt),
  needsCharge: row.needsCharge,
  subscriptionStatus: row.subscriptionStatus,
  subscriptionEndsAt: instant(row.subscriptionEndsAt),
  storageBytes: row.storageBytes,
  projectCount: row.projectCount,
  createdAt: DateTime.fromDateUnsafe(row.createdAt),
  role: row.role,
  isOwner: row.isOwner,
  isHome: row.isHome
})

/** Locks workspaces before accounts and in order of id, as every other program does. */
export const lockWorkspacesOf = (sql: SqlClient.SqlClient, userId: UserId) =>
  idsOf(sql<{ id: WorkspaceId }>`
    SELECT w.id FROM workspaces w WHERE w.id IN (SELECT workspace_id FROM members WHERE user_id = ${userId}) ORDER BY w.id FOR UPDATE`)

type UsedRow = MembershipRow & { readonly seats: number }

const usedOf = (row: UsedRow) => ({ ...membershipOf(row), seats: row.seats })

/** Whose membership, of which workspace, and when. */
interface Asked {
  readonly userId: string
  readonly id: string | undefined
  readonly now: DateTime.Utc
}

export const WorkspaceStoreSql = Layer.effect(
  WorkspaceStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const columns = sql.literal(membershipColumns)
    const tables = sql.literal(membershipTables)
    const order = sql.literal(homeFirst)

    const memberships = yield* together({
      most: 16,
      alone: (userId: UserId) =>
        Effect.orDie(Effect.map(sql<MembershipRow>`SELECT ${columns} FROM ${tables} WHERE m.user_id = ${userId} ORDER BY ${order}`, (rows) => rows.map(membershipOf))),
      many: (userIds): Effect.Effect<ReadonlyArray<ReadonlyArray<Membership>>> =>
        Effect.orDie(Effect.map(
          sql<MembershipRow & Placed>`
            SELECT a.at::int4, ${columns} FROM unnest(${userIds}::uuid[]) WITH ORDINALITY AS a (user_id, at) JOIN (${tables}) ON m.user_id = a.user_id
            ORDER BY a.at, ${order}`,
          listsIn(userIds, membershipOf)
        ))
    })

    // One statement, so that an invite accepted meanwhile counts once, as an invite or as a member; and so does a member who
    // is invited to own the workspace.
    const seats = (workspaceId: Fragment, now: Fragment) => sql`
      (SELECT count(*) FROM members s WHERE s.workspace_id = ${workspaceId})::int
      + (SELECT count(*) FROM invites s WHERE s.workspace_id = ${workspaceId} AND s.accepted_at IS NULL
          AND s.expires_at > ${now}
          AND NOT EXISTS (SELECT 1 FROM users g JOIN members h ON h.user_id = g.id AND h.workspace_id = s.workspace_id WHERE g.email = s.email)
        )::int AS seats`

    const moment = (now: DateTime.Utc) => sql`${date(now)}::timestamptz`

    const membership = yield* together({
      alone: ({ id, now, userId }: Asked) =>
        firstOf(
          sql<UsedRow>`
            SELECT ${columns}, ${seats(sql.literal("w.id"), moment(now))} FROM ${tables}
            WHERE m.user_id = ${userId} ${id === undefined ? sql.literal("") : sql`AND w.id = ${id}`} ORDER BY ${order} LIMIT 1`,
          usedOf
        ),
      many: (asked) =>
        Effect.orDie(Effect.map(
          sql<UsedRow & Placed>`
            SELECT a.at::int4, s.*
            FROM unnest(
                ${asked.map((one) => one.userId)}::uuid[], ${asked.map((one) => one.id ?? "")}::text[],
                ${asked.map((one) => date(one.now))}::timestamptz[]
              ) WITH ORDINALITY AS a (user_id, id, now, at)
              CROSS JOIN LATERAL (
                SELECT ${columns}, ${seats(sql.literal("w.id"), sql.literal("a.now"))} FROM ${tables}
                WHERE m.user_id = a.user_id AND (a.id = '' OR w.id = nullif(a.id, '')::uuid) ORDER BY ${order} LIMIT 1
              ) s`,
          placed(asked, usedOf)
        ))
    })

    const seatsTaken = (id: string, now: DateTime.Utc) => sql<{ readonly seats: number }>`SELECT ${seats(sql`${id}::uuid`, moment(now))}`

    const lock = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Workspace,
      execute: (id) => sql`SELECT ${sql.literal(workspaceColumns)} FROM workspaces w WHERE w.id = ${id} FOR UPDATE`
    })

    const members = SqlSchema.findAll({
      Request: Schema.String,
      Result: Member,
      execute: (id) => sql`
        SELECT ${sql.literal(memberColumns)} FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.workspace_id = ${id} ORDER BY m.joined_at, m.user_id`
    })

    const member = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, userId: Schema.String }),
      Result: Member,
      execute: ({ id, userId }) => sql`
        SELECT ${sql.literal(memberColumns)} FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.workspace_id = ${id} AND m.user_id = ${userId}`
    })

    const memberBy = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, email: Schema.String }),
      Result: Member,
      execute: ({ email, id }) => sql`
        SELECT ${sql.literal(memberColumns)} FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.workspace_id = ${id} AND u.email = ${email}`
    })

    return WorkspaceStore.of({
      memberships,
      membership: (userId, id, now) => membership({ userId, id, now }),
      lock: (id) => Effect.orDie(lock(id)),
      seatsTaken: (id, now) => Effect.orDie(Effect.map(seatsTaken(id, now), ([row]) => row!.seats)),
      join: (userId, { isOwner, role, workspaceId }, now) =>
        executed(sql`
          INSERT INTO members AS m (workspace_id, user_id, role, is_owner, joined_at)
          VALUES (${workspaceId}, ${userId}, ${role}, ${isOwner}, ${date(now)})
          ON CONFLICT (workspace_id, user_id) DO UPDATE SET
            role = excluded.role, is_owner = m.is_owner OR excluded.is_owner`),
      madeBy: Effect.fn("WorkspaceStoreSql.madeBy")(function*(userId) {
        const held = yield* sql`SELECT 1 FROM users WHERE id = ${userId} AND deletion_id IS NULL FOR NO KEY UPDATE`
        if (held.length === 0) return Option.none()
        return Option.some(yield* counted(sql<{ count: number }>`SELECT count(*)::int AS count FROM workspaces WHERE made_by = ${userId}`))
      }, Effect.orDie),
      create: Effect.fn("WorkspaceStoreSql.create")(function*({ id, name, needsCharge, plan }, madeBy, now) {
        const at = date(now)
        yield* sql`
          INSERT INTO workspaces (id, name, plan, needs_charge, made_by, created_at) VALUES (${id}, ${name}, ${plan}, ${needsCharge}, ${madeBy}, ${at})`
        yield* sql`
          INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at) VALUES (${id}, ${madeBy}, ${MAKER.role}, ${MAKER.isOwner}, ${at})`
      }, Effect.orDie),
      rename: (id, name) => executed(sql`UPDATE workspaces SET name = ${name} WHERE id = ${id}`),
      members: (id) => Effect.orDie(members(id)),
      member: (id, userId) => Effect.orDie(member({ id, userId })),
      memberBy: (id, email) => Effect.orDie(memberBy({ id, email })),
      adminsBeside: (id, userId) =>
        // An admin whose account is to be erased does not count.
        counted(sql<{ count: number }>`
          SELECT count(*)::int AS count FROM members m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = ${id} AND m.role = 'admin' AND m.user_id <> ${userId} AND u.deletion_id IS NULL`),
      setRole: (id, userId, role) =>
        Effect.orDie(Effect.map(
          sql<{ isOwner: boolean }>`
            UPDATE members m SET role = ${role} WHERE m.workspace_id = ${id} AND m.user_id = ${userId}
            RETURNING ${sql.literal(owns)} AS "isOwner"`,
          (rows) => rows.some((row) => row.isOwner)
        )),
      leave: Effect.fn("WorkspaceStoreSql.leave")(function*(id, userId, now) {
        const shared = yield* idsOf(uncoverFolders(sql, userId, now, id))
        yield* sql`UPDATE users SET home_workspace_id = NULL WHERE id = ${userId} AND home_workspace_id = ${id}`
        yield* sql`DELETE FROM members WHERE workspace_id = ${id} AND user_id = ${userId}`
        return shared
      }, Effect.orDie)
    })
  })
)
