/** Open invitations: until when, sending again or taking back. Those who accepted are members. */
import { useQuery } from "@tanstack/react-query"
import { cancelInvite, invitesOf, resendInvite } from "../api/invites.ts"
import type { Invite } from "../api/invites.ts"
import { useChange } from "../api/queries.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { countOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { Menu, MenuItem } from "../ui/menu.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Chip, Loading, Section, Skeleton } from "../ui/parts.tsx"
import { backAfter } from "../ui/way-back.ts"
import { roleName } from "./roles.ts"
import { useWorkspace } from "./workspace.tsx"

const ID = "invitations"

/** Passes by the members that stand above. */
export const ToInvitations = () => {
  const { data } = useQuery(invitesOf(useWorkspace().id))
  const open = data?.filter(({ status }) => status !== "accepted").length ?? 0
  return open > 0 && <Button shape="bare" onClick={() => document.getElementById(ID)?.focus()}><Icon name="down" />{countOf(open, "invitation")}</Button>
}

const Row = ({ invite: { email, expires_at, id, invited_by, role, status } }: { readonly invite: Invite }) => {
  const { id: workspace } = useWorkspace()
  const [resend, cancel] = [useChange(resendInvite), useChange(cancelInvite)]
  return (
    <li className="flex items-center gap-3 py-2.5">
      <span aria-hidden="true" className="grid size-8 shrink-0 place-items-center rounded-full border border-dashed border-muted text-muted"><Icon name="account" size={16} /></span>
      <div className="min-w-0 flex-1">
        <p className="break-all">{email}</p>
        <p className="facts text-small text-muted">
          {status === "expired" ? <Chip icon="warn" tone="warn">Expired <Time at={expires_at} /></Chip> : <span>Expires <Time at={expires_at} as="coming" /></span>}
          {invited_by !== null && <span className="max-md:hidden">Invited by {invited_by.name}</span>}
        </p>
      </div>
      <span className="text-right md:w-28 md:pr-3">{roleName(role)}</span>
      <Menu trigger={<IconButton icon="more" label={`More for ${email}`} />}>
        <MenuItem icon="history" onSelect={() => backAfter(resend.mutateAsync({ workspace, id, seen: expires_at }))}>Send again</MenuItem>
        <MenuItem icon="close" danger onSelect={() => backAfter(cancel.mutateAsync({ workspace, id }))}>{status === "expired" ? "Take off this list" : "Take back the invitation"}</MenuItem>
      </Menu>
    </li>
  )
}

export const Invitations = ({ onInvite }: { readonly onInvite: () => void }) => {
  const { id } = useWorkspace()
  const read = useQuery(invitesOf(id))
  const { data } = read
  if (isMissing(read)) return <Missing what="The invitations" of={read} />
  const open = data?.filter(({ status }) => status !== "accepted")
  return (
    <Section id={ID} title="Invitations" hint="Each holds a seat until it is accepted, taken back, or seven days old.">
      {open === undefined && <Loading what="invitations"><Skeleton className="h-11" /></Loading>}
      {open?.length === 0 && <p className="text-muted">Nobody is invited right now. <button type="button" className="text-accent underline underline-offset-4" onClick={onInvite}>Invite somebody</button></p>}
      {open !== undefined && open.length > 0 && <ul aria-label="Invitations" className="divide-y divide-line">{open.map((one) => <Row key={one.id} invite={one} />)}</ul>}
    </Section>
  )
}
