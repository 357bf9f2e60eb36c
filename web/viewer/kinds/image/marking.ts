/** What a reader marks on an image to comment on it: a spot or a box, by hand or with a crosshair; redrawn whenever the image's scale changes. */
import { aimed, inWords, within } from "../../crosshair.ts"
import { part } from "../../spots.ts"
import type { Marked, Spot } from "../../spots.ts"
import { between } from "./view.ts"

export interface MarkingOptions {
  readonly table: HTMLElement
  readonly say: (text: string) => void
  /** In pixels of the window. */
  readonly rectOf: (marked: Marked) => DOMRect
  /** The size of the whole image now, in pixels of the window. */
  readonly whole: () => { readonly width: number, readonly height: number }
  /** The middle of the window, in fractions of the image. */
  readonly middle: () => Spot
  readonly pan: (x: number, y: number) => void
}

/** Nearer to an edge than this, the image moves away from it. */
const EDGE = 40

export const marking = ({ middle, pan, rectOf, say, table, whole }: MarkingOptions) => {
  const pin = Object.assign(document.createElement("div"), { className: "pin", hidden: true })
  const box = Object.assign(document.createElement("div"), { className: "pin-box", hidden: true })
  table.append(box, pin)
  let marked: Marked | undefined
  let aim: { spot: Spot, corner?: Spot, element?: HTMLElement } | undefined

  const at = ({ left, top }: DOMRect): readonly [number, number] => {
    const room = table.getBoundingClientRect()
    return [left - room.left, top - room.top]
  }
  const draw = (): void => {
    pin.hidden = marked === undefined || marked.width !== undefined
    box.hidden = marked?.width === undefined
    if (marked !== undefined) {
      const rect = rectOf(marked)
      const [x, y] = at(rect)
      for (const { style } of [pin, box]) style.transform = `translate(${x}px, ${y}px)`
      Object.assign(box.style, { width: `${rect.width}px`, height: `${rect.height}px` })
    }
    if (aim?.element !== undefined) aim.element.style.translate = at(rectOf(aim.spot)).map((one) => `${one}px`).join(" ")
  }
  const mark = (next: Marked | undefined): void => {
    marked = next
    draw()
  }
  const move = (x: number, y: number): void => {
    if (aim === undefined) return
    const { height, width } = whole()
    aim.spot = { x: within(aim.spot.x + x / width), y: within(aim.spot.y + y / height) }
    if (aim.corner !== undefined) mark(between(aim.corner, aim.spot))
    const [left, top] = at(rectOf(aim.spot))
    const back = (one: number, room: number): number => Math.max(0, EDGE - one) - Math.max(0, one - room + EDGE)
    pan(back(left, table.clientWidth), back(top, table.clientHeight))
    draw()
  }

  return {
    draw,
    mark,
    marked: () => marked,
    /** Resolves once a spot or box is marked or the reader leaves. */
    aim: async (): Promise<Marked | undefined> => {
      const mine = aim = { spot: marked ?? middle() }
      mark(undefined)
      const ended = await aimed((element) => {
        table.append(element)
        aim = Object.assign(mine, { element })
        draw()
      }, {
        room: table, say, move, where: () => inWords(mine.spot.x, mine.spot.y),
        corner: () => void Object.assign(mine, { corner: mine.spot })
      })
      if (aim === mine) aim = undefined
      const { corner, spot }: { readonly corner?: Spot, readonly spot: Spot } = mine
      const drawn = corner === undefined ? undefined : between(corner, spot)
      const isBox = drawn !== undefined && drawn.width > 0 && drawn.height > 0
      mark(!ended ? undefined : isBox ? drawn : { x: part(spot.x), y: part(spot.y) })
      return marked
    }
  }
}
