/** The workspace's name, who may comment in it, and its end. */
import { useChange } from "../api/queries.ts"
import { renameWorkspace } from "../api/workspace.ts"
import { usePermission } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { useEdited } from "../ui/edited.ts"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Section } from "../ui/parts.tsx"
import { Commenting } from "./commenters.tsx"
import { DeleteWorkspace } from "./delete-workspace.tsx"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

const Name = () => {
  const { id, name: kept } = useWorkspace()
  const { settle, type, value: name } = useEdited(kept)
  const rename = useChange(renameWorkspace, { quiet: true })
  return (
    <Form className="grid max-w-sm gap-3" onSend={() => rename.mutate({ workspace: id, name: name.trim() }, { onSuccess: () => settle(name) })}>
      <Field label="Name" unsaid name="name" required maxLength={100} autoComplete="off" value={name} onChange={({ target }) => type(target.value)} fault={faultOf(rename.error, "name")} />
      <FormFault error={rename.error} shown={["name"]} />
      <div><Button type="submit" shape="filled" busy={rename.isPending} disabled={name.trim() === kept || name.trim() === ""}>Save</Button></div>
    </Form>
  )
}

export const General = () => {
  const { isAdmin } = usePermission()
  const { name } = useWorkspace()
  return (
    <div>
      <Section title="Name" hint={isAdmin ? "Its members see it, and whoever you invite." : undefined}>
        {isAdmin ? <Name /> : <div className="grid gap-1"><p className="text-body">{name}</p><AdminsAlone>Its admins name it.</AdminsAlone></div>}
      </Section>
      <Section title="Comments" hint="What new projects start with, unless their folder says otherwise. Each project can be set on its own.">
        <Commenting mayChange={isAdmin} />
      </Section>
      {isAdmin && <DeleteWorkspace />}
    </div>
  )
}
