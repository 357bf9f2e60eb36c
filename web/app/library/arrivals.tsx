/** Files being published: bytes and time left, cancel, and finally the live address. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import type { ReactNode } from "react"
import { projectOf, takeBack, takeVersionBack } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import type { Refusal } from "../api/refusal.ts"
import { useSession } from "../frame/session.ts"
import { Button, buttonClass, IconButton } from "../ui/button.tsx"
import { sizeOf } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { useMinute } from "../ui/minute.ts"
import { CopyButton, Url } from "../ui/parts.tsx"
import { apart } from "../ui/apart.ts"
import { backAfter, useWayBack } from "../ui/way-back.ts"
import { useKeeps } from "./folders.tsx"
import { Lacks } from "./lacks.tsx"
import { putAway, usePublishing } from "./publishing.ts"
import type { Live as Arrived, Publishing } from "./publishing.ts"

const leftOf = ({ sent, startedAt, total }: Publishing): string | null => {
  const spent = (Date.now() - startedAt) / 1000
  if (spent < 2 || sent === 0 || sent >= total) return null
  const seconds = Math.ceil((total - sent) * spent / sent)
  return seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`
}

const Sending = ({ one }: { readonly one: Publishing }) => {
  const left = leftOf(one)
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{one.name}</p>
        <progress value={one.sent} max={Math.max(one.total, 1)} aria-label={`Publishing ${one.name}`} className="my-1 block h-1 w-full appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent" />
        <p className="facts text-small text-muted">
          <span>{one.sent >= one.total ? "Making it live" : `${sizeOf(one.sent)} of ${sizeOf(one.total)}`}</span>
          {left !== null && <span>{left}</span>}
        </p>
      </div>
      {/* What has arrived whole, the service publishes, whatever becomes of the request. */}
      <Button disabled={one.total > 0 && one.sent >= one.total} onClick={one.cancel}>Cancel</Button>
    </>
  )
}

const OPENS = {
  public: "Anyone with this address can open it.",
  password: "Anyone with its doorcode can open it.",
  private: "Opens only for members and people you give a link."
} as const

/** Of a private document in a private folder. */
const OPENS_KEPT = "Opens only for you and people you give a link."

/** As it is set by now: it may have been changed since it was published. */
const WhoOpens = ({ live }: { readonly live: Arrived }) => {
  const { slug } = live
  const { data } = useQuery({ ...projectOf(slug), enabled: false })
  const { folder_id, visibility, workspace_id } = data ?? live
  const kept = useKeeps(folder_id, workspace_id) && visibility === "private"
  return (
    <p className="text-small text-muted">
      {kept ? OPENS_KEPT : OPENS[visibility]} <Link to="/projects/$slug/share" params={{ slug }} className="underline underline-offset-4 hover:text-ink">Change</Link>
    </p>
  )
}

/** For this long a paste may have been a mistake; later, others may be using it, and it is deleted in its settings. */
const OFFERED = 2 * 60_000

interface Taken {
  readonly one: Publishing
  readonly live: Arrived
}

interface TakeBackProps extends Pick<Publishing, "startedAt"> {
  readonly busy: boolean
  readonly take: () => Promise<unknown>
}

const TakeBack = ({ busy, startedAt, take }: TakeBackProps) => {
  // A machine that sleeps stops the timer, but not the clock.
  useMinute()
  const [, again] = useState(0)
  const left = (): number => startedAt + OFFERED - Date.now()
  useEffect(() => {
    if (left() <= 0) return
    const timer = setTimeout(() => again((count) => count + 1), left())
    return () => clearTimeout(timer)
  })
  return left() > 0 && <Button busy={busy} onClick={() => left() > 0 ? backAfter(take()) : again((count) => count + 1)}>Take it back</Button>
}

const TakeProjectBack = ({ one: { id, startedAt }, live: { slug, title } }: Taken) => {
  const remove = useChange(takeBack)
  return <TakeBack startedAt={startedAt} busy={remove.isPending} take={() => remove.mutateAsync({ slug, title }).then(() => putAway(id))} />
}

const TakeVersionBack = ({ one: { id, startedAt }, live: { slug, version } }: Taken) => {
  const restore = useChange(takeVersionBack)
  return <TakeBack startedAt={startedAt} busy={restore.isPending} take={() => restore.mutateAsync({ slug, version: version - 1, seen: version }).then(() => putAway(id))} />
}

/** What became of it, with what can be done now beneath it where there is no room beside; it is put away at the edge. */
const Outcome = ({ buttons, children, icon, id }: { readonly id: number; readonly icon: ReactNode; readonly children: ReactNode; readonly buttons: ReactNode }) => (
  <>
    <span className="self-start py-0.5 sm:self-center">{icon}</span>
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
      {children}
      <div className="flex flex-wrap items-center gap-2 empty:hidden">{buttons}</div>
    </div>
    <IconButton icon="close" label="Put away" className="-my-2.5 -mr-2.5 self-start sm:m-0! sm:self-center" onClick={() => putAway(id)} />
  </>
)

const Live = ({ one, one: { id, live, pasted = false, slug } }: { readonly one: Publishing }) => live === undefined ? null : (
  <Outcome
    id={id} icon={<Icon name="check" className="text-good" />}
    buttons={
      <>
        {pasted && slug === undefined && <TakeProjectBack one={one} live={live} />}
        {pasted && slug !== undefined && live.version > 1 && <TakeVersionBack one={one} live={live} />}
        <CopyButton text={live.url} label="Copy address" />
        {slug === undefined && <Link to="/projects/$slug" params={{ slug: live.slug }} className={buttonClass()}>Open</Link>}
      </>
    }
  >
    <div className="min-w-0 flex-1 basis-60">
      <p className="truncate font-medium">{slug === undefined ? `${apart(live.title)} is live` : `Version ${live.version} is live`}</p>
      <a href={live.url} target="_blank" rel="noreferrer" className="font-mono text-small wrap-anywhere text-accent underline underline-offset-4"><Url>{live.url}</Url></a>
      <WhoOpens live={live} />
      {live.missing !== undefined && <Lacks missing={live.missing} />}
    </div>
  </Outcome>
)

/** What another plan would allow. */
const FOR_PLANS = new Set(["quota_exceeded", "payment_required", "upload_too_large"])

const UNCONFIRMED = "email_not_verified"

/** What the same files may find otherwise later: once there is room or a plan, once it is less busy, once somebody is signed in. */
const mayPass = ({ atWork, code, passing, signedOut, status }: Refusal): boolean =>
  passing || atWork || signedOut || status === 429 || code === UNCONFIRMED || FOR_PLANS.has(code)

const adviceOn = ({ code, message, status }: Refusal): string => {
  if (status === 413 && code === "unreadable") return "It is larger than this service takes."
  if (code === UNCONFIRMED) return "Confirm your address, and it is published from here. Keep this page open until then."
  return message
}

/** Only when it becomes so meanwhile: what is refused all the same is not sent again and again. */
const OnceConfirmed = ({ again }: Pick<Publishing, "again">) => {
  const { user: { email_verified: isConfirmed } } = useSession()
  const [waits] = useState(!isConfirmed)
  const isDue = waits && isConfirmed
  useEffect(() => {
    if (isDue) again()
  }, [again, isDue])
  return null
}

const Refused = ({ one: { again, first, id, name, refusal, slug, workspace } }: { readonly one: Publishing }) => refusal === undefined ? null : (
  <Outcome
    id={id} icon={<Icon name="warn" className="text-bad" />}
    buttons={
      <>
        {first !== undefined && <Button className="max-w-full sm:max-w-72" onClick={first.begin}><span className="truncate">Begin with {first.name}</span></Button>}
        {FOR_PLANS.has(refusal.code) && <Link to="/workspace/billing" search={workspace === undefined ? {} : { workspace }} className={buttonClass()}>See your plan</Link>}
        {mayPass(refusal) && <Button onClick={again}>Try again</Button>}
      </>
    }
  >
    {refusal.code === UNCONFIRMED && <OnceConfirmed again={again} />}
    <div role="alert" className="min-w-0 flex-1 basis-60">
      <p className="truncate font-medium"><bdi>{name}</bdi> could not be published</p>
      {/* The project was renamed or deleted elsewhere. */}
      <p className="text-small text-bad">{slug !== undefined && refusal.status === 404 ? "The project is no longer at this address. Nothing was published: find it in the library." : adviceOn(refusal)}</p>
      {typeof refusal.details["entry"] === "string" && <p className="font-mono text-small wrap-anywhere text-muted">{refusal.details["entry"]}</p>}
    </div>
  </Outcome>
)

/** One anew for each state: the buttons of another one are gone, and the focus with them. */
const Arrival = ({ one }: { readonly one: Publishing }) => {
  useWayBack()
  return one.state === "sending" ? <Sending one={one} /> : one.state === "live" ? <Live one={one} /> : <Refused one={one} />
}

/** Those of one project, or all of them. */
export const Arrivals = ({ of }: { readonly of?: string }) => {
  const all = usePublishing().filter(({ slug }) => of === undefined || slug === of)
  if (all.length === 0) return null
  return (
    <ul aria-label="Publishing" className="divide-y divide-line rounded-sheet border border-line">
      {all.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
          <Arrival key={one.state} one={one} />
        </li>
      ))}
    </ul>
  )
}
