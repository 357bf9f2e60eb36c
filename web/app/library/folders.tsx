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
import { Button } from "../ui/button.tsx"
import { countOf } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"

/** Whether a private document in this folder opens for its owner alone, and for nobody else of the workspace. */
export const useKeeps = (id: string | null | undefined, workspace: string | undefined): boolean =>
  useQuery({ ...foldersIn(workspace), enabled: id != null }).data?.find((one) => one.id === id)?.sharing === "private"

type Carried = Pick<Project, "slug" | "title" | "folder_id">

const TYPE = "application/x-svc-project"

/** Props of an element that stands for a project: it can be dragged into a folder. */
export const carrying = ({ folder_id, slug, title }: Project) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    dataTransfer.setData(TYPE, JSON.stringify({ folder_id, slug, title } satisfies Carried))
    dataTransfer.effectAllowed = "move"
  }
})

/** Takes a project that is dropped on it: `to` is the folder, or null for none. */
export const MoveHere = ({ children, name, to }: { readonly to: string | null; readonly name?: string; readonly children: (over: boolean) => ReactNode }) => {
  const move = useChange(moveProject)
  const [over, setOver] = useState(false)
  const carries = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(TYPE)
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
        if (folder_id !== to) move.mutate({ slug, title, from: folder_id, to, name })
      }}
    >
      {children(over)}
    </div>
  )
}

export const folderGrid = "grid grid-cols-2 gap-2 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"

/** `workspace`: theirs, which the address of a folder names too. */
export const Folders = ({ folders, onNew, workspace }: { readonly folders: ReadonlyArray<Folder>; readonly workspace: string; readonly onNew: () => void }) => (
  <ul aria-label="Folders" className={folderGrid}>
    {folders.map(({ id, name, project_count, sharing }) => (
      <li key={id}>
        <MoveHere to={id} name={name}>
          {(over) => (
            <Link
              to="/" search={(before) => ({ ...before, folder: id, workspace })}
              className={`flex min-h-12 items-center gap-2.5 rounded-control border px-3 transition-colors hover:border-muted ${over ? "border-accent tint" : "border-line"}`}
            >
              <Icon name="folder" className="shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate font-medium" title={name}>{name}</span>
              {sharing === "private" && <span title="Private: only you see it" className="text-muted"><Icon name="lock" size={15} /><span className="sr-only">Private</span></span>}
              <span className="text-small text-muted tabular-nums" title={countOf(project_count, "project")}>{project_count}</span>
            </Link>
          )}
        </MoveHere>
      </li>
    ))}
    <li><Button shape="bare" icon="plus" className="min-h-12! text-muted" onClick={onNew}>New folder</Button></li>
  </ul>
)
