/** Builds one export, again and again with growing pauses through an outage; a worker that dies is followed by another. */
import { Effect, Schema } from "effect"
import { Activity } from "effect/workflow"
import { ExportBuilds } from "../domain/exports/builds.ts"
import type { ExportId } from "../domain/exports/model.ts"
import { BuildExport } from "../services/database/exports.ts"
import { kindOf, pauses } from "./retry-job.ts"

/** The tries themselves are counted with the export, which outlives a worker. */
export const build = (exportId: ExportId) =>
  ExportBuilds.use(({ attempt }) => attempt(exportId)).pipe(
    // A database that is away must not cost an export.
    Effect.catchDefect((cause) => Effect.fail(cause)),
    Effect.tapError((cause) => Effect.logWarning("export not built yet").pipe(Effect.annotateLogs({ exportId, why: kindOf(cause) }))),
    Effect.retry(pauses),
    Effect.orDie
  )

export const BuildExportWorker = BuildExport.toLayer(({ exportId }) =>
  Activity.make({ name: "build", success: Schema.Void, execute: build(exportId) })
)
