/** One member: name, since when, role; changing the role, removing them, leaving. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { changeRole, leaveWorkspace, removeMember } from "../api/members.ts"
import type { Member, Role } from "../api/members.ts"
import { useChange } from "../api/queries.ts"
import { usePermission, useSession } from "../frame/session.ts"
import { IconButton } from "../ui/button.tsx"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { Time } from "../ui/facts.tsx"
import { initialOf } from "../ui/initial.ts"
import { Menu, MenuItem } from "../ui/menu.tsx"
import { Select } from "../ui/select.tsx"
import { apart } from "../ui/apart.ts"
import { articled, roleName, ROLES } from "./roles.ts"
import { useWorkspace } from "./workspace.tsx"

const Face = ({ name }: { readonly name: string }) => (
  <span aria-hidden="true" className="tint grid size-8 shrink-0 place-items-center rounded-full text-small font-medium">{initialOf(name)}</span>
)

/** What is about to be confirmed: removing a member, leaving, or stepping down oneself. */
type Asked = "remove" | "leave" | "step down"

export const MemberRow = ({ member, members }: { readonly member: Member; readonly members: ReadonlyArray<Member> }) => {
  const { id: workspace, name: workspaceName } = useWorkspace()
  const { user } = useSession()
  const { isAdmin, isOwner } = usePermission()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const changed: typeof changeRole = { ...changeRole, says: (_, { role }) => `${apart(name)} is ${articled(role)} now.` }
  const [change, stepDown] = [useChange(changed), useChange(changed, { quiet: true })]
  const [remove, leave] = [useChange(removeMember, { quiet: true }), useChange(leaveWorkspace, { quiet: true })]
  const { email, is_owner, joined_at, name, role, user_id } = member
  const isMe = user_id === user.id
  const lastAdmin = role === "admin" && members.filter((one) => one.role === "admin").length === 1
  const mayChange = isAdmin && !lastAdmin && (!is_owner || isOwner)
  const mayGo = !lastAdmin && (isMe || (isAdmin && (!is_owner || isOwner)))

  const choose = (next: Role) => {
    if (next === role) return
    if (isMe) setAsked("step down")
    else change.mutate({ workspace, user: user_id, role: next })
  }
  const go = async () => {
    await leave.mutateAsync({ workspace, user: user_id, name: workspaceName })
    await navigate({ to: "/" })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <Face name={name} />
      <div className="min-w-0 flex-1 max-md:basis-[calc(100%-8rem)]">
        <p className="flex flex-wrap gap-x-2"><span className="written min-w-0 text-left font-medium break-words">{name}</span>{isMe && <span className="text-muted">You</span>}{is_owner && <span className="text-muted">Owner</span>}</p>
        <p className="text-small break-all text-muted">{email}</p>
      </div>
      <span className="text-small text-muted max-md:hidden">Joined <Time at={joined_at} /></span>
      <div className="flex max-md:order-1 max-md:basis-full max-md:pl-11 md:w-28 md:justify-end">
        {mayChange ? <Select label={`Role of ${name}`} value={role} onChange={choose} options={ROLES} /> : <span className="md:pr-3">{roleName(role)}</span>}
      </div>
      {members.length > 1 && (
        <div className="w-11 md:w-9">
          {mayGo && (
            <Menu trigger={<IconButton icon="more" label={`More for ${name}`} />}>
              {isMe
                ? <MenuItem icon="leave" danger onSelect={() => setAsked("leave")}>Leave the workspace</MenuItem>
                : <MenuItem icon="close" danger onSelect={() => setAsked("remove")}>Remove from the workspace</MenuItem>}
            </Menu>
          )}
        </div>
      )}
      <ConfirmDialog
        open={asked === "remove"} onOpenChange={() => setAsked(undefined)} title={`Remove ${apart(name)}?`} action="Remove" keep="Cancel"
        loses={<p>{name} cannot open {workspaceName} from this moment, nor can their terminals and agents. Their projects stay here and their links keep working; their private folders become the team’s. To bring them back, invite them again.</p>}
        onConfirm={() => remove.mutateAsync({ workspace, user: user_id, name })}
      />
      <ConfirmDialog
        open={asked === "leave"} onOpenChange={() => setAsked(undefined)} title={`Leave ${apart(workspaceName)}?`} action="Leave" keep="Stay"
        loses={<p>You cannot open it from this moment. Your projects stay there and their links keep working; your private folders become the team’s. Only an admin can invite you back.</p>}
        onConfirm={go}
      />
      <ConfirmDialog
        open={asked === "step down"} onOpenChange={() => setAsked(undefined)} title="Become a member?" action="Become a member" keep="Stay an admin"
        loses={<p>You no longer invite people or look after plan, audit log and exports{is_owner && ", and you own this workspace no more"}. Another admin can make you one again.</p>}
        onConfirm={() => stepDown.mutateAsync({ workspace, user: user_id, role: "member" })}
      />
    </li>
  )
}
