/** Where commented places are in a tree: in their own rows, or in those of what they are folded away in. */
import type { Anchor, Place, Stage } from "../../../stage.ts"
import { quotedIn } from "../../../text-anchor.ts"
import type { DataWorker } from "../protocol.ts"
import type { Rows } from "../rows.ts"

interface Seat {
  readonly path: string
  index: number
  /** Whether it is its own row, not that of an ancestor. */
  own: boolean
}

export interface TreeSeatsOptions {
  readonly worker: DataWorker
  readonly rows: Rows
  /** How often rows were folded or unfolded. */
  readonly age: () => number
  readonly moved: () => void
  /** Unfolds the way to a path, and resolves with its row. */
  readonly goTo: (path: string) => Promise<number>
  readonly pointAt: (index: number) => void
}

export interface TreeSeats extends Pick<Stage, "find"> {
  /** Call after rows were folded or unfolded. */
  readonly settle: () => Promise<void>
}

export const treeSeats = ({ age, goTo, moved, pointAt, rows, worker }: TreeSeatsOptions): TreeSeats => {
  const seats = new Map<Anchor, Seat>()
  const settle = async (): Promise<void> => {
    const mine = age()
    const wanted = [...seats.values()]
    if (wanted.length === 0) return
    const found = await worker.nearest(wanted.map(({ path }) => path))
    // Folded or unfolded meanwhile: that asks again.
    if (mine !== age()) return
    wanted.forEach((seat, at) => Object.assign(seat, found[at]))
    moved()
  }
  const find = async (anchor: Anchor): Promise<Place | undefined> => {
    const [selector, quoted] = [anchor.selector || undefined, quotedIn(anchor)]
    const path = selector === undefined && quoted === undefined ? undefined : await worker.sought(selector, quoted)
    if (path === undefined) return undefined
    const seat: Seat = { path, index: 0, own: false }
    seats.set(anchor, seat)
    await settle()
    return {
      top: () => rows.place(seat.index),
      range: () => {
        const value = seat.own ? rows.element(seat.index)?.querySelector(".value") : undefined
        if (value == null || value.textContent === "") return undefined
        const range = document.createRange()
        range.selectNodeContents(value)
        return range
      },
      forget: () => seats.delete(anchor),
      focus: () => void goTo(path).then(pointAt),
      clear: () => pointAt(-1)
    }
  }
  return { find, settle }
}
