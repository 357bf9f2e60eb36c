/** `svc publish`: turns a file, a folder or stdin into an address, and writes only that address to stdout. */
import { createWriteStream } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import { DateTime, Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { countText } from "../../domain/words.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import { browse } from "../browser.ts"
import { theirNow } from "../clock.ts"
import { signedIn, signedInPatiently } from "../connection.ts"
import { keepsTokens } from "../credentials.ts"
import { folderOf, inDays, inFolder, perhaps, slugFlag, workspace } from "../flags.ts"
import { downAmong, openingOf } from "../opening.ts"
import { done, Output } from "../output.ts"
import type { Folder, LeftOut } from "../publishing/folder.ts"
import type { LoneFile, Outcome, Source } from "../publishing/publishing.ts"
import { inWordsOf, refused, usage } from "../refusal.ts"
import { exactly, table } from "../table.ts"
import { asWord, audience, opens, span } from "../words.ts"

/** stdin is kept in a file until it is published: it could not be read again after a broken connection. */
const fromStdin = (name: string | undefined, type: string | undefined) =>
  Effect.gen(function*() {
    if (process.stdin.isTTY) return yield* usage("- reads from stdin, and nothing is piped in.", "cat notes.md | svc publish - --name notes.md")
    const kept = <A>(done: () => Promise<A>) =>
      Effect.tryPromise({
        try: done,
        catch: (error) => refused(`What stdin brings cannot be kept in ${tmpdir()} meanwhile: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, "Make room there, or name another folder in TMPDIR.")
      })
    const folder = yield* Effect.acquireRelease(
      kept(() => mkdtemp(join(tmpdir(), "svc-publish-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const from = join(folder, "stdin")
    yield* kept(() => pipeline(process.stdin, createWriteStream(from, { mode: 0o600 })))
    const { size } = yield* Effect.promise(() => stat(from))
    // Most likely the program that writes it failed: an empty file must not replace what is there.
    if (size === 0) return yield* usage("Nothing came from stdin.", "cat notes.md | svc publish - --name notes.md")
    return { _tag: "File", file: { name, type, from, size } } satisfies Source
  })

const fromDisk = Effect.fnUntraced(function*(given: string, name: string | undefined, type: string | undefined, counted: boolean) {
  const { look, unfit, unreadable, withoutIndex } = yield* Effect.promise(() => import("../publishing/folder.ts"))
  const path = yield* Effect.try({ try: () => resolve(given), catch: () => refused("The folder that you are in is gone.", "Go to one that is there: cd") })
  const found = yield* Effect.tryPromise({
    try: () => stat(path),
    catch: (error) => /^(?:ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "") ? usage(`There is no file or folder "${given}" here.`, "svc publish <file or folder>") : unreadable({ from: given }, error)
  })
  if (yield* Effect.promise(() => keepsTokens(path))) {
    return yield* refused(`${given} is not published: svc keeps its tokens there.`, "Put what you mean to publish into a folder of its own.")
  }
  if (found.isFile()) return { _tag: "File", file: { name: name ?? basename(path), type, from: path, size: found.size } } satisfies Source
  if (!found.isDirectory()) return yield* usage(`${given} is neither a file nor a folder.`, "What another program writes: … | svc publish - --name notes.md")
  if (name !== undefined || type !== undefined) {
    return yield* usage(`${name === undefined ? "--type" : "--name"} is for one file; those of a folder say by their own names what they are.`, `svc publish ${asWord(given)}`)
  }
  const folder = yield* Effect.tryPromise({ try: () => look(path, counted), catch: (error) => unreadable({ from: given }, error) })
  const fault = withoutIndex(given, folder) ?? unfit(folder)
  return fault === undefined ? { _tag: "Folder", folder } satisfies Source : yield* fault
})

const total = (parts: ReadonlyArray<LeftOut>) => ({ files: parts.reduce((sum, { files }) => sum + files, 0), size: parts.reduce((sum, { size }) => sum + size, 0) })

/** So many names, and the rest counted: one line. */
const NAMED = 5
const someOf = (paths: ReadonlyArray<string>): string => {
  const named = paths.slice(0, NAMED).map(exactly)
  const last = paths.length > NAMED ? `${paths.length - NAMED} more` : named.pop()!
  return named.length === 0 ? last : `${named.join(", ")} and ${last}`
}

const withoutThem = (missed: ReadonlyArray<string>): string => `Left out: ${someOf(missed)} (svc publish --dry-run lists them).`

const lacking = (paths: ReadonlyArray<string>): string => `${someOf(paths)}, which ${paths.length === 1 ? "is" : "are"} missing`

const notSent = (paths: ReadonlyArray<string>): string => `${someOf(paths)}, which ${paths.length === 1 ? "lies beside it and was" : "lie beside it and were"} not sent`

/** What lies where it can be sent from says more than that it is missing, which the rest is. */
const lyingBeside = Effect.fnUntraced(function*(file: LoneFile, missing: ReadonlyArray<string>) {
  const { besidePage, isMarkdown } = yield* Effect.promise(() => import("../publishing/beside.ts"))
  const beside = yield* Effect.promise(() => besidePage(file))
  if (beside.length === 0) return undefined
  const gone = missing.filter((path) => !beside.includes(path))
  const [shows, folder] = isMarkdown(file) ? ["shows", "a folder that holds this Markdown and its images, and nothing else"] : ["names", "the folder"]
  return `It ${shows} ${gone.length === 0 ? "" : `${lacking(gone)}, and `}${notSent(beside)}. To send ${beside.length === 1 ? "that" : "those"} too, publish ${folder}.`
})

const planned = ({ files, leftOut, size: bytes }: Omit<Folder, "missed">, { listed, wide }: typeof Output.Service) => {
  const columns = [{ title: "SIZE", right: true }, { title: "FILE", gives: true }]
  const out = total(leftOut)
  return {
    json: {
      files: files.map(({ path, size }) => ({ path, sizeBytes: size })),
      fileCount: files.length,
      sizeBytes: bytes,
      leftOut: leftOut.map(({ files, path, size }) => ({ path, fileCount: files, sizeBytes: size }))
    },
    lines: [
      ...listed(columns, files.map(({ path, size: bytes }) => [sizeText(bytes), exactly(path)]), ""),
      "",
      `${countText(files.length, "file")}, ${sizeText(bytes)} would be published.`,
      ...(leftOut.length === 0 ? [] : [
        "",
        `Left out: ${countText(out.files, "file")}, ${sizeText(out.size)}.`,
        ...table(columns, leftOut.map(({ files, path, size: bytes }) => [sizeText(bytes), files > 1 ? `${exactly(path)} (${countText(files, "file")})` : exactly(path)]), wide).slice(1)
      ])
    ]
  }
}

/** Whether it is one that can be published, the service knows; what is none, such as `markdown`, it takes for no type at all where it makes up the address. */
const MimeType = Schema.String.check(Schema.isPattern(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;[\x20-\x7e]*)?$/, { message: "A MIME type, such as text/markdown." }))

const sentence = ({ kind, sent, version }: Outcome, seconds: number): string => {
  if (sent.files + sent.removed === 0) return `Nothing has changed: version ${version} is what you have here.`
  return `Version ${version} is live: ${kind}, ${countText(sent.files, "file")}, ${sizeText(sent.bytes)} in ${seconds < 1 ? "under a second" : span(seconds)}.`
}

/** The address, and beside it what a person is told: what was done, who opens it, and how to publish to it again. */
const tell = Effect.fnUntraced(function*(outcome: Outcome, seconds: number, { from, slug }: { readonly from: string; readonly slug: string | undefined }) {
  const { answer, aside, asidePaint, watched } = yield* Output
  const { password, sent, url } = outcome
  // The answer does not tell whether the project has expired; what is published stays so whatever happens to this question.
  const asking = yield* signedIn
  const project = slug === undefined ? undefined : yield* asking.projects.get({ params: { slug }, query: {} }).pipe(Effect.orElseSucceed(() => undefined))
  // Nothing new is published where links are down.
  const down = sent.files + sent.removed === 0 ? yield* downAmong(asking) : new Set<WorkspaceId>()
  const opening = project === undefined ? outcome.visibility : openingOf(project, down, yield* theirNow)
  if (watched) {
    yield* aside(done(asidePaint, sentence(outcome, seconds)))
    yield* aside(`  ${audience(opening, outcome)}`)
    if (slug === undefined) yield* aside(asidePaint.dim(`  Next time: svc publish ${asWord(from.replace(/^-(?=.)/, "./-"))} --slug ${outcome.slug}`))
    // Shown even without a terminal: that nobody can enter, and a doorcode that the service made, without which nobody can.
  } else if (opens[opening] === "nobody") yield* aside(audience(opening, outcome))
  else if (outcome.visibility === "password" && password !== null) yield* aside(`Doorcode: ${password}`)
  yield* answer({}, () => url)
})

export const publish = Command.make(
  "publish",
  {
    source: Argument.String("source").pipe(Argument.withDescription("A file, a folder with an index.html, one Markdown or one video, or - for stdin")),
    slug: slugFlag("The address; again, it gets a new version"),
    title: perhaps(Flag.String("title").pipe(Flag.withDescription("What it is called; its own title by default"))),
    visibility: perhaps(Flag.Literals("visibility", ["public", "password", "private"]).pipe(Flag.withDescription("Who opens it"))),
    folder: inFolder("Put it into this folder"),
    workspace,
    expiresInDays: inDays("Stops opening that many days from now"),
    type: perhaps(Flag.String("type").pipe(Flag.withSchema(MimeType), Flag.withMetavar("<type/subtype>"), Flag.withDescription("What it is, where its name does not tell"))),
    name: perhaps(Flag.String("name").pipe(Flag.withMetavar("<file.ext>"), Flag.withDescription("The file’s name, for what stdin brings"))),
    update: Flag.Boolean("update").pipe(Flag.withDescription("Only as a new version of what is there, a colleague’s project too"), Flag.withDefault(false)),
    dryRun: Flag.Boolean("dry-run").pipe(Flag.withDescription("Say what would be sent, and send nothing"), Flag.withDefault(false)),
    open: Flag.Boolean("open").pipe(Flag.withDescription("Open it in the browser afterwards"), Flag.withDefault(false))
  },
  Effect.fnUntraced(
    function*({ dryRun, expiresInDays, folder: named, name, open, slug: to, source: from, title, type, update, visibility, workspace }) {
      const output = yield* Output
      const { answer, aside, event, json } = output
      // A variable that is not set arrives as "", which would mean the folder that one is in.
      if (from === "") return yield* usage("Say what to publish.", "svc publish <file or folder>")
      if (name === "") return yield* usage("--name needs a name.", "svc publish - --name notes.md")
      if (update && to === undefined) return yield* usage("--update needs the address to update.", "svc publish report.html --slug q3-report --update")
      const began = DateTime.toEpochMillis(yield* DateTime.now)
      const source = from === "-" ? yield* fromStdin(name, type) : yield* fromDisk(from, name, type, dryRun)
      if (dryRun) {
        const lone = source._tag === "File" ? { files: [{ path: source.file.name ?? "stdin", from: "", size: source.file.size }], leftOut: [], size: source.file.size } : source.folder
        const plan = planned(lone, output)
        return yield* answer(plan.json, () => plan.lines)
      }
      if (source._tag === "Folder" && source.folder.missed.length > 0) yield* aside(withoutThem(source.folder.missed))
      const client = yield* signedInPatiently
      const slug = yield* to ?? Effect.undefined
      // A name means a folder of the workspace that has the project; a new one is made in the primary workspace.
      const held = named === undefined || slug === undefined || workspace !== undefined
        ? undefined
        : yield* client.projects.get({ params: { slug }, query: {} }).pipe(Effect.catchTag("not_found", () => Effect.undefined))
      const folder = named === undefined ? undefined : yield* folderOf(client, named, workspace ?? held?.workspaceId)
      const { publish } = yield* Effect.promise(() => import("../publishing/publishing.ts"))
      const outcome = yield* publish(client, { source, slug, settings: { title, visibility, folder, workspace, expiresInDays }, update }).pipe(
        // The message names every way that there is; this one has a flag.
        inWordsOf(["slug_taken"], ({ message }) =>
          message.includes("svc publish --update") ? { message: "A colleague’s project has this address.", next: "Publish to it with --update, or choose another with --slug." } : {})
      )
      const { kind, missing, password, sent, url, version } = outcome
      const seconds = (DateTime.toEpochMillis(yield* DateTime.now) - began) / 1000
      if (json) yield* event("published", { slug: outcome.slug, url, kind, version, visibility: outcome.visibility, password, ...(missing && { missing }), sent })
      else yield* tell(outcome, seconds, { from, slug })
      const told = source._tag === "File" && from !== "-" ? yield* lyingBeside(source.file, missing?.paths ?? []) : undefined
      if (told !== undefined || missing !== undefined) yield* aside(told ?? missing!.message)
      if (open && !(yield* browse(url))) yield* aside("There is no browser to open here.")
    },
    Effect.scoped
  )
).pipe(Command.withDescription("Publish a file, a folder or stdin; prints its address"), Command.withExamples([
  { command: "svc publish report.html", description: "At an address that is made up" },
  { command: "svc publish dist --slug team-guide", description: "A site; again, and only what changed is sent" },
  { command: "pandoc notes.md -o - | svc publish - --name notes.html", description: "What another program writes" },
  { command: "svc publish plan.pdf --visibility password", description: "With a doorcode, which it tells you" }
]))
