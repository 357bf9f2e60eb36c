/** Builds one export, retried with growing pauses through an outage; if a worker dies, another continues. */
import { Effect, Schema } from "effect"
import { Activity } from "effect/workflow"
import { ExportBuilds } from "../domain/exports/builds.ts"
import type { ExportId } from "../domain/exports/model.ts"
import { BuildExport } from "../services/database/exports.ts"
import { pauses, persistently } from "./retry-job.ts"

/** Tries are counted in the export's row, which outlives a worker. */
export const build = (exportId: ExportId) =>
  Effect.orDie(persistently(ExportBuilds.use(({ attempt }) => attempt(exportId)), pauses, "export not built yet", { exportId }))

export const BuildExportWorker = BuildExport.toLayer(({ exportId }) =>
  Activity.make({ name: "build", success: Schema.Void, execute: build(exportId) })
)
