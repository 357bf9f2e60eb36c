/** Signing in: with a password, by a mailed link, through the organisation's provider. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { logIn, providerUrl, waysIn } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { Time } from "../ui/facts.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { EntryPage, TextLink } from "./entry-page.tsx"
import { EmailField } from "./forms.tsx"
import { carrying, goOn, reasonOf, useNext } from "./next.ts"
import { forgetNoted, notedDeleted, noteEmail, notedEmail } from "./noted.ts"

export const Login = () => {
  const next = useNext()
  const { data: ways } = useQuery(waysIn)
  const login = useChange(logIn, { quiet: true })
  const [before] = useState(notedEmail)
  const [erasedOn] = useState(notedDeleted)
  const deleted = erasedOn !== null && <>Your account is deleted. On <Time at={erasedOn} as="day" /> it is erased for good; until then whoever runs this service can bring it back.</>
  const done = () => {
    forgetNoted()
    goOn(next)
  }
  return (
    <EntryPage title="Sign in" lead={reasonOf(next) ?? (deleted || undefined)} foot={<p>New here? <TextLink to="/signup" search={carrying(next)}>Sign up</TextLink></p>}>
      <Form
        onSend={(field) => {
          noteEmail(field("email"))
          login.mutate({ email: field("email"), password: field("password") }, { onSuccess: done })
        }}
      >
        <EmailField error={login.error} value={before} autoFocus={before === ""} />
        <Field label="Password" type="password" name="password" autoComplete="current-password" required autoFocus={before !== ""} fault={faultOf(login.error, "password")} />
        <FormFault error={login.error} shown={["email", "password"]} />
        <Button type="submit" shape="filled" busy={login.isPending || login.isSuccess}>Sign in</Button>
        <p><TextLink to="/forgot-password" search={carrying(next)}>Forgot your password?</TextLink></p>
      </Form>
      <div className="grid gap-2 border-t border-line pt-4">
        {ways?.identity_provider === true && <a className={buttonClass()} href={providerUrl(next)}>Sign in with your organisation</a>}
        <Link to="/magic-link" search={carrying(next)} className={buttonClass()}>Get a link by mail</Link>
      </div>
    </EntryPage>
  )
}
