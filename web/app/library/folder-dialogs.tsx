/** Dialogs that make, rename, share or delete a folder, or move a project into one. Loaded when first asked for. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { changeFolder, createFolder, folderPlace, removeFolder } from "../api/folder-changes.ts"
import { foldersIn, takes } from "../api/folders.ts"
import type { Folder } from "../api/folders.ts"
import { anew } from "../api/once.ts"
import { moveProject } from "../api/projects.ts"
import type { Project } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { useSession } from "../frame/session.ts"
import { DeleteProject } from "../project/delete-project.tsx"
import { Button } from "../ui/button.tsx"
import { RadioCards } from "../ui/choices.tsx"
import { ConfirmDialog, Dialog } from "../ui/dialog.tsx"
import { countOf } from "../ui/facts.tsx"
import { Field, faultOf, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Icon } from "../ui/icon.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { MANY, OneOfMany } from "../ui/select.tsx"
import { backAfter, wayBack } from "../ui/way-back.ts"
import { apart } from "../ui/apart.ts"
import { FolderCommenters } from "./commenters.tsx"

const SHARING = [
  { value: "team", label: "For the workspace", hint: "Every member sees what is in it." },
  { value: "private", label: "Only for you", hint: "Nobody else sees what is in it here, admins included, and private documents in it open for nobody else of the workspace. Those that are public or have a doorcode stay open." }
] as const

interface Shown {
  readonly onClose: () => void
}

const FolderForm = ({ action, before, busy, error, onSend, mayShare }: {
  readonly before?: Folder
  readonly action: string
  readonly busy: boolean
  readonly error: unknown
  readonly mayShare: boolean
  readonly onSend: (given: { readonly name: string; readonly sharing: Folder["sharing"] }) => void
}) => {
  const [name, setName] = useState(before?.name ?? "")
  const [sharing, setSharing] = useState<Folder["sharing"]>(before?.sharing ?? "team")
  return (
    <Form onSend={() => onSend({ name: name.trim(), sharing })}>
      <Field label="Name" autoFocus required maxLength={100} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} fault={faultOf(error, "name")} />
      {mayShare && <RadioCards label="Who sees it" value={sharing} onChange={setSharing} options={SHARING} />}
      <FormFault error={error} shown={["name"]} />
      <div className="flex justify-end"><Button shape="filled" type="submit" busy={busy}>{action}</Button></div>
    </Form>
  )
}

const NewFolder = ({ onClose, onMade }: Shown & { readonly onMade: (made: Folder) => void }) => {
  const { workspace } = useSession()
  const create = useChange(createFolder, { quiet: true })
  const id = workspace?.id ?? ""
  return (
    <Dialog open busy={create.isPending} onOpenChange={() => (anew(folderPlace(id)), onClose())} title="New folder">
      <FolderForm
        action="Make folder" busy={create.isPending} error={create.error} mayShare
        onSend={(given) => create.mutate({ workspace: id, ...given }, { onSuccess: onMade })}
      />
    </Dialog>
  )
}

const EditFolder = ({ folder, onClose }: Shown & { readonly folder: Folder }) => {
  const { user } = useSession()
  const change = useChange(changeFolder, { quiet: true })
  return (
    <Dialog open busy={change.isPending} onOpenChange={onClose} title={`Change ${apart(folder.name)}`}>
      <FolderForm
        action="Save" before={folder} busy={change.isPending} error={change.error} mayShare={folder.created_by.id === user.id}
        onSend={({ name, sharing }) => change.mutate({ id: folder.id, changes: { ...(name !== folder.name && { name }), ...(sharing !== folder.sharing && { sharing }) } }, { onSuccess: onClose })}
      />
    </Dialog>
  )
}

const DeleteFolder = ({ folder: { id, name, project_count, sharing }, onClose, onGone }: Shown & { readonly folder: Folder; readonly onGone: () => void }) => {
  const remove = useChange(removeFolder, { quiet: true })
  return (
    <ConfirmDialog
      open onOpenChange={(open) => open || onClose()} title={`Delete “${apart(name)}”?`} action="Delete folder"
      loses={project_count === 0
        ? "It is empty. Its list of people who may comment goes with it."
        : `${project_count === 1 ? "The project in it stays" : `The ${countOf(project_count, "project")} in it stay`} where they are published, outside of any folder${sharing === "private" ? ", and show to the workspace then" : ""}. The folder’s list of people who may comment goes.`}
      onConfirm={async () => {
        await remove.mutateAsync({ id, name, moveProjects: true })
        onGone()
      }}
    />
  )
}

const MoveProject = ({ onClose, project: { folder_id, owner, slug, title, workspace_id } }: Shown & { readonly project: Project }) => {
  const read = useQuery(foldersIn(workspace_id))
  const folders = (read.data ?? []).filter((one) => takes(one, owner.id))
  const move = useChange(moveProject)
  const [back] = useState(wayBack)
  const dialog = { open: true, onOpenChange: onClose, title: `Move ${apart(title)}` } as const
  if (isMissing(read)) return <Dialog {...dialog}><Missing what="The folders" of={read} /></Dialog>
  if (read.data === undefined) return <Dialog {...dialog}><Loading what="the folders"><Skeleton className="h-44" /></Loading></Dialog>
  const places = [{ id: null, shown: "No folder", sharing: "team" }, ...folders.map(({ id, name, sharing }) => ({ id, shown: name, sharing }))]
  const put = (to: string | null) => to !== folder_id && backAfter(move.mutateAsync({ slug, title, from: folder_id, to, name: folders.find(({ id }) => id === to)?.name }), back)
  if (places.length > MANY) {
    return (
      <OneOfMany
        label={`Move ${title}`} value={folder_id ?? ""} onChange={(id) => put(id === "" ? null : id)} onClose={onClose}
        options={places.map(({ id, shown }) => ({ value: id ?? "", label: shown }))}
      />
    )
  }
  return (
    <Dialog {...dialog} {...(folders.length === 0 && { description: "There is no folder for it yet. Make one in the library." })}>
      <ul aria-label="Folders" className="-mx-2 grid max-h-[50vh] grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto">
        {places.map(({ id, sharing, shown }) => (
          <li key={id ?? "none"}>
            <button
              type="button" aria-pressed={id === folder_id} className="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 text-left hover:tint"
              onClick={() => {
                put(id)
                onClose()
              }}
            >
              <Icon name={id === null ? "library" : sharing === "private" ? "lock" : "folder"} className="shrink-0 text-muted" />
              <span className="written min-w-0 flex-1 truncate text-left" title={shown}>{shown}</span>
              {id === folder_id && <><Icon name="check" className="text-accent" /><span className="sr-only">It is here</span></>}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

export type Asked =
  | { readonly what: "new" }
  | { readonly what: "edit" | "commenters" | "delete"; readonly folder: Folder }
  | { readonly what: "move" | "remove"; readonly project: Project }

const FolderDialogs = ({ asked, onClose, onGone, onMade }: Shown & { readonly asked: Asked; readonly onGone: () => void; readonly onMade: (made: Folder) => void }) => {
  switch (asked.what) {
    case "new":
      return <NewFolder onClose={onClose} onMade={onMade} />
    case "edit":
      return <EditFolder folder={asked.folder} onClose={onClose} />
    case "commenters":
      return <FolderCommenters folder={asked.folder} onClose={onClose} />
    case "delete":
      return <DeleteFolder folder={asked.folder} onClose={onClose} onGone={onGone} />
    case "move":
      return <MoveProject project={asked.project} onClose={onClose} />
    case "remove":
      return <DeleteProject open project={asked.project} onOpenChange={(open) => open || onClose()} />
  }
}

export default FolderDialogs
