/** Picks cells of the grid by mouse and finger: a mouse drags over several, a second tap opens one, and a row's number picks all of it. */
import type { Columns } from "./columns.ts"
import { spotOf } from "./row.ts"
import type { Picked, Spot } from "./selection.ts"

export interface PointerOptions {
  readonly columns: Columns
  readonly picked: () => Picked | undefined
  readonly set: (next: Picked) => void
  readonly opened: (spot: Spot) => void
  readonly linked: (row: number) => void
}

export const takesPointer = (element: HTMLElement, { columns, linked, opened, picked, set }: PointerOptions): void => {
  // Not every browser says which pointer made a click.
  let touched = false
  element.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch"
    if (event.button !== 0 || touched) return
    const spot = spotOf(event.target)
    if (spot === undefined) return
    event.preventDefault()
    element.focus({ preventScroll: true })
    set({ active: spot, from: event.shiftKey ? picked()?.from ?? spot : spot })
    const move = (over: PointerEvent): void => {
      const [to, now] = [spotOf(document.elementFromPoint(over.clientX, over.clientY)), picked()]
      if (to !== undefined && now !== undefined && (to.row !== now.active.row || to.column !== now.active.column)) set({ active: to, from: now.from })
    }
    addEventListener("pointermove", move)
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => removeEventListener("pointermove", move), { once: true })
  })
  element.addEventListener("click", (event) => {
    const row = event.target instanceof Element && event.target.matches(".canvas [role=rowheader]") ? event.target.parentElement : null
    if (row !== null) {
      const at = Number(row.getAttribute("aria-rowindex")) - 2
      set({ active: { row: at, column: 0 }, from: { row: at, column: columns.all.length - 1 } })
      return linked(at)
    }
    const spot = touched ? spotOf(event.target) : undefined
    if (spot === undefined) return
    const before = picked()?.active
    set({ active: spot, from: spot })
    if (before?.row === spot.row && before.column === spot.column) opened(spot)
  })
  element.addEventListener("dblclick", (event) => {
    const spot = spotOf(event.target)
    if (spot !== undefined) opened(spot)
  })
}
