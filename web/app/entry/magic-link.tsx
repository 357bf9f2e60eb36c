/** Signing in by a mailed link: asking for it, and where it lands. It signs in on a click. */
import { askForMagicLink, openMagicLink } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { Button } from "../ui/button.tsx"
import { FormFault } from "../ui/field.tsx"
import { EntryPage, TextLink } from "./entry-page.tsx"
import { AskForMail } from "./forms.tsx"
import { mailedToken } from "./mailed.ts"
import { carrying, goOn, useNext } from "./next.ts"
import { forgetNoted } from "./noted.ts"

export const MagicLink = () => {
  const next = useNext()
  const token = mailedToken("/magic-link")
  const open = useChange(openMagicLink, { quiet: true })
  const done = () => {
    forgetNoted()
    goOn(next)
  }
  const refused = open.isError && asRefusal(open.error).code === "invalid_token"
  if (token === undefined || refused) {
    return (
      <AskForMail
        change={askForMagicLink} refused={refused} title="Get a link by mail" button="Mail me a link" sent="If there is an account with this address, a link is on its way."
        lead={`${refused ? "It was used before, is too old, or lost a piece on its way. " : ""}We mail a link that signs you in. It works once, for 15 minutes.`}
        foot={<p><TextLink to="/login" search={carrying(next)}>Back to signing in</TextLink></p>}
      />
    )
  }
  return (
    <EntryPage title="Sign in" lead="One click signs this browser in.">
      <FormFault error={open.error} />
      <Button shape="filled" busy={open.isPending || open.isSuccess} onClick={() => open.mutate({ token }, { onSuccess: done })}>Sign in</Button>
    </EntryPage>
  )
}
