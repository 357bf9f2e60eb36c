/** One project in the library: as a card or as a row. */
import { Link, useNavigate } from "@tanstack/react-router"
import { now } from "../api/clock.ts"
import { openUrl } from "../api/projects.ts"
import type { Project } from "../api/projects.ts"
import { usePermission } from "../frame/session.ts"
import { IconButton } from "../ui/button.tsx"
import { countOf, isOver, sizeOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import type { IconName } from "../ui/icon.tsx"
import { Menu, MenuItem } from "../ui/menu.tsx"
import { useMinute } from "../ui/minute.ts"
import { Chip } from "../ui/parts.tsx"
import { DAY_MS } from "../ui/times.ts"
import { copied, toast } from "../ui/toasts.ts"
import type { Asked } from "./folder-dialogs.tsx"
import { useCarrying } from "./folders.tsx"
import { Thumbnail } from "./thumbnail.tsx"

type OnAsk = (asked: Asked) => void

export const KINDS = { site: "Site", pdf: "PDF", markdown: "Markdown", text: "Text", image: "Image", video: "Video", data: "Data" } as const

export const VISIBILITIES = {
  public: { icon: "globe", label: "Public" },
  password: { icon: "key", label: "Doorcode" },
  private: { icon: "lock", label: "Private" }
} as const satisfies Record<Project["visibility"], { icon: IconName; label: string }>

/** An expiry is shown only once it is this near. */
const SOON_MS = 7 * DAY_MS

export const Attention = ({ project: { expires_at, taken_down_at } }: { readonly project: Project }) => {
  useMinute()
  if (taken_down_at !== null) return <Chip icon="warn" tone="bad">Taken down</Chip>
  if (expires_at === null) return null
  const left = new Date(expires_at).getTime() - now()
  if (left > SOON_MS) return null
  return <Chip icon="warn" tone="warn">{left <= 0 ? "Expired" : <>Expires <Time at={expires_at} as="day" /></>}</Chip>
}

/** Whether its address opens for anybody at all. */
export const opens = ({ expires_at, kind, taken_down_at }: Project): boolean => kind !== null && taken_down_at === null && (expires_at === null || !isOver(expires_at))

const Seen = ({ visibility }: Pick<Project, "visibility">) => {
  const { icon, label } = VISIBILITIES[visibility]
  return visibility === "public" ? null : <Chip icon={icon}>{label}</Chip>
}

const whenOf = (project: Project): string => project.published_at ?? project.created_at

/** A menu of what can be done with it besides opening it. */
const More = ({ onAsk, project }: { readonly project: Project; readonly onAsk: OnAsk }) => {
  const { mayChange } = usePermission(project.workspace_id)
  const navigate = useNavigate()
  const may = mayChange(project.owner.id)
  useMinute()
  return (
    <span className="relative flex items-center">
      <Menu trigger={<IconButton icon="more" label={`More about ${project.title}`} className="-my-2 -mr-2" />}>
        {opens(project) && <MenuItem icon="open" onSelect={() => void window.open(openUrl(project), "_blank", "noreferrer")}>Open the document</MenuItem>}
        <MenuItem icon="copy" onSelect={() => void copied(project.url).then((done) => done && toast({ text: "The address is copied." }))}>Copy address</MenuItem>
        <MenuItem icon="globe" onSelect={() => void navigate({ to: "/projects/$slug/share", params: { slug: project.slug } })}>Share</MenuItem>
        {may && <MenuItem icon="folder" onSelect={() => onAsk({ what: "move", project })}>Move to a folder</MenuItem>}
        {may && <MenuItem icon="trash" danger onSelect={() => onAsk({ what: "remove", project })}>Delete</MenuItem>}
      </Menu>
    </span>
  )
}

/** All of the card or row can be pressed. The focus is drawn around it too, and inside its edge: a title that is cut off would cut it off as well. */
const covers = "outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"

interface ShownProps {
  readonly project: Project
  readonly onAsk: OnAsk
}

export const ProjectCard = ({ onAsk, project }: ShownProps) => (
  <li
    {...useCarrying(project)}
    className="group relative flex overflow-hidden rounded-sheet sm:flex-col border border-line transition-colors hover:border-muted focus-within:border-muted"
  >
    {/* Drawn once it is near, and of its size before: who comes back finds the page as tall as it was. */}
    <div className="relative w-24 shrink-0 overflow-hidden bg-desk [content-visibility:auto] max-sm:border-r sm:box-content sm:aspect-[240/132] sm:w-auto sm:border-b border-line">
      <Thumbnail project={project} className="w-full max-sm:absolute max-sm:bottom-0 max-sm:left-1/2 max-sm:h-[76px] max-sm:w-[138px] max-sm:-translate-x-1/2" />
    </div>
    <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-1 p-3.5">
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 truncate text-left font-semibold">
          <Link to="/projects/$slug" params={{ slug: project.slug }} draggable={false} className={`${covers} after:rounded-sheet`} title={project.title}>{project.title}</Link>
        </h2>
        <More project={project} onAsk={onAsk} />
      </div>
      <p className="facts text-small text-muted">
        <span>{project.kind === null ? "Nothing published" : KINDS[project.kind]}</span>
        <Time at={whenOf(project)} />
        {project.kind !== null && <span>{project.file_count > 1 ? countOf(project.file_count, "file") : sizeOf(project.size_bytes)}</span>}
        <Seen visibility={project.visibility} />
      </p>
      <Attention project={project} />
    </div>
  </li>
)

export const ProjectRow = ({ onAsk, project }: ShownProps) => (
  <li {...useCarrying(project)} className="relative flex min-h-13 items-center gap-3 border-b border-line px-2 py-2 last:border-0 hover:tint">
    <Icon name={project.kind ?? "empty"} className="shrink-0 text-muted" />
    <div className="min-w-0 flex-1 gap-3 sm:flex sm:items-center">
      <div className="min-w-0 flex-1">
        <h2 className="truncate text-left font-medium"><Link to="/projects/$slug" params={{ slug: project.slug }} draggable={false} className={covers} title={project.title}>{project.title}</Link></h2>
        <p className="truncate font-mono text-tiny text-muted">{project.slug}</p>
      </div>
      <div className="flex flex-wrap gap-x-3"><Attention project={project} /><Seen visibility={project.visibility} /></div>
    </div>
    <span className="w-20 text-right text-small text-muted max-md:hidden">{sizeOf(project.size_bytes)}</span>
    <span className="w-28 text-right text-small text-muted max-sm:hidden"><Time at={whenOf(project)} /></span>
    <More project={project} onAsk={onAsk} />
  </li>
)
