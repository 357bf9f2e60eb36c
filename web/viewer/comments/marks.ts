/** Marks in the document what comments are about: a tint under words, a pin on a spot, a frame around a box. A click on a mark opens its comment, a click elsewhere lets go. */
import type { Place } from "../stage.ts"
import { make } from "./elements.ts"

export interface Marks {
  /** Draws all marks anew, by thread id. */
  readonly show: (places: ReadonlyMap<string, Place>) => void
  /** Draws one mark more strongly, while its comment is looked at. */
  readonly point: (id: string | undefined) => void
  /** Something was scrolled. */
  readonly follow: () => void
}

const highlight = (name: string, ranges: ReadonlyArray<Range>): void => {
  if (ranges.length === 0) CSS.highlights?.delete(name)
  else CSS.highlights?.set(name, new Highlight(...ranges))
}

export const marks = (stage: HTMLElement, open: (id: string | undefined) => void): Marks => {
  const layer = make("div", { className: "comment-pins" })
  document.body.append(layer)
  let shown: ReadonlyMap<string, Place> = new Map()
  let pointed: string | undefined
  const pins = new Map<string, { readonly pin: HTMLButtonElement, readonly box: HTMLElement }>()

  const put = (): void => {
    if (pins.size === 0) return
    const room = stage.getBoundingClientRect()
    // All are looked at before any is moved: in turns, each look would wait for the page to be styled anew.
    const spots = [...pins].map(([id, one]) => ({ ...one, spot: shown.get(id)?.spot?.() }))
    Object.assign(layer.style, { translate: `${room.left}px ${room.top}px`, width: `${room.width}px`, height: `${room.height}px` })
    for (const { box, pin, spot } of spots) {
      const [x, y] = spot === undefined ? [0, 0] : [spot.left - room.left, spot.top - room.top]
      const isOut = spot === undefined || x < -1 || y < -1 || x > room.width || y > room.height
      if (pin.hidden !== isOut) pin.hidden = isOut
      pin.style.translate = `${x}px ${y}px`
      const isNoBox = spot === undefined || (spot.width === 0 && spot.height === 0)
      if (box.hidden !== isNoBox) box.hidden = isNoBox
      if (box.hidden || spot === undefined) continue
      Object.assign(box.style, { translate: `${x}px ${y}px`, width: `${spot.width}px`, height: `${spot.height}px` })
    }
  }

  const draw = (): void => {
    const ranges: Array<Range> = []
    for (const [id, place] of shown) {
      const range = place.range?.()
      // Not twice: the two tints would add up.
      if (range !== undefined && id !== pointed) ranges.push(range)
    }
    put()
    highlight("commented", ranges)
    const range = pointed === undefined ? undefined : shown.get(pointed)?.range?.()
    highlight("comment-pointed", range === undefined ? [] : [range])
  }
  const within = ({ clientX: x, clientY: y }: MouseEvent, range: Range): boolean =>
    [...range.getClientRects()].some(({ bottom, left, right, top }) => x >= left && x <= right && y >= top && y <= bottom)

  stage.addEventListener("click", (event) => {
    if (getSelection()?.isCollapsed === false || (event.target instanceof Element && event.target.closest("a,button,summary,input") !== null)) return
    // Of several, the shortest: the others can be clicked beside it.
    const hit = [...shown].flatMap(([id, place]) => {
      const range = place.range?.()
      return range !== undefined && within(event, range) ? [{ id, length: range.toString().length }] : []
    }).sort((a, b) => a.length - b.length)[0]
    open(hit?.id)
  })

  return {
    show: (places) => {
      shown = places
      for (const [id, { box, pin }] of pins) {
        if (places.has(id)) continue
        pin.remove()
        box.remove()
        pins.delete(id)
      }
      for (const [id, place] of places) {
        if (place.spot === undefined || pins.has(id)) continue
        const pin = make("button", { type: "button", className: "comment-pin", onclick: () => open(id) })
        pin.setAttribute("aria-label", "Open the comment on this spot")
        const box = make("div", { className: "comment-box" })
        pins.set(id, { pin, box })
        layer.append(box, pin)
      }
      draw()
    },
    point: (id) => {
      pointed = id
      for (const [one, { box, pin }] of pins) for (const { classList } of [pin, box]) classList.toggle("pointed", one === id)
      for (const [one, place] of shown) place.point?.(one === id)
      draw()
    },
    follow: put
  }
}
