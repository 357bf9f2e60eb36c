/** Inviting somebody: the address, the role, and how many seats that leaves. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { plans } from "../api/billing.ts"
import { invite, invitePlace } from "../api/invites.ts"
import type { Role } from "../api/members.ts"
import { anew } from "../api/once.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { RadioCards } from "../ui/choices.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { countOf } from "../ui/facts.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { ROLES } from "./roles.ts"
import { useSeats } from "./seats.ts"
import { useWorkspace } from "./workspace.tsx"

/** No seat is free: what to do, in place of a form that would be refused. */
const Full = ({ limit, onClose, sold }: { readonly limit: number; readonly onClose: () => void; readonly sold: boolean }) => {
  const { id } = useWorkspace()
  return (
    <div className="grid gap-5">
      <p>The plan holds {limit === 1 ? "one person" : `${limit} people`}, and invited ones count until they come or their invitation ends. {sold ? "Choose a larger plan, take an invitation back, or remove somebody." : "Take an invitation back, or remove somebody."}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        {sold && <Link to="/workspace/billing" search={{ workspace: id }} className={buttonClass("filled")} onClick={onClose}>See plans</Link>}
      </div>
    </div>
  )
}

const useSending = () => useChange(invite, { quiet: true })

interface InvitationProps {
  readonly left: number | undefined
  readonly sold: boolean
  readonly onClose: () => void
  readonly send: ReturnType<typeof useSending>
}

const Invitation = ({ left, onClose, send, sold }: InvitationProps) => {
  const { id } = useWorkspace()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("member")
  const submit = async () => {
    await send.mutateAsync({ workspace: id, email: email.trim(), role })
    onClose()
  }
  const full = send.error !== null && asRefusal(send.error).code === "quota_exceeded"
  return (
    <Form className="grid gap-5" onSend={() => void submit().catch(() => undefined)}>
      <Field label="Email" name="email" type="email" required autoComplete="off" placeholder="ben@example.com" value={email} onChange={({ target }) => setEmail(target.value)} fault={faultOf(send.error, "email")} />
      <RadioCards label="Role" value={role} onChange={setRole} options={ROLES} />
      <FormFault error={send.error} shown={["email"]} />
      {full && sold && <Link to="/workspace/billing" search={{ workspace: id }} onClick={onClose} className="-mt-3 text-accent underline underline-offset-4">See plans</Link>}
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-3">
        <p className="mr-auto text-small text-muted">{left !== undefined && `${countOf(left, "seat")} free`}</p>
        <Button disabled={send.isPending} onClick={onClose}>Cancel</Button>
        <Button type="submit" shape="filled" busy={send.isPending} disabled={email.trim() === ""}>Send invitation</Button>
      </div>
    </Form>
  )
}

export const InviteDialog = ({ onOpenChange, open }: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) => {
  const { id } = useWorkspace()
  const seats = useSeats()
  const send = useSending()
  const close = () => {
    anew(invitePlace(id))
    send.reset()
    onOpenChange(false)
  }
  // The invitation that takes the last seat is on its way until its dialog is closed.
  const full = seats?.left === 0 && !send.isPending
  const sold = useQuery({ ...plans, enabled: open || full }).data?.billing_enabled === true
  return (
    <Dialog open={open} busy={send.isPending} onOpenChange={(next) => next ? onOpenChange(true) : close()} title={full ? "Every seat is taken" : "Invite somebody"} {...(!full && { description: "They get a mail with a link that works once, for seven days." })}>
      {full ? <Full limit={seats.limit} sold={sold} onClose={close} /> : <Invitation left={seats?.left} sold={sold} send={send} onClose={close} />}
    </Dialog>
  )
}
