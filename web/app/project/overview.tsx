/** The way into the document, its address and plain facts. What is in it is shown at its own address alone, never in here. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { foldersIn } from "../api/folders.ts"
import { openUrl } from "../api/projects.ts"
import { PublishButton } from "../library/drop-zone.tsx"
import { KINDS } from "../library/project-card.tsx"
import { Thumbnail } from "../library/thumbnail.tsx"
import { countOf, numberOf, sizeOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { CopyButton, Empty } from "../ui/parts.tsx"
import { useMayPublish, useProject } from "./project.tsx"

const Fact = ({ children, name }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div className="min-w-28"><dt className="text-small text-muted">{name}</dt><dd className="mt-0.5">{children}</dd></div>
)

const link = "underline decoration-line underline-offset-4 hover:decoration-current"

const COMES_IN = {
  public: "In a new tab, just as its readers see it.",
  password: "In a new tab. You come in as a member; others enter the doorcode.",
  private: "In a new tab. You come in as a member; others need a link of their own."
} as const

const Hero = () => {
  const project = useProject()
  const { kind, title, visibility } = project
  return (
    <a
      href={openUrl(project)} target="_blank" rel="noreferrer"
      className="flex items-center gap-4 overflow-hidden rounded-sheet border border-line bg-desk pr-4 transition-colors hover:border-muted sm:gap-6 sm:pr-6"
    >
      <span className="w-28 shrink-0 self-end sm:w-52"><Thumbnail kind={kind} /></span>
      <span className="grid min-w-0 flex-1 gap-1 py-4">
        <span className="flex items-center gap-2 text-small text-muted">{kind !== null && <><Icon name={kind} size={16} />{KINDS[kind]}</>}</span>
        <span className="line-clamp-2 text-body font-semibold break-words">Open {title}</span>
        <span className="text-small text-pretty text-muted">{COMES_IN[visibility]}</span>
      </span>
      <Icon name="open" className="shrink-0 text-muted max-sm:hidden" />
    </a>
  )
}

export const Overview = () => {
  const { expires_at, file_count, folder_id, kind, owner, size_bytes, slug, url, version, versions, workspace_id } = useProject()
  const mayPublish = useMayPublish()
  const { data: folders = [] } = useQuery(foldersIn(workspace_id))
  const folder = folders.find(({ id }) => id === folder_id)
  if (kind === null) {
    return (
      <div className="rounded-sheet border-2 border-dashed border-line">
        <Empty icon="upload" title="Nothing is published yet" action={mayPublish ? <PublishButton shape="quiet">Choose a file</PublishButton> : undefined}>
          {mayPublish ? "Drop a file or a folder here. It is live at this address a moment later." : "Its owner has not published anything here so far."}
        </Empty>
      </div>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Hero />
      <div className="flex items-center gap-2 rounded-control border border-line py-1 pr-1 pl-4">
        <a href={url} target="_blank" rel="noreferrer" className="min-w-0 flex-1 font-mono text-small break-all text-accent underline-offset-4 hover:underline">{url}</a>
        <CopyButton text={url} label="Copy address" shape="icon" />
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        <Fact name="Version"><Link to="/projects/$slug/versions" params={{ slug }} className={link}>{numberOf(version)}{versions.length > 1 ? ` of ${numberOf(versions.length)} kept` : ""}</Link></Fact>
        <Fact name="Content">{file_count > 1 ? `${countOf(file_count, "file")}, ${sizeOf(size_bytes)}` : sizeOf(size_bytes)}</Fact>
        <Fact name="Published by">{versions[0]?.created_by.name ?? owner.name}</Fact>
        <Fact name="Folder">{folder === undefined ? <span className="text-muted">None</span> : <Link to="/" search={{ folder: folder.id }} className={link}>{folder.name}</Link>}</Fact>
        {expires_at !== null && <Fact name={new Date(expires_at).getTime() > Date.now() ? "Goes down" : "Went down"}><Time at={expires_at} as="day" /></Fact>}
      </dl>
      {mayPublish && <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted"><PublishButton shape="quiet">Publish a new version</PublishButton><span className="text-small max-md:hidden">Or drop a file or a folder anywhere on this page. The address stays.</span></p>}
    </div>
  )
}
