/**
 * Follows changes to the comments while the page is looked at: a stream of events, reopened with growing pauses. While
 * there is none, or something between holds back what it says, the comments are listed every fifteen seconds. A hidden
 * window holds no stream, since browsers allow few connections to one host.
 */
import type { Change } from "./wire.ts"

const EVENTS = "/_svc/comments/events"
const KINDS = ["created", "edited", "deleted", "resolved", "reopened"] as const
const FIRST_MS = 1_000
const MOST_MS = 30_000
const LIST_MS = 15_000
/** The first list is asked for without the stream if that has not begun by then. */
const LATE_MS = 2_000
/** A stream that delivers says something every ten seconds. */
const SILENT_MS = 30_000

export interface LiveOptions {
  readonly changed: (change: Change) => void
  /** Changes may have been missed. */
  readonly anew: () => void
  /** A newer version is served from now on. */
  readonly published: (version: number) => void
}

/** Answers whether nothing can have been missed since the stream last said that it begins. */
export const follow = ({ anew, changed, published }: LiveOptions): (() => boolean) => {
  let source: EventSource | undefined
  let pause = FIRST_MS
  let waiting: ReturnType<typeof setTimeout> | undefined
  let late: ReturnType<typeof setTimeout> | undefined
  let isReady = false
  /** When the stream was opened, or last said something. */
  let heard = 0
  const isSilent = (): boolean => performance.now() - heard > SILENT_MS
  const isLive = (): boolean => isReady && !isSilent()

  const close = (): void => {
    clearTimeout(waiting)
    isReady = false
    source?.close()
    source = undefined
  }
  const lost = (): void => {
    close()
    waiting = setTimeout(open, pause * (0.5 + Math.random()))
    pause = Math.min(MOST_MS, pause * 2)
  }
  const open = (): void => {
    close()
    clearTimeout(late)
    if (document.hidden) return
    const stream = source = new EventSource(EVENTS)
    const hear = (): void => {
      heard = performance.now()
    }
    hear()
    late = setTimeout(anew, LATE_MS)
    stream.addEventListener("ready", () => {
      hear()
      clearTimeout(late)
      isReady = true
      pause = FIRST_MS
      anew()
    })
    stream.addEventListener("here", hear)
    stream.addEventListener("published", (event: MessageEvent<string>) => {
      hear()
      published((JSON.parse(event.data) as { readonly version: number }).version)
    })
    for (const kind of KINDS) {
      stream.addEventListener(kind, (event: MessageEvent<string>) => {
        hear()
        changed(JSON.parse(event.data) as Change)
      })
    }
    stream.addEventListener("error", () => source === stream && lost())
  }

  setInterval(() => {
    if (document.hidden || isLive()) return
    anew()
    if (source !== undefined && isSilent()) lost()
  }, LIST_MS)
  addEventListener("focus", () => isLive() || anew())
  addEventListener("online", open)
  document.addEventListener("visibilitychange", open)
  // A page in the back/forward cache must not keep its connection.
  addEventListener("pagehide", close)
  addEventListener("pageshow", ({ persisted }) => persisted && open())
  open()
  return isLive
}
