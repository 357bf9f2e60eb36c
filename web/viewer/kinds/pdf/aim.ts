/** A crosshair over the pages: it goes on from the foot of one page to the next, and its directions follow the pages' rotation. */
import { aimed, inWords, within } from "../../crosshair.ts"
import type { Engine } from "./engine.ts"
import { pageRect } from "./page-words.ts"
import { turned } from "./spots.ts"
import type { Pinned } from "./spots.ts"

/** Nearer than this to an edge of the window, the pages scroll. */
const EDGE = 48

export const pageAim = async (engine: Engine, container: HTMLElement, say: (text: string) => void): Promise<Pinned | undefined> => {
  const { events, viewer } = engine
  const room = (): DOMRect => container.getBoundingClientRect()
  let page = viewer.currentPageNumber
  const first = pageRect(engine, page)
  if (first === undefined) return undefined
  // In the page as it is turned now: the middle of its visible part.
  const middle = (from: number, length: number, start: number, end: number): number => within(((Math.max(from, start) + Math.min(from + length, end)) / 2 - from) / length)
  let [x, y] = [middle(first.left, first.width, room().left, room().right), middle(first.top, first.height, room().top, room().bottom)]
  let element: HTMLElement | undefined

  const draw = (): readonly [number, number] => {
    const [rect, own] = [pageRect(engine, page), room()]
    const [left, top] = rect === undefined ? [0, 0] : [rect.left + x * rect.width - own.left, rect.top + y * rect.height - own.top]
    if (element !== undefined) element.style.translate = `${left + container.offsetLeft}px ${top + container.offsetTop}px`
    return [left, top]
  }
  const move = (right: number, down: number): void => {
    const rect = pageRect(engine, page)
    if (rect === undefined) return
    x = within(x + right / rect.width)
    y += down / rect.height
    const next = y > 1 ? page + 1 : y < 0 ? page - 1 : page
    if (next !== page && next >= 1 && next <= viewer.pagesCount) [page, y] = [next, next > page ? 0 : 1]
    y = within(y)
    const [left, top] = draw()
    const on = (at: number, all: number): number => Math.max(0, at - all + EDGE) - Math.max(0, EDGE - at)
    container.scrollBy(on(left, container.clientWidth), on(top, container.clientHeight))
    draw()
  }
  const spot = (): Pinned => ({ page, ...turned({ x, y }, -viewer.pagesRotation) })

  const follow = (): void => void draw()
  const moves = ["updateviewarea", "scalechanging", "rotationchanging"]
  for (const name of moves) events.on(name, follow)
  const marked = await aimed((crosshair) => {
    element = crosshair
    container.after(crosshair)
    draw()
  }, { room: container, say, move, where: () => `Page ${page}, ${inWords(x, y)}` })
  for (const name of moves) events.off(name, follow)
  return marked ? spot() : undefined
}
