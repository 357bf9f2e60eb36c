/** The library: every project of the workspace, with search, sorting and filters; the state of the view is in the address. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useElementScrollRestoration } from "@tanstack/react-router"
import { Suspense, useDeferredValue, useEffect, useMemo, useState } from "react"
import { subscriptionOf } from "../api/billing.ts"
import { compare, foldersIn, foldersNamed } from "../api/folders.ts"
import type { Folder } from "../api/folders.ts"
import { projectList } from "../api/projects.ts"
import { keys } from "../api/queries.ts"
import type { Project } from "../api/projects.ts"
import { asRefusal } from "../api/refusal.ts"
import type { Sent } from "../api/upload.ts"
import type { LibrarySearch, Sort } from "../router.tsx"
import { useCommands } from "../frame/commands.ts"
import { Page } from "../frame/page.tsx"
import { usePermission, useSession } from "../frame/session.ts"
import { NotFound, Unread } from "../frame/trouble.tsx"
import { Button, buttonClass, IconButton } from "../ui/button.tsx"
import { canDrag } from "../ui/dragging.ts"
import { countOf, sizeOf } from "../ui/facts.tsx"
import { SearchField } from "../ui/field.tsx"
import { loaded, partOf } from "../ui/loaded.ts"
import { Menu, MenuItem } from "../ui/menu.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Chip, Empty, Loading, Skeleton } from "../ui/parts.tsx"
import { Select } from "../ui/select.tsx"
import { ShowMore } from "../ui/show-more.tsx"
import { useTyped } from "../ui/typed.ts"
import { backAfter } from "../ui/way-back.ts"
import { Arrivals } from "./arrivals.tsx"
import { DropZone, FolderButton, PublishButton } from "./drop-zone.tsx"
import { documentsIn } from "./dropped.ts"
import type { Asked } from "./folder-dialogs.tsx"
import { folderGrid, Folders, MoveHere } from "./folders.tsx"
import { ProjectCard, ProjectRow } from "./project-card.tsx"
import { publish } from "./publishing.ts"

const loadDialogs = () => import("./folder-dialogs.tsx")
const FolderDialogs = partOf(loadDialogs, (part) => part.default)

const route = getRouteApi("/framed/")

const SORTS: ReadonlyArray<{ readonly value: Sort; readonly label: string }> = [
  { value: "newest", label: "Newest" },
  { value: "changed", label: "Last changed" },
  { value: "title", label: "Title" },
  { value: "size", label: "Size" }
]

const orders: Readonly<Record<Exclude<Sort, "newest">, (a: Project, b: Project) => number>> = {
  changed: (a, b) => b.updated_at.localeCompare(a.updated_at),
  title: (a, b) => compare(a.title, b.title),
  size: (a, b) => b.size_bytes - a.size_bytes
}

const grid = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] md:max-lg:grid-cols-2 gap-3 sm:gap-4"

const Waiting = ({ folders, list }: { readonly list: boolean; readonly folders: boolean }) => (
  <Loading what="projects">
    {folders && <div className={`${folderGrid} mb-6`}>{[0, 1, 2].map((one) => <Skeleton key={one} className="h-12" />)}</div>}
    <div className={list ? "grid gap-1" : grid}>{Array.from({ length: 8 }, (_, index) => <Skeleton key={index} className={list ? "h-13" : "h-24 rounded-sheet! sm:aspect-[1.1] sm:h-auto"} />)}</div>
  </Loading>
)

/** Heard as it arrives. */
const foundOf = (folders: number, projects: number, more: boolean): string =>
  projects === 0 && folders === 0 ? "No project found" : `${countOf(projects, "project")}${more ? " or more" : ""}${folders === 0 ? "" : ` and ${countOf(folders, "folder")}`} found`

type ChangeSearch = (next: LibrarySearch | ((before: LibrarySearch) => LibrarySearch)) => Promise<void>

const Toolbar = ({ change, found, search }: { readonly search: LibrarySearch; readonly found: string | undefined; readonly change: ChangeSearch }) => {
  const { q = "" } = search
  const [typed, find] = useTyped(q, (text) =>
    change((before) => {
      const { q: _, ...rest } = before
      return text === "" ? rest : { ...rest, q: text }
    }))
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <SearchField className="min-w-28 basis-28" label="Search projects" placeholder="Search projects" value={typed} onChange={({ target }) => find(target.value)} />
      <Select label="Sort by" value={search.sort ?? "newest"} onChange={(sort) => change((before) => ({ ...before, sort }))} options={SORTS} />
      <IconButton
        icon={search.view === "list" ? "library" : "text"} label={search.view === "list" ? "Show as cards" : "Show as a list"}
        onClick={() => change(({ view, ...rest }) => view === "list" ? rest : { ...rest, view: "list" })}
      />
      <p role="status" className="sr-only">{found}</p>
    </div>
  )
}

/** Says in advance why a drop would be refused. */
const Paused = () => {
  const { isAdmin } = usePermission()
  const { workspace } = useSession()
  const { data } = useQuery({ ...subscriptionOf(workspace?.id ?? ""), enabled: isAdmin && workspace !== undefined })
  const sold = isAdmin && data?.can_checkout !== false
  return (
    <Empty icon="upload" title="Publishing is paused" action={sold ? <Link to="/workspace/billing" className={buttonClass("filled")}>See plans</Link> : undefined}>
      {sold
        ? `Once this workspace has a plan, ${canDrag() ? "drop a document here" : "publish a document"}: it is live at an address of its own a moment later.`
        : `This workspace has no plan right now. Ask ${isAdmin ? "whoever runs this service" : "one of its admins"}.`}
    </Empty>
  )
}

/** `beside`: folders that are called that stand above. */
const Nothing = ({ beside, onAll, paused, search: { q, ...rest } }: { readonly search: LibrarySearch; readonly beside: boolean; readonly paused: boolean; readonly onAll: () => void }) => q !== undefined
  ? <Empty icon="find" title={beside ? "No project is called that" : "Nothing is called that"} action={<Button onClick={onAll}>Show everything</Button>}>No project has “{q}” in its title or address{rest.folder === undefined ? "" : ", in this folder"}.</Empty>
  : paused ? <Paused /> : (
    <div className="grid items-center rounded-sheet border-2 border-dashed border-line md:min-h-[min(28rem,60vh)]">
      <Empty icon="upload" title={rest.folder !== undefined ? "This folder is empty" : canDrag() ? "Drop a document here" : "Nothing is published yet"} action={rest.folder === undefined ? <div className="flex gap-2"><PublishButton /><FolderButton worded /></div> : <PublishButton shape="quiet" />}>
        {rest.folder === undefined
          ? <>An HTML page, a PDF, Markdown, pictures, a video, data or a whole folder. It is live at an address of its own a moment later. {canDrag() && "Pasting works too. "}You can also publish from <Link to="/connect" className="underline underline-offset-4 hover:text-ink">a terminal or an agent</Link>.</>
          : canDrag()
          ? "Drop a document here to publish it into this folder, or carry a project onto the folder in the library."
          : "Publish a document into this folder, or move a project here by its menu in the library."}
      </Empty>
    </div>
  )

/** As many as a screen holds at once; the rest is rendered a little later, so that a slow phone goes on responding. */
const AT_ONCE = 12

interface ProjectsProps {
  readonly projects: ReadonlyArray<Project>
  readonly list: boolean
  readonly onAsk: (asked: Asked) => void
  /** Whether they were here before this screen was. */
  readonly known: boolean
}

const Projects = ({ known, list, onAsk, projects }: ProjectsProps) => {
  // Whoever comes back is put to where they had been, which needs all that was above it.
  const place = useElementScrollRestoration({ getElement: () => window })?.scrollY ?? 0
  const drawn = useDeferredValue(projects, known && place > 0 ? projects : projects.slice(0, AT_ONCE))
  const One = list ? ProjectRow : ProjectCard
  return <ul aria-label="Projects" className={list ? undefined : grid}>{drawn.map((project) => <One key={project.id} project={project} onAsk={onAsk} />)}</ul>
}

const SHARING = { team: { icon: "team", label: "For the workspace" }, private: { icon: "lock", label: "Only for you" } } as const

const folderFacts = ({ project_count, sharing }: Folder) => (
  <><Chip icon={SHARING[sharing].icon}>{SHARING[sharing].label}</Chip><span>{countOf(project_count, "project")}</span></>
)

/** Of the whole library: a blank line until they are here, nothing where it is empty. */
const usageFacts = (usage: { readonly projects: number; readonly storage_bytes: number } | undefined) => {
  if (usage === undefined) return <span aria-hidden="true">&nbsp;</span>
  return usage.projects === 0 ? undefined : <><span>{countOf(usage.projects, "project")}</span><span>{sizeOf(usage.storage_bytes)}</span></>
}

/** Shown in place of the library's name while a folder is open; a project dropped on "Library" leaves the folder. */
const InFolder = ({ folder: { name }, rest }: { readonly folder: Folder; readonly rest: LibrarySearch }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <MoveHere to={null}>{(over) => <Link to="/" search={rest} className={`rounded-control text-muted hover:text-ink ${over ? "tint" : ""}`}>Library</Link>}</MoveHere>
    <span aria-hidden="true" className="text-muted">/</span>
    <span className="min-w-0 break-words">{name}</span>
  </span>
)

export const Library = () => {
  const { folder: inAddress, ...unfiled } = route.useSearch()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const { user, workspace, workspaces } = useSession()
  // While another workspace is being chosen, the address still names what is open in the one before.
  const isBehind = unfiled.workspace !== workspace?.id && workspaces.some(({ id }) => id === unfiled.workspace)
  const search: LibrarySearch = inAddress === undefined || isBehind ? unfiled : { ...unfiled, folder: inAddress }
  const { isAdmin } = usePermission()
  const read = useQuery(foldersIn(workspace?.id))
  const { data: folders, isPending: foldersPending } = read
  const list = useInfiniteQuery(projectList(workspace?.id, { query: search.q, folder: search.folder }))
  const { data, error, fetchNextPage, hasNextPage, isFetchedAfterMount, isFetchingNextPage, isFetchNextPageError } = list
  const [asked, setAsked] = useState<Asked>()
  const [ask] = useState(() => (next: Asked) => void loaded(loadDialogs, () => setAsked(next)))
  const [change] = useState((): ChangeSearch => (next) => navigate({ search: next, replace: true, resetScroll: false }))
  const { folder: folderId, sort = "newest", ...rest } = search
  const take = useMemo(() => (files: ReadonlyArray<Sent>, pasted: boolean) => {
    for (const one of documentsIn(files)) void publish(one, { pasted, queries, workspace: workspace?.id, folder: folderId })
  }, [queries, workspace?.id, folderId])
  useCommands(useMemo(() => [{ id: "folder-new", name: "Make a folder", icon: "folder" as const, run: () => ask({ what: "new" }) }], [ask]))
  // Sorting only part of the list would hide the rest, so all pages are loaded. A page that failed is asked for again by the reader alone.
  const lacks = sort !== "newest" && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (lacks) void fetchNextPage()
  }, [lacks, fetchNextPage])

  const projects = useMemo(() => {
    const all = data?.pages.flatMap(({ projects }) => projects) ?? []
    return sort === "newest" ? all : all.toSorted(orders[sort])
  }, [data, sort])
  // The project as the list has it by now: it may have been moved since the dialog was opened.
  const asking = asked !== undefined && "project" in asked ? { ...asked, project: projects.find(({ id }) => id === asked.project.id) ?? asked.project } : asked
  const folder = folders?.find(({ id }) => id === folderId)
  const shownFolders = folderId !== undefined ? undefined : search.q === undefined || folders === undefined ? folders : foldersNamed(folders, search.q)
  const empty = data !== undefined && !foldersPending && projects.length === 0
  const blank = empty && search.q === undefined
  const found = search.q === undefined || data === undefined || foldersPending ? undefined : foundOf(shownFolders?.length ?? 0, projects.length, hasNextPage)
  const facts = folder === undefined ? usageFacts(data?.pages[0]?.usage) : folderFacts(folder)
  // An address with an invalid folder id is treated like one whose folder is gone. It may have gone elsewhere while its projects, or that it had none, were shown.
  if (error !== null && asRefusal(error).faults.some(({ field }) => field === "folder_id")) return <><Arrivals /><NotFound what={`There is no such folder${data === undefined ? "" : " any more"}`} /></>
  if (isMissing(list)) return <Unread of={list} />
  const withSort = { ...rest, ...(search.sort && { sort: search.sort }) }
  return (
    <DropZone take={take} texts veil={folder === undefined ? "Drop to publish" : `Drop to publish into ${folder.name}`}>
      <Page
        title={folder?.name ?? "Library"} place={folderId} facts={facts}
        {...(folder !== undefined && { heading: <InFolder folder={folder} rest={withSort} /> })}
        actions={
          <>
            {folder !== undefined && (isAdmin || folder.created_by.id === user.id) && (
              <Menu trigger={<IconButton icon="more" label={`Folder ${folder.name}`} className="max-md:order-1" />}>
                <MenuItem icon="pen" onSelect={() => ask({ what: "edit", folder })}>Rename or share</MenuItem>
                <MenuItem icon="talk" onSelect={() => ask({ what: "commenters", folder })}>Who can comment</MenuItem>
                <MenuItem icon="trash" danger onSelect={() => ask({ what: "delete", folder })}>Delete folder</MenuItem>
              </Menu>
            )}
            {!(blank && folderId === undefined) && <><FolderButton /><PublishButton /></>}
          </>
        }
      >
        <Arrivals />
        {!blank && <Toolbar search={search} found={found} change={change} />}
        {/* Shown with the projects: folders that came later would push them down. */}
        {shownFolders !== undefined && data !== undefined && workspace !== undefined && (search.q === undefined ? shownFolders.length > 0 || !blank : shownFolders.length > 0) && (
          <Folders
            folders={shownFolders} workspace={workspace.id} all={search.folders === "all"} onAll={(all) => change((before) => ({ ...before, folders: all ? "all" : undefined }))}
            {...(search.q === undefined && { onNew: () => ask({ what: "new" }) })}
          />
        )}
        {isMissing(read) && search.q === undefined && data !== undefined && <Missing what="The folders" of={read} />}
        {(data === undefined || foldersPending) && <Waiting list={search.view === "list"} folders={folderId === undefined && search.q === undefined} />}
        {empty && <Nothing search={search} onAll={() => backAfter(change((before) => ({ ...before, q: undefined })))} beside={(shownFolders?.length ?? 0) > 0} paused={workspace?.billing_state === "lapsed" || workspace?.billing_state === "down"} />}
        {projects.length > 0 && !foldersPending && <Projects projects={projects} known={!isFetchedAfterMount} list={search.view === "list"} onAsk={ask} />}
        <ShowMore of={list} />
      </Page>
      {asking !== undefined && (
        <Suspense>
          <FolderDialogs
            asked={asking} onClose={() => setAsked(undefined)}
            onMade={({ id }) => (setAsked(undefined), void navigate({ search: { ...withSort, folder: id, workspace: workspace?.id } }))}
            onGone={() => (setAsked(undefined), void navigate({ search: withSort }).then(() => queries.invalidateQueries({ queryKey: keys.projectLists })))}
          />
        </Suspense>
      )}
    </DropZone>
  )
}
