/** API tokens: made here, shown once, revoked at once. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { baseUrl } from "../api/base.ts"
import { useChange } from "../api/queries.ts"
import { createToken, revokeToken, tokens } from "../api/tokens.ts"
import { curlLine } from "../connect/lines.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { Command } from "../ui/command.tsx"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { Time } from "../ui/facts.tsx"
import { faultOf, Field, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Empty, Loading, Section, Skeleton, Table } from "../ui/parts.tsx"
import { apart } from "../ui/apart.ts"

const Made = ({ token }: { readonly token: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <p className="font-medium">Copy it now: it is shown this once, and kept nowhere.</p>
    <Command label="token" text={token} autoFocus />
    <p className="text-muted">Try it: this publishes a file of yours.</p>
    <Command label="command" text={curlLine(baseUrl, token)} />
  </div>
)

const useCreation = () => useChange(createToken, { quiet: true })

const Create = ({ create }: { readonly create: ReturnType<typeof useCreation> }) => (
  <Section title="A new token" hint="For scripts and programs. It can do everything that you can, until you revoke it.">
    <Form className="flex max-w-lg flex-wrap items-end gap-3" onSend={(field, form) => create.mutate({ label: field("label") }, { onSuccess: () => form.reset() })}>
      <Field className="min-w-[min(12rem,100%)] flex-1" label="What it is for" name="label" required maxLength={100} placeholder="Nightly report" fault={faultOf(create.error, "label")} />
      <Button type="submit" shape="filled" busy={create.isPending}>Make a token</Button>
    </Form>
    <FormFault error={create.error} shown={["label"]} />
    {create.data !== undefined && <Made token={create.data.token} />}
  </Section>
)

const List = ({ onRevoked }: { readonly onRevoked: (id: string) => void }) => {
  const read = useQuery(tokens)
  const { data } = read
  const revoke = useChange(revokeToken, { quiet: true })
  const [asked, setAsked] = useState<{ readonly id: string; readonly label: string }>()
  if (isMissing(read)) return <Missing what="Your tokens" of={read} />
  if (data === undefined) return <Loading what="your tokens"><div className="grid gap-2"><Skeleton className="h-10" /><Skeleton className="h-10" /></div></Loading>
  if (data.length === 0) return <Empty icon="key" title="No tokens yet">What you make shows up here, with when it was last used.</Empty>
  return (
    <>
      <Table
        label="API tokens" rows={data} keyOf={({ id }) => id}
        columns={[
          { name: "For", cell: ({ label, prefix }) => <><span className="block font-medium">{label}</span><code className="font-mono text-small text-muted">{prefix}…</code></> },
          { name: "Made", whole: true, wide: true, cell: ({ created_at }) => <Time at={created_at} as="day" /> },
          { name: "Last used", whole: true, cell: ({ last_used_at }) => last_used_at === null ? <span className="text-muted">never</span> : <Time at={last_used_at} /> },
          { name: "Revoke", align: "right", unsaid: true, cell: ({ id, label }) => <IconButton icon="trash" label={`Revoke ${label}`} onClick={() => setAsked({ id, label })} /> }
        ]}
      />
      <ConfirmDialog
        open={asked !== undefined} onOpenChange={(open) => open || setAsked(undefined)} title={`Revoke ${apart(asked?.label ?? "")}?`} action="Revoke token"
        loses="Whatever sends this token is refused from the next request on. It cannot be brought back; a new one can be made."
        onConfirm={() => revoke.mutateAsync(asked!, { onSuccess: (_, { id }) => onRevoked(id) })}
      />
    </>
  )
}

export const Tokens = () => {
  const create = useCreation()
  // A token that no longer works must not be copied.
  const revoked = (id: string) => id === create.data?.id && create.reset()
  return <><Create create={create} /><Section title="Your tokens"><List onRevoked={revoked} /></Section></>
}
