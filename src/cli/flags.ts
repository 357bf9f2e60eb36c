/** Arguments and flags that many commands share. */
import { Effect, Option, Schema } from "effect"
import { Argument, Flag, GlobalFlag } from "effect/cli"
import { FolderId } from "../domain/folders/model.ts"
import { given } from "../domain/given.ts"
import { slugFault } from "../domain/projects/slugs/slugs.ts"
import { WorkspaceId } from "../domain/workspaces/model.ts"
import { days as lawful } from "../http/contract/wire.ts"
import type { Client } from "./client.ts"
import { accountOf, Connection } from "./connection.ts"
import { Output } from "./output.ts"
import { inWordsOf, usage } from "./refusal.ts"
import { plain } from "./table.ts"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(Flag.withDescription("Answer in JSON: one object, or one a line for long work"), Flag.withDefault(false))
})

export const Verbose = GlobalFlag.Setting("verbose")({
  flag: Flag.Boolean("verbose").pipe(Flag.withDescription("Tell every request and its id"), Flag.withDefault(false))
})

/** Undefined if the flag is not given. */
export const perhaps = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> => Flag.map(Flag.optional(flag), Option.getOrUndefined)

/** As a host's name, it opens in either case. */
export const folded = (slug: string): string => slug.toLowerCase()

/** The slug in an address: the web app's has it in the path; a project's own host begins with it, which only the service can confirm, of what is there. */
const slugOf = Effect.fnUntraced(function*(given: string, whereNone: (label: string) => { readonly next?: string } = () => ({})) {
  // A path of the API cannot hold these.
  if (/^\.{0,2}$/.test(given)) return yield* usage(`"${given}" is no project.`, "svc list   shows your projects.")
  // A slug has none of these: it is an address, as some browsers show it, or a file.
  if (!/[./:]/.test(given)) return folded(given)
  const address = URL.parse(/^https?:\/\//i.test(given) ? given : `http://${given}`)
  const { base, client } = yield* Connection
  const app = new URL(base)
  const own = address?.host === app.host ? address.pathname.slice(app.pathname.replace(/\/$/, "").length) : ""
  const listed = /^\/projects\/([^/]+)/.exec(own)?.[1]
  if (listed !== undefined) return folded(listed)
  const elsewhere = usage(`${given} is not the address of a project at ${base}.`, "svc list   shows your projects.")
  const label = /^([^.]+)\../.exec(address?.hostname ?? "")?.[1]
  if (address === null || label === undefined || address.host === app.host) return yield* elsewhere
  const { url } = yield* (yield* client).projects.get({ params: { slug: label }, query: {} }).pipe(inWordsOf(["not_found"], () => whereNone(label)))
  // Another service's host may begin with the slug of a project here.
  return new URL(url).host === address.host ? label : yield* elsewhere
})

/** People often have the address at hand. */
export const slug = Argument.String("slug").pipe(
  Argument.withDescription("The project: its slug or its address"),
  Argument.map((given) => slugOf(given))
)

/** One dot alone may be a slip in a slug. */
const isAddress = (given: string): boolean => /[/:]|\..*\./.test(given)

/** Where a publish goes, which may be free yet. */
export const slugFlag = (description: string) => perhaps(Flag.String("slug").pipe(
  Flag.withAlias("s"),
  Flag.withSchema(Schema.String.check(Schema.makeFilter((given) => isAddress(given) ? undefined : slugFault(folded(given))))),
  Flag.withDescription(description),
  Flag.map((given) => slugOf(given, (label) => ({ next: `svc list   shows your projects. For a new one: --slug ${label}` })))
))

export const workspace = perhaps(Flag.String("workspace").pipe(
  Flag.withSchema(WorkspaceId),
  Flag.withMetavar("<id>"),
  Flag.withDescription("Which workspace; your primary one by default")
))

/** A folder is named by its id, or by its name if only one folder has it: `folderOf` tells the id. */
export const inFolder = (description: string) => perhaps(Flag.String("folder").pipe(Flag.withMetavar("<id or name>"), Flag.withDescription(description)))

export const yes = Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Do not ask"), Flag.withDefault(false))

/** Refused here if no date can hold it; the service may allow fewer. */
const manyDays = Schema.Int.check(lawful)

export const inDays = (description: string) =>
  perhaps(Flag.Int("expires-in-days").pipe(Flag.withSchema(manyDays), Flag.withMetavar("<days>"), Flag.withDescription(description)))

/** `--no-expiry` */
export const expiry = (description: string) => Flag.Boolean("expiry").pipe(Flag.withDescription(description), Flag.withDefault(true))

/** In how many days something ends: null for never, undefined for as before. */
export const endsIn = (expiry: boolean, days: number | undefined) =>
  !expiry && days !== undefined ? usage("--no-expiry and --expires-in-days contradict each other.") : Effect.succeed(expiry ? days : null)

/** All pages of a list. */
export const every = <A, E, R>(page: (cursor: string | undefined) => Effect.Effect<readonly [items: ReadonlyArray<A>, next: string | null], E, R>) =>
  Effect.gen(function*() {
    const all: Array<A> = []
    for (let cursor: string | undefined;;) {
      const [items, next] = yield* page(cursor)
      all.push(...items)
      if (next === null) return all
      cursor = next
    }
  })

/** The workspace that is meant where none of several was chosen. */
const unchosen = Effect.fnUntraced(function*(client: Client, chosen: WorkspaceId | undefined) {
  const { workspaces } = chosen === undefined ? yield* accountOf(client) : { workspaces: [] }
  return workspaces.length > 1 ? workspaces[0] : undefined
})

/** Where something was done, ` in Home`, for those who have several workspaces and chose none. It is done, whatever comes of this question. */
export const doneIn = (...asked: Parameters<typeof unchosen>) =>
  Effect.flatMap(Output, ({ json }) => json ? Effect.succeed("") : unchosen(...asked).pipe(
    Effect.map((first) => first === undefined ? "" : ` in ${first.name}`),
    Effect.orElseSucceed(() => "")
  ))

/** That of several workspaces one alone was looked at, and how to look at the others. */
const lookedAt = Effect.fnUntraced(function*(client: Client, chosen: WorkspaceId | undefined, command: string) {
  const first = yield* unchosen(client, chosen)
  return first === undefined ? "" : `\nThis is of ${plain(first.name)} alone. Of another workspace: ${command} --workspace <id>   svc whoami shows the ids.`
})

/** Beneath what tells people that there is none. */
export const elsewhere = (isNone: boolean, ...asked: Parameters<typeof lookedAt>) =>
  Effect.flatMap(Output, ({ json }) => isNone && !json ? lookedAt(...asked) : Effect.succeed(""))

/** For a name that none has: the list of those there are, in another workspace perhaps. */
export const listOf = (client: Client, chosen: WorkspaceId | undefined, command: string) =>
  Effect.map(lookedAt(client, chosen, command), (words) => words.trim() || command)

export const allFolders = (client: Client, workspace: WorkspaceId | undefined) =>
  every((cursor) => Effect.map(client.folders.list({ query: { limit: 100, ...given({ cursor, workspace }) } }), (page) => [page.folders, page.nextCursor]))

const isFolderId = Schema.is(FolderId)

export const folderOf = Effect.fnUntraced(function*(client: Client, given: string, workspace: WorkspaceId | undefined) {
  if (isFolderId(given)) return given
  // As the service keeps what was typed.
  const kept = given.trim().normalize("NFC")
  const named = (yield* allFolders(client, workspace)).filter(({ name }) => name === kept)
  if (named.length === 1) return named[0]!.id
  return yield* usage(named.length === 0 ? `There is no folder "${given}".` : `${named.length} folders are called "${given}": take the id.`, yield* listOf(client, workspace, "svc folders list"))
})
