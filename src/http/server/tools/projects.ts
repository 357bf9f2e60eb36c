/** One project (SPEC §4.9): its link, who may open it, its folder, and its deletion. */
import { Effect, Schema } from "effect"
import { Allowlists } from "../../../domain/allowlists/allowlists.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import { allowlist } from "../../contract/allowlists.ts"
import { Caller } from "../../contract/authentication.ts"
import { project } from "../../contract/project-views.ts"
import { Changes } from "../../contract/projects.ts"
import { ok, Status, wire } from "../../contract/wire.ts"
import { addressed } from "../addressed.ts"
import { commentersWords } from "./allowlists.ts"
import { optional, said, slug } from "./arguments.ts"
import { aroundOf } from "./around.ts"
import type { Told } from "./around.ts"
import { READS, REMOVES, SETS_BEFORE_OTHERS, tool } from "./tool.ts"
import { ToolProject } from "./update.ts"
import { audience, moment, quoted } from "./words.ts"

const { emails, inheritedEmails } = allowlist
const { folder_id, password, visibility } = Changes.fields

const Link = wire({ ...project, emails, inheritedEmails })

const settings = ({ expiresAt, folderId, indexable, title }: typeof ToolProject.Type): string =>
  `${quoted(title)}, ${folderId === null ? "in no folder" : `in folder ${folderId}`}; search engines ${indexable ? "may" : "may not"} list it; ${expiresAt === null ? "it never expires" : `its end: ${moment(expiresAt)}`}.`

export const getProjectLink = tool("get_project_link", {
  title: "Get a project’s link",
  description: "The address of a project, who can open it, its doorcode where you may know it, its settings, and who may comment. For one recipient’s own way in, make a share link instead.",
  annotations: READS,
  input: Schema.Struct({ slug }),
  output: Link,
  run: Effect.fnUntraced(function*({ slug }) {
    const { user } = yield* Caller
    const found = addressed(yield* Addresses)(yield* (yield* Projects).get(user, slug))
    const { emails, inheritedEmails } = yield* (yield* Allowlists).of(found)
    return { ...found, emails, inheritedEmails, around: yield* aroundOf(found) }
  }),
  words: ({ around, ...project }: Told<typeof Link.Type>, now) =>
    [
      project.url,
      project.version === 0 ? "Nothing is published there yet." : `Who can open it: ${audience(project, now, around)}.`,
      settings(project),
      ...commentersWords(project, around)
    ].join("\n")
})

export const setVisibility = tool("set_visibility", {
  title: "Set who can open a project",
  description: "Takes effect at once, for those who are reading too. public opens it to anyone with the address: ask before you open what was closed. password takes a doorcode, or makes one up and answers it.",
  annotations: SETS_BEFORE_OTHERS,
  input: Schema.Struct({
    slug,
    visibility: visibility.schema.annotate({ description: "public: anyone with the address. password: whoever has the doorcode. private: members, or in a private folder its creator alone, and others by share link" }),
    password: optional(password.schema, "The doorcode, 6 to 128 characters; the one it has stays, or one is made up, where absent")
  }),
  output: ToolProject,
  run: Effect.fnUntraced(function*({ password, slug, visibility }) {
    const { user } = yield* Caller
    const changed = addressed(yield* Addresses)(yield* (yield* Projects).change(user, slug, { visibility, password: password ?? undefined }))
    return { ...changed, around: yield* aroundOf(changed) }
  }),
  words: ({ around, ...project }: Told<typeof ToolProject.Type>, now) => `${project.url} is ${audience(project, now, around)}.`
})

export const moveProject = tool("move_project", {
  title: "Move a project to a folder",
  description: "Puts a project into a folder of its workspace, or out of any with folder_id null. A private folder hides it from everyone but the folder’s creator, and closes it to them too if its visibility is private; out of one it opens to the team again: ask before you do this.",
  annotations: SETS_BEFORE_OTHERS,
  input: Schema.Struct({ slug, folder_id: said(folder_id.schema, "The folder’s id, as list_folders names it; null: no folder") }),
  output: ToolProject,
  run: Effect.fnUntraced(function*({ folder_id: folderId, slug }) {
    const { user } = yield* Caller
    const moved = addressed(yield* Addresses)(yield* (yield* Projects).change(user, slug, { folderId }))
    return { ...moved, around: yield* aroundOf(moved) }
  }),
  words: ({ around, ...project }: Told<typeof ToolProject.Type>, now) =>
    `${project.slug} lies in ${project.folderId === null ? "no folder" : `folder ${project.folderId}`}. Who can open it: ${audience(project, now, around)}.`
})

export const deleteProject = tool("delete_project", {
  title: "Delete a project",
  description: "Takes a project down with all its versions, comments and share links, for good. Its address stops answering at once and stays yours to take back for 30 days. Ask before you do this.",
  annotations: REMOVES,
  input: Schema.Struct({ slug }),
  output: Status,
  run: Effect.fnUntraced(function*({ slug }) {
    const { user } = yield* Caller
    yield* (yield* Projects).remove(user, slug)
    return ok
  }),
  words: () => "Deleted. Its address no longer answers."
})
