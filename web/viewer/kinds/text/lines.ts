/** A text cut into blocks of lines, so that only those near the window cost anything. Pure. */

/** Offsets in the whole text; each block ends after its line break. */
export interface Block {
  readonly start: number
  readonly end: number
  /** Number of the first line that begins in it, from 1. */
  readonly line: number
  /** Where its rows begin. A row is a line, or a piece of a very long one. */
  readonly rows: ReadonlyArray<number>
}

const ROWS = 100
const CHARACTERS = 24_000
/** Longer lines continue in the next row, as if wrapped there. */
const ROW = 8_000

/** Normalised as a browser's parser does, so that the served and the fetched text are the same. */
export const normal = (text: string): string => text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD").replace(/^\uFEFF/, "")

/** Never cuts between the halves of a surrogate pair. */
const cut = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}

export const blocksOf = (text: string): Array<Block> => {
  const blocks: Array<Block> = []
  let rows: Array<number> = []
  let [start, line, first, next] = [0, 1, 1, false]
  let feed = text.indexOf("\n")
  for (let at = 0; at < text.length || blocks.length + rows.length === 0;) {
    if (rows.length === 0) [start, first] = [at, next ? line + 1 : line]
    rows.push(at)
    // Of a line of many rows, its end is looked for once.
    if (feed !== -1 && feed < at) feed = text.indexOf("\n", at)
    const end = feed === -1 ? text.length : feed + 1
    next = end - at > ROW + 1
    at = next ? cut(text, at + ROW) : end
    if (!next) line++
    if (rows.length < ROWS && at - start < CHARACTERS && at < text.length) continue
    blocks.push({ start, end: at, line: first, rows })
    rows = []
    if (at >= text.length) break
  }
  return blocks
}

/** The last block that does, of which those that do come first; the first where none does. */
const lastThat = (blocks: ReadonlyArray<Block>, does: (block: Block) => boolean): number => {
  let [low, high] = [0, blocks.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (does(blocks[middle]!)) low = middle
    else high = middle - 1
  }
  return low
}

/** The last block that begins at or before this offset. */
export const blockAt = (blocks: ReadonlyArray<Block>, offset: number): number => lastThat(blocks, ({ start }) => start <= offset)

/** The row of its block that an offset is in. */
export const rowAt = ({ rows }: Block, offset: number): number => Math.max(0, rows.findLastIndex((row) => row <= offset))

/** Whether a row begins a line. */
export const beginsLine = (text: string, row: number): boolean => row === 0 || text[row - 1] === "\n"

export const lineAt = (text: string, blocks: ReadonlyArray<Block>, offset: number): number => {
  const block = blocks[blockAt(blocks, offset)]!
  const begun = block.rows.filter((row) => row <= offset && beginsLine(text, row)).length
  return Math.max(1, block.line + begun - 1)
}

/** Where a line begins; for a number beyond the end, the last line. */
export const offsetOf = (text: string, blocks: ReadonlyArray<Block>, line: number): number => {
  const block = blocks[lastThat(blocks, (one) => one.line <= line)]!
  const begins = block.rows.filter((row) => beginsLine(text, row))
  return begins[Math.min(line - block.line, begins.length - 1)] ?? block.start
}

/** Characters of a line that are marked as what a comment is on. */
const MARKED = 1_000

/** The words of a line, or the beginning of a very long one; undefined for a number beyond the end. */
export const wordsOf = (text: string, blocks: ReadonlyArray<Block>, line: number): readonly [start: number, end: number] | undefined => {
  if (line > lineAt(text, blocks, text.length)) return undefined
  const start = offsetOf(text, blocks, line)
  const end = text.indexOf("\n", start)
  return [start, cut(text, Math.min(end === -1 ? text.length : end, start + MARKED))]
}
