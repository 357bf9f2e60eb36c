/** The folders above the projects: a press opens one, and a project dropped on one moves there. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { DragEvent, ReactNode } from "react"
import { foldersIn } from "../api/folders.ts"
import type { Folder } from "../api/folders.ts"
import { moveProject } from "../api/projects.ts"
import type { Project } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { usePermission } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { countOf } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"

/** Whether a private document in this folder opens for its owner alone, and for nobody else of the workspace. */
export const useKeeps = (id: string | null | undefined, workspace: string | undefined): boolean =>
  useQuery({ ...foldersIn(workspace), enabled: id != null }).data?.find((one) => one.id === id)?.sharing === "private"

type Carried = Pick<Project, "slug" | "title" | "folder_id">

/** What is carried shows only its types until it is dropped: they name the project's owner. */
const TYPE = "application/x-svc-project"
const typeOf = (ownerId: string): string => `${TYPE}-of-${ownerId}`

/** Props of an element that stands for a project: whoever may change it can drag it into a folder. */
export const useCarrying = ({ folder_id, owner, slug, title, workspace_id }: Project) => usePermission(workspace_id).mayChange(owner.id) && {
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    dataTransfer.setData(TYPE, JSON.stringify({ folder_id, slug, title } satisfies Carried))
    dataTransfer.setData(typeOf(owner.id), "1")
    dataTransfer.effectAllowed = "move"
  }
}

/** Takes a project that is dropped on it and may lie there: `to` is the folder, or null for none. */
export const MoveHere = ({ children, to }: { readonly to: Folder | null; readonly children: (over: boolean) => ReactNode }) => {
  const move = useChange(moveProject)
  const [over, setOver] = useState(false)
  const carries = ({ dataTransfer: { types } }: DragEvent) => types.includes(to?.sharing === "private" ? typeOf(to.created_by.id) : TYPE)
  return (
    <div
      onDragOver={(event) => {
        if (!carries(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = "move"
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget as Node | null) || setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!carries(event)) return
        event.preventDefault()
        const { folder_id, slug, title }: Carried = JSON.parse(event.dataTransfer.getData(TYPE))
        const id = to?.id ?? null
        if (folder_id !== id) move.mutate({ slug, title, from: folder_id, to: id, name: to?.name })
      }}
    >
      {children(over)}
    </div>
  )
}

export const folderGrid = "grid grid-cols-2 gap-2 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"

/** Of more than `MANY`, only the first are shown until all are asked for: the projects stand below. */
const MANY = 12
const FIRST = 8

const focus = (one: HTMLElement | null): void => one?.focus()

interface FoldersProps {
  readonly folders: ReadonlyArray<Folder>
  /** Theirs, which the address of a folder names too. */
  readonly workspace: string
  readonly all: boolean
  readonly onAll: (all: boolean) => void
  /** Absent where a search found them. */
  readonly onNew?: () => void
}

export const Folders = ({ all, folders, onAll, onNew, workspace }: FoldersProps) => {
  const isMany = folders.length > MANY
  const [pressed, setPressed] = useState(false)
  return (
    <ul aria-label="Folders" className={folderGrid}>
      {(isMany && !all ? folders.slice(0, FIRST) : folders).map((folder, index) => (
        <li key={folder.id}>
          <MoveHere to={folder}>
            {(over) => (
              <Link
                to="/" search={(before) => ({ ...before, q: undefined, folder: folder.id, workspace })} ref={pressed && index === FIRST ? focus : null}
                className={`flex min-h-12 items-center gap-2.5 rounded-control border px-3 transition-colors hover:border-muted ${over ? "border-accent tint" : "border-line"}`}
              >
                <Icon name="folder" className="shrink-0 text-muted" />
                <span className="written min-w-0 flex-1 truncate text-left font-medium" title={folder.name}>{folder.name}</span>
                {folder.sharing === "private" && <span title="Private: only you see it" className="text-muted"><Icon name="lock" size={15} /><span className="sr-only">Private</span></span>}
                <span className="text-small text-muted tabular-nums" title={countOf(folder.project_count, "project")}>{folder.project_count}</span>
              </Link>
            )}
          </MoveHere>
        </li>
      ))}
      {isMany && (
        <li>
          <Button
            shape="bare" icon="updown" className="min-h-12! text-muted" aria-expanded={all}
            onClick={() => {
              setPressed(!all)
              onAll(!all)
            }}
          >
            {all ? "Fewer folders" : `All ${folders.length} folders`}
          </Button>
        </li>
      )}
      {onNew !== undefined && <li><Button shape="bare" icon="plus" className="min-h-12! text-muted" onClick={onNew}>New folder</Button></li>}
    </ul>
  )
}
