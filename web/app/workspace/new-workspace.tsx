/** Making another workspace: its name, what it starts with; then it opens. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { plans } from "../api/billing.ts"
import { anew } from "../api/once.ts"
import { useChange } from "../api/queries.ts"
import { createWorkspace, workspacePlace } from "../api/workspace.ts"
import { choose } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"

const NewWorkspace = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const make = useChange(createWorkspace, { quiet: true })
  const busy = make.isPending || make.isSuccess
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data } = useQuery(plans)
  const giveUp = () => {
    anew(workspacePlace)
    onClose()
  }
  const create = async () => {
    const { id } = await make.mutateAsync({ name })
    const billed = await client.ensureQueryData(plans).then(({ billing_enabled: enabled }) => enabled, () => false)
    choose(id)
    onClose()
    await navigate({ to: billed ? "/workspace/billing" : "/", search: { workspace: id } })
  }
  return (
    <Dialog
      open busy={busy} onOpenChange={(open) => open || giveUp()} title="New workspace"
      description={data?.billing_enabled ? "For another team or client, with a plan of its own. Publishing there begins with the plan." : "For another team or client, with members and limits of its own."}
    >
      <Form className="grid gap-5" onSend={() => void create().catch(() => undefined)}>
        <Field label="Name" name="name" required maxLength={100} autoComplete="off" placeholder="Acme" value={name} onChange={({ target }) => setName(target.value)} fault={faultOf(make.error, "name")} />
        <FormFault error={make.error} shown={["name"]} />
        <div className="flex justify-end gap-2">
          <Button disabled={busy} onClick={giveUp}>Cancel</Button>
          <Button type="submit" shape="filled" busy={busy} disabled={name.trim() === ""}>Create workspace</Button>
        </div>
      </Form>
    </Dialog>
  )
}

export default NewWorkspace
