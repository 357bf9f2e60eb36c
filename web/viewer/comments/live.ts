/**
 * Follows changes to the comments while the page is looked at: a stream of events, reopened with growing pauses. While
 * there is none, the comments are listed every fifteen seconds. A hidden window holds no stream, since browsers allow
 * few connections to one host.
 */
import type { Change } from "./wire.ts"

const EVENTS = "/_svc/comments/events"
const KINDS = ["created", "edited", "deleted", "resolved", "reopened"] as const
const FIRST_MS = 1_000
const MOST_MS = 30_000
const LIST_MS = 15_000

export interface LiveOptions {
  readonly changed: (change: Change) => void
  /** Changes may have been missed. */
  readonly anew: () => void
}

export const follow = ({ anew, changed }: LiveOptions): void => {
  let source: EventSource | undefined
  let pause = FIRST_MS
  let waiting: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    clearTimeout(waiting)
    source?.close()
    source = undefined
  }
  const open = (): void => {
    close()
    if (document.hidden) return
    const stream = source = new EventSource(EVENTS)
    stream.addEventListener("ready", () => {
      pause = FIRST_MS
      anew()
    })
    for (const kind of KINDS) stream.addEventListener(kind, (event: MessageEvent<string>) => changed(JSON.parse(event.data) as Change))
    stream.addEventListener("error", () => {
      if (source !== stream) return
      close()
      waiting = setTimeout(open, pause * (0.5 + Math.random()))
      pause = Math.min(MOST_MS, pause * 2)
    })
  }

  setInterval(() => source?.readyState === EventSource.OPEN || document.hidden || anew(), LIST_MS)
  addEventListener("focus", () => source?.readyState === EventSource.OPEN || anew())
  addEventListener("online", open)
  document.addEventListener("visibilitychange", open)
  // A page in the back/forward cache must not keep its connection.
  addEventListener("pagehide", close)
  addEventListener("pageshow", ({ persisted }) => persisted && open())
  open()
}
