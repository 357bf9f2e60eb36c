/** Files on their way: bytes and time left, cancel, and at the end the live address. */
import { Link } from "@tanstack/react-router"
import { Button, buttonClass, IconButton } from "../ui/button.tsx"
import { sizeOf } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { CopyButton } from "../ui/parts.tsx"
import { putAway, usePublishing } from "./publishing.ts"
import type { Publishing } from "./publishing.ts"

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
      <Button onClick={one.cancel}>Cancel</Button>
    </>
  )
}

const Live = ({ one: { id, live, slug } }: { readonly one: Publishing }) => live === undefined ? null : (
  <>
    <Icon name="check" className="shrink-0 text-good" />
    <div className="min-w-0 flex-1 basis-60">
      <p className="truncate font-medium">{slug === undefined ? `${live.title} is live` : `Version ${live.version} is live`}</p>
      <a href={live.url} target="_blank" rel="noreferrer" className="font-mono text-small break-all text-accent underline underline-offset-4">{live.url}</a>
    </div>
    <div className="flex items-center gap-2">
      <CopyButton text={live.url} label="Copy link" />
      {slug === undefined && <Link to="/projects/$slug" params={{ slug: live.slug }} className={buttonClass()}>Open</Link>}
      <IconButton icon="close" label="Put away" onClick={() => putAway(id)} />
    </div>
  </>
)

const PLANS = new Set(["quota_exceeded", "payment_required"])

const Refused = ({ one: { again, id, name, refusal, workspace } }: { readonly one: Publishing }) => refusal === undefined ? null : (
  <>
    <Icon name="warn" className="shrink-0 text-bad" />
    <div role="alert" className="min-w-0 flex-1 basis-60">
      <p className="truncate font-medium">{name} could not be published</p>
      <p className="text-small text-bad">{refusal.status === 413 && refusal.code === "unreadable" ? "It is larger than this service takes." : refusal.message}</p>
    </div>
    <div className="flex items-center gap-2">
      {PLANS.has(refusal.code) && <Link to="/workspace/billing" search={workspace === undefined ? {} : { workspace }} className={buttonClass()}>See your plan</Link>}
      {(refusal.passing || refusal.atWork || refusal.signedOut) && <Button onClick={again}>Try again</Button>}
      <IconButton icon="close" label="Put away" onClick={() => putAway(id)} />
    </div>
  </>
)

/** Of one project, or all of them. */
export const Arrivals = ({ of }: { readonly of?: string }) => {
  const all = usePublishing().filter(({ slug }) => of === undefined || slug === of)
  if (all.length === 0) return null
  return (
    <ul aria-label="Publishing" className="divide-y divide-line rounded-sheet border border-line">
      {all.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
          {one.state === "sending" ? <Sending one={one} /> : one.state === "live" ? <Live one={one} /> : <Refused one={one} />}
        </li>
      ))}
    </ul>
  )
}
