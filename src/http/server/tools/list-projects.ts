/** `list_projects` (SPEC §4.9): what the caller can see in a workspace. Doorcodes are left out: a list is no place for secrets. */
import { DateTime, Effect, Schema } from "effect"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { FolderId } from "../../../domain/folders/model.ts"
import { Kind, Visibility } from "../../../domain/projects/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import { WorkspaceId } from "../../../domain/workspaces/model.ts"
import { Caller } from "../../contract/authentication.ts"
import { Timestamp, wire } from "../../contract/wire.ts"
import { tool } from "./tool.ts"

const PAGE = 50

const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

const Input = wire({
  workspace: optional(WorkspaceId, "A workspace’s id; the account’s first workspace unless told"),
  folderId: optional(FolderId, "Only projects of this folder"),
  query: optional(Schema.String.check(Schema.isMaxLength(200)), "Part of a title or slug"),
  cursor: optional(Schema.String.check(Schema.isUUID()), "The `next_cursor` of the page before"),
  limit: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })), `1 to 100; ${PAGE} unless told`)
})

const Listed = wire({
  slug: Schema.String,
  url: Schema.String.annotate({ description: "Where the project is served" }),
  title: Schema.String,
  kind: Schema.NullOr(Kind).annotate({ description: "Null until something is published" }),
  version: Schema.Int.annotate({ description: "Of what is served; 0 until something is published" }),
  visibility: Visibility,
  folderId: Schema.NullOr(FolderId),
  owner: Schema.Struct({ id: Schema.String, name: Schema.String }),
  expiresAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  publishedAt: Schema.NullOr(Timestamp)
})

const Output = wire({
  projects: Schema.Array(Listed),
  usage: wire({ projects: Schema.Int, storageBytes: Schema.Finite, seats: Schema.Int }).annotate({ description: "Of the whole workspace" }),
  nextCursor: Schema.NullOr(Schema.String).annotate({ description: "Null on the last page" })
})

const line = ({ expiresAt, kind, slug, title, url, version, visibility }: typeof Listed.Type) => {
  const facts = [
    kind === null ? "nothing published yet" : `${kind}, version ${version}`,
    visibility,
    ...(expiresAt === null ? [] : [`expires ${DateTime.formatIso(expiresAt)}`])
  ]
  return `- ${slug}: ${JSON.stringify(title)} at ${url} (${facts.join(", ")})`
}

const words = ({ nextCursor, projects }: typeof Output.Type) =>
  projects.length === 0
    ? "No projects here."
    : [...projects.map(line), ...(nextCursor === null ? [] : [`There are more: ask again with cursor ${nextCursor}.`])].join("\n")

export const listProjects = tool("list_projects", {
  title: "List projects",
  description: "List the projects that the account can see in a workspace, newest first, with their addresses and the workspace’s usage.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function*({ cursor, folderId, limit, query, workspace }) {
    const { user } = yield* Caller
    const { projectUrl } = yield* Addresses
    const page = yield* (yield* Projects).list(user, workspace ?? undefined, {
      folderId: folderId ?? undefined,
      query: query ?? undefined,
      after: cursor ?? undefined,
      limit: limit ?? PAGE
    })
    return { ...page, projects: page.projects.map((project) => ({ ...project, url: projectUrl(project.slug) })) }
  }),
  words
})
