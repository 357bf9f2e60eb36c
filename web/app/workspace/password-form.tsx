/** What needs the password: the field, the refusal, and what to do for accounts that have none yet. */
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { ReactNode } from "react"
import { useSession } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"

interface PasswordFormProps {
  readonly action: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onCancel: () => void
  readonly onConfirm: (password: string) => void
  readonly children?: ReactNode
}

export const PasswordForm = ({ action, busy, children, danger = false, error, onCancel, onConfirm }: PasswordFormProps) => {
  const { user } = useSession()
  const [password, setPassword] = useState("")
  if (!user.has_password) {
    return (
      <div className="grid gap-5">
        {children}
        <p>This is confirmed with your password, and your account has none yet. <Link to="/account/sign-in" className="text-accent underline underline-offset-4">Set one in your account</Link>, then come back.</p>
        <div className="flex justify-end"><Button onClick={onCancel}>Close</Button></div>
      </div>
    )
  }
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm(password)
      }}
    >
      {children}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <Field label="Your password" name="password" type="password" autoComplete="current-password" required value={password} onChange={({ target }) => setPassword(target.value)} fault={faultOf(error, "password")} />
      <FormFault error={error} shown={["password"]} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" shape={danger ? "danger" : "filled"} busy={busy} disabled={password === ""}>{action}</Button>
      </div>
    </form>
  )
}
