/** What others see of you, and whether your address is confirmed. */
import { renameMe, resendVerification } from "../api/account.ts"
import { useChange } from "../api/queries.ts"
import { useSession } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { useEdited } from "../ui/edited.ts"
import { Time } from "../ui/facts.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Chip, Section } from "../ui/parts.tsx"

export const You = () => {
  const { user } = useSession()
  const { settle, type, value: name } = useEdited(user.name)
  const rename = useChange(renameMe, { quiet: true })
  const resend = useChange(resendVerification)
  return (
    <>
      <Section title="Your name" hint="Others see it beside what you publish and comment.">
        <Form className="grid max-w-sm gap-3" onSend={() => rename.mutate({ name }, { onSuccess: () => settle(name) })}>
          <Field label="Name" unsaid name="name" autoComplete="name" required maxLength={100} value={name} onChange={({ target }) => type(target.value)} fault={faultOf(rename.error, "name")} />
          <FormFault error={rename.error} shown={["name"]} />
          <div><Button type="submit" shape="filled" busy={rename.isPending} disabled={name.trim() === user.name}>Save</Button></div>
        </Form>
      </Section>
      <Section title="Your address" hint="Mails go here, and you sign in with it.">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="break-all">{user.email}</span>
          {user.email_verified ? <Chip icon="check" tone="good">Confirmed</Chip> : <Chip icon="warn" tone="warn">Not confirmed: you cannot publish yet</Chip>}
          {!user.email_verified && <Button busy={resend.isPending} onClick={() => resend.mutate({ email: user.email })}>Mail me the link again</Button>}
        </div>
        <p className="text-small text-muted">You have been here since <Time at={user.created_at} as="day" />.</p>
      </Section>
    </>
  )
}
