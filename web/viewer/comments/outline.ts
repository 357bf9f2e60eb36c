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

/** The left edge: of two places on one line, the left one is read first. */
const leftOf = (place: Place): number => place.left?.() ?? place.range?.()?.getBoundingClientRect().left ?? place.spot?.()?.left ?? 0

export const outline = (list: HTMLElement, stage: Stage, isBeside: () => boolean) => {
  const heading = (textContent: string) => make("h3", { textContent })
  const [general, lost, elsewhere] = [heading(stage.path === undefined ? "About the whole document" : "About this page"), heading("Their place is gone"), heading("On other pages")]
  const empty = make("p", { className: "note" })
  let level: ReadonlyArray<Placed & { readonly place: Place }> = []
  let base = 0
  let reference: { readonly place: Place, readonly top: number, seen: number | undefined } | undefined
  let wanted: Outline | undefined
  /** The card that the reader asked for: level with its words, whatever its neighbours want. */
  let pinned: HTMLElement | undefined
  /** The card that the list was scrolled to; kept until the document moves, so that nothing scrolls it out of view again. */
  let held: HTMLElement | undefined

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
    list.scrollTop = list.getBoundingClientRect().top - base + reference.top - now
  }
  const align = (): void => {
    reference = undefined
    list.style.paddingBottom = ""
    for (const { element } of wanted?.placed ?? []) element.style.marginTop = ""
    const [first] = level
    if (!isBeside() || first === undefined) return
    const tops = level.map(({ place }) => place.top())
    const known = tops.filter((top) => top !== undefined)
    // The cards are sorted: if the first has no position, none has.
    if (tops[0] === undefined) return
    const listTop = list.getBoundingClientRect().top
    base = Math.min(listTop - (stage.scrolled?.() ?? scrollY), ...known)
    const rooms = level.map(({ element }, index) => ({ top: (tops[index] ?? -Infinity) - base, height: element.offsetHeight }))
    const { lift, spaces } = spaced(rooms, level.findIndex(({ element }, index) => element === pinned && tops[index] !== undefined))
    base -= lift
    level.forEach(({ element }, index) => (element.style.marginTop = `${spaces[index]}px`))
    list.style.paddingBottom = "50vh"
    reference = { place: first.place, top: tops[0], seen: undefined }
    follow()
    if (held !== undefined) return bring(held)
    // If its words are above the panel's list, the card that has the focus would be pulled out of view.
    const own = document.activeElement?.closest<HTMLElement>(".thread") ?? undefined
    if (own !== undefined && own.getBoundingClientRect().top < listTop + EDGE) bring(own)
  }
  const near = (element: HTMLElement | undefined): void => {
    pinned = held = element
    align()
    if (element !== undefined) bring(element)
  }
  const show = (next: Outline): void => {
    wanted = next
    const known = next.placed.flatMap((one) => one.place === undefined ? [] : [{ ...one, place: one.place, top: one.place.top() ?? Infinity, left: leftOf(one.place) }])
    level = known.sort((a, b) => (a.top === b.top ? a.left - b.left : a.top - b.top) || inOrder(a.anchor, b.anchor))
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
    align()
  }
  new ResizeObserver(align).observe(list)
  return { show, follow, near }
}

export type Levels = ReturnType<typeof outline>
