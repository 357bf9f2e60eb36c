/** The rows of a tree as far as the page knows them: read from the worker a block at a time, and anew once it folded or unfolded. */
import type { TreeRow } from "../json/json-tree.ts"
import type { DataWorker } from "../protocol.ts"

const BLOCK = 100

export interface TreeBlocks {
  /** Reads these rows, where they are not known yet. */
  readonly want: (from: number, to: number) => void
  readonly row: (index: number) => TreeRow | undefined
  /** The same, once it is known. */
  readonly known: (index: number) => Promise<TreeRow | undefined>
  /** Rows are others now: reads again those that are shown. */
  readonly renew: (isShown: (index: number) => boolean) => void
  /** How often they were others. */
  readonly age: () => number
}

export const makeBlocks = (worker: DataWorker, arrived: () => void): TreeBlocks => {
  let blocks = new Map<number, ReadonlyArray<TreeRow>>()
  let asked = new Map<number, Promise<void>>()
  let age = 0

  const read = async (block: number): Promise<void> => {
    const [mine, those] = [age, asked]
    // A block that failed is asked for again when it is drawn again.
    const made = await worker.tree(block * BLOCK, (block + 1) * BLOCK).catch(() => undefined)
    those.delete(block)
    if (made === undefined || mine !== age) return
    blocks.set(block, made)
    arrived()
  }
  const load = (block: number): Promise<void> => {
    if (blocks.has(block)) return Promise.resolve()
    const reading = asked.get(block) ?? read(block)
    asked.set(block, reading)
    return reading
  }
  const row = (index: number): TreeRow | undefined => blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK]

  return {
    row,
    want: (from, to) => {
      for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block++) void load(block)
    },
    known: async (index) => {
      await load(Math.floor(index / BLOCK))
      return row(index)
    },
    renew: (isShown) => {
      age++
      const before = blocks
      blocks = new Map()
      asked = new Map()
      for (const block of before.keys()) if (isShown(block * BLOCK)) void load(block)
    },
    age: () => age
  }
}
