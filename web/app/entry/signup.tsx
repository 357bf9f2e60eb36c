/** Signing up: a form, then what to do with the mail that was sent. */
import { useState } from "react"
import { askForVerification, signUp } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { Button } from "../ui/button.tsx"
import { faultOf, Field, FormFault, NewPasswordField } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { EntryPage, TextLink } from "./entry-page.tsx"
import { EmailField, Sent } from "./forms.tsx"
import { carrying, purposeOf, useNext } from "./next.ts"
import { noteEmail } from "./noted.ts"

export const SignUp = () => {
  const next = useNext()
  const purpose = purposeOf(next)
  const [sentTo, setSentTo] = useState<string>()
  const create = useChange(signUp, { quiet: true })
  const again = useChange(askForVerification, { quiet: true })
  if (sentTo !== undefined) {
    return (
      <Sent
        email={sentTo} again={(sent) => again.mutate({ email: sentTo, next }, { onSuccess: sent })} busy={again.isPending} error={again.error}
        foot={<p>Opened it? <TextLink to="/login" search={carrying(next)}>Sign in and go on</TextLink></p>}
      >
        One more step: open our link, which shows that the address is yours. Then you can {purpose}.
      </Sent>
    )
  }
  return (
    <EntryPage
      title="Sign up"
      lead={purpose === "comment"
        ? "Then you go back to the document and can comment. You get a workspace of your own besides."
        : "You get a workspace of your own."}
      foot={<p>Have an account? <TextLink to="/login" search={carrying(next)}>Sign in</TextLink></p>}
    >
      <Form
        onSend={(field) => {
          const email = field("email")
          create.mutate({ email, name: field("name"), password: field("password"), next }, { onSuccess: () => (noteEmail(email), setSentTo(email)) })
        }}
      >
        <Field
          label="Your name" name="name" autoComplete="name" maxLength={100} autoFocus
          hint="Others see it beside your comments; if empty, the part of your email before the @." fault={faultOf(create.error, "name")}
        />
        <EmailField error={create.error} />
        <NewPasswordField error={create.error} />
        <FormFault error={create.error} shown={["name", "email", "password"]} />
        <Button type="submit" shape="filled" busy={create.isPending}>Sign up</Button>
      </Form>
    </EntryPage>
  )
}
