/** Uploads under way, kept outside any screen, so that going elsewhere does not end them. */
import type { QueryClient } from "@tanstack/react-query"
import { filesOf } from "../api/projects.ts"
import type { Kind, Project } from "../api/projects.ts"
import { keys, standingAnew } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import type { Refusal } from "../api/refusal.ts"
import { upload, uploadOne } from "../api/upload.ts"
import type { Sent, Upload } from "../api/upload.ts"
import { isSignedOut, onAnother } from "../frame/session.ts"
import { announce } from "../ui/announce.ts"
import { makeStore } from "../ui/store.ts"

/** What was published, and where. */
export interface Live {
  readonly slug: string
  readonly title: string
  readonly url: string
  readonly version: number
  readonly visibility: Project["visibility"]
  /** Absent for a new version of a project, which is known. */
  readonly folder_id?: string | null
  readonly workspace_id?: string
  readonly missing?: Project["missing"]
}

/** Where it is to be published. */
interface Aim {
  /** The workspace to publish in, where one is chosen. */
  readonly workspace: string | undefined
  /** The project that gets a new version; absent where a project is made. */
  readonly slug?: string
  /** It came from the clipboard, where the shortcut is easily meant for something else. */
  readonly pasted?: boolean
}

export interface Publishing extends Aim {
  readonly id: number
  readonly name: string
  readonly sent: number
  readonly total: number
  readonly startedAt: number
  readonly state: "sending" | "live" | "refused"
  readonly live?: Live
  readonly refusal?: Refusal
  /** Where its project is by now, if that was given another address since this was chosen. */
  readonly moved?: Pick<Live, "slug" | "url">
  readonly cancel: () => void
  readonly again: () => void
  /** The page that may be meant as the first of a folder without one, and how to publish it as that. */
  readonly first?: { readonly name: string; readonly begin: () => void }
}

/** Leaving the page aborts what it is sending: the browser asks first. */
const asks = (event: BeforeUnloadEvent): void => event.preventDefault()

const all = makeStore<ReadonlyArray<Publishing>>([])
let made = 0

const show = (next: ReadonlyArray<Publishing>): void => {
  const listen = next.some(({ state }) => state === "sending") ? addEventListener : removeEventListener
  listen("beforeunload", asks)
  all.set(next)
}

const patch = (id: number, change: Partial<Publishing>): void => show(all.now().map((one) => one.id === id ? { ...one, ...change } : one))

export const usePublishing = all.use

// What is not sent by then would be published in the other's name.
onAnother(() => {
  for (const { cancel } of all.now()) cancel()
  show([])
})

export const putAway = (id: number): void => show(all.now().filter((one) => one.id !== id))

/** The project is deleted, and its address leads nowhere. */
export const forget = (slug: string): void => show(all.now().filter(({ live }) => live?.slug !== slug))

/** The project has another address. */
export const readdress = (from: string, { slug, url }: Pick<Project, "slug" | "url">): void =>
  show(all.now().map((one) => ({ ...one, ...(one.slug === from && { slug, moved: { slug, url } }), ...(one.live?.slug === from && { live: { ...one.live, slug, url } }) })))

/** The folder that everything lies in: how the files were dropped, not a part of the site. */
const folderOf = (files: ReadonlyArray<Sent>): string | undefined => {
  const folder = files[0]?.path.split("/", 1)[0] ?? ""
  return files.every(({ path }) => path.startsWith(`${folder}/`)) ? folder : undefined
}

const ownName = (files: ReadonlyArray<Sent>): string | undefined => files.length === 1 ? files[0]?.file.name : folderOf(files)

const nameOf = (files: ReadonlyArray<Sent>): string => ownName(files) ?? `${files.length} files`

/** Where nothing in it named it, what was chosen says more than its address; the names of what is pasted are ours. */
const titled = (files: ReadonlyArray<Sent>, pasted: boolean, live: Live): Live => live.title === live.slug && !pasted ? { ...live, title: ownName(files) ?? live.title } : live

const withoutFolder = (files: ReadonlyArray<Sent>): ReadonlyArray<Sent> => {
  const folder = folderOf(files)
  return folder === undefined ? files : files.map(({ file, path }) => ({ file, path: path.slice(folder.length + 1) }))
}

/** More would take all connections that a browser has for one host, and everything else would wait for them. */
const AT_ONCE = 3
/** By their ids. */
const sending = new Set<number>()
const waiting: Array<{ readonly id: number; readonly enter: () => void }> = []

const aimOf = (id: number): string | undefined => all.now().find((one) => one.id === id)?.slug

/** Versions of one project follow one another: sent at once, the one chosen first could arrive last, and stay. */
const mayGo = (id: number): boolean => {
  const project = aimOf(id)
  return project === undefined || ![...sending].some((other) => aimOf(other) === project)
}

const next = (): void => {
  const first = sending.size < AT_ONCE ? waiting.find(({ id }) => mayGo(id)) : undefined
  if (first === undefined) return
  waiting.splice(waiting.indexOf(first), 1)
  first.enter()
  next()
}

/** Resolves when it is this one's turn, with what ends the turn; at once where it is cancelled. */
const turn = (id: number, signal: AbortSignal): Promise<() => void> =>
  new Promise((resolve) => {
    const one = {
      id,
      enter: () => {
        sending.add(id)
        resolve(() => {
          sending.delete(id)
          next()
        })
      }
    }
    waiting.push(one)
    signal.addEventListener("abort", () => {
      if (!waiting.includes(one)) return
      waiting.splice(waiting.indexOf(one), 1)
      resolve(() => {})
    })
    next()
  })

type Send = (files: ReadonlyArray<Sent>, watched: Pick<Upload, "key" | "onProgress" | "signal">, aim: Aim) => Promise<Live>

const INDEX = "index.html"

/** As a notebook or a report is exported: one page at the top, called after itself, with its files in folders. */
const lonePage = (files: ReadonlyArray<Sent>): string | undefined => {
  const pages = files.map(({ path }) => path).filter((path) => /^[^/]+\.html?$/i.test(path))
  return files.length > 1 && pages.length === 1 && pages[0] !== INDEX ? pages[0] : undefined
}

const follow = async (files: ReadonlyArray<Sent>, aim: Aim, queries: QueryClient, send: Send, key: string = crypto.randomUUID()): Promise<void> => {
  const id = ++made
  const stop = new AbortController()
  const name = nameOf(files)
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  const own = () => all.now().find((one) => one.id === id)
  /** The project may have been renamed since this was chosen. */
  const aimed = (): Aim => {
    const slug = own()?.slug ?? aim.slug
    return slug === undefined ? aim : { ...aim, slug }
  }
  const again = () => {
    const now = aimed()
    putAway(id)
    // A key is good for one address.
    void follow(files, now, queries, send, now.slug === aim.slug ? key : undefined)
  }
  const page = lonePage(withoutFolder(files))
  const begin = () => {
    const now = aimed()
    putAway(id)
    const folder = folderOf(files)
    const at = (name: string) => folder === undefined ? name : `${folder}/${name}`
    void follow(files.map(({ file, path }) => ({ file, path: path === at(page!) ? at(INDEX) : path })), now, queries, send)
  }
  show([...all.now(), { ...aim, id, name, sent: 0, total, startedAt: Date.now(), state: "sending", cancel: () => stop.abort(), again }])
  announce(`Publishing ${name}`)
  const end = await turn(id, stop.signal)
  patch(id, { startedAt: Date.now() })
  try {
    const sendTo = (to: Aim, key: string) => send(files, { key, onProgress: (sent, total) => patch(id, { sent, total }), signal: stop.signal }, to)
    const to = aimed()
    const answered = await sendTo(to, key).catch((error: unknown) => {
      const now = aimed()
      // Renamed while it was sent: nothing is published at an address that was left, and the file goes to the one of now.
      if (now.slug === to.slug || asRefusal(error).status !== 404) throw error
      return sendTo(now, crypto.randomUUID())
    })
    const live = { ...answered, ...own()?.moved }
    patch(id, { state: "live", live })
    announce(`${live.title} is live`)
  } catch (error) {
    if (stop.signal.aborted) putAway(id)
    else {
      const refusal = asRefusal(error)
      patch(id, { state: "refused", refusal, ...(page !== undefined && refusal.status === 422 && refusal.field === "file" && { first: { name: page, begin } }) })
    }
    // Reading lists now would lead to the sign-in at once, away from the files that were chosen.
    if (isSignedOut(error)) return
    void standingAnew(queries, error)
  } finally {
    end()
  }
  await Promise.all([keys.projects, keys.allFolders].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

export interface Target {
  readonly queries: QueryClient
  readonly workspace: string | undefined
  readonly folder: string | undefined
  readonly pasted: boolean
}

export const publish = (files: ReadonlyArray<Sent>, { folder, pasted, queries, workspace }: Target): Promise<void> =>
  follow(files, { pasted, workspace }, queries, async (files, watched) => titled(files, pasted, await upload({ ...watched, files: withoutFolder(files), fields: { workspace, folder_id: folder } })))

export interface Existing {
  readonly queries: QueryClient
  readonly workspace: string
  readonly slug: string
  readonly title: string
  readonly kind: Kind | null
  readonly fileCount: number
  readonly pasted: boolean
}

/** One file is the new version; a folder is the whole new site; loose files replace or join those of a site with several files. */
export const publishVersion = (files: ReadonlyArray<Sent>, { fileCount, kind, pasted, queries, slug, title, workspace }: Existing): Promise<void> => {
  /** Looked up once: after a try that arrived, the files are others, and a retry has to send the same. */
  let gone: ReadonlyArray<string> | undefined
  return follow(files, { pasted, slug, workspace }, queries, async (files, watched, aim) => {
    const to = aim.slug ?? slug
    const [first] = files
    const joins = kind === "site" && fileCount > 1
    if (files.length === 1 && first !== undefined && folderOf(files) === undefined && (!joins || /\.zip$/i.test(first.path))) {
      const { missing, url, version, visibility } = await uploadOne(to, first.file, watched)
      return { slug: to, title, url, version, visibility, ...(missing && { missing }) }
    }
    const sent = withoutFolder(files)
    const kept = new Set(sent.map(({ path }) => path))
    gone ??= folderOf(files) !== undefined || !joins ? (await filesOf(to)).filter((path) => !kept.has(path)) : []
    return upload({ ...watched, files: sent, fields: { delete: gone.filter((path) => !kept.has(path)) } }, `/v1/projects/${to}/files`)
  })
}
