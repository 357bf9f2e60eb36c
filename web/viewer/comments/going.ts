/** Going to a thread's place, to its card, and from one card to the next. */
import type { Stage } from "../stage.ts"
import { arriving } from "./arriving.ts"
import type { Cards } from "./listing.ts"
import type { Looking } from "./looking.ts"
import type { Levels } from "./outline.ts"
import type { Places } from "./placed.ts"
import type { Threads } from "./threads.ts"
import type { Thread } from "./wire.ts"

export interface GoingOptions {
  readonly talk: Threads
  readonly places: Places
  readonly cards: Cards
  readonly looked: Looking
  readonly levels: Levels
  readonly list: HTMLElement
  readonly stage: Pick<Stage, "go">
  /** Whether the thread is on the page that is shown. */
  readonly isHere: (thread: Thread) => boolean
  readonly openPanel: () => void
  readonly render: () => void
}

export const going = ({ cards, isHere, levels, list, looked, openPanel, places, render, stage, talk }: GoingOptions) => {
  const jump = (id: string): void => {
    const thread = talk.get(id)
    if (thread === undefined) return
    if (isHere(thread)) return looked.goTo(id, places.of(id))
    arrival.leave(id)
    stage.go?.(thread.anchor!.path)
  }
  const turnTo = (element: HTMLElement | undefined): void => {
    element?.focus({ preventScroll: true })
    levels.near(element)
  }
  /** Shows a thread's card, reached from its mark or from a neighbouring card. */
  const reveal = (id: string): void => {
    const thread = talk.get(id)
    if (thread === undefined) return
    talk.lookFor(thread)
    openPanel()
    render()
    turnTo(cards.element(id))
    looked.hold(id)
  }
  const threads = (): Array<HTMLElement> => [...list.querySelectorAll<HTMLElement>(".thread:not(.draft)")]
  /** Call before a card may go, or a reply in the one that has the focus: what is called then turns to the card, or else to the one that takes its place, or the one before it. */
  const leaving = (id: string): (() => void) => {
    const [card, all] = [cards.element(id) ?? document.activeElement?.closest(".thread"), threads()]
    const at = all.findIndex((one) => one === card)
    const nearest = at === -1 ? [] : [...all.slice(at), ...all.slice(0, at).toReversed()]
    return () => {
      // What had the focus is still there, or the reader has gone on elsewhere.
      if (document.activeElement !== document.body) return
      const next = nearest.find((one) => one.isConnected)
      if (next === undefined) list.focus()
      else turnTo(next)
    }
  }
  const step = (by: 1 | -1): void => {
    openPanel()
    const elements = threads()
    const at = elements.findIndex((one) => one.contains(document.activeElement))
    const next = elements[at === -1 ? (by === 1 ? 0 : elements.length - 1) : at + by]
    const id = next?.id.slice("comment-".length)
    if (next === undefined || id === undefined) return
    if (places.of(id) !== undefined) jump(id)
    turnTo(next)
  }
  const arrival = arriving({ has: talk.has, reveal, jump, isFound: (id) => places.of(id)?.top() !== undefined })
  return { jump, reveal, step, leaving, arrival }
}

export type Going = ReturnType<typeof going>
