/** Where the comments' anchors are in what is shown now: looked for once, and again when the document has changed. */
import { isSamePage } from "../pages.ts"
import type { Anchor, Place, Stage } from "../stage.ts"
import type { Thread } from "./wire.ts"

/** How long a document must be quiet before lost anchors are looked for again. */
const QUIET_MS = 600

export const placed = (stage: Stage, changed: () => void) => {
  const anchors = new Map<string, Anchor>()
  const found = new Map<string, Place | undefined>()
  const looking = new Map<string, Promise<unknown>>()
  let page = stage.path?.()
  let waiting: ReturnType<typeof setTimeout> | undefined

  const drop = (id: string): void => {
    found.get(id)?.forget?.()
    anchors.delete(id)
    found.delete(id)
  }
  const settle = (id: string, anchor: Anchor, place: Place | undefined): void => {
    if (anchors.get(id) !== anchor) return void place?.forget?.()
    const isNews = place !== undefined || !found.has(id)
    found.set(id, place)
    if (isNews) changed()
  }
  const look = (id: string, anchor: Anchor): void => {
    const place = stage.find(anchor)
    if (!(place instanceof Promise)) {
      found.set(id, place)
      return
    }
    const asked: Promise<unknown> = place.then((one) => settle(id, anchor, one), () => undefined).finally(() => {
      if (looking.get(id) === asked) looking.delete(id)
    })
    looking.set(id, asked)
  }
  const add = (id: string, anchor: Anchor): void => {
    if (anchors.has(id)) drop(id)
    anchors.set(id, anchor)
    look(id, anchor)
  }

  stage.onLayout(() => {
    const now = stage.path?.()
    if (now !== undefined && page !== undefined && !isSamePage(now, page)) {
      page = now
      for (const id of [...anchors.keys()]) if (id !== "draft") drop(id)
    }
    changed()
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      const lost = [...anchors].filter(([id]) => found.get(id) === undefined && !looking.has(id))
      for (const [id, anchor] of lost) look(id, anchor)
      if (lost.some(([id]) => found.get(id) !== undefined)) changed()
    }, QUIET_MS)
  })

  const of = (id: string): Place | undefined => {
    const place = found.get(id)
    return place?.isGone?.() === true ? undefined : place
  }

  return {
    add,
    drop,
    /** Keeps the anchors of these threads only, besides the draft's. */
    want: (threads: ReadonlyArray<Thread>): void => {
      const wanted = new Set(threads.map(({ id }) => id))
      for (const id of [...anchors.keys()]) if (id !== "draft" && !wanted.has(id)) drop(id)
      for (const { anchor, id } of threads) if (anchor !== null && !anchors.has(id)) add(id, anchor)
    },
    of,
    /** Looked for and not found, or gone since. */
    isLost: (id: string): boolean => found.has(id) && of(id) === undefined,
    settled: (): Promise<unknown> => Promise.all(looking.values())
  }
}

export type Places = ReturnType<typeof placed>
