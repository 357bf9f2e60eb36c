/** A project: a slim header, its tabs as addresses, and the open tab. Tabs read the project with `useProject`. */
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router"
import { Fragment, useMemo } from "react"
import { commentsOf } from "../api/comments.ts"
import { openUrl, projectOf } from "../api/projects.ts"
import type { ProjectDetail } from "../api/projects.ts"
import { asRefusal } from "../api/refusal.ts"
import { useCommands } from "../frame/commands.ts"
import { Page } from "../frame/page.tsx"
import { usePermission } from "../frame/session.ts"
import { NotFound } from "../frame/trouble.tsx"
import { Arrivals } from "../library/arrivals.tsx"
import { DropZone } from "../library/drop-zone.tsx"
import { Attention, KINDS, opens, VISIBILITIES } from "../library/project-card.tsx"
import { publishVersion } from "../library/publishing.ts"
import { buttonClass } from "../ui/button.tsx"
import { numberOf, sizeOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { useMinute } from "../ui/minute.ts"
import { Chip, CopyButton } from "../ui/parts.tsx"
import { TabLinks, useOpenTab } from "../ui/tabs.tsx"
import { Title } from "./title.tsx"

const route = getRouteApi("/framed/projects/$slug")

export const useProject = (): ProjectDetail => useSuspenseQuery(projectOf(route.useParams().slug)).data

/** Whether it was renamed or deleted elsewhere since it was read: what is still shown of it is at no address any more. */
const useIsGone = (): boolean => {
  const { error } = useSuspenseQuery(projectOf(route.useParams().slug))
  return error !== null && asRefusal(error).status === 404
}

/** Whether the signed-in user may change it: its owner and the workspace's admins may. */
export const useMayChange = (): boolean => {
  const { owner, workspace_id } = useProject()
  return usePermission(workspace_id).mayChange(owner.id)
}

/** What was taken down gets no new version until whoever runs the service puts it back. */
export const useMayPublish = (): boolean => {
  const { taken_down_at } = useProject()
  return useMayChange() && taken_down_at === null
}

const TakenDown = ({ at }: { readonly at: string }) => (
  <div className="flex gap-3 rounded-sheet border border-line p-4">
    <Icon name="warn" className="mt-px shrink-0 text-bad" />
    <div className="grid max-w-[41rem] gap-1">
      <p className="font-medium">Taken down by whoever runs this service</p>
      <p className="text-small text-muted"><Time at={at} /></p>
      <p className="text-muted">Its address opens for nobody, and nothing can be published here until they put it back. What is here is kept. Ask them why.</p>
    </div>
  </div>
)

/** How many threads are open: counts the list that the tab shows first, so that it is there when the tab is pressed. */
const OpenComments = ({ slug }: { readonly slug: string }) => {
  const { data } = useInfiniteQuery(commentsOf(slug, "open"))
  const count = data?.pages.reduce((sum, { comments }) => sum + comments.length, 0) ?? 0
  const more = data?.pages.at(-1)?.next_cursor != null
  // It hangs in the gap before the next tab: nothing moves for one digit, and there is no hole where there is none.
  // Raised, so that it is read with the word before it, not with the one after.
  return <span className={`-mr-3.5 min-w-3.5 -translate-y-1 pl-0.5 text-tiny font-normal text-muted tabular-nums md:-mr-5 md:min-w-5 ${count > 9 ? "pr-3 md:pr-4" : "pr-[5px]"}`}>{count > 0 && <>{numberOf(count)}{more && "+"}<span className="sr-only"> open</span></>}</span>
}

const tabsOf = ({ comments_enabled, slug }: ProjectDetail) => [
  { label: "Document", link: { to: "/projects/$slug", params: { slug } } as const, exact: true },
  { label: "Versions", link: { to: "/projects/$slug/versions", params: { slug } } as const },
  { label: "Comments", link: { to: "/projects/$slug/comments", params: { slug } } as const, mark: comments_enabled && <OpenComments slug={slug} /> },
  { label: "Readers", link: { to: "/projects/$slug/analytics", params: { slug } } as const },
  { label: "Settings", link: { to: "/projects/$slug/settings", params: { slug } } as const }
]

/** Above it, the uploads that were on their way here, whose files can be picked again elsewhere. */
const Gone = () => {
  const { slug } = useProject()
  return <><Arrivals of={slug} /><NotFound what="There is no such project any more" /></>
}

export const ProjectPage = () => useIsGone() ? <Gone /> : <Present />

const Present = () => {
  useMinute()
  const project = useProject()
  const mayChange = useMayChange()
  const mayPublish = useMayPublish()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { file_count: fileCount, kind, published_at, size_bytes, slug, taken_down_at, title, visibility, workspace_id: workspace } = project
  const seen = VISIBILITIES[visibility]
  const open = opens(project) ? openUrl(project) : undefined
  const tabs = tabsOf(project)
  useCommands(useMemo(() => [
    { id: "project-share", name: "Share this project", icon: "globe" as const, words: ["link", "doorcode", "recipient"], run: () => void navigate({ to: "/projects/$slug/share", params: { slug } }) },
    ...open === undefined ? [] : [{ id: "project-open", name: "Open this document", icon: "open" as const, run: () => void window.open(open, "_blank", "noreferrer") }]
  ], [navigate, open, slug]))
  const drop = useMemo(() => ({
    veil: "Drop to publish a new version",
    take: (files: Parameters<typeof publishVersion>[0], pasted: boolean) => void publishVersion(files, { slug, title, kind, fileCount, pasted, workspace, queries })
  }), [slug, title, kind, fileCount, workspace, queries])
  const page = (
    <Page
      title={title} part={useOpenTab(tabs)}
      heading={<Title key={slug} slug={slug} title={title} mayChange={mayChange} />}
      facts={
        <>
          <Chip icon={seen.icon}>{seen.label}</Chip>
          <span>{kind === null ? "Nothing published" : KINDS[kind]}</span>
          {kind !== null && <span>{sizeOf(size_bytes)}</span>}
          {published_at !== null && <span>Published <Time at={published_at} /></span>}
          <Attention project={project} />
        </>
      }
      actions={
        <>
          <CopyButton text={project.url} label="Copy address" />
          {open !== undefined && <a href={open} target="_blank" rel="noreferrer" className={buttonClass()}><Icon name="open" /><span className="max-[359px]:sr-only">Open</span></a>}
          {/* Until it opens, another step comes first: publishing it, or putting it back up. */}
          <Link to="/projects/$slug/share" params={{ slug }} className={buttonClass(open === undefined ? "quiet" : "filled")}>Share</Link>
        </>
      }
    >
      {taken_down_at !== null && <TakenDown at={taken_down_at} />}
      <TabLinks label="Project" tabs={tabs} />
      <Arrivals of={slug} />
      {/* What was typed or made for one project does not move along to another, as where the browser goes back by several steps. */}
      <Fragment key={project.id}><Outlet /></Fragment>
    </Page>
  )
  return mayPublish ? <DropZone {...drop}>{page}</DropZone> : page
}
