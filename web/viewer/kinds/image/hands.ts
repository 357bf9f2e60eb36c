/** Touch, mouse and wheel on a window: what they move or draw, how far they zoom, and where they click. */
import type { Spot } from "../../spots.ts"

export interface Hands {
  readonly move: (x: number, y: number) => void
  readonly zoom: (factor: number, at: Spot) => void
  readonly click: (at: Spot) => void
  readonly twice: (at: Spot) => void
  /** Whether one finger now draws a box instead of moving. */
  readonly draws: () => boolean
  /** A box between these corners; undefined where the drawing was broken off. */
  readonly draw: (corners: readonly [Spot, Spot] | undefined, done: boolean) => void
}

/** A hand that holds still moves by up to this many px. */
const STILL = 4
/** Smaller boxes count as a click. */
const LEAST = 8

const apart = (one: Spot, other: Spot): number => Math.hypot(one.x - other.x, one.y - other.y)

export const watchHands = (table: HTMLElement, hands: Hands): void => {
  const down = new Map<number, Spot>()
  let moved = 0
  /** The corner where the box being drawn began. */
  let corner: Spot | undefined

  const spot = (event: MouseEvent): Spot => {
    const { left, top } = table.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const middle = (spots: ReadonlyArray<Spot>): Spot => ({
    x: spots.reduce((sum, { x }) => sum + x, 0) / spots.length,
    y: spots.reduce((sum, { y }) => sum + y, 0) / spots.length
  })
  const undraw = (): void => {
    if (corner !== undefined && moved >= LEAST) hands.draw(undefined, true)
    corner = undefined
  }

  table.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return
    const at = spot(event)
    // Two fingers move and zoom; the middle button and Shift move too.
    if (down.size > 0) {
      undraw()
      // Neither finger counts as a click.
      moved = STILL + 1
    } else {
      moved = 0
      corner = hands.draws() && event.button === 0 && !event.shiftKey ? at : undefined
    }
    down.set(event.pointerId, at)
    table.setPointerCapture(event.pointerId)
    table.classList.toggle("dragging", corner === undefined)
    if (event.button === 1) event.preventDefault()
  })
  table.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return
    const before = [...down.values()]
    const now = spot(event)
    down.set(event.pointerId, now)
    if (corner !== undefined) {
      moved = Math.max(moved, apart(corner, now))
      if (moved >= LEAST) hands.draw([corner, now], false)
      return
    }
    const after = [...down.values()]
    const [from, to] = [middle(before), middle(after)]
    moved += apart(from, to)
    hands.move(to.x - from.x, to.y - from.y)
    if (after.length === 2 && apart(before[0]!, before[1]!) > 0) hands.zoom(apart(after[0]!, after[1]!) / apart(before[0]!, before[1]!), to)
  })
  const up = (event: PointerEvent): void => {
    if (!down.delete(event.pointerId) || down.size > 0) return
    table.classList.remove("dragging")
    const [at, from] = [spot(event), corner]
    if (event.type !== "pointerup") return undraw()
    corner = undefined
    if (from !== undefined && moved >= LEAST) hands.draw([from, at], true)
    else if (event.button === 0 && (from !== undefined || moved <= STILL)) hands.click(from ?? at)
  }
  table.addEventListener("pointerup", up)
  table.addEventListener("pointercancel", up)
  table.addEventListener("dblclick", (event) => hands.twice(spot(event)))
  table.addEventListener("wheel", (event) => {
    event.preventDefault()
    // Wheels that report no pixels report lines or pages; a pinch comes as a wheel event with Ctrl, in small steps.
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode]!
    hands.zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * (event.ctrlKey ? 0.01 : 0.002)), spot(event))
  }, { passive: false })
}
