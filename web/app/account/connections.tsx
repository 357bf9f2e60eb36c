/** Devices and agents that were let in, and how to let them go. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { grants, revokeGrant } from "../api/grants.ts"
import { useChange } from "../api/queries.ts"
import { apart } from "../ui/apart.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Empty, Loading, Section, Skeleton } from "../ui/parts.tsx"

const KINDS = { device: "Device", agent: "Agent" } as const

const List = () => {
  const read = useQuery(grants)
  const { data } = read
  const revoke = useChange(revokeGrant, { quiet: true })
  const [asked, setAsked] = useState<{ readonly id: string; readonly client: string }>()
  if (isMissing(read)) return <Missing what="The list of what is connected" of={read} />
  if (data === undefined) return <Loading what="what is connected"><div className="grid gap-2"><Skeleton className="h-14" /><Skeleton className="h-14" /></div></Loading>
  if (data.length === 0) {
    return (
      <Empty icon="connect" title="Nothing is connected" action={<Link to="/connect" className={buttonClass("filled")}>Connect an agent or a terminal</Link>}>
        What you let in shows up here, and goes with one click.
      </Empty>
    )
  }
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {data.map(({ address, client, created_at, id, kind, last_used_at }) => (
          <li key={id} className="flex items-center gap-4 py-3">
            <Icon name={kind === "device" ? "system" : "connect"} className="shrink-0 text-muted" />
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">{client}</p>
              <p className="facts text-small text-muted">
                <span>{KINDS[kind]}</span>
                <span>let in <Time at={created_at} /></span>
                {address !== null && <span>from <code className="font-mono">{address}</code></span>}
                <span>{last_used_at === null ? "never used" : <>last used <Time at={last_used_at} /></>}</span>
              </p>
            </div>
            <Button aria-label={`Revoke ${client}`} onClick={() => setAsked({ id, client })}>Revoke</Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== undefined} onOpenChange={(open) => open || setAsked(undefined)} title={`Revoke ${apart(asked?.client ?? "")}?`} action="Revoke access"
        loses="It is refused from the next request on. What it published stays. To come back it has to ask you again."
        onConfirm={() => revoke.mutateAsync(asked!)}
      />
    </>
  )
}

export const Connections = () => (
  <Section
    title="Devices and agents"
    hint="A device can do everything that you can; an agent publishes, reads and changes documents by the agents’ tools. Either goes on until you revoke it."
  >
    <List />
  </Section>
)
