/** Folders that group projects. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { given } from "../../domain/given.ts"
import { confirmed } from "../asking.ts"
import { signedIn, signedInPatiently } from "../connection.ts"
import { allFolders, doneIn, elsewhere, folderOf, slug, workspace, yes } from "../flags.ts"
import { done, Output } from "../output.ts"
import { inWordsOf } from "../refusal.ts"

const folder = Argument.String("folder").pipe(Argument.withDescription("Its id, or its name"))
const called = Argument.String("name").pipe(Argument.withDescription("What it is called"))

const list = Command.make(
  "list",
  { workspace },
  Effect.fnUntraced(function*({ workspace }) {
    const { answer, listed } = yield* Output
    const client = yield* signedIn
    const folders = yield* allFolders(client, workspace)
    const others = yield* elsewhere(folders.length === 0, client, workspace, "svc folders list")
    yield* answer({ folders }, () => listed(
      [{ title: "ID" }, { title: "NAME", gives: true }, { title: "FOR" }, { title: "PROJECTS", right: true, spare: true }, { title: "MADE BY", spare: true }],
      folders.map(({ createdBy, id, name, projectCount, sharing }) => [id, name, sharing === "team" ? "team" : "you alone", String(projectCount), createdBy.name]),
      `There are no folders. Make one: svc folders create <name>${others}`
    ))
  })
).pipe(Command.withDescription("List folders"))

const create = Command.make(
  "create",
  { name: called, private: Flag.Boolean("private").pipe(Flag.withDescription("For you alone, admins included"), Flag.withDefault(false)), workspace },
  Effect.fnUntraced(function*({ name, private: alone, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedInPatiently
    const made = yield* client.folders.create({ query: given({ workspace }), payload: { name, sharing: alone ? "private" : "team" } })
    const where = yield* doneIn(client, workspace)
    yield* answer(made, (paint) => [done(paint, `${made.name} is${where || " there"}, for ${alone ? "you alone" : "the team"}.`), made.id])
  })
).pipe(Command.withDescription("Make a folder, for the team by default"))

const rename = Command.make(
  "rename",
  { folder, name: called, workspace },
  Effect.fnUntraced(function*({ folder, name, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const changed = yield* client.folders.change({ params: { id: yield* folderOf(client, folder, workspace) }, payload: { name } })
    yield* answer(changed, (paint) => done(paint, `It is called ${changed.name} now.`))
  })
).pipe(Command.withDescription("Rename a folder"))

const share = Command.make(
  "share",
  { folder, sharing: Argument.Literals("team|private", ["team", "private"]), workspace },
  Effect.fnUntraced(function*({ folder, sharing, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const changed = yield* client.folders.change({ params: { id: yield* folderOf(client, folder, workspace) }, payload: { sharing } })
    yield* answer(changed, (paint) => done(paint, sharing === "team" ? `The team sees ${changed.name}.` : `${changed.name} is for you alone.`))
  })
).pipe(Command.withDescription("Say who sees a folder: the team, or you alone"))

const remove = Command.make(
  "delete",
  { folder, moveProjects: Flag.Boolean("move-projects").pipe(Flag.withDescription("What is in it stays, in no folder; what was in a private one then shows to the whole workspace"), Flag.withDefault(false)), workspace, yes },
  Effect.fnUntraced(function*({ folder, moveProjects, workspace, yes }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const id = yield* folderOf(client, folder, workspace)
    yield* confirmed(`Delete the folder ${folder}?`, yes)
    yield* client.folders.remove({ params: { id }, query: moveProjects ? { move_projects: true } : {} }).pipe(
      // The message names the API's parameter; the flag has another name.
      inWordsOf(["conflict"], ({ message }) => ({ message: message.replace("move_projects=true", "--move-projects") }))
    )
    yield* answer({ id, status: "deleted" }, (paint) => done(paint, "The folder is gone; no project is."))
  })
).pipe(Command.withDescription("Delete a folder; asks first. Projects are never deleted with it"))

const move = Command.make(
  "move",
  {
    slug,
    folder: Argument.String("folder").pipe(Argument.withDescription("Its id or its name; - takes the project out")),
    workspace: Flag.withDescription(workspace, "Whose folders; those of the project’s workspace by default")
  },
  Effect.fnUntraced(function*({ folder, slug: named, workspace }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const whose = folder === "-" ? undefined : workspace ?? (yield* client.projects.get({ params: { slug }, query: {} })).workspaceId
    const project = yield* client.projects.change({ params: { slug }, payload: { folder_id: folder === "-" ? null : yield* folderOf(client, folder, whose) } })
    yield* answer(project, (paint) => done(paint, folder === "-" ? `${project.slug} is in no folder.` : `${project.slug} is in ${folder}.`))
  })
).pipe(Command.withDescription("Put a project into a folder"))

export const folders = Command.make("folders").pipe(
  Command.withDescription("Projects kept together"),
  Command.withSubcommands([list, create, rename, share, move, remove])
)
