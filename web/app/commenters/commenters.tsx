/** Who may comment: members, a list of people, or anyone who can open it. The same for a project, a folder and the workspace. */
import { useState } from "react"
import { addToAllowlist, chooseAllowlist, takeOffAllowlist } from "../api/allowlists.ts"
import type { Allowlist, Listing } from "../api/allowlists.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { RadioCards, Switch } from "../ui/choices.tsx"
import { countOf } from "../ui/facts.tsx"
import { Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Note } from "../ui/parts.tsx"
import { backAfter } from "../ui/way-back.ts"
import { ACCESS } from "./access.ts"
import type { Access } from "./access.ts"
import { addressesIn } from "./addresses.ts"

export const AccessChoice = ({ label, onChange, value }: { readonly label: string; readonly value: Access; readonly onChange: (next: Access) => void }) =>
  <RadioCards atOnce label={label} value={value} onChange={onChange} options={ACCESS} />

interface ListProps {
  readonly of: Listing
  readonly list: Allowlist
  readonly mayChange: boolean
}

/** Before the place of an address among those added. */
const ADDED = "add_emails."

/** The list itself: several addresses can be added at once, as copied from a mail; each is removed alone, with undo. */
export const ListedPeople = ({ hint, list: { emails }, mayChange, of }: ListProps & { readonly hint?: string }) => {
  const add = useChange(addToAllowlist, { quiet: true })
  const takeOff = useChange(takeOffAllowlist)
  const [typed, setTyped] = useState("")
  const given = addressesIn(typed)
  const refused = add.error === null ? undefined : asRefusal(add.error).faults.find(({ field }) => field.startsWith(ADDED))
  const send = () => add.mutate({ of, emails: given }, { onSuccess: () => setTyped((now) => now === typed ? "" : now) })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 className="font-medium">Listed people{emails.length > 0 && <span className="ml-2 font-normal text-muted">{countOf(emails.length, "address", "addresses")}</span>}</h3>
        {hint !== undefined && <p className="text-small text-muted">{hint}</p>}
      </div>
      {emails.length > 0 && (
        <ul aria-label="Listed people" className="max-h-80 divide-y divide-line overflow-y-auto rounded-control border border-line">
          {emails.map((email) => (
            <li key={email} className="flex min-h-11 items-center gap-2 py-1 pr-1 pl-3">
              <span className="min-w-0 flex-1 wrap-anywhere">{email}</span>
              {mayChange && <IconButton icon="close" label={`Take ${email} off the list`} onClick={() => backAfter(takeOff.mutateAsync({ of, email }))} />}
            </li>
          ))}
        </ul>
      )}
      {!mayChange && emails.length === 0 && <p className="text-muted">Nobody.</p>}
      {mayChange && (
        <Form className="flex items-end gap-2" onSend={send}>
          <Field label="Add people by email" className="min-w-0 flex-1" value={typed} inputMode="email" autoComplete="off" placeholder="client@example.com" onChange={({ target }) => (add.reset(), setTyped(target.value))} />
          <Button type="submit" busy={add.isPending} disabled={given.length === 0}>Add</Button>
        </Form>
      )}
      {refused === undefined
        ? <FormFault error={add.error} />
        : <Note role="alert" tone="bad"><span className="min-w-0 wrap-anywhere"><bdi>{add.variables?.emails[Number(refused.field.slice(ADDED.length))]}</bdi>: {refused.message}</span></Note>}
    </div>
  )
}

/** `above`: in words, the level that the list inherits from. */
export const ListedAbove = ({ above, list: { comment_allowlist_inherit: inherits, inherited_emails: people }, mayChange, of }: ListProps & { readonly above: string }) => {
  const choose = useChange(chooseAllowlist)
  const count = countOf(people.length, "person", "people")
  return (
    <div>
      <Switch
        label={`Also those listed for ${above}`} checked={inherits} disabled={!mayChange}
        hint={!inherits ? "Their list does not count here." : people.length === 0 ? "Nobody is listed there." : `${count} from there may write here.`}
        onChange={(comment_allowlist_inherit) => choose.mutate({ of, changes: { comment_allowlist_inherit } })}
      />
      {inherits && people.length > 0 && (
        <details>
          <summary className="inline-flex min-h-9 items-center text-small text-muted underline underline-offset-4 hover:text-ink">Show them</summary>
          <ul className="grid gap-1 pt-1 text-small text-muted">{people.map((email) => <li key={email} className="wrap-anywhere">{email}</li>)}</ul>
        </details>
      )}
    </div>
  )
}
