/** The rows of a block as elements, and an estimate of its height before it has any. */
import { piecesOf } from "./colours.ts"
import type { Coloured } from "./colours.ts"
import { beginsLine } from "./lines.ts"
import type { Block } from "./lines.ts"

/** First and last line that a deep link names. */
export type Marked = readonly [first: number, last: number]

export const isMarked = (line: number, [first, last]: Marked): boolean => line >= first && line <= last

const drawn = ([words, { className = "", ...style }]: ReturnType<typeof piecesOf>[number]): Node | string => {
  if (className === "" && Object.keys(style).length === 0) return words
  const piece = Object.assign(document.createElement("span"), { className, textContent: words })
  Object.assign(piece.style, style)
  return piece
}

export const rowsOf = (all: Coloured, { end, line, rows }: Block, marked: Marked): Array<HTMLElement> => {
  let number = line - 1
  return rows.map((row, place) => {
    const one = document.createElement("div")
    one.className = "line"
    if (beginsLine(all.text, row)) {
      number++
      one.classList.add("first")
    }
    one.classList.toggle("marked", isMarked(number, marked))
    one.dataset["line"] = String(number)
    one.append(...piecesOf(all, row, rows[place + 1] ?? end).map(drawn))
    return one
  })
}

/** Makes the page about as long as it will be: in a monospaced face, rows can be counted. */
export const estimate = (element: HTMLElement, blocks: ReadonlyArray<Block>, wrapped: boolean): void => {
  const probe = Object.assign(document.createElement("span"), { textContent: "0".repeat(50) })
  element.append(probe)
  const character = probe.getBoundingClientRect().width / 50
  const height = parseFloat(getComputedStyle(element).lineHeight)
  probe.remove()
  const gutter = character * Number(element.style.getPropertyValue("--digits")) + 60
  const columns = Math.max(10, Math.floor((element.clientWidth - gutter) / character))
  const taken = (length: number): number => Math.max(1, Math.ceil(length / columns))
  blocks.forEach(({ end, rows }, index) => {
    const count = wrapped ? rows.reduce((sum, row, place) => sum + taken((rows[place + 1] ?? end) - row - 1), 0) : rows.length
    const one = element.children[index] as HTMLElement
    one.style.containIntrinsicBlockSize = `auto ${count * height}px`
  })
}
