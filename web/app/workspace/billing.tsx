/** The plan: its state in words, how much of it is used, what each plan gives, and the way to the payment service and back. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useEffect } from "react"
import { openPortal, plans, subscriptionOf } from "../api/billing.ts"
import { keys, useChange } from "../api/queries.ts"
import { workspaceOf } from "../api/workspace.ts"
import { useLeaving } from "../frame/leaving.ts"
import { usePermission } from "../frame/session.ts"
import { Trouble } from "../frame/trouble.tsx"
import { Button } from "../ui/button.tsx"
import { FormFault } from "../ui/field.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { CheckoutNotice } from "./checkout-notice.tsx"
import { PlanTable } from "./plan-table.tsx"
import { PLANS } from "./plans.ts"
import { useReadingOn } from "./reading-on.ts"
import { StandingWords } from "./standing-words.tsx"
import { Usage } from "./usage.tsx"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

const route = getRouteApi("/framed/workspace/billing")

const Portal = ({ filled, pays }: { readonly filled: boolean; readonly pays: boolean }) => {
  const { id } = useWorkspace()
  const open = useChange(openPortal, { quiet: true })
  const leave = useLeaving(open.reset)
  return (
    <div className="grid justify-items-start gap-2">
      <Button shape={filled ? "filled" : "quiet"} icon="open" busy={open.isPending || open.isSuccess} onClick={() => open.mutate({ workspace: id }, { onSuccess: leave })}>Open the billing portal</Button>
      <p className="text-small text-muted">{pays ? "Change the plan or the card, cancel or resume, and get invoices." : "See the card and the invoices, if there are any."}</p>
      <FormFault error={open.error} />
    </div>
  )
}

const Waiting = () => (
  <Loading what="the plan">
    <Section title="Your plan"><Skeleton className="h-7 w-28" /><Skeleton className="h-5 w-full max-w-lg" /></Section>
    <Section title="What is used"><Usage workspace={undefined} /></Section>
    <Section title="What each plan gives"><Skeleton className="h-72" /></Section>
  </Loading>
)

/** In the portal, anything may have been changed: the rest of the app is read again with this page. */
const useSubscription = (id: string) => {
  const back = route.useSearch().portal === "back"
  const client = useQueryClient()
  const { every } = useReadingOn(back)
  const subscription = useQuery({ ...subscriptionOf(id), refetchInterval: every })
  const { data } = subscription
  useEffect(() => {
    if (!back || data === undefined) return
    void client.invalidateQueries({ queryKey: keys.me })
    void client.invalidateQueries({ queryKey: keys.workspace(id) })
  }, [back, client, data, id])
  return subscription
}

const ForAdmins = () => {
  const { id } = useWorkspace()
  const [subscription, offers, workspace] = [useSubscription(id), useQuery(plans), useQuery(workspaceOf(id))]
  const error = subscription.error ?? offers.error ?? workspace.error
  if (subscription.data === undefined || offers.data === undefined || workspace.data === undefined) {
    return error === null ? <Waiting /> : <Trouble error={error} reset={() => void Promise.all([subscription.refetch(), offers.refetch(), workspace.refetch()])} />
  }
  const { can_portal: canPortal, current_period_end: paidUntil, payment_coming: coming, plan } = subscription.data
  const canCheckout = subscription.data.can_checkout && !coming
  return (
    <div>
      <CheckoutNotice key={id} />
      <Section title="Your plan">
        <div className="grid gap-1.5">
          <p className="text-title font-semibold">{PLANS[plan].name}</p>
          <StandingWords subscription={subscription.data} enabled={offers.data.billing_enabled} />
        </div>
        {canPortal && <Portal filled={!canCheckout} pays={paidUntil !== null} />}
      </Section>
      <Section title="What is used"><Usage workspace={workspace.data} /></Section>
      <Section title="What each plan gives" hint={canCheckout ? "The price is shown before you pay. Nothing changes until then." : undefined}>
        <PlanTable subscription={subscription.data} offers={offers.data} usage={workspace.data.usage} />
      </Section>
    </div>
  )
}

export const Billing = () => {
  const { isAdmin } = usePermission()
  const { plan } = useWorkspace()
  return isAdmin ? <ForAdmins /> : (
    <Section title="Your plan">
      <div className="grid gap-1.5">
        <p className="text-title font-semibold">{PLANS[plan].name}</p>
        <AdminsAlone>What is used and paid is for its admins.</AdminsAlone>
      </div>
    </Section>
  )
}
