/** A window of rows over a long list: only rows near it exist as elements, which are reused. */
import { heightsOf } from "./heights.ts"

const AROUND = 6

export interface Rows {
  readonly set: (count: number) => void
  /** Draws at the next frame. */
  readonly draw: () => void
  readonly reveal: (index: number, middle?: boolean) => void
  /** The top of a row, in the window; undefined where it is not shown. */
  readonly top: (index: number) => number | undefined
  /** The same for rows that are scrolled away too; undefined where the list is scaled. */
  readonly place: (index: number) => number | undefined
  /** The first that is shown whole. */
  readonly first: () => number
  readonly page: () => number
  /** Scrolls by that many pages, and answers how many rows that is: what is active keeps its height on the screen. */
  readonly turn: (pages: number) => number
  readonly element: (index: number) => HTMLElement | undefined
}

export interface RowsOptions {
  readonly scroller: HTMLElement
  readonly canvas: HTMLElement
  readonly height: number
  /** Height of what sticks to the scroller's top. */
  readonly head: () => number
  readonly foot: number
  readonly make: () => HTMLElement
  readonly fill: (row: HTMLElement, index: number) => void
  /** Called before rows are filled, with the range of rows that will be. */
  readonly before: (from: number, to: number) => void
}

export const makeRows = ({ before, canvas, fill, foot, head, height, make, scroller }: RowsOptions): Rows => {
  const live = new Map<number, HTMLElement>()
  const spare: Array<HTMLElement> = []
  let [count, waiting] = [0, false]
  const window = () => Math.max(height, scroller.clientHeight - head())
  const heights = () => heightsOf(count, height, window(), foot)
  // On paper the scroller is as high as its rows: more of them would make it higher, and room for more again.
  const onPaper = matchMedia("print")

  const paint = (): void => {
    waiting = false
    if (onPaper.matches) return
    const { offset } = heights()
    const scrolled = scroller.scrollTop
    const at = offset(scrolled)
    const from = Math.max(0, Math.floor(at / height) - AROUND)
    const to = Math.min(count, Math.ceil((at + window()) / height) + AROUND)
    for (const [index, row] of live) {
      if (index >= from && index < to) continue
      live.delete(index)
      spare.push(row)
    }
    before(from, to)
    for (let index = from; index < to; index++) {
      let row = live.get(index)
      if (row === undefined) {
        row = spare.pop() ?? canvas.appendChild(make())
        row.hidden = false
        live.set(index, row)
      }
      row.style.transform = `translateY(${index * height + scrolled - at}px)`
      fill(row, index)
    }
    for (const row of spare) {
      if (row.hidden) continue
      row.hidden = true
      // Its names belong to the rows that are shown.
      for (const one of [row, ...row.querySelectorAll("[id]")]) one.removeAttribute("id")
    }
    // Where a menu prints, only these rows are there, without the room around them.
    for (const [name, index] of [["--above", from], ["--below", to]] as const) canvas.style.setProperty(name, `${index * height + scrolled - at}px`)
    canvas.classList.toggle("part", from > 0 || to < count)
  }
  const draw = (): void => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(paint)
  }
  scroller.addEventListener("scroll", draw, { passive: true })
  // In a scaled list, the wheel's own scrolling would leap.
  scroller.addEventListener("wheel", (event) => {
    const { pace } = heights()
    if (pace === 1 || event.ctrlKey || event.shiftKey || event.deltaY === 0) return
    event.preventDefault()
    scroller.scrollTop += event.deltaY * (event.deltaMode === 1 ? height : 1) / pace
    scroller.scrollLeft += event.deltaX
  }, { passive: false })
  new ResizeObserver(draw).observe(scroller)

  const page = (): number => Math.max(1, Math.floor(window() / height) - 1)
  return {
    draw,
    set: (next) => {
      count = next
      canvas.style.height = `${heights().tall}px`
      draw()
    },
    reveal: (index, middle = false) => {
      const { offset, scrollTop } = heights()
      const [at, room] = [offset(scroller.scrollTop), window()]
      const top = index * height
      if (middle && (top < at || top > at + room - height)) scroller.scrollTop = scrollTop(Math.max(0, top - room / 2))
      else if (top < at) scroller.scrollTop = scrollTop(top)
      else if (top + height > at + room) scroller.scrollTop = Math.ceil(scrollTop(top + height - room))
      draw()
    },
    top: (index) => live.get(index)?.getBoundingClientRect().top,
    place: (index) => heights().pace === 1 ? canvas.getBoundingClientRect().top + index * height : live.get(index)?.getBoundingClientRect().top,
    first: () => Math.min(count - 1, Math.ceil(heights().offset(scroller.scrollTop) / height)),
    page,
    turn: (pages) => {
      const { offset, scrollTop } = heights()
      scroller.scrollTop = scrollTop(offset(scroller.scrollTop) + pages * page() * height)
      return pages * page()
    },
    element: (index) => live.get(index)
  }
}
