/** What a screen shows in place of itself: an error with a next step, nothing at this address, no connection. */
import { useQueryErrorResetBoundary } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { asRefusal, CHECK_CONNECTION, Refusal } from "../api/refusal.ts"
import { Button, buttonClass } from "../ui/button.tsx"
import { Icon, Mark } from "../ui/icon.tsx"
import type { Read } from "../ui/missing.tsx"
import { Empty } from "../ui/parts.tsx"
import { backAfter } from "../ui/way-back.ts"
import { useTitle } from "./page.tsx"
import { isLeaving, isSignedOut, sessionEnded } from "./session.ts"

export const NotFound = ({ what = "There is no such page" }: { readonly what?: string }) => {
  useTitle(what)
  return (
    <Empty screen icon="empty" title={what} action={<Link to="/" className={buttonClass("filled")}>Go to the library</Link>}>
      It may have moved, been deleted, or belong to a workspace that you are not in.
    </Empty>
  )
}

/** For where there is no frame around it. */
export const NotFoundAlone = () => (
  <main className="mx-auto grid min-h-dvh max-w-[28rem] content-start justify-items-center gap-2 px-4 py-8 sm:content-center">
    <a href="/" className="rounded-control p-1.5"><Mark size={32} /><span className="sr-only">svc, the front page</span></a>
    <NotFound />
  </main>
)

const TITLES: Readonly<Record<string, string>> = {
  offline: "svc cannot be reached",
  forbidden: "This is not yours to open",
  rate_limited: "Too many requests"
}

interface TroubleProps {
  readonly error: unknown
  readonly reset: () => void
}

const Failed = ({ error, reset }: TroubleProps) => {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const refusal = asRefusal(error)
  const title = TITLES[refusal.code] ?? "This did not load"
  useTitle(title)
  // A bug of ours, or a part of the app that did not load, which Firefox asks for again only where the page is loaded anew.
  const isBroken = !(error instanceof Refusal)
  const again = () => {
    if (isBroken && navigator.onLine) return location.reload()
    queries.reset()
    reset()
    void router.invalidate()
  }
  // Retries by itself once the connection is back.
  useEffect(() => {
    if (!refusal.offline) return
    addEventListener("online", again)
    return () => removeEventListener("online", again)
  })
  return (
    <div role="alert">
      <Empty screen icon="warn" title={title} action={<Button shape="filled" onClick={again}>{isBroken ? "Reload" : "Try again"}</Button>}>
        <p>{refusal.offline ? CHECK_CONNECTION : refusal.message}</p>
        {refusal.requestId !== null && <p className="mt-2 text-small">Request <code className="font-mono">{refusal.requestId}</code></p>}
      </Empty>
    </div>
  )
}

/** The error boundary of each route. */
export const Trouble = ({ error, reset }: TroubleProps) => {
  useEffect(() => {
    if (isSignedOut(error)) sessionEnded()
  }, [error])
  if (isSignedOut(error) && isLeaving()) return null
  return asRefusal(error).status === 404 ? <NotFound /> : <Failed error={error} reset={reset} />
}

type UnreadProps = { readonly of: Pick<Read, "error" | "refetch"> }

/** In place of a screen whose data did not arrive. */
export const Unread = ({ of: { error, refetch } }: UnreadProps) => <Trouble error={error} reset={() => backAfter(refetch())} />

/** For where there is no frame around it. */
export const UnreadAlone = ({ of }: UnreadProps) => <main className="py-12"><Unread of={of} /></main>

export const OfflineBanner = () => {
  const [away, setAway] = useState(!navigator.onLine)
  useEffect(() => {
    const look = () => setAway(!navigator.onLine)
    addEventListener("online", look)
    addEventListener("offline", look)
    return () => {
      removeEventListener("online", look)
      removeEventListener("offline", look)
    }
  }, [])
  return (
    <div role="status">
      {away && (
        <p className="flex items-start gap-3 border-b border-line px-4 py-2.5 text-warn md:px-8">
          <Icon name="warn" className="mt-px shrink-0" />You are offline. What you see may be old; nothing can be saved until you are back.
        </p>
      )}
    </div>
  )
}
