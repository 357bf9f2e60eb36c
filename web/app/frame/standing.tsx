/** What a workspace's members need to know, above every screen: only while it needs attention, and with its one next step. */
import type { QueryClient } from "@tanstack/react-query"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { useEffect } from "react"
import type { ReactNode } from "react"
import { me, resendVerification } from "../api/account.ts"
import type { WorkspaceSummary } from "../api/account.ts"
import { loginUrl } from "../api/base.ts"
import { subscriptionOf } from "../api/billing.ts"
import { now as atService } from "../api/clock.ts"
import { waysIn } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { IconButton, Press } from "../ui/button.tsx"
import { daysBetween, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { useMinute } from "../ui/minute.ts"
import { DAY_MS } from "../ui/times.ts"
import { backAfter } from "../ui/way-back.ts"
import { noteScheduled, useScheduled } from "./scheduled.ts"
import { useEnded, useSession } from "./session.ts"

/** A trial is mentioned only when at most this many days are left. */
const SOON = 3

const daysLeft = (at: string): number => Math.ceil((new Date(at).getTime() - atService()) / DAY_MS)

const needsWords = ({ billing_state, role, trial_ends_at }: WorkspaceSummary): boolean =>
  billing_state === "trialing" ? role === "admin" && trial_ends_at !== null && daysLeft(trial_ends_at) <= SOON : billing_state !== "active"

/** Where there is something to say, it is read before the frame is shown, so that nothing is pushed down later. */
export const standingKnown = async (queries: QueryClient, workspace: WorkspaceSummary | undefined): Promise<void> => {
  if (workspace === undefined || workspace.role !== "admin" || !needsWords(workspace)) return
  await queries.ensureQueryData(subscriptionOf(workspace.id)).catch(() => undefined)
}

const Banner = ({ children, next, tone }: { readonly tone: "warn" | "bad" | "plain"; readonly children: ReactNode; readonly next?: ReactNode }) => (
  <div className="flex items-start gap-x-3 border-b border-line px-4 py-2.5 md:px-8">
    <Icon name={tone === "plain" ? "history" : "warn"} className={`mt-px shrink-0 max-md:mt-[3px] ${tone === "bad" ? "text-bad" : tone === "warn" ? "text-warn" : "text-muted"}`} />
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-0.5">
      <p className="min-w-0 text-pretty">{children}</p>
      {next}
    </div>
  </div>
)

/** Tall enough to touch on a phone, without making its row taller. */
const stepClass = "-my-2.5 inline-flex min-h-11 items-center font-medium underline underline-offset-4 md:my-0 md:min-h-0"

const NextStep = ({ children }: { readonly children: string }) => (
  <Link to="/workspace/billing" search={({ workspace }) => workspace === undefined ? {} : { workspace }} className={stepClass}>{children}</Link>
)

const leftOf = (days: number): string => days <= 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`

const Standing = ({ workspace }: { readonly workspace: WorkspaceSummary }) => {
  const { billing_state: state, id, links_down_on: down, name, role, trial_ends_at: trialEnd } = workspace
  const isAdmin = role === "admin"
  const { data } = useQuery({ ...subscriptionOf(id), enabled: isAdmin })
  // Where the step leads, the page itself offers it.
  const isThere = useLocation().pathname === "/workspace/billing"
  const step = (words: string, possible = data?.can_checkout) =>
    !isAdmin ? <span className="text-muted">Ask one of its admins.</span>
    : data?.payment_coming === true ? <span className="text-muted">A payment is on its way.</span>
    : possible !== false ? !isThere && <NextStep>{words}</NextStep>
    : <span className="text-muted">Ask whoever runs this service.</span>
  switch (state) {
    case "trialing":
      return trialEnd === null || data?.lapses !== true ? null : (
        <Banner tone="plain" next={step("Choose a plan")}>
          The trial<span className="max-md:hidden"> of {name}</span> ends {leftOf(daysBetween(trialEnd))}, on <Time at={trialEnd} as="day" />.<span className="max-md:hidden"> Publishing pauses then; links stay up for 30 more days.</span>
        </Banner>
      )
    case "past_due":
      return <Banner tone="warn" next={step("Update the card", data?.can_portal)}>The last payment for {name} did not go through. Everything works meanwhile.</Banner>
    case "lapsed":
      return down === null
        ? <Banner tone="plain" next={step("Choose a plan")}>{name} has no plan yet. Publishing begins with one.</Banner>
        : <Banner tone="warn" next={step("Choose a plan")}>Publishing in {name} is paused. Its links go down on <Time at={down} as="day" />.</Banner>
    case "down":
      return <Banner tone="bad" next={step("Choose a plan")}>The links of {name} are down{down === null ? "" : <> since <Time at={down} as="day" /></>}. Nothing is lost{data?.can_checkout === true && "; a plan brings them back at once"}.</Banner>
    default:
      return null
  }
}

const ScheduledBanner = () => {
  const scheduled = useScheduled()
  const { user, workspaces } = useSession()
  // A workspace that was brought back is among them again.
  const isNews = scheduled !== null && scheduled.userId === user.id && !workspaces.some(({ id }) => id === scheduled.workspaceId)
  return !isNews ? null : (
    <div className="flex items-start border-b border-line pr-2 md:pr-6 [&>div]:flex-1 [&>div]:border-0">
      <Banner tone="warn">
        {scheduled.name} is closed and will be erased on <Time at={scheduled.eraseOn} as="day" />. Until then whoever runs this service can bring it back.
      </Banner>
      <IconButton icon="close" label="Put away" className="md:mt-0.5" onClick={() => (backAfter(), noteScheduled(null))} />
    </div>
  )
}

/**
 * Who is signed in is read whenever this tab is looked at again: a window beside it takes the focus without hiding it. A read
 * that is under way by then does not do: it may have been answered before they signed in.
 */
const useMeAgain = ({ atOnce = false } = {}) => {
  const { refetch } = useQuery({ ...me, refetchOnWindowFocus: "always", ...(atOnce && { refetchOnMount: "always" }) })
  useEffect(() => {
    const look = () => void refetch()
    addEventListener("focus", look)
    return () => removeEventListener("focus", look)
  }, [refetch])
}

/** For whoever would lose something by the end of the session elsewhere. It goes once this tab is looked at after a sign-in in another one. */
const SignedOut = () => {
  // The refusal that led here may be of what was asked before they signed in again.
  useMeAgain({ atOnce: true })
  return (
    <Banner tone="warn" next={<a href={loginUrl(location.pathname + location.search)} target="_blank" rel="noreferrer" className={stepClass}>Sign in</a>}>
      You were signed out. Nothing here is lost: sign in, then come back to this tab.
    </Banner>
  )
}

/** Nobody can publish before it; once confirmed in another tab, the banner goes as soon as this tab has the focus. */
const Unconfirmed = ({ email }: { readonly email: string }) => {
  useMeAgain()
  const { data } = useQuery(waysIn)
  const resend = useChange(resendVerification)
  return (
    <Banner
      tone="warn"
      next={
        <>
          <Press disabled={resend.isPending} onClick={() => resend.mutate({ email })} className={stepClass}>Mail it again</Press>
          {data?.mailbox_url != null && <a href={data.mailbox_url} className={stepClass}>Open the mailbox</a>}
        </>
      }
    >
      Publishing begins once your address is confirmed: open the link that we mailed to <span className="wrap-anywhere">{email}</span>.
    </Banner>
  )
}

export const StandingBanner = () => {
  useMinute()
  const { user, workspace } = useSession()
  const ended = useEnded()
  return (
    <>
      <div role="status">{ended && <SignedOut />}</div>
      {!user.email_verified && <Unconfirmed email={user.email} />}
      <ScheduledBanner />
      {workspace !== undefined && needsWords(workspace) && <Standing key={workspace.id} workspace={workspace} />}
    </>
  )
}
