/** Exports in PostgreSQL; a new one is committed together with the job that builds it. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Workflow } from "effect/workflow"
import type { UserId } from "../../domain/accounts/model.ts"
import { BegunExport, Export, ExportId, Opened } from "../../domain/exports/model.ts"
import { GRAVE } from "../../domain/exports/rules.ts"
import { ExportStore } from "../../domain/exports/store.ts"
import { Manifest } from "../../domain/hosting/model.ts"
import { Project, ProjectId } from "../../domain/projects/model.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { makeBeginJob } from "./begin-job.ts"
import { hiddenFrom, projectColumns, projectTables } from "./project-rows.ts"
import { anyRow, date, executed, idsOf } from "./rows.ts"

/** The job that builds the export of this id. */
export const BuildExport = Workflow.make("BuildExport", {
  payload: { exportId: ExportId },
  success: Schema.Void,
  idempotencyKey: ({ exportId }) => exportId
})

const exportColumns = `e.id, e.workspace_id AS "workspaceId", e.requested_by AS "requestedBy", e.requested_at AS "requestedAt",
  e.begun_at AS "begunAt", e.completed_at AS "completedAt", e.failed_at AS "failedAt", e.size_bytes::float8 AS "sizeBytes"`

const Moment = Schema.DateTimeUtcFromDate

export const ExportStoreSql = Layer.effect(
  ExportStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const beginJob = yield* makeBeginJob
    const columns = sql.literal(exportColumns)
    const ofProject = sql.literal(projectColumns)
    const withProject = sql.literal(projectTables)
    const dayOf = (moment: Fragment) => sql`(${moment} AT TIME ZONE 'UTC')::date`
    const underWay = sql.literal("completed_at IS NULL AND failed_at IS NULL")

    /** First those that are of no clock which was ahead and was set back. */
    const latest = SqlSchema.findOneOption({
      Request: Schema.Struct({ workspaceId: WorkspaceId, now: Moment }),
      Result: Export,
      execute: ({ now, workspaceId }) => sql`
        SELECT ${columns} FROM exports e WHERE e.workspace_id = ${workspaceId}
        ORDER BY ${dayOf(sql`e.requested_at`)} > ${dayOf(sql`${now}::timestamptz`)}, e.requested_at DESC, e.id DESC LIMIT 1`
    })

    /** What the table's unique indexes allow one of. */
    const counted = SqlSchema.findOneOption({
      Request: Schema.Struct({ workspaceId: WorkspaceId, now: Moment }),
      Result: Export,
      execute: ({ now, workspaceId }) => sql`
        SELECT ${columns} FROM exports e WHERE e.workspace_id = ${workspaceId} AND e.failed_at IS NULL
          AND (e.completed_at IS NULL OR ${dayOf(sql`e.requested_at`)} = ${dayOf(sql`${now}::timestamptz`)})
        ORDER BY e.completed_at IS NOT NULL LIMIT 1`
    })

    const begin = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: ExportId, pack: Schema.String, now: Moment }),
      Result: BegunExport,
      execute: ({ id, now, pack }) => sql`
        WITH held AS (SELECT id, pack_id, tries FROM exports WHERE id = ${id} AND ${underWay} FOR UPDATE)
        UPDATE exports e SET begun_at = coalesce(e.begun_at, ${now}), tries = e.tries + ${GRAVE}, pack_id = ${pack}
        FROM held WHERE e.id = held.id RETURNING ${columns}, held.tries, held.pack_id AS leftover`
    })

    const opened = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: ExportId, tokenHash: Schema.String }),
      Result: Opened,
      execute: ({ id, tokenHash }) => sql`
        SELECT ${columns}, m.role, json_build_object('pack', e.pack_id, 'sizeBytes', e.size_bytes, 'hash', e.hash) AS archive
        FROM exports e JOIN users u ON u.id = e.requested_by AND u.deletion_id IS NULL
          LEFT JOIN members m ON m.workspace_id = e.workspace_id AND m.user_id = u.id
        WHERE e.id = ${id} AND e.token_hash = ${tokenHash} AND e.completed_at IS NOT NULL AND e.pack_id IS NOT NULL`
    })

    const projects = SqlSchema.findAll({
      Request: Schema.Struct({ workspaceId: WorkspaceId, userId: Schema.String }),
      Result: Schema.Struct({ id: ProjectId, slug: Schema.String }),
      execute: ({ userId, workspaceId }) => sql`
        SELECT p.id, p.slug FROM projects p LEFT JOIN folders f ON f.id = p.folder_id
        WHERE p.workspace_id = ${workspaceId} AND p.deleted_at IS NULL AND NOT ${hiddenFrom(sql, userId)} ORDER BY p.id`
    })

    // One statement, so that settings and files are of the same moment.
    const project = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: ProjectId, userId: Schema.String }),
      Result: Schema.Struct({ ...Project.fields, manifest: Schema.NullOr(Manifest) }),
      execute: ({ id, userId }) => sql`
        SELECT ${ofProject}, v.manifest FROM ${withProject} WHERE p.id = ${id} AND p.deleted_at IS NULL AND NOT ${hiddenFrom(sql, userId)}`
    })

    return ExportStore.of({
      latest: (workspaceId, now) => Effect.orDie(latest({ workspaceId, now })),
      counted: (workspaceId, now) => Effect.orDie(counted({ workspaceId, now })),
      add: Effect.fn("ExportStoreSql.add")(function*({ id, requestedAt, requestedBy, workspaceId }) {
        yield* sql`
          INSERT INTO exports (id, workspace_id, requested_by, requested_at)
          VALUES (${id}, ${workspaceId}, ${requestedBy}, ${date(requestedAt)})`
        yield* beginJob(BuildExport, { exportId: id })
      }, Effect.orDie),
      requester: (id) => Effect.orDie(Effect.map(sql<{ by: UserId | null }>`SELECT requested_by AS by FROM exports WHERE id = ${id}`, ([found]) => found?.by ?? null)),
      begin: (id, pack, now) => Effect.orDie(begin({ id, pack, now })),
      failTry: (id, pack) => executed(sql`UPDATE exports SET tries = tries - ${GRAVE - 1}::int WHERE id = ${id} AND pack_id = ${pack} AND ${underWay}`),
      complete: (id, { hash, pack, sizeBytes }, tokenHash, now) =>
        anyRow(sql`
          UPDATE exports SET completed_at = ${date(now)}, size_bytes = ${sizeBytes}, hash = ${hash}, token_hash = ${tokenHash}
          WHERE id = ${id} AND pack_id = ${pack} AND ${underWay} RETURNING id`),
      fail: (id, now) =>
        Effect.orDie(Effect.map(
          sql<{ pack: string | null }>`
            WITH held AS (SELECT id, pack_id FROM exports WHERE id = ${id} AND ${underWay} FOR UPDATE)
            UPDATE exports e SET failed_at = ${date(now)}, pack_id = NULL FROM held WHERE e.id = held.id
            RETURNING held.pack_id AS pack`,
          (rows) => Option.fromNullishOr(rows[0]?.pack)
        )),
      opened: (id, tokenHash) => Effect.orDie(opened({ id, tokenHash })),
      expire: (cutoff, limit) =>
        idsOf(sql<{ id: string }>`
          WITH held AS (
            SELECT id, pack_id FROM exports WHERE completed_at <= ${date(cutoff)} AND pack_id IS NOT NULL
            ORDER BY completed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          UPDATE exports e SET pack_id = NULL FROM held WHERE e.id = held.id RETURNING held.pack_id AS id`),
      projects: (workspaceId, userId) => Effect.orDie(projects({ workspaceId, userId })),
      project: (id, userId) =>
        Effect.orDie(Effect.map(project({ id, userId }), Option.map(({ manifest, ...found }) => ({ project: found, manifest: manifest ?? {} }))))
    })
  })
)
