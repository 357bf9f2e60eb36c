/** How a workspace stands: a word with its icon, and a sentence with its date. */
import type { ReactNode } from "react"
import type { components } from "../api/client.ts"
import { Time } from "../ui/facts.tsx"
import { Chip } from "../ui/parts.tsx"
import { PLANS } from "./plans.ts"

type Subscription = components["schemas"]["Subscription"]

const On = ({ at }: { readonly at: string }) => <Time at={at} as="day" />

interface Words {
  readonly chip: ReactNode
  readonly text: ReactNode
}

/** What follows a cancelled subscription: a trial may last longer, and on some services nothing lapses. */
const endingOf = ({ lapses, trial_ends_at: trialEnd }: Subscription, end: string): ReactNode =>
  !lapses ? " and then ends; nothing lapses on this service."
  : trialEnd !== null && trialEnd > end ? <>, and the trial goes on until <On at={trialEnd} />. Then publishing pauses, and links go down 30 days later.</>
  : " and then ends: publishing pauses, and links go down 30 days later."

const wordsOf = (subscription: Subscription, enabled: boolean): Words => {
  const { can_checkout, cancel_at_period_end, current_period_end: end, lapses, links_down_on: down, payment_coming, plan, state, trial_ends_at: trialEnd } = subscription
  if (payment_coming) {
    return {
      chip: <Chip icon="history">Payment on its way</Chip>,
      text: <>The plan begins once it arrives; a debit takes some days.{
        state === "down" ? " Links are down until then."
        : down !== null ? <> Publishing is paused until then, and links go down on <On at={down} />.</>
        : state === "trialing" && lapses && trialEnd !== null && <> The trial ends on <On at={trialEnd} />.</>
      }</>
    }
  }
  switch (state) {
    case "trialing":
      return {
        chip: <Chip icon="history">Trial</Chip>,
        text: trialEnd === null ? null : !lapses
          ? <>This service {enabled ? "does not end trials" : "takes no payments"}, so nothing lapses: {PLANS[plan].name} stays after <On at={trialEnd} /> as well.</>
          : <>The trial ends on <On at={trialEnd} />. Then publishing pauses{can_checkout ? " until a plan is chosen" : ""}; links stay up for 30 more days.{!can_checkout && " To go on, ask whoever runs this service."}</>
      }
    case "past_due":
      return {
        chip: <Chip icon="warn" tone="warn">Payment failed</Chip>,
        text: <>The last payment did not go through, and it is tried again in the next days. Everything works meanwhile. Update the card in the billing portal.{cancel_at_period_end && end !== null && <> It was cancelled, and ends on <On at={end} />, unless you resume it there.</>}</>
      }
    case "lapsed":
      return down === null
        ? { chip: <Chip icon="warn" tone="warn">No plan yet</Chip>, text: can_checkout ? "Publishing begins with a plan. There is no second trial." : "Publishing begins with a plan. Ask whoever runs this service." }
        : {
          chip: <Chip icon="warn" tone="warn">Ended</Chip>,
          text: <>Publishing is paused. Links go down on <On at={down} />{can_checkout ? "; a plan brings everything back at once." : ". Ask whoever runs this service."}</>
        }
    case "down":
      return {
        chip: <Chip icon="warn" tone="bad">Links are down</Chip>,
        text: <>Every link answers that it is gone{down !== null && <>, since <On at={down} /></>}. Nothing is lost{can_checkout ? "; a plan brings everything back at once." : ". Ask whoever runs this service."}</>
      }
    default:
      if (!enabled) return { chip: <Chip icon="check" tone="good">Active</Chip>, text: "This service takes no payments, so nothing lapses: the plan stays, and links stay up." }
      if (end === null || can_checkout) return { chip: <Chip icon="check" tone="good">Active</Chip>, text: "Nothing is due." }
      return cancel_at_period_end
        ? {
          chip: <Chip icon="history" tone="warn">Ends on <On at={end} /></Chip>,
          text: <>It is paid until <On at={end} />{endingOf(subscription, end)} Resume it in the billing portal.</>
        }
        : { chip: <Chip icon="check" tone="good">Paid</Chip>, text: <>It renews on <On at={end} />.</> }
  }
}

export const StandingWords = ({ enabled, subscription }: { readonly subscription: Subscription; readonly enabled: boolean }) => {
  const { chip, text } = wordsOf(subscription, enabled)
  return <div className="grid gap-1"><div>{chip}</div><p className="max-w-[36rem]">{text}</p></div>
}
