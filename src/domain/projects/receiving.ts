/** Receives uploads: writes them to a draft, determines their kind and stores them as one pack. Nothing is visible yet. */
import { Context, Data, DateTime, Effect, Layer } from "effect"
import type { Stream } from "effect"
import type { User } from "../accounts/model.ts"
import type { Fault, Invalid, NotFound, Unavailable } from "../failures.ts"
import { invalid, UploadTooLarge } from "../failures.ts"
import type { Asset } from "../hosting/model.ts"
import type { Body, PackDraft } from "../ports/packs.ts"
import { Sniffer } from "../ports/sniffer.ts"
import { Tokens } from "../ports/tokens.ts"
import { makeTurns } from "../turns.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { BEGINNING, excerptIn } from "./documents/excerpts.ts"
import { filePath, isLitter } from "./file-paths.ts"
import { asBefore, isUntold, kindOf, typeOf } from "./documents/kinds.ts"
import type { Before, FoundKind } from "./documents/kinds.ts"
import { namesIn } from "./missing-files.ts"
import { MAX_FILES } from "./model.ts"
import type { Kind, Project } from "./model.ts"
import * as Rules from "./rules.ts"
import * as SiteRules from "./site-rules.ts"
import type { NewPack } from "./store.ts"
import { VersionStore } from "./store.ts"
import { titleIn, titleOfName } from "./documents/titles.ts"
import { entriesIn, TAIL_BYTES } from "./zip-counts.ts"

/** One file as it arrives. */
export interface Incoming {
  /** Its path in the version; a single file may have none. */
  readonly path: string | undefined
  readonly contentType: string | undefined
  /** Whether a text without type or name keeps those of the file that it replaces. */
  readonly stays?: boolean
  /** The declared length in bytes, if there is one. */
  readonly length: number | undefined
  /** Whether the draft owns the chunks, so that it may free each one as soon as it is written. */
  readonly owned?: boolean
  readonly bytes: AsyncIterable<Uint8Array> | Stream.Stream<Uint8Array, Invalid | Unavailable | UploadTooLarge>
}

/** Reads a form: hands over each file as it streams in, and returns the fields at the end. */
export type Form<A, E> = <F>(accept: (file: Incoming) => Effect.Effect<void, F>) => Effect.Effect<A, E | F>

/** A form whose files are here already. */
export const arrived = <A>(files: ReadonlyArray<Incoming>, fields: A): Form<A, never> => (accept) =>
  Effect.as(Effect.forEach(files, accept, { discard: true }), fields)

/** What a publish uses up, in its own transaction: if that is gone by then, nothing is published. */
export type Spend = Effect.Effect<void, NotFound>

export interface Received {
  readonly path: string
  /** The name that it came under, if its path is another by now. */
  readonly name?: string
  /** Its kind if it is published alone; a fault if it cannot be. */
  readonly alone: FoundKind | Fault
  /** Whether neither a type, nor a name, nor the file that it replaces says what it is. */
  readonly untold: boolean
  /** The Content-Type that it is served with as one of several files. */
  readonly beside: string
  readonly body: Body
}

/** The content of a publish, once all its bytes have arrived. */
export interface NewContent extends Rules.Says {
  readonly kind: Kind
  readonly entry: string
  readonly files: ReadonlyArray<PlacedBody>
  readonly excerpt: string | null
  /** Whether it is plain text only because nothing says more. */
  readonly guessed: boolean
}

export interface PlacedBody {
  readonly path: string
  /** The name that it came under, if its path is another. */
  readonly name?: string
  readonly type: string
  readonly body: Body
}

/** The pack is not durable yet. */
export class SlowPack extends Data.TaggedError("SlowPack") {}

export interface KeptContent {
  readonly assets: ReadonlyArray<readonly [path: string, asset: Asset]>
  readonly pack: NewPack | null
  /** The packs in which bodies were found, each with how often it had been thinned by then. */
  readonly found: ReadonlyMap<string, number>
  /** Must be awaited before the version that names the pack goes live, as the last step of its transaction. */
  readonly durable: Effect.Effect<void, Unavailable | SlowPack>
}

/** Files of a zip whose types are determined before yielding to other work. */
const AT_ONCE = 100

/** Publishes of many files that are made into a version at once, one of a person. */
const MAKING = 4

const hasMany = Effect.fnUntraced(function*(draft: PackDraft, received: ReadonlyArray<Received>, there: Pick<Project, "fileCount"> | undefined) {
  if (Rules.isMany(received.length) || Rules.isMany(there?.fileCount ?? 0)) return true
  const [only] = received
  return received.length === 1 && only !== undefined && kindAlone(only) === "zip" && Rules.isMany(entriesIn(yield* draft.ending(only.body, TAIL_BYTES)))
})

export const tooLarge = (cap: number): UploadTooLarge =>
  new UploadTooLarge({
    message: `One upload may hold ${Math.floor(cap / 1024 / 1024)} MB on this plan.`,
    field: "file",
    details: { limit_bytes: cap }
  })

export const inSite = ({ beside, body, name, path }: Received): PlacedBody => ({ path, type: beside, body, ...(name !== undefined && { name }) })

const isFault = (alone: FoundKind | Fault): alone is Fault => "message" in alone

/** A file that came under another name of a version's entry. */
export const asEntry = (file: Received, { entry, kind }: SiteRules.Held): Received => {
  const { alone, beside, path: name } = file
  return { ...file, path: entry, name, beside: !isFault(alone) && alone.kind === kind ? alone.type : beside }
}

/** A text in the place of the one Markdown is Markdown, though its name, such as README, does not say so. */
export const asHeld = (file: Received, { entry, kind }: SiteRules.Held): Received => {
  const { alone, path } = file
  return kind === "markdown" && path === entry && !isFault(alone) && alone.kind === "text" ? { ...file, alone: { ...alone, kind } } : file
}

/** What it is if it is published alone; undefined if it cannot be. */
export const kindAlone = ({ alone }: Received): FoundKind["kind"] | undefined => isFault(alone) ? undefined : alone.kind

export const named = (file: Received): SiteRules.NamedFile => ({ path: file.path, kind: kindAlone(file) })

export class Receiving extends Context.Service<Receiving>()("svc/domain/projects/Receiving", {
  make: Effect.gen(function*() {
    const versions = yield* VersionStore
    const sniffer = yield* Sniffer
    const tokens = yield* Tokens
    const turns = makeTurns(MAKING)

    /** Writes one file to the draft. */
    const receive = Effect.fn("Receiving.receive")(function*(draft: PackDraft, file: Incoming, cap: number, before?: Before) {
      if (file.length !== undefined && file.length > cap) return yield* tooLarge(cap)
      const body = yield* draft.append(file.bytes, cap, file.owned).pipe(Effect.catchTag("upload_too_large", () => tooLarge(cap)))
      if (body.length === 0 && (file.contentType ?? "") === "" && file.path === undefined) {
        return yield* invalid({ field: "body", message: "The body is empty. Send the file, or say its Content-Type." })
      }
      const sniffed = yield* sniffer.sniff(body.head)
      const clues = asBefore({ ...body, declared: file.contentType, fileName: file.path, sniffed }, before)
      const alone = kindOf(clues)
      const path = file.path ?? (isFault(alone) ? "file" : alone.name)
      return { path, alone, untold: isUntold(clues), beside: typeOf(path, clues), body } satisfies Received
    })

    /** Writes a form's files to the draft as they stream in, each at its own path; `permit` runs before the first. */
    const intake = <E>(draft: PackDraft, cap: number, permit: Effect.Effect<unknown, E>) => {
      const received = new Map<string, Received>()
      let left = cap
      const accept = Effect.fn("Receiving.accept")(function*(file: Incoming) {
        if (received.size === 0) yield* permit
        if (received.size >= MAX_FILES) {
          return yield* invalid({ field: "file", message: `One publish may hold ${MAX_FILES} files.` })
        }
        const path = file.path === undefined ? undefined : yield* Effect.fromResult(filePath(file.path))
        const one = yield* receive(draft, { ...file, path }, left).pipe(
          Effect.catchTag("upload_too_large", () => tooLarge(cap))
        )
        left -= one.body.length
        if (path !== undefined && isLitter(path)) return
        if (received.has(one.path)) return yield* invalid({ field: "file", message: `Two files are named ${one.path}.` })
        received.set(one.path, one)
      })
      return { accept, received }
    }

    /** Makes a version of what has arrived, and of what is `there` if it changes that, in turn if either is much. */
    const inTurn = Effect.fnUntraced(
      function*<A, E, R>({ id }: User, draft: PackDraft, received: ReadonlyArray<Received>, there: Pick<Project, "fileCount"> | undefined, make: Effect.Effect<A, E, R>) {
        return yield* (yield* hasMany(draft, received, there)) ? turns.inTurn({ of: id, awaited: true }, make) : make
      }
    )

    /**
     * Title and excerpt, from the entry file. A page's words come after its styles, which may be long, so more of it is read. `name`:
     * the file's; a site of several files has none that would say anything.
     */
    const says = Effect.fn("Receiving.says")(function*(draft: PackDraft, kind: Kind, body: Body, type: string, name?: string) {
      const beginning = kind === "site" && body.length > body.head.length ? yield* draft.beginning(body, BEGINNING) : body.head
      return { title: titleIn(kind, body.head, type) ?? null, fileTitle: (name && titleOfName(name)) ?? null, excerpt: excerptIn(kind, beginning, type) }
    })

    /** The paths that documents among files name, as far as they are read. */
    const names = (draft: PackDraft, kind: Kind | null, files: ReadonlyArray<PlacedBody>) =>
      namesIn(kind, files, ({ body }, most) => body.length <= Math.min(most, body.head.length) ? Effect.succeed(body.head) : draft.beginning(body, most))

    const fromZip = Effect.fn("Receiving.fromZip")(function*(draft: PackDraft, zip: Body, cap: number) {
      const unpacked = yield* draft.unzip(zip, { bytes: cap, files: MAX_FILES }).pipe(
        Effect.catchTag("upload_too_large", () => tooLarge(cap))
      )
      const index = unpacked.find((file) => file.path === SiteRules.INDEX)
      if (index === undefined) return yield* SiteRules.noIndex(unpacked.map((file) => file.path))
      const files: Array<PlacedBody> = []
      for (const [at, body] of unpacked.entries()) {
        if (at % AT_ONCE === 0) yield* Effect.yieldNow
        files.push({ path: body.path, type: typeOf(body.path, { ...body, declared: undefined }), body })
      }
      const said = yield* says(draft, "site", index, typeOf(index.path, { ...index, declared: undefined }))
      return { kind: "site", entry: SiteRules.INDEX, files, guessed: false, ...said } satisfies NewContent
    })

    const single = Effect.fn("Receiving.single")(function*(draft: PackDraft, { alone, body, path: name, untold }: Received, cap: number) {
      if (isFault(alone)) return yield* invalid(alone)
      if (alone.kind === "zip") return yield* fromZip(draft, body, cap)
      const path = alone.kind === "site" ? SiteRules.INDEX : alone.name
      const files = [{ path, type: alone.type, body, ...(path !== name && { name }) }]
      return { kind: alone.kind, entry: path, files, guessed: untold && alone.kind === "text", ...(yield* says(draft, alone.kind, body, alone.type, name)) } satisfies NewContent
    })

    /** A single file has its own kind, a zip is the site in it, and several files are what `SiteRules.kindOfFiles` makes of them. */
    const understand = Effect.fn("Receiving.understand")(function*(draft: PackDraft, sent: ReadonlyArray<Received>, cap: number) {
      const [only] = sent
      if (sent.length === 1 && only !== undefined) return yield* single(draft, only, cap)
      const received = yield* Effect.fromResult(SiteRules.rooted(sent))
      yield* SiteRules.distinct(received.map((file) => file.path))
      const { entry, kind } = yield* Effect.fromResult(SiteRules.kindOfFiles(received.map(named)))
      const root = received.find((file) => file.path === entry)!
      return { kind, entry, files: received.map(inSite), guessed: false, ...(yield* says(draft, kind, root.body, root.beside, kind === "site" ? undefined : entry)) } satisfies NewContent
    })

    /** Stores bodies that are new to the workspace as one pack; the others refer to the packs that have them. */
    const keep = Effect.fn("Receiving.keep")(function*(draft: PackDraft, workspaceId: WorkspaceId, files: ReadonlyArray<PlacedBody>) {
      const revivable = DateTime.subtract(yield* DateTime.now, Rules.REVIVABLE)
      const held = yield* versions.contents(workspaceId, [...new Set(files.map((file) => file.body.hash))], revivable)
      // Each step takes some milliseconds for ten thousand files: others have their turn in between.
      yield* Effect.yieldNow
      const fresh = [...new Map(files.filter((file) => !held.has(file.body.hash)).map((file) => [file.body.hash, file.body])).values()]
      const id = yield* tokens.uuid
      const { durable, offsets } = yield* draft.begin(id, fresh)
      const contents = fresh.map((body, index) => ({ hash: body.hash, offset: offsets[index]!, length: body.length }))
      const places = new Map([...held, ...contents.map((body) => [body.hash, { pack: id, thinnings: 0, ...body }] as const)])
      const assets = files.map(({ body, name, path, type }) => {
        const { length, offset, pack } = places.get(body.hash)!
        return [path, { pack, offset, length, hash: body.hash, type, ...(name !== undefined && { name }) }] as const
      })
      yield* Effect.yieldNow
      const sizeBytes = contents.reduce((sum, body) => sum + body.length, 0)
      const found = new Map(held.values().map(({ pack, thinnings }) => [pack, thinnings]))
      return { assets, pack: fresh.length === 0 ? null : { id, sizeBytes, contents }, found, durable } satisfies KeptContent
    })

    return { receive, intake, inTurn, says, names, understand, keep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
