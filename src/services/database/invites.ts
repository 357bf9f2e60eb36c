/** Invites in PostgreSQL, by the hashes of their links. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../domain/accounts/model.ts"
import { Invitation, Invite, ListedInvite } from "../../domain/invites/model.ts"
import { InviteStore } from "../../domain/invites/store.ts"
import { date, executed, sweeping } from "./rows.ts"

const inviteColumns = `i.id, i.workspace_id AS "workspaceId", i.email, i.role, i.grants_ownership AS "grantsOwnership",
  i.invited_by AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt", i.accepted_at AS "acceptedAt"`

const Moment = Schema.DateTimeUtcFromDate

/** Nobody can join a workspace that is to be erased. */
const enterable = `EXISTS (SELECT 1 FROM workspaces w WHERE w.id = i.workspace_id AND w.deletion_id IS NULL)`

export const InviteStoreSql = Layer.effect(
  InviteStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(inviteColumns)
    const opens = sql.literal(enterable)

    const byToken = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ ...Invite.fields, owner: Schema.NullOr(UserId) }),
      execute: (hash) => sql`
        SELECT ${columns}, u.id AS owner FROM invites i LEFT JOIN users u ON u.email = i.email WHERE i.token_hash = ${hash} AND ${opens}`
    })

    const shown = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Invitation,
      execute: (hash) => sql`
        SELECT i.email, CASE WHEN i.grants_ownership THEN 'admin' ELSE i.role END AS role, w.name AS workspace, u.name AS inviter, i.expires_at AS "expiresAt"
        FROM invites i JOIN workspaces w ON w.id = i.workspace_id LEFT JOIN users u ON u.id = i.invited_by WHERE i.token_hash = ${hash} AND ${opens}`
    })

    const pendingFor = SqlSchema.findAll({
      Request: Schema.Struct({ email: Schema.String, now: Moment }),
      Result: Invite,
      execute: ({ email, now }) => sql`
        SELECT ${columns} FROM invites i
        WHERE i.email = ${email} AND i.accepted_at IS NULL AND i.expires_at > ${now} AND ${opens} ORDER BY i.created_at, i.id`
    })

    const consume = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.String, now: Moment }),
      Result: Invite,
      execute: ({ hash, now }) => sql`
        UPDATE invites i SET accepted_at = ${now}
        WHERE i.token_hash = ${hash} AND i.accepted_at IS NULL AND i.expires_at > ${now} AND ${opens}
        RETURNING ${columns}`
    })

    // Locked in order of id, so that concurrent calls for one address queue instead of deadlocking.
    const consumeAll = SqlSchema.findAll({
      Request: Schema.Struct({ email: Schema.String, workspaces: Schema.Array(Schema.String), now: Moment }),
      Result: Invite,
      execute: ({ email, now, workspaces }) => sql`
        WITH live AS (
          SELECT id FROM invites i WHERE email = ${email} AND workspace_id = ANY(${workspaces}::uuid[]) AND accepted_at IS NULL AND expires_at > ${now} AND ${opens} ORDER BY id FOR UPDATE
        )
        UPDATE invites i SET accepted_at = ${now} FROM live WHERE i.id = live.id
        RETURNING ${columns}`
    })

    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: ListedInvite,
      execute: (workspaceId) => sql`
        SELECT ${columns}, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS inviter
        FROM invites i LEFT JOIN users u ON u.id = i.invited_by
        WHERE i.workspace_id = ${workspaceId} AND NOT i.grants_ownership ORDER BY i.id DESC`
    })

    const find = SqlSchema.findOneOption({
      Request: Schema.Struct({ workspaceId: Schema.String, id: Schema.String }),
      Result: Invite,
      execute: ({ id, workspaceId }) => sql`SELECT ${columns} FROM invites i WHERE i.workspace_id = ${workspaceId} AND i.id = ${id}`
    })

    const live = SqlSchema.findOneOption({
      Request: Schema.Struct({ workspaceId: Schema.String, email: Schema.String }),
      Result: Invite,
      execute: ({ email, workspaceId }) => sql`
        SELECT ${columns} FROM invites i WHERE i.workspace_id = ${workspaceId} AND i.email = ${email} AND i.accepted_at IS NULL`
    })

    return InviteStore.of({
      add: (invite, tokenHash) =>
        executed(sql`
          INSERT INTO invites (id, workspace_id, email, role, grants_ownership, token_hash, invited_by, created_at, expires_at)
          VALUES (${invite.id}, ${invite.workspaceId}, ${invite.email}, ${invite.role}, ${invite.grantsOwnership}, ${tokenHash},
            ${invite.invitedBy}, ${date(invite.createdAt)}, ${date(invite.expiresAt)})`),
      shown: (hash) => Effect.orDie(shown(hash)),
      byToken: (hash) => Effect.orDie(byToken(hash)).pipe(Effect.map(Option.map(({ owner, ...invite }) => ({ invite, owner })))),
      list: (workspaceId) => Effect.orDie(list(workspaceId)),
      find: (workspaceId, id) => Effect.orDie(find({ workspaceId, id })),
      live: (workspaceId, email) => Effect.orDie(live({ workspaceId, email })),
      remove: (id) => executed(sql`DELETE FROM invites WHERE id = ${id}`),
      pendingFor: (email, now) => Effect.orDie(pendingFor({ email, now })),
      consume: (hash, now) => Effect.orDie(consume({ hash, now })),
      consumeAll: (email, workspaces, now) => Effect.orDie(consumeAll({ email, workspaces, now })),
      sweep: sweeping(sql, "invites", "id", "expires_at")
    })
  })
)
