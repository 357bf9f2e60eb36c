/** Back from the payment service: the outcome. Only a charge moves the plan, and news of it may take a moment. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import type { ReactNode } from "react"
import { subscriptionOf } from "../api/billing.ts"
import { keys } from "../api/queries.ts"
import { IconButton } from "../ui/button.tsx"
import { Icon } from "../ui/icon.tsx"
import type { IconName } from "../ui/icon.tsx"
import { backAfter } from "../ui/way-back.ts"
import { PLANS } from "./plans.ts"
import { useReadingOn } from "./reading-on.ts"
import { useWorkspace } from "./workspace.tsx"

const route = getRouteApi("/framed/workspace/billing")

const Notice = ({ children, icon, onClose, tone }: { readonly icon: IconName; readonly tone: string; readonly children: ReactNode; readonly onClose: () => void }) => (
  <div role="status" className="mb-7 flex items-start gap-3 rounded-control border border-line py-1.5 pr-1.5 pl-4">
    <Icon name={icon} className={`mt-2 shrink-0 ${tone}`} />
    <p className="min-w-0 flex-1 py-1.5">{children}</p>
    <IconButton icon="close" label="Put away" className="-my-1 md:my-0" onClick={() => (backAfter(), onClose())} />
  </div>
)

/** `onKnown`: the address is about it no more, since it may be opened again when it is long over. */
const Done = ({ onClose, onKnown }: { readonly onClose: () => void; readonly onKnown: () => void }) => {
  const { id } = useWorkspace()
  const client = useQueryClient()
  const { every, late } = useReadingOn(true)
  const settled = (state: string | undefined, mayBuy: boolean | undefined) => (state === "active" || state === "past_due") && mayBuy === false
  const { data } = useQuery({
    ...subscriptionOf(id),
    refetchInterval: ({ state: { data: now } }) => settled(now?.state, now?.can_checkout) || now?.payment_coming === true ? false : every
  })
  const paid = settled(data?.state, data?.can_checkout)
  useEffect(() => {
    if (!paid) return
    void client.invalidateQueries({ queryKey: keys.me })
    void client.invalidateQueries({ queryKey: keys.workspace(id) })
  }, [paid, client, id])
  // A debit takes days, of which the page itself tells.
  const coming = data?.payment_coming === true
  const known = paid || coming || late
  useEffect(() => {
    if (known) onKnown()
  }, [known])
  if (paid && data?.state === "active") return <Notice icon="check" tone="text-good" onClose={onClose}>Thank you. This workspace is on {PLANS[data.plan].name}.</Notice>
  if (paid || coming) return null
  return late
    ? <Notice icon="history" tone="text-muted" onClose={onClose}>The payment service has told us of no payment yet. If you paid, it shows here once it does; nothing else is needed from you.</Notice>
    : <Notice icon="history" tone="text-muted" onClose={onClose}>The payment is being confirmed, which takes a moment.</Notice>
}

export const CheckoutNotice = () => {
  const { checkout } = route.useSearch()
  const [outcome, setOutcome] = useState(checkout)
  const navigate = route.useNavigate()
  const forget = () => void navigate({ search: ({ workspace }) => workspace === undefined ? {} : { workspace }, replace: true, resetScroll: false })
  const close = () => {
    setOutcome(undefined)
    forget()
  }
  useEffect(() => {
    if (outcome === "cancelled") forget()
  }, [])
  if (outcome === undefined) return null
  return outcome === "done" ? <Done onClose={close} onKnown={forget} /> : <Notice icon="back" tone="text-muted" onClose={close}>Nothing was bought, and nothing changed.</Notice>
}
