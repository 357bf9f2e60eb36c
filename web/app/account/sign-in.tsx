/** How you sign in: a password, the organisation's provider; and signing out of every browser. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { changePassword, linkProvider, signOutEverywhere, unlinkProvider } from "../api/account.ts"
import { waysIn } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { useLeaving } from "../frame/leaving.ts"
import { MailPasswordLink } from "../frame/password-form.tsx"
import { leave, useSession } from "../frame/session.ts"
import { Button } from "../ui/button.tsx"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { AccountEmail, faultOf, Field, FormFault, NewPasswordField } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Chip, Note, Section } from "../ui/parts.tsx"

/** Errors that the redirect back from the provider reports. */
const REFUSALS: Readonly<Record<string, string>> = {
  conflict: "That identity belongs to another account, or this account has one already.",
  email_not_verified: "The provider has not verified your address there.",
  auth_required: "You were signed out meanwhile. Link again.",
  unavailable: "The provider does not answer right now. Try again in a moment."
}

/** Reads the report once, and removes it from the address. */
const useReport = () => {
  const { idp_link_error: refused, idp_linked: linked } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [report] = useState({ linked: linked === "1", refused })
  useEffect(() => {
    if (refused !== undefined || linked !== undefined) void navigate({ to: "/account/sign-in", search: {}, replace: true })
  }, [linked, navigate, refused])
  return report
}

const Password = () => {
  const { user } = useSession()
  const change = useChange(changePassword, { quiet: true })
  if (!user.has_password) {
    return (
      <Section title="Password" hint={`This account has none. Choosing one ends every session and revokes every token.${user.idp_linked ? " Your organisation’s sign-in is unlinked; you can link it again." : ""}`}>
        <div><MailPasswordLink shape="filled" /></div>
      </Section>
    )
  }
  return (
    <Section title="Password" hint="Changing it signs every other browser out. Tokens go on.">
      <Form
        className="grid max-w-sm gap-3"
        onSend={(field, form) =>
          change.mutate({ current_password: field("current_password"), new_password: field("new_password") }, { onSuccess: () => form.reset() })}
      >
        <AccountEmail email={user.email} />
        <Field label="Current password" type="password" name="current_password" autoComplete="current-password" required fault={faultOf(change.error, "current_password")} />
        <NewPasswordField error={change.error} label="New password" name="new_password" />
        <FormFault error={change.error} shown={["current_password", "new_password"]} />
        <div><Button type="submit" shape="filled" busy={change.isPending}>Change password</Button></div>
      </Form>
    </Section>
  )
}

const Provider = () => {
  const { user } = useSession()
  const report = useReport()
  const { data: ways } = useQuery(waysIn)
  const link = useChange(linkProvider)
  const go = useLeaving(link.reset)
  const unlink = useChange(unlinkProvider, { quiet: true })
  const [asking, setAsking] = useState(false)
  if (ways?.identity_provider !== true && !user.idp_linked && report.refused === undefined) return null
  return (
    <Section title="Your organisation’s sign-in" hint="Link it, and one click there signs you in here.">
      {report.linked && <Note role="status" tone="good">Your organisation’s sign-in is linked.</Note>}
      {report.refused !== undefined && <Note role="alert" tone="bad">{REFUSALS[report.refused] ?? "The sign-in could not be linked. Nothing has changed."}</Note>}
      {user.idp_linked
        ? (
          <div className="flex flex-wrap items-center gap-4">
            <Chip icon="check" tone="good">Linked</Chip>
            {user.has_password ? <Button onClick={() => setAsking(true)}>Unlink</Button> : <span className="text-small text-muted">Choosing a password unlinks it.</span>}
          </div>
        )
        : ways?.identity_provider === true && <div><Button busy={link.isPending || link.isSuccess} onClick={() => link.mutate(undefined, { onSuccess: ({ redirect_to }) => go({ url: redirect_to }) })}>Link it</Button></div>}
      <ConfirmDialog
        open={asking} onOpenChange={setAsking} title="Unlink your organisation’s sign-in?" action="Unlink" onConfirm={() => unlink.mutateAsync()}
        loses="From then on you sign in with your password or a mailed link. You can link it again."
      />
    </Section>
  )
}

const Everywhere = () => {
  const end = useChange(signOutEverywhere, { quiet: true })
  const [asking, setAsking] = useState(false)
  return (
    <Section title="Sign out everywhere" hint="Every browser is signed out, this one too. Tokens, devices and agents go on." action={<Button onClick={() => setAsking(true)}>Sign out everywhere</Button>}>
      <ConfirmDialog
        open={asking} onOpenChange={setAsking} title="Sign out everywhere?" action="Sign out everywhere" keep="Stay signed in"
        loses="Every browser that is signed in to this account has to sign in again."
        onConfirm={async () => {
          await end.mutateAsync()
          await leave("/login")
        }}
      />
    </Section>
  )
}

export const SigningIn = () => <><Password /><Provider /><Everywhere /></>
