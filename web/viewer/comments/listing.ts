/** The cards in the panel: one per thread, filled when first near the view; and which part of the list each belongs to. */
import { card } from "./card.ts"
import type { Card, CardParts } from "./card.ts"
import type { Outline } from "./outline.ts"
import type { Places } from "./placed.ts"
import type { Thread } from "./wire.ts"
import { isGeneral } from "./words.ts"

const newest = (a: Thread, b: Thread): number => b.created_at.localeCompare(a.created_at)

/** `isHere`: whether the thread is on the page that is shown. */
export const listing = (parts: CardParts, places: Places, isHere: (thread: Thread) => boolean) => {
  const cards = new Map<string, Card>()
  const gone = new Set<string>()
  const elementOf = (thread: Thread): HTMLElement => {
    const made = cards.get(thread.id)
    if (made !== undefined) {
      made.update(thread, gone.has(thread.id))
      return made.element
    }
    const fresh = card(thread, parts, isHere)
    cards.set(thread.id, fresh)
    return fresh.element
  }

  return {
    element: (id: string): HTMLElement | undefined => cards.get(id)?.element,
    fill: (id: string): void => cards.get(id)?.fill(),
    isWriting: (id: string): boolean => cards.get(id)?.isWriting() === true,
    /** Drops all other cards. Returns the threads of those being written in, which stay. */
    keep: (has: (id: string) => boolean): ReadonlyArray<Thread> => {
      gone.clear()
      return [...cards].flatMap(([id, card]) => {
        if (has(id)) return []
        if (!card.isWriting()) {
          cards.delete(id)
          return []
        }
        gone.add(id)
        return [card.thread()]
      })
    },
    /** Drops a card even if something is being written in it. */
    drop: (id: string): void => void cards.delete(id),
    inParts: (shown: ReadonlyArray<Thread>): Omit<Outline, "empty"> => {
      const here = shown.filter(isHere)
      const about = here.filter(({ anchor }) => !isGeneral(anchor))
      return {
        // Includes those still being looked for: they can be read and answered meanwhile.
        placed: about.filter(({ id }) => !places.isLost(id))
          .map((thread) => ({ element: elementOf(thread), anchor: thread.anchor!, place: places.of(thread.id) })),
        general: here.filter(({ anchor }) => isGeneral(anchor)).sort(newest).map(elementOf),
        lost: about.filter(({ id }) => places.isLost(id)).sort(newest).map(elementOf),
        elsewhere: shown.filter((one) => !isHere(one)).sort((a, b) => a.anchor!.path.localeCompare(b.anchor!.path) || newest(b, a)).map(elementOf)
      }
    }
  }
}

export type Cards = ReturnType<typeof listing>
