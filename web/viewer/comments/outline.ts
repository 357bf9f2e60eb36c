/** The list in the panel: cards level with what they are about, then general ones, those whose place is gone, and those on other pages. */
import type { Anchor, Place, Stage } from "../stage.ts"
import { make } from "./elements.ts"
import { inOrder, spaced } from "./level.ts"

export interface Placed {
  readonly element: HTMLElement
  readonly anchor: Anchor
  /** Undefined while it is looked for. */
  readonly place: Place | undefined
}

export interface Outline {
  readonly placed: ReadonlyArray<Placed>
  readonly general: ReadonlyArray<HTMLElement>
  readonly lost: ReadonlyArray<HTMLElement>
  readonly elsewhere: ReadonlyArray<HTMLElement>
  readonly empty: string
}

/** Elements that are already in place are not moved, so that a field in use keeps the focus. */
const filled = (list: HTMLElement, wanted: ReadonlyArray<HTMLElement>): void => {
  const focus = document.activeElement
  const keeps = new Set<Element>(wanted)
  for (const one of [...list.children]) if (!keeps.has(one)) one.remove()
  wanted.forEach((one, index) => {
    if (list.children[index] !== one) list.insertBefore(one, list.children[index] ?? null)
  })
  if (focus instanceof HTMLElement && focus !== document.activeElement && list.contains(focus)) focus.focus({ preventScroll: true })
}

const EDGE = 12
/** Cards are filled this far before they come into view. */
const AHEAD = 800

/** The left edge: of two places on one line, the left one is read first. */
const leftOf = (place: Place): number => place.left?.() ?? place.range?.()?.getBoundingClientRect().left ?? place.spot?.()?.left ?? 0

export const outline = (list: HTMLElement, stage: Stage, isBeside: () => boolean, fill: (card: HTMLElement) => void) => {
  const heading = (textContent: string) => make("h3", { textContent })
  const [general, lost, elsewhere] = [heading(stage.path === undefined ? "About the whole document" : "About this page"), heading("Their place is gone"), heading("On other pages")]
  const empty = make("p", { className: "note" })
  let level: ReadonlyArray<Placed & { readonly place: Place }> = []
  /** Where their places were when last looked at, in the same order. */
  let tops: ReadonlyArray<number | undefined> = []
  let base = 0
  /** How far the first words stand above the top of the list where the document is at its own. */
  let above = 0
  let reference: { readonly place: Place, readonly top: number, seen: number | undefined } | undefined
  let wanted: Outline | undefined
  /** The card that the reader asked for: level with its words, whatever its neighbours want. */
  let pinned: HTMLElement | undefined
  /** The card that the list was scrolled to; kept until the document moves, so that nothing scrolls it out of view again. */
  let held: HTMLElement | undefined
  /** Where the list was scrolled to with the document: anywhere else, the reader has scrolled it. */
  let followed: number | undefined

  const scrolled = (): number => stage.scrolled?.() ?? scrollY

  /** Scrolls the list alone, never the document. */
  const bring = (element: HTMLElement): void => {
    if (!list.contains(element)) return
    const [room, own] = [list.getBoundingClientRect(), element.getBoundingClientRect()]
    if (own.top < room.top + EDGE) list.scrollTop += own.top - room.top - EDGE
    else if (own.bottom > room.bottom - EDGE) list.scrollTop += Math.min(own.bottom - room.bottom + EDGE, own.top - room.top - EDGE)
  }
  const follow = (): void => {
    const now = reference?.place.top()
    if (reference === undefined || now === undefined || now === reference.seen) return
    if (reference.seen !== undefined) held = undefined
    reference.seen = now
    // At the very top of the document the first card is whole, though its words stand above the list; as they go away, it comes level with them.
    const behind = pinned === undefined ? Math.max(0, above - scrolled()) : 0
    list.scrollTop = list.getBoundingClientRect().top - base + reference.top - now - behind
    followed = list.scrollTop
  }
  const space = (): void => {
    reference = undefined
    const [first] = level
    // The cards are sorted: if the first has no position, none has.
    if (!isBeside() || first === undefined || tops[0] === undefined) {
      list.classList.remove("level")
      for (const { element } of wanted?.placed ?? []) element.style.marginTop = ""
      return
    }
    const known = tops.filter((top) => top !== undefined)
    const listTop = list.getBoundingClientRect().top
    const top = listTop - scrolled()
    base = Math.min(top, ...known)
    above = top - base
    const rooms = level.map(({ element }, index) => ({ top: (tops[index] ?? -Infinity) - base, height: element.offsetHeight }))
    const { lift, spaces } = spaced(rooms, level.findIndex(({ element }, index) => element === pinned && tops[index] !== undefined))
    base -= lift
    // Written only where it changes: every margin written is laid out anew.
    level.forEach(({ element: { style } }, index) => {
      const margin = `${spaces[index]}px`
      if (style.marginTop !== margin) style.marginTop = margin
    })
    list.classList.add("level")
    reference = { place: first.place, top: tops[0], seen: undefined }
    follow()
    if (held !== undefined) return bring(held)
    // If its words are above the panel's list, the card that has the focus would be pulled out of view.
    const own = document.activeElement?.closest<HTMLElement>(".thread") ?? undefined
    if (own !== undefined && own.getBoundingClientRect().top < listTop + EDGE) bring(own)
  }
  const align = (): void => {
    tops = level.map(({ place }) => place.top())
    space()
  }
  /** Fills cards near the view; what a reader who scrolled the list sees at its top stays there. */
  const approach = (cards: ReadonlyArray<Element>): void => {
    if (cards.length === 0) return
    const edge = list.getBoundingClientRect().top
    const first = list.scrollTop === followed ? undefined : [...list.children].find((one) => one.getBoundingClientRect().bottom > edge)
    const before = first?.getBoundingClientRect().top
    for (const one of cards) {
      watched.unobserve(one)
      fill(one as HTMLElement)
    }
    space()
    if (first !== undefined && before !== undefined) list.scrollTop += first.getBoundingClientRect().top - before
  }
  const watched = new IntersectionObserver((seen) => approach(seen.flatMap(({ isIntersecting, target }) => isIntersecting ? [target] : [])), { root: list, rootMargin: `${AHEAD}px 0px` })
  const near = (element: HTMLElement | undefined): void => {
    pinned = held = element
    align()
    if (element !== undefined) bring(element)
  }
  const show = (next: Outline): void => {
    wanted = next
    const known = next.placed.flatMap((one) => one.place === undefined ? [] : [{ ...one, place: one.place, top: one.place.top() }])
    const lefts = new Map<Place, number>()
    const left = (place: Place): number => lefts.get(place) ?? lefts.set(place, leftOf(place)).get(place)!
    level = known.sort((a, b) => (a.top === b.top ? left(a.place) - left(b.place) : (a.top ?? Infinity) - (b.top ?? Infinity)) || inOrder(a.anchor, b.anchor))
    tops = known.map(({ top }) => top)
    const without = next.placed.filter(({ place }) => place === undefined).map(({ element }) => element)
    const elements = [
      ...without,
      ...level.map(({ element }) => element),
      ...(next.general.length === 0 ? [] : [general, ...next.general]),
      ...(next.lost.length === 0 ? [] : [lost, ...next.lost]),
      ...(next.elsewhere.length === 0 ? [] : [elsewhere, ...next.elsewhere])
    ]
    empty.textContent = next.empty
    for (const one of [...next.general, ...next.lost, ...next.elsewhere, ...without]) one.style.marginTop = ""
    filled(list, elements.length === 0 ? [empty] : elements)
    space()
    const { bottom, top } = list.getBoundingClientRect()
    const briefs = [...list.querySelectorAll(".brief")].map((one) => ({ one, at: one.getBoundingClientRect() }))
    for (const { one } of briefs) watched.observe(one)
    approach(briefs.flatMap(({ at, one }) => at.bottom > top - AHEAD && at.top < bottom + AHEAD ? [one] : []))
  }
  new ResizeObserver(align).observe(list)
  return { show, follow, near }
}

export type Levels = ReturnType<typeof outline>
