/**
 * A publish, seen from here: (1) collect what to send, (2) if the address holds its like already, send only what changed,
 * (3) otherwise send all of it in one body, (4) show the answer. The service makes one version of it, or none.
 */
import { randomUUID } from "node:crypto"
import { DateTime, Effect, Schema } from "effect"
import type { FolderId } from "../../domain/folders/model.ts"
import { given } from "../../domain/given.ts"
import type { Visibility } from "../../domain/projects/model.ts"
import { countText } from "../../domain/words.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { PublishedView } from "../../http/contract/project-views.ts"
import type { ProjectDetail } from "../../http/contract/project-views.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import type { Client } from "../client.ts"
import { theirNow } from "../clock.ts"
import { accountOf } from "../connection.ts"
import { Output } from "../output.ts"
import { unknownAnswer } from "../refusal.ts"
import { fileBody, formBody, zipBody } from "./bodies.ts"
import type { Body, Part } from "./bodies.ts"
import { changesTo } from "./changes.ts"
import type { Changes } from "./changes.ts"
import { documentIn } from "./folder.ts"
import type { Folder, LocalFile } from "./folder.ts"
import { deliver } from "./sending.ts"

export interface Settings {
  readonly title: string | undefined
  readonly visibility: Visibility | undefined
  readonly folder: FolderId | undefined
  readonly workspace: WorkspaceId | undefined
  readonly expiresInDays: number | undefined
}

export interface LoneFile {
  readonly name: string | undefined
  readonly type: string | undefined
  readonly from: string
  readonly size: number
}

export type Source = { readonly _tag: "Folder"; readonly folder: Folder } | { readonly _tag: "File"; readonly file: LoneFile }

/** What is published, and where. */
interface Wanted {
  readonly source: Source
  readonly slug: string | undefined
  readonly settings: Settings
  /** A version of a project that exists, a colleague's too, and never a new project. */
  readonly update: boolean
}

/** How often the site may change while changes are computed before everything is sent instead. */
const MEETINGS = 3

const boundary = () => `svc-${randomUUID()}`

const fieldsOf = ({ expiresInDays, folder, title, visibility, workspace }: Settings) =>
  Object.entries(given({ title, visibility, folder_id: folder, workspace, expires_in_days: expiresInDays === undefined ? undefined : String(expiresInDays) })) as ReadonlyArray<readonly [string, string]>

const filePart = (file: LocalFile): Part => ({ name: "file", file: file.path, body: fileBody(file, undefined) })

const parts = (settings: Settings) => fieldsOf(settings).map(([name, body]) => ({ name, body }))

const decoded = Schema.decodeUnknownEffect(PublishedView)

const answered = (answer: unknown) =>
  Effect.mapError(decoded(answer), unknownAnswer)

const bodyOf = (source: Source): Body => source._tag === "Folder" ? zipBody(source.folder.files) : fileBody(source.file, source.file.type)

/** Everything: PUT if the address is given, a form if the service chooses one or the files are no zip. */
const whole = Effect.fnUntraced(function*({ settings, slug, source, update }: Wanted) {
  const named = source._tag === "Folder" ? "site.zip" : source.file.name
  const several = source._tag === "Folder" && documentIn(source.folder) !== undefined ? source.folder.files.map(filePart) : undefined
  if (slug === undefined || several !== undefined) {
    const address = slug === undefined ? [] : [{ name: "slug", body: slug }]
    const files = several ?? [{ name: "file", file: named ?? "file", body: bodyOf(source) }]
    return yield* answered(yield* deliver("POST", "/v1/projects", formBody(boundary(), [...address, ...parts(settings), ...files])))
  }
  const query = new URLSearchParams(fieldsOf(settings).map(([name, value]) => [name, value])).toString()
  const headers = { ...(named !== undefined && { "x-filename": encodeURIComponent(named) }), ...(update && { "if-match": "*" }) }
  return yield* answered(yield* deliver("PUT", `/v1/projects/${encodeURIComponent(slug)}${query === "" ? "" : `?${query}`}`, bodyOf(source), headers))
})

type Held = typeof ProjectDetail.Type

/** The settings alone. */
const adjusted = Effect.fnUntraced(function*(client: Client, held: Held, { expiresInDays, folder, title, visibility }: Settings) {
  const now = yield* theirNow
  const changes = given({
    // Sent even if it reads the same: only a title that somebody gave outlasts one in the files.
    title,
    visibility: visibility === held.visibility ? undefined : visibility,
    folder_id: folder === held.folderId ? undefined : folder,
    expires_at: expiresInDays === undefined ? undefined : DateTime.add(now, { days: expiresInDays })
  })
  return Object.keys(changes).length === 0 ? held : yield* client.projects.change({ params: { slug: held.slug }, payload: changes })
})

/** Settings go with the files: the service makes one version under all of them, or changes nothing. */
const sendChanges = Effect.fnUntraced(function*(slug: string, { base, remove, send }: Changes, settings: Settings) {
  const fields = [{ name: "base_version", body: String(base) }, ...parts(settings), ...remove.map((path) => ({ name: "delete", body: path }))]
  return yield* answered(yield* deliver("POST", `/v1/projects/${encodeURIComponent(slug)}/files`, formBody(boundary(), [...fields, ...send.map(filePart)])))
})

export type Outcome = typeof PublishedView.Type & { readonly sent: { readonly files: number; readonly bytes: number; readonly removed: number; readonly kept: number } }

/**
 * Undefined if everything has to be sent: the address is free, not a site, or shares no file with this folder. A document with its
 * images or captions, which no single body holds, goes to whatever is there; to what is something else, all of it.
 */
const onlyChanges = Effect.fnUntraced(function*(client: Client, folder: Folder, { settings, slug, update }: Wanted & { readonly slug: string }) {
  const { aside, json, watched } = yield* Output
  const document = documentIn(folder)
  const there = client.projects.get({ params: { slug }, query: {} })
  const [held, caller] = yield* Effect.all([
    // Sent whole, a PUT is refused by the service where there is nothing to update; a form is not.
    update && document !== undefined ? there : there.pipe(Effect.catchTag("not_found", () => Effect.undefined)),
    update ? Effect.undefined : accountOf(client)
  ], { concurrency: 2 })
  if (held === undefined || (document === undefined && held.kind !== "site") || (settings.workspace !== undefined && settings.workspace !== held.workspaceId)) return undefined
  // A colleague's site is changed only on purpose; sent whole, it is refused by the service.
  if (!update && held.owner.id !== caller?.user.id) return undefined
  for (let meeting = 0; meeting < MEETINGS; meeting++) {
    const found = yield* changesTo(client, slug, folder.files)
    if (found.kept === 0 && document === undefined) return undefined
    const changes = document !== undefined && held.kind !== document ? { ...found, send: folder.files, kept: 0 } : found
    const bytes = changes.send.reduce((sum, { size }) => sum + size, 0)
    const sent = { files: changes.send.length, bytes, removed: changes.remove.length, kept: changes.kept }
    if (sent.files + sent.removed === 0 && held.kind !== null) return { ...(yield* adjusted(client, held, settings)), kind: held.kind, sent }
    if (watched && !json) yield* aside(`${countText(sent.files, "file")} changed (${sizeText(bytes)}), ${sent.removed} removed, ${sent.kept} unchanged.`)
    const done = yield* sendChanges(slug, changes, settings).pipe(
      // Somebody else published meanwhile: compute the changes again.
      Effect.catchTag("Refusal", (refusal) => refusal.code === "conflict" && refusal.field === "base_version" ? Effect.undefined : Effect.fail(refusal))
    )
    if (done !== undefined) return { ...done, sent }
  }
  return undefined
})

export const publish = Effect.fnUntraced(function*(client: Client, wanted: Wanted) {
  const { slug, source } = wanted
  const changes = source._tag === "Folder" && slug !== undefined ? onlyChanges(client, source.folder, { ...wanted, slug }) : Effect.undefined
  const sent = source._tag === "Folder"
    ? { files: source.folder.files.length, bytes: source.folder.size, removed: 0, kept: 0 }
    : { files: 1, bytes: source.file.size, removed: 0, kept: 0 }
  const done: Outcome = (yield* changes) ?? (yield* whole(wanted).pipe(
    Effect.map((made) => ({ ...made, sent })),
    // Where another run of one's own came first: a form makes a project, and cannot add to it.
    Effect.catchTag("Refusal", (refusal) =>
      refusal.code === "slug_taken" ? Effect.filterOrFail(changes, (meanwhile) => meanwhile !== undefined, () => refusal) : Effect.fail(refusal))
  ))
  return done
})
