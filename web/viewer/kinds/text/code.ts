/** Code in the colours of its language, as a worker finds them. */
import type { Code, Found } from "./code-worker.ts"
import type { Style } from "./colours.ts"
import type { Grammar } from "./grammars.ts"
import type { Sheet } from "./sheet.ts"

/** What is not found by then stays plain. */
const WITHIN_MS = 20_000

/** Resolves once nothing more will come. `dyed`: a block has other rows now. */
export const colourCode = async (sheet: Sheet, grammar: Grammar, dyed: () => void): Promise<void> => {
  const [languages, text, blocks] = [(await grammar()).default, sheet.text(), sheet.blocks()]
  const worker = new Worker(new URL("./code-worker.ts", import.meta.url), { type: "module" })
  const all = { text, starts: [] as Array<number>, styles: [] as Array<Style> }
  let block = 0
  await new Promise<void>((done) => {
    setTimeout(done, WITHIN_MS)
    worker.addEventListener("error", () => done())
    worker.addEventListener("message", ({ data: { kinds, starts } }: MessageEvent<Found>) => {
      // What comes after it is plain until its own block is found.
      all.starts.splice(-1, 1, ...starts, blocks[block]!.end)
      all.styles.splice(-1, 1, ...kinds.map((kind) => kind === "" ? {} : { className: `t-${kind}` }), {})
      if (sheet.dye(block++, all)) dyed()
      if (block === blocks.length) done()
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none.
    worker.postMessage({ text, blocks: blocks.map(({ end, start }) => ({ start, end })), languages } satisfies Code)
  })
  worker.terminate()
}
