/** What platform administrators look at, in PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ProjectFacts, Statistics, UserFacts, WorkspaceFacts } from "../../domain/administration/model.ts"
import { AdministrationStore } from "../../domain/administration/store.ts"
import { Workspace } from "../../domain/workspaces/model.ts"
import { userColumns } from "./accounts.ts"
import { WAITING } from "./mails.ts"
import { anyRow, date, executed, past } from "./rows.ts"
import { owns } from "./workspaces.ts"

const { billingState: _state, linksDownOn: _down, ...workspaceFields } = WorkspaceFacts.fields
const { needsCharge, subscriptionEndsAt, subscriptionStatus } = Workspace.fields
const WorkspaceRow = Schema.Struct({ ...workspaceFields, needsCharge, subscriptionEndsAt, subscriptionStatus })

const { jobs: _jobs, standing: _standing, ...counted } = Statistics.fields

const projectColumns = `p.id, p.slug, p.workspace_id AS "workspaceId", p.owner_id AS "ownerId", p.visibility, p.version,
  p.created_at AS "createdAt", p.taken_down_at AS "takenDownAt"`

/** Members, and those parted from a workspace that is to be erased. */
const belonging = `(SELECT workspace_id, user_id, role, is_owner FROM members UNION ALL SELECT workspace_id, user_id, role, is_owner FROM parted_members)`

export const AdministrationStoreSql = Layer.effect(
  AdministrationStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* userColumns

    const user = SqlSchema.findOneOption({
      Request: Schema.Struct({ column: Schema.Literals(["id", "email"]), value: Schema.String }),
      Result: UserFacts,
      execute: ({ column, value }) => sql`
        SELECT ${columns}, d.erase_on AS "erasesOn", coalesce((
          SELECT json_agg(json_build_object('id', w.id, 'name', w.name, 'role', m.role, 'isOwner', ${sql.literal(owns)}) ORDER BY w.id)
          FROM ${sql.literal(belonging)} m JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = u.id), '[]') AS workspaces
        FROM users u LEFT JOIN deletions d ON d.id = u.deletion_id WHERE u.${sql(column)} = ${value}`
    })

    const workspace = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: WorkspaceRow,
      execute: (id) => sql`
        SELECT w.id, w.name, w.plan, w.trial_ends_at AS "trialEndsAt", w.needs_charge AS "needsCharge", w.subscription_status AS "subscriptionStatus",
          w.subscription_ends_at AS "subscriptionEndsAt", w.project_count AS projects, w.storage_bytes::float8 AS "storageBytes",
          w.created_at AS "createdAt", d.erase_on AS "erasesOn", coalesce((
            SELECT json_agg(json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'role', m.role, 'isOwner', ${sql.literal(owns)}) ORDER BY u.id)
            FROM ${sql.literal(belonging)} m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = w.id), '[]') AS members
        FROM workspaces w LEFT JOIN deletions d ON d.id = w.deletion_id WHERE w.id = ${id}`
    })

    const project = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: ProjectFacts,
      execute: (slug) => sql`SELECT ${sql.literal(projectColumns)} FROM projects p WHERE p.slug = ${slug} AND p.deleted_at IS NULL`
    })

    const takenDown = SqlSchema.findAll({
      Request: Schema.Struct({ after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: ProjectFacts,
      execute: ({ after, limit }) => sql`
        SELECT ${sql.literal(projectColumns)} FROM projects p
        WHERE p.taken_down_at IS NOT NULL AND p.deleted_at IS NULL ${past(sql, "p.id <", after)}
        ORDER BY p.id DESC LIMIT ${limit}`
    })

    const terms = SqlSchema.findAll({
      Request: Schema.Struct({ after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: Schema.Struct({ id: WorkspaceFacts.fields.id, trialEndsAt: WorkspaceFacts.fields.trialEndsAt, needsCharge, subscriptionEndsAt, subscriptionStatus }),
      execute: ({ after, limit }) => sql`
        SELECT id, trial_ends_at AS "trialEndsAt", needs_charge AS "needsCharge", subscription_status AS "subscriptionStatus", subscription_ends_at AS "subscriptionEndsAt"
        FROM workspaces WHERE deletion_id IS NULL ${past(sql, "id >", after)} ORDER BY id LIMIT ${limit}`
    })

    const statistics = SqlSchema.findOne({
      Request: Schema.DateTimeUtcFromDate,
      Result: Schema.Struct(counted),
      execute: (now) => sql`
        SELECT (SELECT count(*) FROM users WHERE deletion_id IS NULL AND email <> '')::int AS users,
          (SELECT count(*) FROM workspaces WHERE deletion_id IS NULL)::int AS workspaces,
          (SELECT count(*) FROM projects WHERE deleted_at IS NULL)::int AS projects,
          (SELECT count(*) FROM projects WHERE deleted_at IS NULL AND taken_down_at IS NOT NULL)::int AS "takenDown",
          (SELECT count(*) FROM versions)::int AS versions,
          (SELECT coalesce(sum(storage_bytes), 0) FROM workspaces)::float8 AS "storageBytes",
          (SELECT coalesce(sum(views), 0) FROM view_days WHERE day = (${now}::timestamptz AT TIME ZONE 'UTC')::date)::int AS "viewsToday",
          (SELECT json_build_object('waiting', count(*) FILTER (WHERE ${sql.literal(WAITING)}), 'dead', count(*) FILTER (WHERE dead_at IS NOT NULL))
            FROM mails WHERE sent_at IS NULL) AS mails,
          (SELECT count(*) FROM deletions WHERE restored_at IS NULL AND erased_at IS NULL)::int AS "deletionsScheduled"`
    })

    return AdministrationStore.of({
      user: (by) => Effect.orDie(user("id" in by ? { column: "id", value: by.id } : { column: "email", value: by.email })),
      workspace: (id) => Effect.orDie(workspace(id)),
      project: (slug) => Effect.orDie(project(slug)),
      takeDown: (id, now) =>
        anyRow(sql`UPDATE projects SET taken_down_at = ${date(now)} WHERE id = ${id} AND taken_down_at IS NULL RETURNING 1`),
      putBack: (id) =>
        anyRow(sql`UPDATE projects SET taken_down_at = NULL WHERE id = ${id} AND taken_down_at IS NOT NULL RETURNING 1`),
      takenDown: ({ after, limit }) => Effect.orDie(takenDown({ after: after ?? null, limit })),
      setTrialEnd: (id, until) => executed(sql`UPDATE workspaces SET trial_ends_at = ${date(until)} WHERE id = ${id}`),
      terms: ({ after, limit }) => Effect.orDie(terms({ after: after ?? null, limit })),
      statistics: (now) => Effect.orDie(statistics(now))
    })
  })
)
