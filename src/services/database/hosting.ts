/** What the content plane reads, in as few round trips as may be. Plain rows: this is the hot path. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Manifest } from "../../domain/hosting/model.ts"
import type { Site } from "../../domain/hosting/model.ts"
import { HostingStore } from "../../domain/hosting/store.ts"

interface SiteRow extends Omit<Site, "expiresAt" | "trialEndsAt" | "version"> {
  readonly expiresAt: Date | null
  readonly trialEndsAt: Date | null
  readonly versionId: NonNullable<Site["version"]>["id"] | null
  readonly number: number
  readonly kind: NonNullable<Site["version"]>["kind"]
  readonly entry: string
}

const moment = (date: Date | null) => date === null ? null : DateTime.fromDateUnsafe(date)

const site = ({ entry, expiresAt, kind, number, trialEndsAt, versionId, ...facts }: SiteRow): Site => ({
  ...facts,
  expiresAt: moment(expiresAt),
  trialEndsAt: moment(trialEndsAt),
  version: versionId === null ? null : { id: versionId, number, kind, entry }
})

export const HostingStoreSql = Layer.effect(
  HostingStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const manifest = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ manifest: Manifest }),
      execute: (version) => sql`SELECT manifest FROM versions WHERE id = ${version}`
    })

    return HostingStore.of({
      sites: (slugs) =>
        Effect.orDie(Effect.map(
          sql<SiteRow>`
            SELECT p.id AS "projectId", p.workspace_id AS "workspaceId", p.slug, p.title, p.visibility, p.indexable,
              p.html_display_mode AS "htmlDisplayMode", p.comments_enabled AS "commentsEnabled",
              p.expires_at AS "expiresAt", w.trial_ends_at AS "trialEndsAt", p.succeeds,
              v.id AS "versionId", v.version AS number, v.kind, v.entry
            FROM projects p
              JOIN workspaces w ON w.id = p.workspace_id
              LEFT JOIN versions v ON v.id = p.current_version_id
            WHERE p.slug = ANY(${slugs}) AND p.deleted_at IS NULL`,
          (rows) => new Map(rows.map((row) => [row.slug, site(row)]))
        )),
      manifest: (version) => Effect.orDie(Effect.map(manifest(version), Option.map((row) => row.manifest)))
    })
  })
)
