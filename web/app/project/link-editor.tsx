/** Editing a recipient's link: who it is for, and until when it works. Its address stays. */
import { useState } from "react"
import { changeShareLink } from "../api/share-links.ts"
import type { ShareLink } from "../api/share-links.ts"
import { useChange } from "../api/queries.ts"
import { Button } from "../ui/button.tsx"
import { endOf, lastsTheDay } from "../ui/facts.tsx"
import { Field, faultOf, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { apart } from "../ui/apart.ts"
import { useWayBack } from "../ui/way-back.ts"
import { dayFieldOf, Expiry, isoOf } from "./expiry.tsx"

export const LinkEditor = ({ link, onDone, slug }: { readonly slug: string; readonly link: ShareLink; readonly onDone: () => void }) => {
  const change = useChange(changeShareLink, { quiet: true, left: ({ message, status }) => `The link for ${apart(link.label)} ${status === 404 ? "was revoked meanwhile, so nothing was changed." : `was not changed. ${message}`}` })
  const before = dayFieldOf(link.expires_at)
  // As it was when somebody began to edit: it may be read anew meanwhile.
  const [was] = useState(link.label)
  const [label, setLabel] = useState(was)
  const [typed, setTyped] = useState<string>()
  const end = link.expires_at
  useWayBack()
  const changes = { ...(label.trim() !== was && { label: label.trim() }), ...(typed !== undefined && { expires_at: isoOf(typed) }) }
  return (
    <Form className="grid gap-4 py-4" onSend={() => change.mutate({ slug, id: link.id, changes }, { onSuccess: onDone })} onLeave={onDone}>
      <Field label="Who is it for?" autoFocus required maxLength={100} value={label} onChange={({ target }) => setLabel(target.value)} fault={faultOf(change.error, "label")} />
      <Expiry
        label="Works until the end of" day={typed ?? before} kept={before} onChange={setTyped} fault={faultOf(change.error, "expires_at")}
        {...(typed === undefined && end !== null && !lastsTheDay(end) && { hint: `As it is, until ${endOf(end)}.` })}
      />
      <FormFault error={change.error} shown={["label", "expires_at"]} />
      <div className="flex gap-2"><Button type="submit" busy={change.isPending}>Save</Button><Button shape="bare" disabled={change.isPending} onClick={onDone}>Cancel</Button></div>
    </Form>
  )
}
