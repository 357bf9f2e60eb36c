/** Called with every project that gets a new version, after its publish is committed. Does nothing unless a listener is provided. */
import { Context, Effect } from "effect"
import type { Project } from "../projects/model.ts"

export const Ahead = Context.Reference<(project: Project) => Effect.Effect<void>>("svc/domain/renderings/Ahead", {
  defaultValue: () => () => Effect.void
})
