/** Told of every version that goes live, after its publish is committed. Nobody listens unless somebody is provided. */
import { Context, Effect } from "effect"
import type { Project } from "../projects/model.ts"

export const Ahead = Context.Reference<(project: Project) => Effect.Effect<void>>("svc/domain/renderings/Ahead", {
  defaultValue: () => () => Effect.void
})
