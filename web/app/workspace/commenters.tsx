/** Who may comment in the workspace, and the addresses that may everywhere in it. */
import { useQuery } from "@tanstack/react-query"
import { allowlistOf, chooseAllowlist } from "../api/allowlists.ts"
import { useChange } from "../api/queries.ts"
import { accessOf } from "../commenters/access.ts"
import { AccessChoice, ListedPeople } from "../commenters/commenters.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

export const Commenting = ({ mayChange }: { readonly mayChange: boolean }) => {
  const { id } = useWorkspace()
  const of = { level: "workspace", id } as const
  const read = useQuery(allowlistOf(of))
  const { data } = read
  const choose = useChange(chooseAllowlist)
  if (isMissing(read)) return <Missing what="This setting" of={read} />
  if (data === undefined) return <Loading what="who can comment"><Skeleton className="h-[195px]" /><Skeleton className="mt-4 h-24" /></Loading>
  return (
    <div className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-6">
      {mayChange
        ? <AccessChoice label="Who can comment" value={data.comment_access} onChange={(comment_access) => choose.mutate({ of, changes: { comment_access } })} />
        : <div className="grid gap-1"><p className="text-body">{accessOf(data.comment_access)}</p><AdminsAlone>Its admins set this.</AdminsAlone></div>}
      {(mayChange || data.emails.length > 0) && <ListedPeople of={of} list={data} mayChange={mayChange} hint="They may comment on every project that lets listed people in." />}
    </div>
  )
}
