/** Deleting a workspace: what stops at once, when it is erased, who can bring it back; then the password. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { subscriptionOf } from "../api/billing.ts"
import { useChange } from "../api/queries.ts"
import { deleteWorkspace, workspaceImpact } from "../api/workspace.ts"
import { PasswordForm } from "../frame/password-form.tsx"
import { noteScheduled } from "../frame/scheduled.ts"
import { useSession } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { countOf, sizeOf, Time } from "../ui/facts.tsx"
import { Missing } from "../ui/missing.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { apart } from "../ui/apart.ts"
import { useWorkspace } from "./workspace.tsx"

const Impact = ({ id }: { readonly id: string }) => {
  const read = useQuery(workspaceImpact(id))
  const subscription = useQuery(subscriptionOf(id))
  const { data, error } = read
  if (error !== null) return <Missing what="The list of what is lost" of={read} />
  if (data === undefined || subscription.isPending) return <Loading what="what is lost"><Skeleton className="h-36" /></Loading>
  const paidUntil = subscription.data?.state === "active" || subscription.data?.state === "past_due" ? subscription.data.current_period_end : null
  const { erase_on, live_links, other_members, projects, storage_bytes } = data
  return (
    <ul className="grid list-disc gap-1.5 pl-5 marker:text-muted">
      <li>{live_links === 0 ? "No link of it is live." : <><strong className="font-semibold">{countOf(live_links, "live link")}</strong> {live_links === 1 ? "stops" : "stop"} working at once.</>}</li>
      <li>{countOf(projects, "project")} and {sizeOf(storage_bytes)} go out of everybody’s reach.</li>
      {other_members > 0 && <li>{countOf(other_members, "other member")} {other_members === 1 ? "loses" : "lose"} it too.</li>}
      {paidUntil !== null && <li>Its subscription ends with the period that is paid, on <Time at={paidUntil} as="day" />.</li>}
      <li>Everything is erased on <strong className="font-semibold"><Time at={erase_on} as="day" /></strong>. Until then only whoever runs this service can bring it back.</li>
    </ul>
  )
}

export const DeleteWorkspace = () => {
  const { id, name } = useWorkspace()
  const { user } = useSession()
  const [asked, setAsked] = useState(false)
  const navigate = useNavigate()
  const remove = useChange(deleteWorkspace, { quiet: true })
  const confirm = async (password: string) => {
    const { erase_on } = await remove.mutateAsync({ workspace: id, password })
    noteScheduled({ workspaceId: id, userId: user.id, name, eraseOn: erase_on })
    await navigate({ to: "/" })
  }
  const close = () => {
    setAsked(false)
    remove.reset()
  }
  return (
    <Section title="Delete this workspace" hint="Its links stop at once, for everybody. It is erased thirty days later." action={<Button icon="trash" className="text-bad!" onClick={() => setAsked(true)}>Delete workspace</Button>}>
      <Dialog open={asked} busy={remove.isPending} onOpenChange={(open) => open ? setAsked(true) : close()} title={`Delete ${apart(name)}?`}>
        <PasswordForm danger action="Delete workspace" busy={remove.isPending} error={remove.error} onCancel={close} onConfirm={(password) => void confirm(password).catch(() => undefined)}>
          {/* The focus is in the field beneath it by the time it is here. */}
          <div role="status"><Impact id={id} /></div>
        </PasswordForm>
      </Dialog>
    </Section>
  )
}
