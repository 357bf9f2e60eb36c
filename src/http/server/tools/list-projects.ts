/** `list_projects` (SPEC §4.9): what the caller can see in a workspace. Doorcodes are left out: a list is no place for secrets. */
import { Effect, Schema } from "effect"
import type { DateTime } from "effect"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { FolderId } from "../../../domain/folders/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import type { Standing } from "../../../domain/projects/rules.ts"
import { countText } from "../../../domain/words.ts"
import { notIn } from "../../../domain/workspaces/member-rules.ts"
import { WorkspaceId } from "../../../domain/workspaces/model.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Caller } from "../../contract/authentication.ts"
import { project, UsageView } from "../../contract/project-views.ts"
import { sizeText } from "../../contract/sizes.ts"
import { idOf, line, PAGE, wire } from "../../contract/wire.ts"
import { addressed } from "../addressed.ts"
import { atMost, optional, paged, workspace } from "./arguments.ts"
import { READS, tool } from "./tool.ts"
import { more, projectLine, quoted, standing } from "./words.ts"

const Input = Schema.Struct({
  workspace,
  folder_id: optional(idOf(FolderId), "Only projects of this folder"),
  query: optional(atMost(line(0, 200), 200), "Part of a title or slug"),
  ...paged
})

const { password: _, ...listed } = project
const Listed = wire(listed)

const Output = wire({
  projects: Schema.Array(Listed),
  usage: UsageView.annotate({ description: "Of the whole workspace" }),
  workspaces: Schema.optionalKey(Schema.Array(Schema.Struct({ id: WorkspaceId, name: Schema.String })))
    .annotate({ description: "All that the account is in, the first one first; on the first page, and only where there are several" }),
  nextCursor: Schema.NullOr(Schema.String).annotate({ description: "Null on the last page" })
})

const words = ({ here, nextCursor, projects, usage, workspaces = [] }: typeof Output.Type & { readonly here: Standing }, now: DateTime.Utc) =>
  [
    ...(projects.length === 0 ? ["No projects here."] : projects.map((project) => projectLine(project, now))),
    ...more(nextCursor),
    `In all: ${countText(usage.projects, "project")}, ${sizeText(usage.storageBytes)}, ${countText(usage.seats, "seat")} taken.`,
    ...standing(here),
    ...(workspaces.length === 0 ? [] : [`The account’s workspaces, to be passed as workspace: ${workspaces.map(({ id, name }) => `${quoted(name)} (${id})`).join(", ")}.`])
  ].join("\n")

export const listProjects = tool("list_projects", {
  title: "List projects",
  description: "List the projects that the account can see in a workspace, newest first, with their addresses and the workspace’s usage; the way to find a slug. Doorcodes are left out: get_project_link has them.",
  annotations: READS,
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function*({ cursor, folder_id: folderId, limit, query, workspace }) {
    const { user } = yield* Caller
    const page = yield* (yield* Projects).list(user, workspace, { folderId, query, after: cursor, limit: limit ?? PAGE })
    const all = yield* (yield* Workspaces).of(user.id)
    const here = all.find(({ id }) => workspace === undefined || id === workspace) ?? (yield* notIn(workspace))
    const workspaces = all.length > 1 && cursor === undefined ? { workspaces: all.map(({ id, name }) => ({ id, name })) } : {}
    return { ...page, here, ...workspaces, projects: page.projects.map(addressed(yield* Addresses)) }
  }),
  words
})
