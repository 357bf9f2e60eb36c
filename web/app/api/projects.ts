/** Projects and their versions. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { apart } from "../ui/apart.ts"
import { namedAhead } from "./account.ts"
import { baseUrl } from "./base.ts"
import { now } from "./clock.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import type { Key } from "./once.ts"
import { keys } from "./queries.ts"
import type { Change, ChangeOnce } from "./queries.ts"
import { refusedHere } from "./refusal.ts"

export type Project = components["schemas"]["Project"]
export type ProjectDetail = components["schemas"]["ProjectDetail"]
export type ProjectChanges = components["schemas"]["ProjectChanges"]
export type Version = ProjectDetail["versions"][number]
export type Kind = NonNullable<Project["kind"]>

export interface ProjectFilter {
  readonly query?: string | undefined
  readonly folder?: string | undefined
}

const PAGE = 60

/** Its own address for each version, so that a new one is shown at once. */
export const thumbnailUrl = ({ slug, version }: Project): string => `${baseUrl}/v1/projects/${slug}/versions/${version}/thumbnail`

/** How often, and until how long after its publish, one that is still being drawn is looked for. */
const LOOKS_MS = 2_000
const DRAWN_WITHIN_MS = 10_000

const isBeingDrawn = ({ kind, published_at, thumbnail }: Project): boolean =>
  (kind === "image" || kind === "pdf") && thumbnail === null && published_at !== null && now() - new Date(published_at).getTime() < DRAWN_WITHIN_MS

const untilDrawn = (shown: ReadonlyArray<Project> | undefined): number | false => shown?.some(isBeingDrawn) === true && LOOKS_MS

export const projectList = (workspace: string | undefined, { folder, query }: ProjectFilter) =>
  infiniteQueryOptions({
    queryKey: keys.projectList(workspace, { folder, query }),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ client, pageParam, signal }) => {
      const named = folder === undefined && query === undefined && pageParam === undefined ? namedAhead(client, workspace, `/v1/projects?limit=${PAGE}&include=excerpt`) : workspace
      return take(api.GET("/v1/projects", {
        params: { query: { limit: PAGE, include: "excerpt", ...(named && { workspace: named }), ...(folder && { folder_id: folder }), ...(query && { query }), ...(pageParam && { cursor: pageParam }) } },
        signal
      }))
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) => untilDrawn(state.data?.pages.flatMap(({ projects }) => projects))
  })

/** Some, by name: among them a search finds the best while somebody types. */
export const projectsNamed = (workspace: string | undefined, query: string) =>
  queryOptions({
    queryKey: keys.projectList(workspace, { named: query }),
    queryFn: ({ signal }) => take(api.GET("/v1/projects", { params: { query: { limit: 25, ...(workspace && { workspace }), ...(query !== "" && { query }) } }, signal }))
  })

/** Whether an address is free, and if not why. */
export const availabilityOf = (workspace: string, slug: string) =>
  queryOptions({
    queryKey: keys.available(workspace, slug),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}/available", { params: { path: { slug }, query: { workspace } }, signal }))
  })

export const projectOf = (slug: string) =>
  queryOptions({
    queryKey: keys.project(slug),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}", { params: { path: { slug }, query: { include: "excerpt" } }, signal })),
    refetchInterval: ({ state }) => untilDrawn(state.data && [state.data])
  })

/** What its pages name and it does not hold. */
export const missingOf = ({ id, slug, version }: Pick<Project, "id" | "slug" | "version">) =>
  queryOptions({
    queryKey: keys.missing(slug, id, version),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}/missing", { params: { path: { slug } }, signal })),
    // A published version never changes. Those of a later project at the same address are others.
    staleTime: Number.POSITIVE_INFINITY
  })

export const comparisonOf = ({ id, slug }: Pick<Project, "id" | "slug">, from: number, to: number) =>
  queryOptions({
    queryKey: keys.comparison(slug, id, from, to),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}/versions/{from}/compare/{to}", { params: { path: { slug, from, to } }, signal })),
    // A published version never changes.
    staleTime: Number.POSITIVE_INFINITY
  })

export const changeProject: Change<{ readonly slug: string; readonly changes: ProjectChanges }, ProjectDetail> = {
  send: ({ changes, slug }) => take(api.PATCH("/v1/projects/{slug}", { params: { path: { slug } }, body: changes })),
  // A generated doorcode, and the title that the content has, are not known yet: the old ones are shown until the answer comes.
  shows: ({ changes, slug }) => [{ key: keys.project(slug), with: (shown: ProjectDetail) => ({ ...shown, ...changes, slug, title: changes.title ?? shown.title, password: changes.password ?? shown.password }) }],
  settles: () => [keys.projects]
}

/** The old address ends with this, so what is shown under it stays until the screen has moved. */
export const changeSlug: Change<{ readonly slug: string; readonly to: string }, ProjectDetail> = {
  send: ({ slug, to }) => take(api.PATCH("/v1/projects/{slug}", { params: { path: { slug } }, body: { slug: to } })),
  settles: (_, isRefused) => [isRefused ? keys.projects : keys.projectLists],
  says: ({ slug }) => `The address is now ${slug}.`
}

interface Move {
  readonly slug: string
  readonly title: string
  readonly from: string | null
  readonly to: string | null
  /** The folder’s name; absent for “no folder”. */
  readonly name?: string | undefined
}

const moved = (slug: string, folder_id: string | null) => take(api.PATCH("/v1/projects/{slug}", { params: { path: { slug } }, body: { folder_id } }))

export const moveProject: Change<Move> = {
  send: ({ slug, to }) => moved(slug, to),
  shows: ({ slug, to }) => [{ key: keys.project(slug), with: (shown: ProjectDetail) => ({ ...shown, folder_id: to }) }],
  // What it takes over from its folder is another list by then.
  settles: () => [keys.projects, keys.allFolders, keys.allowlists],
  says: (_, { name, title }) => name === undefined ? `${apart(title)} is in no folder now.` : `${apart(title)} is in ${apart(name)} now.`,
  // Unless somebody moved it on meanwhile.
  undo: async ({ from, slug, to }) => {
    const { folder_id } = await take(api.GET("/v1/projects/{slug}", { params: { path: { slug } } }))
    if (folder_id !== to) throw refusedHere("conflict", "It was moved again meanwhile, so nothing was undone.", 409)
    return moved(slug, from)
  }
}

export const removeProject: Change<{ readonly slug: string; readonly title: string }> = {
  send: ({ slug }) => take(api.DELETE("/v1/projects/{slug}", { params: { path: { slug } } })),
  // The deleted project itself is not read again.
  settles: (_, isRefused) => [isRefused ? keys.projects : keys.projectLists, keys.allFolders],
  says: (_, { title }) => `${apart(title)} is deleted. Its address stays yours for 30 days.`
}

/** Deletes what was published by mistake a moment ago. */
export const takeBack: Change<{ readonly slug: string; readonly title: string }> = { ...removeProject, says: () => "Taken back." }

const restored = (slug: string, version: number, header: Key): Promise<Project> =>
  take(api.POST("/v1/projects/{slug}/versions/{version}/restore", { params: { path: { slug, version }, header } }))

/** Nobody published another one meanwhile, which would be undone in its place. */
const stillLive = async (slug: string, version: number): Promise<void> => {
  const live = await take(api.GET("/v1/projects/{slug}", { params: { path: { slug } } }))
  if (live.version !== version) throw refusedHere("conflict", `Version ${live.version} is live by now, so nothing was undone. Restore the version that you want.`, 409)
}

interface Restoring {
  readonly slug: string
  readonly version: number
  /** The live version. */
  readonly seen: number
  /** The version that makes room for the new one. */
  readonly goes?: number | undefined
}

/** Where Undo would cost an earlier version. */
export const restoreForGood: ChangeOnce<Restoring, Project> = {
  place: ({ slug }) => `restore ${slug}`,
  send: ({ slug, version }, header) => restored(slug, version, header),
  settles: () => [keys.projects],
  says: ({ version }, { goes, version: from }) =>
    `Version ${from} is live again, as version ${version}.${goes === undefined ? "" : goes === from ? " It is kept only as that now." : ` Version ${goes} made room for it.`}`
}

/** The version before the one that was published by mistake a moment ago. */
export const takeVersionBack: ChangeOnce<Restoring, Project> = {
  ...restoreForGood,
  send: ({ seen, slug, version }, header) => stillLive(slug, seen).then(() => restored(slug, version, header)),
  says: ({ version }) => `Taken back: what was there before is live again, as version ${version}.`
}

/** Undo restores the version that was served until then, the one before the new one, unless a newer one is served by now. */
export const restoreVersion: ChangeOnce<Restoring, Project> = {
  ...restoreForGood,
  undo: async ({ slug }, { version }, header) => {
    await stillLive(slug, version)
    return restored(slug, version - 1, header)
  }
}

/** The browser saves what this address returns. */
export const downloadUrl = (slug: string, version: number): string => `${baseUrl}/v1/projects/${slug}/versions/${version}/download`

/** A link to a file, and not a page to go to: before that, the browser would ask whether to leave what is being sent. */
const saveFrom = (href: string): void => Object.assign(document.createElement("a"), { href, download: "" }).click()

/** Asks first whether the version is still kept: otherwise the browser would show the API's refusal in place of the app. */
export const download: Change<{ readonly slug: string; readonly version: number }> = {
  send: async ({ slug, version }) => {
    const { versions } = await take(api.GET("/v1/projects/{slug}", { params: { path: { slug } } }))
    if (!versions.some((one) => one.version === version)) throw refusedHere("not_found", "That version is not kept any more.", 404)
    saveFrom(downloadUrl(slug, version))
  },
  settles: (_, isRefused) => isRefused ? [keys.projects] : []
}

/**
 * Where a member opens it: through the members’ gate, which asks for no doorcode and tells the page that the reader is
 * a member. `at`: a path in it.
 */
export const openUrl = ({ slug }: Pick<Project, "slug">, at = "/"): string =>
  `${baseUrl}/v1/gate/member?${new URLSearchParams({ slug, next: at, way: "open" }).toString()}`

/** All paths that are served. */
export const filesOf = async (slug: string): Promise<ReadonlyArray<string>> => {
  const paths: Array<string> = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: components["schemas"]["Files"] = await take(api.GET("/v1/projects/{slug}/files", { params: { path: { slug }, query: { limit: 1000, ...(cursor && { cursor }) } } }))
    paths.push(...page.files.map(({ path }) => path))
    cursor = page.next_cursor
  }
  return paths
}
