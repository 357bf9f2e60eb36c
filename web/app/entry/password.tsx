/** A forgotten password: asking for the link, and choosing a new one where it lands. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { askForReset, choosePassword, waysIn } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { FormFault, NewPasswordField } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { EntryPage, TextLink } from "./entry-page.tsx"
import { AskForMail } from "./forms.tsx"
import { mailedToken } from "./mailed.ts"
import { carrying, useNext } from "./next.ts"

const Asking = ({ refused = false }: { readonly refused?: boolean }) => {
  const next = useNext()
  return (
    <AskForMail
      change={askForReset} refused={refused} title="Choose a new password" button="Mail me a link" sent="If there is an account with this address, a link is on its way."
      lead={`${refused ? "It was used before, is too old, or lost a piece on its way. " : ""}We mail a link to choose a new password. It works once, for an hour.`}
      foot={<p><TextLink to="/login" search={carrying(next)}>Back to signing in</TextLink></p>}
    />
  )
}

export const ForgotPassword = () => <Asking />

export const ResetPassword = () => {
  const next = useNext()
  const token = mailedToken("/reset-password")
  const choose = useChange(choosePassword, { quiet: true })
  const { data: ways } = useQuery(waysIn)
  if (token === undefined || (choose.isError && asRefusal(choose.error).code === "invalid_token")) return <Asking refused />
  if (choose.isSuccess) {
    return (
      <EntryPage icon="check" title="Your password is new" lead={`Sign in with it wherever you were signed in before. Earlier tokens no longer work.${ways?.identity_provider === true ? " If your organisation’s sign-in was linked, link it again in your account." : ""}`}>
        <Link to="/login" search={carrying(next)} className={buttonClass("filled")}>Sign in</Link>
      </EntryPage>
    )
  }
  return (
    <EntryPage title="Choose a new password" lead="Every browser is signed out and every token is revoked, agents’ and devices’ too. You sign in with the new one.">
      <Form onSend={(field) => choose.mutate({ token, password: field("password") })}>
        <NewPasswordField error={choose.error} label="New password" />
        <FormFault error={choose.error} shown={["password"]} />
        <Button type="submit" shape="filled" busy={choose.isPending}>Keep this password</Button>
      </Form>
    </EntryPage>
  )
}
