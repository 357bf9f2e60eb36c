/** Streams large files block by block, no faster than the client reads them, and stops when it leaves. */
import type { Asset } from "../../domain/hosting/model.ts"
import type { Unreadable } from "./content.ts"
import type { Exchange, Route } from "./exchange.ts"
import { BLOCK } from "./memory/holdings.ts"
import type { Holdings } from "./memory/holdings.ts"

export interface Stretch {
  readonly asset: Asset
  readonly start: number
  /** Inclusive. */
  readonly end: number
  readonly status: number
  readonly lines: Array<string>
  readonly route: Route
  /** How long the answer may read blocks. Bytes of a version that goes meanwhile are wiped later, and must not be read after that. */
  readonly readMs: number
}

/** Up to this much is handed over at once where it is in memory: that adds references, no copies. */
const AT_ONCE = 1024 * 1024

const cut = (block: Buffer, index: number, { end, start }: Stretch): Buffer => {
  const base = index * BLOCK
  return block.subarray(Math.max(0, start - base), Math.min(block.length, end + 1 - base))
}

const inMemory = (holdings: Holdings, stretch: Stretch): Array<Buffer> | undefined => {
  const parts: Array<Buffer> = []
  for (let index = Math.floor(stretch.start / BLOCK); index * BLOCK <= stretch.end; index++) {
    const block = holdings.heldBlock(stretch.asset, index)
    if (block === undefined) return undefined
    parts.push(cut(block, index, stretch))
  }
  return parts
}

/** How long `drained` waits for a client that reads nothing before it closes the connection. */
const STALLED_MS = 120_000

const drained = ({ req, res }: Exchange): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      res.off("drain", over)
      res.off("close", over)
      req.off("close", over)
      resolve()
    }
    const timer = setTimeout(() => {
      res.destroy()
      over()
    }, STALLED_MS)
    res.on("drain", over)
    res.on("close", over)
    // An answer that still waits behind another one on its connection learns of the close only through its request.
    req.on("close", over)
  })

const pump = async (x: Exchange, holdings: Holdings, stretch: Stretch, sent: (bytes: number) => void): Promise<void> => {
  const { asset, end, readMs, start } = stretch
  const last = Math.floor(end / BLOCK)
  const ends = performance.now() + readMs
  for (let index = Math.floor(start / BLOCK); index <= last; index++) {
    if (performance.now() > ends) throw new Error("an answer took so long that its version's bytes may be gone")
    const block = holdings.heldBlock(asset, index) ?? await holdings.block(asset, index)
    if (x.gone) return
    if (!x.res.headersSent) x.head(stretch.status, stretch.lines)
    const part = cut(block, index, stretch)
    sent(part.length)
    if (index === last) {
      x.res.end(part)
      x.held(part)
    } else if (!x.res.write(part)) {
      // Reads ahead; a failure is met and reported when that block's turn comes.
      holdings.block(asset, index + 1).catch(() => {})
      const read = x.held(part)
      await drained(x)
      read()
      if (x.gone) return
    }
  }
}

export const streamBlocks = (
  x: Exchange,
  holdings: Holdings,
  stretch: Stretch,
  unreadable: Unreadable,
  troubled: (cause: unknown) => void
): void => {
  if (x.gone) return x.ended(499, 0, stretch.route)
  const length = stretch.end - stretch.start + 1
  const parts = length <= AT_ONCE ? inMemory(holdings, stretch) : undefined
  if (parts !== undefined) {
    x.head(stretch.status, stretch.lines)
    x.res.cork()
    for (const part of parts) x.res.write(part)
    x.res.end()
    x.held(...parts)
    return x.ended(stretch.status, length, stretch.route)
  }
  let bytes = 0
  pump(x, holdings, stretch, (count) => void (bytes += count)).then(
    () => x.ended(bytes === length ? stretch.status : 499, bytes, stretch.route),
    (cause) => {
      if (!x.res.headersSent) return unreadable(x, cause)
      // Too late for a status: a cut connection is how the client learns that this was not all.
      troubled(cause)
      x.res.destroy()
      x.ended(503, bytes, stretch.route)
    }
  )
}
