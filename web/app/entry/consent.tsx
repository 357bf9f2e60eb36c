/** An agent asks for access (OAuth): who it says it is, where the answer goes, and buttons that decide. Nothing is decided without a click. */
import { useQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { consentOf, decideConsent } from "../api/entry.ts"
import type { AuthorizationRequest } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import type { Refusal } from "../api/refusal.ts"
import { useSession } from "../frame/session.ts"
import { UnreadAlone } from "../frame/trouble.tsx"
import { Button, buttonClass } from "../ui/button.tsx"
import { FormFault } from "../ui/field.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { DecidingAs } from "./device.tsx"
import { EntryPage, Facts } from "./entry-page.tsx"

const REFUSALS = new Set(["validation_error", "rate_limited"])

/** On a button with the agent's name, which may be long. */
const wraps = "py-2 text-center whitespace-normal!"

interface BrokenProps {
  readonly message: string
  readonly next?: string
  readonly tell?: { readonly client: string; readonly href: string }
}

/** A wrong client or redirect address is reported here, and never redirected to. */
const Broken = ({ message, next = "Start again from the program that sent you here.", tell }: BrokenProps) => (
  <EntryPage icon="warn" title="This does not work" lead={<><p>{message}</p><p className="mt-2">Nothing was let in. {next}</p></>}>
    {tell !== undefined && <a className={buttonClass("quiet", wraps)} href={tell.href}><span className="min-w-0">Tell {tell.client} what is wrong</span></a>}
  </EntryPage>
)

/** Its id is the address of the document that says what it is. Nobody else can write at that host, whatever the name says. */
const isDescribed = ({ client_id }: AuthorizationRequest): boolean => client_id.startsWith("https://")

/**
 * The service has forgotten this registration, and the program would come with the same id each time. An id that is a
 * document's address is not a registration.
 */
const isForgotten = ({ field }: Refusal, request: AuthorizationRequest): boolean => field === "client_id" && !isDescribed(request)

const REGISTER_ANEW = "Remove svc in the program that sent you here and add it again: it then registers anew."

const Waiting = () => (
  <Loading what="who asks">
    <div className="grid gap-4">
      <Skeleton className="h-[138px]" />
      <Skeleton className="h-10" />
      <div className="grid gap-2 sm:grid-cols-2"><Skeleton className="h-11" /><Skeleton className="h-11" /></div>
    </div>
  </Loading>
)

const Asks = ({ request }: { readonly request: AuthorizationRequest }) => {
  const { user } = useSession()
  const read = useQuery(consentOf(request))
  const { data: asks, error } = read
  const decide = useChange(decideConsent, { quiet: true })
  if (error !== null && REFUSALS.has(asRefusal(error).code)) {
    const refusal = asRefusal(error)
    return isForgotten(refusal, request) ? <Broken message={refusal.message} next={REGISTER_ANEW} /> : <Broken message={refusal.message} />
  }
  if (error !== null) return <UnreadAlone of={read} />
  const lead = <>It will publish, read and change documents in the name of <span className="text-ink">{user.email}</span>, by the agents’ tools, until you revoke it.</>
  const foot = <DecidingAs here={location.pathname + location.search} />
  if (asks === undefined) return <EntryPage title="Let this agent in?" lead={lead} foot={foot}><Waiting /></EntryPage>
  if (asks.fault !== null) return <Broken message={asks.fault.message} tell={{ client: asks.client_name, href: asks.fault.redirect_to }} />
  if (decide.isSuccess) {
    return (
      <EntryPage icon={decide.variables.approve ? "check" : "close"} title={decide.variables.approve ? "The agent is let in" : "The agent is turned away"} lead={`Going back to ${asks.client_name}. If nothing happens, go by hand; otherwise this page can be closed.`}>
        <a className={buttonClass("filled", wraps)} href={decide.data.redirect_to}><span className="min-w-0">Go back to {asks.client_name}</span></a>
      </EntryPage>
    )
  }
  const answer = (approve: boolean) => decide.mutate({ request, approve }, { onSuccess: ({ redirect_to }) => location.assign(redirect_to) })
  return (
    <EntryPage title="Let this agent in?" lead={lead} foot={foot}>
      <Facts
        facts={[
          ["Agent, by its own word", asks.client_name],
          ...(isDescribed(request) ? [["Described at", <code key="at" className="font-mono">{new URL(request.client_id).host}</code>] as const] : []),
          ["The answer goes to", <code key="to" className="font-mono">{asks.redirect_hosts.join(", ")}</code>],
          ["Scope", <><code className="font-mono">{asks.scope}</code>: the agents’ tools</>]
        ]}
      />
      <p className="text-small text-muted">Nobody checked the name. Approve only if you know where the answer goes, and started this yourself.</p>
      <FormFault error={decide.error} />
      <div className="grid gap-2 sm:grid-cols-2">
        <Button shape="filled" busy={decide.isPending} onClick={() => answer(true)}>Let it in</Button>
        <Button disabled={decide.isPending} onClick={() => answer(false)}>Turn it away</Button>
      </div>
    </EntryPage>
  )
}

export const Consent = () => {
  const { client_id, redirect_uri, ...rest } = useSearch({ strict: false })
  if (client_id === undefined || redirect_uri === undefined) return <Broken message="The address lacks a part: which client asks, or where the answer goes." />
  const { code_challenge, code_challenge_method, resource, response_type, scope, state } = rest
  const given = { code_challenge, code_challenge_method, resource, response_type, scope, state }
  const request = { client_id, redirect_uri, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) } as AuthorizationRequest
  return <Asks request={request} />
}
