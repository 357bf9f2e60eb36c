/** The cache of remote packs: what was evicted does not come back. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BLOCK, BlockCache } from "../../../src/services/blobs/block-cache.ts"

describe("BlockCache", () => {
  it("forgets a pack whose block is only being laid down yet", async () => {
    const folder = mkdtempSync(join(tmpdir(), "block-cache-"))
    let gone = false
    const cache = new BlockCache(folder, 100 * BLOCK, async () => {
      if (gone) throw new Error("no such pack")
      return Buffer.alloc(BLOCK, 1)
    })
    try {
      for (let round = 0; round < 50; round++) {
        gone = false
        const id = `pack-${round}`
        await cache.read(id, 0, 3)
        gone = true
        await cache.forget(id)
        assert.isTrue(await cache.read(id, 0, 3).then(() => false, () => true), `round ${round}`)
      }
    } finally {
      await cache.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
