/** An answer that is given again goes to whoever may still have it: a project to those who see it, a workspace to its members. */
import { Effect, Option, Schema } from "effect"
import type { User } from "../../../domain/accounts/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import { WorkspaceId } from "../../../domain/workspaces/model.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"

const Subject = Schema.Struct({
  slug: Schema.optionalKey(Schema.String),
  project_slug: Schema.optionalKey(Schema.String),
  workspace_id: Schema.optionalKey(WorkspaceId)
})

const subjectOf = Schema.decodeUnknownOption(Subject)

/** `named` is the slug that was asked for, where the answer names none. */
export const stillSeen = Effect.fnUntraced(function*(user: User, answer: unknown, named?: string) {
  const { project_slug, slug = project_slug ?? named, workspace_id } = Option.getOrElse(subjectOf(answer), (): typeof Subject.Type => ({}))
  if (slug !== undefined) yield* (yield* Projects).get(user, slug)
  else if (workspace_id !== undefined) yield* (yield* Workspaces).select(user.id, workspace_id)
})
