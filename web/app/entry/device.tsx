/** A device asks for access: its code, who it says it is, and buttons that decide. Opening the link, even with the code, only shows. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { decideDevice, deviceOf } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { useSession } from "../frame/session.ts"
import { UnreadAlone } from "../frame/trouble.tsx"
import { Button, buttonClass } from "../ui/button.tsx"
import { Time } from "../ui/facts.tsx"
import { Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { EntryPage, Facts, TextLink } from "./entry-page.tsx"

/** Who decides, and a link to decide as somebody else. */
export const DecidingAs = ({ here }: { readonly here: string }) => {
  const { user } = useSession()
  return <p>Signed in as <span className="break-words text-ink">{user.email}</span>. <span className="inline-block"><TextLink to="/login" search={{ next: here }}>Not you?</TextLink></span></p>
}

interface AskForCodeProps {
  readonly fault?: string | null
  readonly typed?: string
  /** Looks up the same code once more. */
  readonly again?: () => void
}

const AskForCode = ({ again, fault = null, typed = "" }: AskForCodeProps) => {
  const navigate = useNavigate()
  const look = (code: string) => code === typed ? again?.() : void navigate({ to: "/device", search: { user_code: code } })
  return (
    <EntryPage title="Sign a device in" lead="Type the code that the device shows." foot={<DecidingAs here="/device" />}>
      <Form onSend={(field) => look(field("user_code").trim())}>
        <Field
          label="Code" name="user_code" required maxLength={64} defaultValue={typed} placeholder="XXXXX-XXXX" autoFocus
          autoComplete="off" autoCapitalize="characters" spellCheck={false} fault={fault}
        />
        <Button type="submit" shape="filled">Continue</Button>
      </Form>
    </EntryPage>
  )
}

/** Only accounts with a confirmed address are mailed. */
const Decided = ({ approved, mailed }: { readonly approved: boolean; readonly mailed: boolean }) => approved
  ? (
    <EntryPage icon="check" title="The device is let in" lead={`Go back to it: it goes on by itself.${mailed ? " We mailed you a note about it." : ""}`}>
      <a className={buttonClass()} href="/account/connections">See what is connected</a>
    </EntryPage>
  )
  : <EntryPage icon="close" title="The device is turned away" lead="It gets nothing, and there is nothing else to do. If that was a slip, start again on the device." />

const Asks = ({ code }: { readonly code: string }) => {
  const { user } = useSession()
  const read = useQuery(deviceOf(code))
  const { data: asks, error, refetch } = read
  const decide = useChange(decideDevice, { quiet: true })
  if (decide.isSuccess) return <Decided approved={decide.variables.approve} mailed={user.email_verified} />
  const refused = decide.error ?? error
  if (refused !== null) {
    const { code: why, message } = asRefusal(refused)
    const again = () => {
      decide.reset()
      void refetch()
    }
    if (why === "not_found") return <AskForCode key={code} typed={code} again={again} fault={`${message} A code lasts 15 minutes and works once.`} />
    if (why === "rate_limited") return <AskForCode key={code} typed={code} again={again} fault={message} />
  }
  if (error !== null) return <UnreadAlone of={read} />
  if (asks === undefined) {
    return <EntryPage title="Let this device in?"><Loading what="who asks"><div className="grid gap-3"><Skeleton className="h-10" /><Skeleton className="h-10" /><Skeleton className="h-10" /></div></Loading></EntryPage>
  }
  return (
    <EntryPage
      title="Let this device in?"
      lead={<>It can do everything that <span className="text-ink">{user.email}</span> can, until you revoke it. Approve only what you started yourself, and only if it shows this code.</>}
      foot={<DecidingAs here={`/device?user_code=${encodeURIComponent(code)}`} />}
    >
      <Facts
        facts={[
          ["Code", <code key="code" className="font-mono text-lead">{asks.user_code}</code>],
          ["Client, by its own word", asks.client],
          ["Asked from", <code key="from" className="font-mono">{asks.address}</code>],
          ["Asked at", <><Time at={asks.requested_at} as="exact" /> (<Time at={asks.requested_at} />)</>]
        ]}
      />
      <FormFault error={decide.error} />
      <div className="grid gap-2 sm:grid-cols-2">
        <Button shape="filled" busy={decide.isPending} onClick={() => decide.mutate({ code, approve: true })}>Let it in</Button>
        <Button disabled={decide.isPending} onClick={() => decide.mutate({ code, approve: false })}>Turn it away</Button>
      </div>
    </EntryPage>
  )
}

export const Device = () => {
  const { user_code: code } = useSearch({ strict: false })
  return code === undefined ? <AskForCode /> : <Asks key={code} code={code} />
}
