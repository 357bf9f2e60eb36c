/** Builds one export, again and again with growing pauses through an outage; a worker that dies is followed by another. */
import { Effect, Schema } from "effect"
import { Activity } from "effect/workflow"
import { ExportBuilds } from "../domain/exports/builds.ts"
import type { ExportId } from "../domain/exports/model.ts"
import { BuildExport } from "../services/database/exports.ts"
import { pauses, persistently } from "./retry-job.ts"

/** The tries themselves are counted with the export, which outlives a worker. */
export const build = (exportId: ExportId) =>
  Effect.orDie(persistently(ExportBuilds.use(({ attempt }) => attempt(exportId)), pauses, "export not built yet", { exportId }))

export const BuildExportWorker = BuildExport.toLayer(({ exportId }) =>
  Activity.make({ name: "build", success: Schema.Void, execute: build(exportId) })
)
