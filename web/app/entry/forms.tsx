/** What the sign-in pages share: fields that the browser fills, the form that asks for a mail, and what is said once it is sent. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { ReactNode } from "react"
import { waysIn } from "../api/entry.ts"
import type { Asked } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import type { Change } from "../api/queries.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { EntryPage } from "./entry-page.tsx"
import { useNext } from "./next.ts"
import { noteEmail, notedEmail } from "./noted.ts"

export const EmailField = ({ autoFocus = false, error, value = "" }: { readonly error: unknown; readonly value?: string; readonly autoFocus?: boolean }) => (
  <Field label="Email" type="email" name="email" autoComplete="username" required defaultValue={value} autoFocus={autoFocus} fault={faultOf(error, "email")} />
)

interface SentProps {
  readonly email: string
  readonly children: ReactNode
  /** Calls back once the mail is on its way again. */
  readonly again: (sent: () => void) => void
  readonly busy: boolean
  readonly error: unknown
  readonly foot?: ReactNode
}

/** The same for every address, with an account or without. */
export const Sent = ({ again, busy, children, email, error, foot }: SentProps) => {
  const { data } = useQuery(waysIn)
  const [more, setMore] = useState(false)
  return (
    <EntryPage icon="mail" title="Check your mail" lead={<>{children} The mail goes to <strong className="font-medium break-words text-ink">{email}</strong>.</>} foot={foot}>
      {data?.mailbox_url != null && (
        <div className="grid gap-1.5">
          <a className={buttonClass("filled")} href={data.mailbox_url}>Open the mailbox</a>
          <p className="text-small text-muted">This service runs for development: its mails stay on this machine.</p>
        </div>
      )}
      <div className="grid gap-1.5">
        <p className="text-small text-muted">Nothing after a few minutes? Look among the unwanted mail, then ask again.</p>
        <div className="flex flex-wrap items-center gap-3">
          <Button busy={busy} onClick={() => (setMore(false), again(() => setMore(true)))}>Send it again</Button>
          <span role="status" className="text-small text-muted">{more && "Sent again."}</span>
        </div>
        <FormFault error={error} />
      </div>
    </EntryPage>
  )
}

interface AskProps {
  readonly change: Change<Asked>
  /** Unless a link was refused, which is said in its place. */
  readonly title: string
  readonly lead: ReactNode
  readonly button: string
  /** What is said of the mail: "If there is an account with this address, a link is on its way." */
  readonly sent: string
  readonly foot?: ReactNode
  readonly refused?: boolean
}

export const AskForMail = ({ button, change, foot, lead, refused = false, sent, title }: AskProps) => {
  const next = useNext()
  const [email, setEmail] = useState(notedEmail)
  const ask = useChange(change, { quiet: true })
  const [done, setDone] = useState(false)
  const send = (to: string, onSuccess: () => void) => ask.mutate({ email: to, next }, { onSuccess })
  if (done) return <Sent email={email} again={(sent) => send(email, sent)} busy={ask.isPending} error={ask.error} foot={foot}>{sent}</Sent>
  return (
    <EntryPage title={refused ? "This link does not work" : title} lead={lead} foot={foot} {...(refused && { icon: "warn" as const })}>
      <Form
        onSend={(field) => {
          setEmail(field("email"))
          noteEmail(field("email"))
          send(field("email"), () => setDone(true))
        }}
      >
        <EmailField error={ask.error} value={email} />
        <FormFault error={ask.error} shown={["email"]} />
        <Button type="submit" shape="filled" busy={ask.isPending}>{button}</Button>
      </Form>
    </EntryPage>
  )
}
