/** What comments are about, marked in the document: a tint under words, a pin on a spot. A click on either opens the comment. */
import type { Place } from "../stage.ts"
import { make } from "./elements.ts"

export interface Marks {
  /** Draws them all anew; each by the id of its thread. */
  readonly show: (places: ReadonlyMap<string, Place>) => void
  /** One of them more strongly, while its comment is looked at. */
  readonly point: (id: string | undefined) => void
  /** Something was scrolled. */
  readonly follow: () => void
}

const highlight = (name: string, ranges: ReadonlyArray<Range>): void => {
  if (ranges.length === 0) CSS.highlights?.delete(name)
  else CSS.highlights?.set(name, new Highlight(...ranges))
}

export const marks = (stage: HTMLElement, open: (id: string) => void): Marks => {
  const layer = make("div", { className: "comment-pins" })
  document.body.append(layer)
  let shown: ReadonlyMap<string, Place> = new Map()
  let pointed: string | undefined
  const pins = new Map<string, HTMLButtonElement>()

  const draw = (): void => {
    const ranges: Array<Range> = []
    for (const [id, place] of shown) {
      const range = place.range?.()
      // Not twice: the two tints would add up.
      if (range !== undefined && id !== pointed) ranges.push(range)
      const spot = place.spot?.()
      const pin = pins.get(id)
      if (pin === undefined) continue
      pin.hidden = spot === undefined
      if (spot !== undefined) pin.style.translate = `${spot.x}px ${spot.y}px`
    }
    highlight("commented", ranges)
    const range = pointed === undefined ? undefined : shown.get(pointed)?.range?.()
    highlight("comment-pointed", range === undefined ? [] : [range])
  }
  const within = ({ clientX: x, clientY: y }: MouseEvent, range: Range): boolean =>
    [...range.getClientRects()].some(({ bottom, left, right, top }) => x >= left && x <= right && y >= top && y <= bottom)

  stage.addEventListener("click", (event) => {
    if (getSelection()?.isCollapsed === false || (event.target instanceof Element && event.target.closest("a,button,summary,input") !== null)) return
    // The shortest of several: the others can be clicked beside it.
    const hit = [...shown].flatMap(([id, place]) => {
      const range = place.range?.()
      return range !== undefined && within(event, range) ? [{ id, length: range.toString().length }] : []
    }).sort((a, b) => a.length - b.length)[0]
    if (hit !== undefined) open(hit.id)
  })

  return {
    show: (places) => {
      shown = places
      for (const [id, pin] of pins) {
        if (places.has(id)) continue
        pin.remove()
        pins.delete(id)
      }
      for (const [id, place] of places) {
        if (place.spot === undefined || pins.has(id)) continue
        const pin = make("button", { type: "button", className: "comment-pin", onclick: () => open(id) })
        pin.setAttribute("aria-label", "Open the comment on this spot")
        pins.set(id, pin)
        layer.append(pin)
      }
      draw()
    },
    point: (id) => {
      pointed = id
      for (const [one, pin] of pins) pin.classList.toggle("pointed", one === id)
      for (const [one, place] of shown) place.point?.(one === id)
      draw()
    },
    follow: () => {
      for (const [id, pin] of pins) {
        const spot = shown.get(id)?.spot?.()
        pin.hidden = spot === undefined
        if (spot !== undefined) pin.style.translate = `${spot.x}px ${spot.y}px`
      }
    }
  }
}
