/** Fingers, mouse and wheel on a window: what they move, by how much they zoom, and where they click. */
import type { Spot } from "./view.ts"

export interface Hands {
  readonly move: (x: number, y: number) => void
  readonly zoom: (factor: number, at: Spot) => void
  readonly click: (at: Spot) => void
  readonly twice: (at: Spot) => void
}

/** A hand that holds still trembles this much. */
const STILL = 4

export const watchHands = (table: HTMLElement, hands: Hands): void => {
  const down = new Map<number, Spot>()
  let moved = 0

  const spot = (event: MouseEvent): Spot => {
    const { left, top } = table.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const apart = ([one, other]: ReadonlyArray<Spot>): number => Math.hypot(one!.x - other!.x, one!.y - other!.y)
  const middle = (spots: ReadonlyArray<Spot>): Spot => ({
    x: spots.reduce((sum, { x }) => sum + x, 0) / spots.length,
    y: spots.reduce((sum, { y }) => sum + y, 0) / spots.length
  })

  table.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return
    if (down.size === 0) moved = 0
    down.set(event.pointerId, spot(event))
    table.setPointerCapture(event.pointerId)
    table.classList.add("dragging")
  })
  table.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return
    const before = [...down.values()]
    down.set(event.pointerId, spot(event))
    const after = [...down.values()]
    const [from, to] = [middle(before), middle(after)]
    moved += Math.hypot(to.x - from.x, to.y - from.y)
    hands.move(to.x - from.x, to.y - from.y)
    if (after.length === 2 && apart(before) > 0) hands.zoom(apart(after) / apart(before), to)
  })
  const up = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId) || down.size > 0) return
    table.classList.remove("dragging")
    if (event.type === "pointerup" && moved <= STILL) hands.click(spot(event))
  }
  table.addEventListener("pointerup", up)
  table.addEventListener("pointercancel", up)
  table.addEventListener("dblclick", (event) => hands.twice(spot(event)))
  table.addEventListener("wheel", (event) => {
    event.preventDefault()
    // Lines and pages are for wheels that tell no pixels; a pinch comes as a wheel with Ctrl, in small steps.
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode]!
    hands.zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * (event.ctrlKey ? 0.01 : 0.002)), spot(event))
  }, { passive: false })
}
