/** Where the link that confirms an address lands. Opening it changes nothing, since mail scanners open links too; the click does. */
import { askForVerification, confirmEmail } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { FormFault } from "../ui/field.tsx"
import { EntryPage, TextLink } from "./entry-page.tsx"
import { AskForMail } from "./forms.tsx"
import { mailedToken } from "./mailed.ts"
import { carrying, onward, purposeOf, useNext } from "./next.ts"
import { noteEmail } from "./noted.ts"

export const VerifyEmail = () => {
  const next = useNext()
  const purpose = purposeOf(next)
  const token = mailedToken("/verify-email")
  const confirm = useChange(confirmEmail, { quiet: true })
  const refused = confirm.isError && asRefusal(confirm.error).code === "invalid_token"
  if (token === undefined || refused) {
    return (
      <AskForMail
        change={askForVerification} refused={refused} title="Confirm your email address" button="Mail me a link" sent="If this address waits to be confirmed, a link is on its way."
        lead={refused
          ? "It was used before, is older than 48 hours, or lost a piece on its way. If your address is confirmed already, there is nothing left to do."
          : "Open the link in our mail. If you have none, we send a new one."}
        {...(refused && { foot: <p><TextLink to="/login" search={carrying(next)}>Go to signing in</TextLink></p> })}
      />
    )
  }
  if (confirm.isSuccess) {
    return (
      <EntryPage icon="check" title="Address confirmed" lead={<><strong className="font-medium break-words text-ink">{confirm.data.email}</strong> is yours, and you can {purpose}.</>}>
        <a className={buttonClass("filled")} href={onward(next)}>Go on</a>
      </EntryPage>
    )
  }
  return (
    <EntryPage title="Confirm your email address" lead={`One click shows that the address is yours. Then you can ${purpose}.`}>
      <FormFault error={confirm.error} />
      <Button shape="filled" busy={confirm.isPending} onClick={() => confirm.mutate({ token }, { onSuccess: ({ email }) => noteEmail(email) })}>Confirm my address</Button>
      <p className="text-muted">Somebody else signed up with it? <TextLink to="/forgot-password" search={carrying(next)}>Set a password of your own</TextLink> instead: that ends whatever they set up.</p>
    </EntryPage>
  )
}
