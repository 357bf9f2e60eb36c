/** The workspace's members and their roles, and who is invited. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { invitesOf } from "../api/invites.ts"
import { membersOf } from "../api/members.ts"
import type { Member } from "../api/members.ts"
import { usePermission } from "../frame/session.ts"
import { Unread } from "../frame/trouble.tsx"
import { Button } from "../ui/button.tsx"
import { countOf } from "../ui/facts.tsx"
import { SearchField } from "../ui/field.tsx"
import { isMissing } from "../ui/missing.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { plain } from "../ui/plain.ts"
import { onToNew } from "../ui/way-back.ts"
import { InviteDialog } from "./invite-dialog.tsx"
import { Invitations, ToInvitations } from "./invitations.tsx"
import { MemberRow } from "./member-row.tsx"
import { seatWords, useSeats } from "./seats.ts"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

const Waiting = () => (
  <Loading what="members">
    <div className="divide-y divide-line">
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className="flex items-center gap-3 py-3"><Skeleton className="size-8 rounded-full!" /><div className="grid gap-1.5"><Skeleton className="h-4 w-32" /><Skeleton className="h-3 w-44" /></div></div>
      ))}
    </div>
  </Loading>
)

/** Says in advance what rule the only admin, or an admin who is not an owner, would run into. */
const rule = (members: ReadonlyArray<Member>, isOwner: boolean): string | undefined => {
  if (members.length > 1 && members.filter(({ role }) => role === "admin").length === 1) return "You are the only admin. Make somebody else one before you leave or step down."
  return !isOwner && members.some((one) => one.is_owner) ? "Only owners can change an owner." : undefined
}

/** More than this are searched, and shown some at a time. */
const MANY = 20
const MORE = 50

const List = ({ members, shown = members }: { readonly members: ReadonlyArray<Member>; readonly shown?: ReadonlyArray<Member> }) => (
  <ul aria-label="Members" className="divide-y divide-line">{shown.map((member) => <MemberRow key={member.user_id} member={member} members={members} />)}</ul>
)

const ManyMembers = ({ members }: { readonly members: ReadonlyArray<Member> }) => {
  const { isAdmin } = usePermission()
  const [typed, setTyped] = useState("")
  const [first, setFirst] = useState(MANY)
  const words = plain(typed.trim())
  const found = members.filter(({ email, name }) => plain(`${name}\n${email}`).includes(words))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          className="min-w-52" label="Find a member" placeholder="Name or email" value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setFirst(MANY)
          }}
        />
        {isAdmin && <ToInvitations />}
      </div>
      <p role="status" className="text-small text-muted">{found.length === 0 ? "Nobody here is called that." : words === "" ? countOf(members.length, "member") : `${found.length} of ${countOf(members.length, "member")}`}</p>
      <List members={members} shown={found.slice(0, first)} />
      {found.length > first && <div className="text-center"><Button onClick={({ currentTarget }) => (onToNew(currentTarget, Promise.resolve()), setFirst(first + MORE))}>Show more</Button></div>}
    </>
  )
}

export const Members = () => {
  const { id } = useWorkspace()
  const { isAdmin, isOwner } = usePermission()
  const read = useQuery(membersOf(id))
  const { data } = read
  // Requested together with the members, and shown after them.
  useQuery({ ...invitesOf(id), enabled: isAdmin })
  const seats = useSeats()
  const [inviting, setInviting] = useState(false)
  if (isMissing(read)) return <Unread of={read} />
  const said = data === undefined || !isAdmin ? undefined : rule(data, isOwner)
  return (
    <div>
      <Section
        title="Members" hint={isAdmin ? seats === undefined ? <span className="invisible">Seats</span> : seatWords(seats) : undefined}
        action={isAdmin && <Button shape="filled" icon="plus" onClick={() => setInviting(true)}>Invite</Button>}
      >
        {data === undefined
          ? <Waiting />
          : data.length > MANY ? <ManyMembers members={data} /> : <List members={data} />}
        {said !== undefined && <p className="text-small text-muted">{said}</p>}
      </Section>
      {/* Not before the members are here: how many stand above is unknown until then. */}
      {data === undefined ? null : isAdmin
        ? <Invitations onInvite={() => setInviting(true)} />
        : <Section title="Is somebody missing?"><AdminsAlone>Its admins invite people.</AdminsAlone></Section>}
      <InviteDialog open={inviting} onOpenChange={setInviting} />
    </div>
  )
}
