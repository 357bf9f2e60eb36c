/** Who may comment in the workspace, and the addresses that may everywhere in it. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { allowlistOfWorkspace, changeWorkspaceAllowlist } from "../api/allowlists.ts"
import { useChange } from "../api/queries.ts"
import { Trouble } from "../frame/trouble.tsx"
import { Button, IconButton } from "../ui/button.tsx"
import { RadioCards } from "../ui/choices.tsx"
import { countOf } from "../ui/facts.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

const ACCESS = [
  { value: "members", label: "Members", hint: "People of this workspace." },
  { value: "allowlist", label: "Members and listed people", hint: "Also the addresses below, once they have signed in." },
  { value: "anyone", label: "Anyone who can open it", hint: "Whoever is signed in and can open the project." }
] as const

const Addresses = ({ emails, mayChange }: { readonly emails: ReadonlyArray<string>; readonly mayChange: boolean }) => {
  const { id } = useWorkspace()
  const [typed, setTyped] = useState("")
  const add = useChange(changeWorkspaceAllowlist, { quiet: true })
  const remove = useChange({
    ...changeWorkspaceAllowlist,
    says: () => "The address is off the list.",
    undo: () => changeWorkspaceAllowlist.send({ workspace: id, changes: { emails: [...emails] } })
  })
  const save = async () => {
    await add.mutateAsync({ workspace: id, changes: { emails: [...emails, typed.trim()] } })
    setTyped("")
  }
  const fault = faultOf(add.error, "emails") ?? add.error?.message ?? null
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">Listed people{emails.length > 0 && <span className="ml-2 font-normal text-muted">{countOf(emails.length, "address", "addresses")}</span>}</h3>
      {emails.length === 0
        ? <p className="text-muted">{mayChange ? "Nobody yet. Clients and reviewers can comment from here on without being members." : "Nobody."}</p>
        : (
          <ul aria-label="Listed people" className="divide-y divide-line border-y border-line">
            {emails.map((email) => (
              <li key={email} className="flex min-h-11 items-center justify-between gap-3">
                <span className="min-w-0 break-all">{email}</span>
                {mayChange && <IconButton icon="close" label={`Take ${email} off the list`} onClick={() => remove.mutate({ workspace: id, changes: { emails: emails.filter((one) => one !== email) } })} />}
              </li>
            ))}
          </ul>
        )}
      {mayChange && (
        <form
          className="mt-2 flex max-w-md items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void save().catch(() => undefined)
          }}
        >
          <Field className="min-w-0 flex-1" label="Add an address" name="email" type="email" required autoComplete="off" placeholder="client@example.com" value={typed} onChange={({ target }) => (add.reset(), setTyped(target.value))} />
          <Button type="submit" busy={add.isPending} disabled={typed.trim() === ""}>Add</Button>
        </form>
      )}
      {fault !== null && <FormFault error={add.error} />}
    </div>
  )
}

export const Commenting = ({ mayChange }: { readonly mayChange: boolean }) => {
  const { id } = useWorkspace()
  const { data, error, refetch } = useQuery(allowlistOfWorkspace(id))
  const change = useChange({
    ...changeWorkspaceAllowlist,
    shows: ({ changes, workspace }: Parameters<typeof changeWorkspaceAllowlist.send>[0]) =>
      [{ key: allowlistOfWorkspace(workspace).queryKey, with: (shown: object) => ({ ...shown, ...changes }) }]
  })
  if (error !== null) return <Trouble error={error} reset={() => void refetch()} />
  if (data === undefined) return <Loading what="who may comment"><Skeleton className="h-[195px]" /><Skeleton className="mt-4 h-24" /></Loading>
  const access = ACCESS.find(({ value }) => value === data.comment_access)
  return (
    <div className="grid gap-6">
      {mayChange
        ? <RadioCards label="Who may comment" value={data.comment_access} options={ACCESS} onChange={(comment_access) => change.mutate({ workspace: id, changes: { comment_access } })} />
        : <div className="grid gap-1"><p className="text-body">{access?.label}</p><AdminsAlone>Its admins set this.</AdminsAlone></div>}
      {(mayChange || data.emails.length > 0) && <Addresses emails={data.emails} mayChange={mayChange} />}
    </div>
  )
}
