/**
 * A framed page as the comments see it, asked through its bridge. What the bridge answers is the author's word, so it
 * is checked and cut to length.
 */
import { listeners } from "./listeners.ts"
import type { FromBridge, FromShell, Selected } from "./messages.ts"
import { isSamePage } from "./pages.ts"
import type { Anchor, Place, Stage } from "./stage.ts"

/** How long `find` waits for a page that has no bridge or is busy; then it resolves with a place whose position is not known yet. */
const PATIENCE_MS = 3_000

const text = (value: unknown, most: number): string => typeof value === "string" ? value.slice(0, most).toWellFormed().replaceAll("\0", "") : ""
const number = (value: unknown): number => typeof value === "number" && Number.isFinite(value) ? Math.max(-1e7, Math.min(1e7, value)) : 0

export interface FrameStage {
  readonly stage: Stage
  /** True where the message was for the comments. */
  readonly hear: (message: FromBridge) => boolean
  /** The frame shows another document, which has not been told of any place yet. */
  readonly begun: () => void
}

interface Asked {
  readonly anchor: Anchor
  top: number | null | undefined
  left: number
  answer: ((place: Place | undefined) => void) | undefined
  /** Not found when first asked for; a page that renders its words late may still come to have it. */
  isLost: boolean
  readonly place: Place
}

export const frameStage = (frame: HTMLIFrameElement, ask: (message: FromShell) => void, go: (path: string) => void): FrameStage => {
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const moved = listeners<[]>()
  const opened = listeners<[Anchor]>()
  const asked = new Map<string, Asked>()
  let [count, scrolled, path] = [0, 0, location.pathname]
  let selected: Anchor | undefined

  const want = (id: string, { prefix = "", quote = "", selector = "", suffix = "" }: Anchor): void =>
    ask({ svc: "find", id, selected: { quote, prefix, suffix, selector } })

  const find = (anchor: Anchor): Promise<Place | undefined> => {
    const id = String(++count)
    for (const one of asked.values()) if (one.isLost && JSON.stringify(one.anchor) === JSON.stringify(anchor)) one.place.forget?.()
    return new Promise((answer) => {
      const place: Place = {
        top: () => {
          const top = asked.get(id)?.top
          return typeof top === "number" ? frame.getBoundingClientRect().top + top : undefined
        },
        left: () => asked.get(id)?.left,
        isGone: () => asked.get(id)?.top === null,
        focus: () => ask({ svc: "focus", id }),
        clear: () => ask({ svc: "point", id, on: false }),
        point: (on) => ask({ svc: "point", id, on }),
        forget: () => {
          asked.delete(id)
          ask({ svc: "forget", id })
        }
      }
      asked.set(id, { anchor, top: undefined, left: 0, answer, isLost: false, place })
      want(id, anchor)
      setTimeout(() => {
        const one = asked.get(id)
        one?.answer?.(place)
        if (one !== undefined) one.answer = undefined
      }, PATIENCE_MS)
    })
  }
  const settle = (id: string, top: number | null): boolean => {
    const one = asked.get(id)
    if (one === undefined) return false
    const first = one.answer
    if (first === undefined) {
      one.top = top
      if (one.isLost && top !== null) {
        one.place.forget?.()
        // Makes the comments look for the lost place again.
        moved.tell()
      }
      return false
    }
    one.answer = undefined
    one.top = top
    one.isLost = top === null
    first(one.isLost ? undefined : one.place)
    return true
  }

  const selection = ({ at, scrolled: far, selected: given }: Extract<FromBridge, { svc: "selection" }>): void => {
    // The selection may be reported before the scroll that led to it.
    scrolled = Math.max(0, number(far))
    const quote = text(given?.quote, 1_000)
    const anchor: Anchor | undefined = quote.trim() === "" ? undefined : {
      path: location.pathname, quote, prefix: text(given?.prefix, 100), suffix: text(given?.suffix, 100), selector: selectorOf(given)
    }
    selected = anchor
    const rect = frame.getBoundingClientRect()
    const [left, top, width, height] = Array.isArray(at) ? at.map(number) : []
    captured.tell(anchor, anchor === undefined ? undefined : new DOMRect(rect.left + (left ?? 0), rect.top + (top ?? 0), width ?? 0, height ?? 0))
  }
  const places = ({ places: given, scrolled: far }: Extract<FromBridge, { svc: "places" }>): void => {
    if (!Array.isArray(given)) return
    const before = scrolled
    scrolled = Math.max(0, number(far))
    let [hasMoved, isAnew] = [scrolled !== before, false]
    for (const [id, top, left] of given.slice(0, 1_000)) {
      const one = asked.get(String(id))
      const now = top === null ? null : number(top)
      const known = one?.top
      hasMoved ||= typeof known === "number" && known !== now
      // It moved by another distance than the scroll: something appeared, disappeared or unfolded in between.
      isAnew ||= one?.answer === undefined && one?.isLost === false && (known === undefined || Math.abs((known ?? Infinity) - (now ?? Infinity) - scrolled + before) > 1)
      if (one !== undefined) one.left = number(left)
      settle(String(id), now)
    }
    // As if the frame were a part of this page, so that what is level with it follows. `places`: words were only found, nothing moved.
    frame.dispatchEvent(new Event(hasMoved ? "scroll" : "places"))
    if (isAnew) moved.tell()
  }

  return {
    hear: (message) => {
      if (message.svc === "selection") selection(message)
      else if (message.svc === "places") places(message)
      else if (message.svc === "pick") {
        const one = asked.get(String(message.id))
        if (one !== undefined && navigator.userActivation.isActive) opened.tell(one.anchor)
      } else return false
      return true
    },
    begun: () => {
      if (!isSamePage(path, location.pathname)) {
        path = location.pathname
        // A page that changes its path within the same document must forget them too, including those lost or not yet answered.
        for (const { answer, place } of [...asked.values()]) {
          answer?.(undefined)
          place.forget?.()
        }
        moved.tell()
      } else for (const [id, { anchor }] of asked) want(id, anchor)
      selected = undefined
      captured.tell(undefined, undefined)
    },
    stage: {
      capture: () => selected,
      onCapture: captured.add,
      find,
      onLayout: moved.add,
      path: () => location.pathname,
      go,
      onOpen: opened.add,
      scrolled: () => scrolled
    }
  }
}

const selectorOf = (given: Selected | null): string => {
  const selector = text(given?.selector, 1_001)
  return selector.length > 1_000 ? "" : selector
}
