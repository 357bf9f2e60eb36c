/** Who may comment on what is in a folder: what its new projects start with, the folder's own list, and the workspace's. */
import { useQuery } from "@tanstack/react-query"
import { allowlistOf, chooseAllowlist } from "../api/allowlists.ts"
import type { Folder } from "../api/folders.ts"
import { useChange } from "../api/queries.ts"
import { AccessChoice, ListedAbove, ListedPeople } from "../commenters/commenters.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { apart } from "../ui/apart.ts"

const Body = ({ id }: Pick<Folder, "id">) => {
  const of = { level: "folder", id } as const
  const read = useQuery(allowlistOf(of))
  const { data } = read
  const choose = useChange(chooseAllowlist)
  if (isMissing(read)) return <Missing what="The list" of={read} />
  if (data === undefined) return <Loading what="who can comment"><Skeleton className="h-[212px]" /><Skeleton className="mt-6 h-40" /></Loading>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-2">
        <p className="text-small text-muted">New projects in this folder start with this. Those already in it keep what they have.</p>
        <AccessChoice label="Who can comment" value={data.comment_access} onChange={(comment_access) => choose.mutate({ of, changes: { comment_access } })} />
      </div>
      <ListedPeople of={of} list={data} mayChange hint="They may comment on every project in it that lets listed people in." />
      <ListedAbove of={of} list={data} mayChange above="the workspace" />
    </div>
  )
}

export const FolderCommenters = ({ folder: { id, name }, onClose }: { readonly folder: Folder; readonly onClose: () => void }) => (
  <Dialog open onOpenChange={onClose} title={`Who can comment in ${apart(name)}`}><Body id={id} /></Dialog>
)
