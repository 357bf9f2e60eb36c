/** The way into the document, its address and plain facts. Its content is shown only at its own address: the app has no more of it than its thumbnail. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { foldersIn } from "../api/folders.ts"
import { missingOf, openUrl } from "../api/projects.ts"
import { PublishButton } from "../library/drop-zone.tsx"
import { Lacks } from "../library/lacks.tsx"
import { usePublishing } from "../library/publishing.ts"
import { Thumbnail } from "../library/thumbnail.tsx"
import { buttonClass } from "../ui/button.tsx"
import { canDrag } from "../ui/dragging.ts"
import { countOf, isOver, numberOf, sizeOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { useMinute } from "../ui/minute.ts"
import { isMissing, Missing } from "../ui/missing.tsx"
import { CopyButton, Empty, Url } from "../ui/parts.tsx"
import { useMayChange, useMayPublish, useProject } from "./project.tsx"

const Fact = ({ children, name }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div className="flex items-baseline justify-between gap-6 py-2"><dt className="shrink-0 text-muted">{name}</dt><dd className="min-w-0 text-right break-words">{children}</dd></div>
)

const link = "underline decoration-line underline-offset-4 hover:decoration-current"

const COMES_IN = {
  public: "In a new tab, just as its readers see it.",
  password: "In a new tab. You come in as a member; others enter the doorcode.",
  private: "In a new tab. You come in as a member; others need a link of their own."
} as const

const sheet = "flex flex-col overflow-hidden rounded-sheet border border-line bg-desk"
const foot = "flex items-center gap-4 border-t border-line bg-sheet px-4 py-3.5 sm:px-5"

const Picture = () => <span className="flex flex-1 items-end justify-center"><Thumbnail project={useProject()} className="h-40 w-auto shrink-0 sm:h-72" /></span>

/** Its address answers nobody, not even members. */
const WentDown = ({ on }: { readonly on: string }) => {
  const { slug } = useProject()
  const mayChange = useMayChange()
  return (
    <div className={sheet}>
      <Picture />
      <div className={`${foot} flex-wrap gap-y-3`}>
        <Icon name="warn" size={20} className="shrink-0 text-warn" />
        <p className="min-w-0 flex-1 basis-40"><span className="font-semibold">It went down on <Time at={on} as="end" />.</span> Nobody can open it.</p>
        {mayChange && <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass("filled")}>Put it back up</Link>}
      </div>
    </div>
  )
}

const Hero = () => {
  const project = useProject()
  const { kind, taken_down_at, title, visibility } = project
  return (
    <a
      href={openUrl(project)} target="_blank" rel="noreferrer"
      className={`${sheet} transition-colors hover:border-muted`}
    >
      <Picture />
      <span className={foot}>
        {kind !== null && <Icon name={kind} size={20} className="shrink-0 text-muted" />}
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 font-semibold break-words">Open <bdi>{title}</bdi></span>
          <span className="block text-small text-pretty text-muted">{taken_down_at === null ? COMES_IN[visibility] : "It opens for nobody until it is put back."}</span>
        </span>
        <Icon name="open" className="shrink-0 text-muted" />
      </span>
    </a>
  )
}

/** For those who can publish it again; at the foot, since it comes last. Said of an upload already, it is not said twice. */
const Missed = () => {
  const { id, kind, slug, version } = useProject()
  const isSaid = usePublishing().some(({ live, slug: of }) => of === slug && live?.version === version && live.missing !== undefined)
  const { data } = useQuery({ ...missingOf({ id, slug, version }), enabled: kind === "site" || kind === "markdown" })
  return data?.missing == null || isSaid ? null : <Lacks missing={data.missing} />
}

export const Overview = () => {
  useMinute()
  const { expires_at, file_count, folder_id, kind, owner, size_bytes, slug, taken_down_at, url, version, versions, workspace_id } = useProject()
  const mayPublish = useMayPublish()
  const folders = useQuery(foldersIn(workspace_id))
  const folder = folders.data?.find(({ id }) => id === folder_id)
  if (kind === null) {
    return (
      <div className="grid items-center rounded-sheet border-2 border-dashed border-line md:min-h-[min(24rem,50vh)]">
        <Empty icon="upload" title="Nothing is published yet" action={mayPublish ? <PublishButton>Choose a file</PublishButton> : undefined}>
          {mayPublish ? `${canDrag() ? "Drop a file or a folder here. It" : "The file that you choose"} is live at this address a moment later.` : "Its owner has not published anything here so far."}
        </Empty>
      </div>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-8">
      {expires_at !== null && isOver(expires_at) && taken_down_at === null ? <WentDown on={expires_at} /> : <Hero />}
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <div className="flex items-center gap-2 rounded-control border border-line py-1 pr-1 pl-3">
          <a href={url} target="_blank" rel="noreferrer" className="min-w-0 flex-1 font-mono text-small wrap-anywhere text-accent underline-offset-4 hover:underline"><Url>{url}</Url></a>
          <CopyButton text={url} label="Copy address" shape="icon" />
        </div>
        <dl className="divide-y divide-line">
          <Fact name="Version"><Link to="/projects/$slug/versions" params={{ slug }} className={link}>{numberOf(version)}{versions.length > 1 ? ` (${numberOf(versions.length)} kept)` : ""}</Link></Fact>
          <Fact name="Content">{file_count > 1 ? `${countOf(file_count, "file")}, ${sizeOf(size_bytes)}` : sizeOf(size_bytes)}</Fact>
          <Fact name="Published by">{versions[0]?.created_by.name ?? owner.name}</Fact>
          {/* A folder's name is known once the folders are here; that there is no folder, at once. */}
          {folder === undefined && folder_id !== null && isMissing(folders)
            ? <div className="py-2"><dt className="sr-only">Folder</dt><dd><Missing what="The folders" of={folders} /></dd></div>
            : <Fact name="Folder">{folder === undefined ? <span className="text-muted">{folder_id !== null && folders.isPending ? <>&nbsp;</> : "None"}</span> : <Link to="/" search={{ folder: folder.id, workspace: workspace_id }} className={link}>{folder.name}</Link>}</Fact>}
          {expires_at !== null && <Fact name={isOver(expires_at) ? "Went down" : "Goes down"}><Time at={expires_at} as="end" /></Fact>}
        </dl>
        {mayPublish && <div className="grid justify-items-start gap-2"><PublishButton shape="quiet">Publish a new version</PublishButton><p className="text-small text-muted max-md:hidden">Or drop a file or a folder anywhere on this page. The address stays.</p></div>}
        {mayPublish && <Missed />}
      </div>
    </div>
  )
}
