/** Invites in PostgreSQL, by the hashes of their links. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../domain/accounts/model.ts"
import { Invite } from "../../domain/invites/model.ts"
import { InviteStore } from "../../domain/invites/store.ts"

const inviteColumns = `i.id, i.workspace_id AS "workspaceId", i.email, i.role, i.grants_ownership AS "grantsOwnership",
  i.invited_by AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt", i.accepted_at AS "acceptedAt"`

const Moment = Schema.DateTimeUtcFromDate

export const InviteStoreSql = Layer.effect(
  InviteStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(inviteColumns)

    const byToken = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ ...Invite.fields, owner: Schema.NullOr(UserId) }),
      execute: (hash) => sql`
        SELECT ${columns}, u.id AS owner FROM invites i LEFT JOIN users u ON u.email = i.email WHERE i.token_hash = ${hash}`
    })

    const pendingFor = SqlSchema.findAll({
      Request: Schema.Struct({ email: Schema.String, now: Moment }),
      Result: Invite,
      execute: ({ email, now }) => sql`
        SELECT ${columns} FROM invites i
        WHERE i.email = ${email} AND i.accepted_at IS NULL AND i.expires_at > ${now} ORDER BY i.created_at, i.id`
    })

    const consume = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.String, now: Moment }),
      Result: Invite,
      execute: ({ hash, now }) => sql`
        UPDATE invites i SET accepted_at = ${now}
        WHERE i.token_hash = ${hash} AND i.accepted_at IS NULL AND i.expires_at > ${now}
        RETURNING ${columns}`
    })

    // Locked in one order, so that two callers of one address wait for each other and neither for both.
    const consumeAll = SqlSchema.findAll({
      Request: Schema.Struct({ email: Schema.String, now: Moment }),
      Result: Invite,
      execute: ({ email, now }) => sql`
        WITH live AS (
          SELECT id FROM invites WHERE email = ${email} AND accepted_at IS NULL AND expires_at > ${now} ORDER BY id FOR UPDATE
        )
        UPDATE invites i SET accepted_at = ${now} FROM live WHERE i.id = live.id
        RETURNING ${columns}`
    })

    return InviteStore.of({
      add: (invite, tokenHash) =>
        Effect.orDie(Effect.asVoid(sql`
          INSERT INTO invites (id, workspace_id, email, role, grants_ownership, token_hash, invited_by, created_at, expires_at)
          VALUES (${invite.id}, ${invite.workspaceId}, ${invite.email}, ${invite.role}, ${invite.grantsOwnership}, ${tokenHash},
            ${invite.invitedBy}, ${DateTime.toDateUtc(invite.createdAt)}, ${DateTime.toDateUtc(invite.expiresAt)})`)),
      byToken: (hash) => Effect.orDie(byToken(hash)).pipe(Effect.map(Option.map(({ owner, ...invite }) => ({ invite, owner })))),
      pendingFor: (email, now) => Effect.orDie(pendingFor({ email, now })),
      consume: (hash, now) => Effect.orDie(consume({ hash, now })),
      consumeAll: (email, now) => Effect.orDie(consumeAll({ email, now }))
    })
  })
)
