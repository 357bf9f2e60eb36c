/** Passes, the opens of share links, and keys that open once, in PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../domain/accounts/model.ts"
import { PassStore } from "../../domain/hosting/store.ts"
import { ShareLinkId } from "../../domain/share-links/model.ts"
import { anyRow, date, executed, firstOf, sweeping } from "./rows.ts"

interface OpenedRow {
  readonly id: string
  readonly label: string
  readonly tells: boolean
  readonly ownerId: UserId
}

export const PassStoreSql = Layer.effect(
  PassStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const isLinkId = Schema.decodeUnknownSync(ShareLinkId)
    const sweepKeys = sweeping(sql, "spent_keys", "hash", "spent_at")
    const sweepPasses = sweeping(sql, "passes", "id", "given_at")

    return PassStore.of({
      add: ({ accessEpoch, by, frameHash, frameName, givenAt, hash, id, projectId }) =>
        executed(sql`
          INSERT INTO passes ${
          sql.insert({
            id,
            project_id: projectId,
            hash,
            via: by.via,
            access_epoch: accessEpoch,
            user_id: by.via === "member" ? by.userId : null,
            session_epoch: by.via === "member" ? by.sessionEpoch : null,
            signed_in_at: by.via === "member" ? date(by.signedInAt) : null,
            share_link_id: by.via === "link" ? by.shareLinkId : null,
            frame_name: frameName,
            frame_hash: frameHash,
            given_at: date(givenAt)
          })
        }`),

      doorcode: (projectId) =>
        Effect.orDie(Effect.map(
          sql<{ password: string }>`SELECT password FROM projects WHERE id = ${projectId} AND visibility = 'password' AND deleted_at IS NULL`,
          firstOf(({ password }) => password)
        )),

      openLink: Effect.fn("PassStoreSql.openLink")(function*(projectId, hash, now) {
        const at = date(now)
        // The first of many simultaneous opens locks the row; the others see it opened.
        const rows = yield* sql<OpenedRow>`
          WITH found AS (
            SELECT id, first_opened_at FROM share_links
            WHERE hash = ${hash} AND project_id = ${projectId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at})
            FOR UPDATE
          ), opened AS (
            UPDATE share_links l SET view_count = view_count + 1, first_opened_at = coalesce(l.first_opened_at, ${at})
            FROM found WHERE l.id = found.id
            RETURNING l.id, l.label, l.notify_on_first_open AND found.first_opened_at IS NULL AS tells, l.project_id
          )
          SELECT o.id, o.label, o.tells, p.owner_id AS "ownerId" FROM opened o JOIN projects p ON p.id = o.project_id`
        return firstOf(({ id, ...opened }: OpenedRow) => ({ ...opened, id: isLinkId(id) }))(rows)
      }, Effect.orDie),

      linkOpens: (projectId, hash, now) =>
        anyRow(sql`SELECT 1 FROM share_links WHERE hash = ${hash} AND project_id = ${projectId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${date(now)})`),

      spend: (hash, at) =>
        anyRow(sql`INSERT INTO spent_keys (hash, spent_at) VALUES (${hash}, ${date(at)}) ON CONFLICT DO NOTHING RETURNING hash`),

      isSpent: (hash) => anyRow(sql`SELECT 1 FROM spent_keys WHERE hash = ${hash}`),

      endSession: (user, signedInAt) =>
        executed(sql`DELETE FROM passes WHERE user_id = ${user} AND signed_in_at = ${date(signedInAt)}`),

      markServedRaw: (projectId) => executed(sql`UPDATE projects SET served_raw = true WHERE id = ${projectId}`),

      sweep: Effect.fn("PassStoreSql.sweep")(function*({ keys, passes }, limit) {
        return (yield* sweepKeys(keys, limit)) + (yield* sweepPasses(passes, limit))
      })
    })
  })
)
