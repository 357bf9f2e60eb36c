/** What needs the password: the field, the refusal, and what to do for accounts that have none yet. */
import { useState } from "react"
import type { ReactNode } from "react"
import { mailPasswordLink } from "../api/account.ts"
import { useChange } from "../api/queries.ts"
import { Button } from "../ui/button.tsx"
import type { ButtonShape } from "../ui/button.tsx"
import { AccountEmail, faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { useSession } from "./session.ts"

/** For accounts without a password. */
export const MailPasswordLink = ({ shape = "quiet" }: { readonly shape?: ButtonShape }) => {
  const { user } = useSession()
  const mail = useChange(mailPasswordLink)
  return <Button shape={shape} busy={mail.isPending} onClick={() => mail.mutate({ email: user.email })}>Mail me a link to choose one</Button>
}

interface PasswordFormProps {
  readonly action: string
  /** The label of the way out: "Cancel" unless given. */
  readonly keep?: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onCancel: () => void
  readonly onConfirm: (password: string) => void
  readonly children?: ReactNode
}

export const PasswordForm = ({ action, busy, children, danger = false, error, keep = "Cancel", onCancel, onConfirm }: PasswordFormProps) => {
  const { user } = useSession()
  const [password, setPassword] = useState("")
  if (!user.has_password) {
    return (
      <div className="grid gap-5">
        {children}
        <p>This is confirmed with your password, and your account has none yet.</p>
        <div className="flex flex-wrap justify-end gap-2"><Button onClick={onCancel}>Close</Button><MailPasswordLink shape="filled" /></div>
      </div>
    )
  }
  return (
    <Form className="grid gap-5" onSend={() => onConfirm(password)}>
      {children}
      <AccountEmail email={user.email} />
      <Field label="Your password" name="password" type="password" autoComplete="current-password" required value={password} onChange={({ target }) => setPassword(target.value)} fault={faultOf(error, "password")} />
      <FormFault error={error} shown={["password"]} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>{keep}</Button>
        <Button type="submit" shape={danger ? "danger" : "filled"} busy={busy} disabled={password === ""}>{action}</Button>
      </div>
    </Form>
  )
}
