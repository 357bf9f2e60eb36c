/** How an agent, a terminal or a script publishes here: ready-made lines, copied with one click. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { agentClients } from "../api/agents.ts"
import type { AgentClient } from "../api/agents.ts"
import { baseUrl } from "../api/base.ts"
import { now } from "../api/clock.ts"
import { useChange } from "../api/queries.ts"
import { createToken } from "../api/tokens.ts"
import { Page } from "../frame/page.tsx"
import { Button } from "../ui/button.tsx"
import { Command } from "../ui/command.tsx"
import { FormFault } from "../ui/field.tsx"
import { Icon } from "../ui/icon.tsx"
import { Missing } from "../ui/missing.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { curlLine } from "./lines.ts"

const link = "underline underline-offset-4 hover:text-accent"

/** Backticks mark what is typed. */
const Words = ({ text }: { readonly text: string }) => (
  <p className="break-words text-muted">{text.split("`").map((part, index) => index % 2 === 1 ? <code key={index} className="font-mono text-small text-ink">{part}</code> : part)}</p>
)

const Client = ({ client: { name, steps }, open }: { readonly client: AgentClient; readonly open: boolean }) => {
  const lines = steps.filter((step) => "code" in step)
  const labelOf = (step: (typeof lines)[number]) => lines.length === 1 ? name : `${name}, ${lines.indexOf(step) + 1} of ${lines.length}`
  return (
    <details name="agent" open={open} className="group border-b border-line">
      <summary className="flex min-h-11 items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
        <Icon name="down" size={16} className="-rotate-90 text-muted transition-transform group-open:rotate-0" />{name}
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pb-5">
        {steps.map((step, index) => "text" in step ? <Words key={index} text={step.text} /> : <Command key={index} label={labelOf(step)} text={step.code} />)}
      </div>
    </details>
  )
}

const Agents = () => {
  const read = useQuery(agentClients)
  const { data, error } = read
  if (error !== null) return <Missing what="The agents" of={read} />
  if (data === undefined) return <Loading what="the agents"><div className="grid gap-2"><Skeleton className="h-24" /><Skeleton className="h-10" /><Skeleton className="h-10" /></div></Loading>
  return <div className="border-t border-line">{data.map((client, index) => <Client key={client.name} client={client} open={index === 0} />)}</div>
}

const Script = () => {
  const create = useChange(createToken, { quiet: true })
  const token = create.data?.token
  return (
    <>
      {token === undefined
        ? <div className="flex flex-wrap items-center gap-x-4 gap-y-2"><Button shape="filled" busy={create.isPending} onClick={() => create.mutate({ label: `Connect page, ${new Date(now()).toISOString().slice(0, 10)}` })}>Make a token for it</Button></div>
        : (
          <div className="grid gap-2">
            <p className="font-medium">Copy it now: the token is shown this once.</p>
            <Command label="token" text={`export SVC_TOKEN=${token}`} autoFocus />
          </div>
        )}
      <FormFault error={create.error} />
      <Command label="command" text={curlLine(baseUrl, token)} />
      <p className="text-muted"><Link to="/account/tokens" className={link}>See and revoke your tokens</Link></p>
    </>
  )
}

export const Connect = () => (
  <Page title="Connect" narrow>
    <Section title="An agent" hint="Give this address to an agent that speaks MCP. It asks you once whether it may, and you can take that back.">
      <Command label="MCP address" text={`${baseUrl}/mcp`} />
      <Agents />
      <p className="text-muted"><Link to="/account/connections" className={link}>See and revoke what is connected</Link></p>
    </Section>
    <Section title="A terminal" hint="The program svc signs in by a code that you confirm here, and publishes a file or a folder. It comes with this service’s source.">
      <Command label="the line that installs it" text="npm run pack:cli && npm install --global ./dist/svc-*.tgz" />
      <Command label="the line that signs in" text={`svc login ${baseUrl}`} />
      <Command label="the line that publishes" text="svc publish dist --slug my-report" />
    </Section>
    <Section title="A script" hint="With an API token, one command publishes a file.">
      <Script />
    </Section>
    <Section title="The API" hint="Everything that this app does, it does through the same API.">
      <p className="flex flex-wrap gap-4">
        <a className={link} href={`${baseUrl}/docs`}>Try the API</a>
        <a className={link} href={`${baseUrl}/docs.md`}>As plain text</a>
        <a className={link} href={`${baseUrl}/mcp.md`}>Agents, as plain text</a>
      </p>
    </Section>
  </Page>
)
