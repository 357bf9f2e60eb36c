/** Passes, the opens of share links, and keys that open once, in PostgreSQL. */
import { Effect, Layer } from "effect"
import type { DateTime } from "effect"
import { SqlClient } from "effect/sql"
import { PassStore } from "../../domain/hosting/store.ts"
import type { OpenedLink } from "../../domain/hosting/store.ts"
import type { ProjectId } from "../../domain/projects/model.ts"
import { anyRow, date, executed, firstOf, sweeping } from "./rows.ts"

export const PassStoreSql = Layer.effect(
  PassStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const sweepKeys = sweeping(sql, "spent_keys", "hash", "spent_at")
    const sweepPasses = sweeping(sql, "passes", "id", "given_at")

    const liveLink = (projectId: ProjectId, hash: string, now: DateTime.Utc) =>
      sql`hash = ${hash} AND project_id = ${projectId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${date(now)})`

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
        firstOf(
          sql<{ password: string }>`SELECT password FROM projects WHERE id = ${projectId} AND visibility = 'password' AND deleted_at IS NULL`,
          ({ password }) => password
        ),

      // The first of many simultaneous opens locks the row; the others see it opened.
      openLink: (projectId, hash, now) =>
        firstOf(
          sql<OpenedLink>`
            WITH found AS (
              SELECT id, first_opened_at FROM share_links WHERE ${liveLink(projectId, hash, now)} FOR UPDATE
            ), opened AS (
              UPDATE share_links l
              SET view_count = view_count + 1, first_opened_at = coalesce(l.first_opened_at, ${date(now)}), last_opened_at = greatest(l.last_opened_at, ${date(now)})
              FROM found WHERE l.id = found.id
              RETURNING l.id, l.label, l.notify_on_first_open AND found.first_opened_at IS NULL AS tells, l.project_id
            )
            SELECT o.id, o.label, o.tells, p.owner_id AS "ownerId" FROM opened o JOIN projects p ON p.id = o.project_id`,
          (opened) => opened
        ),

      linkOpens: (projectId, hash, now) => anyRow(sql`SELECT 1 FROM share_links WHERE ${liveLink(projectId, hash, now)}`),

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
