/** The cache of remote packs: what was evicted does not come back, and uploads find room beside it. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate, setTimeout } from "node:timers/promises"
import { BLOCK, BlockCache } from "../../../src/services/blobs/block-cache.ts"
import { Spool } from "../../../src/services/blobs/spool.ts"
import { tinyDisk, unmount } from "../../support/tiny-disk.ts"

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

  it("leaves no folder behind, however many blocks are being fetched or written when it closes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "block-cache-"))
    try {
      for (let round = 0; round < 20; round++) {
        const late = Promise.withResolvers<Buffer>()
        const own = join(folder, `${round}`)
        const cache = new BlockCache(own, 200 * BLOCK, (id) => id === "late" ? late.promise : Promise.resolve(Buffer.alloc(BLOCK, 1)))
        const waits = cache.read("late", 0, 3)
        await Promise.all(Array.from({ length: 60 }, (_, pack) => cache.read(`pack-${pack}`, 0, 3)))
        await cache.close()
        assert.isFalse(existsSync(own), `round ${round}`)
        late.resolve(Buffer.alloc(BLOCK, 1))
        await waits
        await setTimeout(5)
        assert.isFalse(existsSync(own), `round ${round}, after the last fetch`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const disk = tinyDisk(64)
  it.skipIf(disk === undefined)("leaves uploads room on a disk that is smaller than it may become (needs root: mounts a tmpfs)", async () => {
    let fetched = 0
    const cache = new BlockCache(join(disk!, "cache"), 100 * BLOCK, async () => {
      fetched++
      return Buffer.alloc(BLOCK, 1)
    })
    const upload = new Spool(join(disk!, "upload"))
    try {
      for (let round = 0; round < 80; round++) {
        await cache.read(`pack-${round}`, 0, 3)
        while (!existsSync(join(disk!, "cache", `pack-${round}.0`))) await setImmediate()
      }
      await cache.read("pack-79", 0, 3)
      assert.strictEqual(fetched, 80)
      for (let chunk = 0; chunk < 18; chunk++) await upload.write(Buffer.alloc(BLOCK))
      await upload.toFile()
    } finally {
      await upload.close()
      await cache.close()
      unmount(disk!)
    }
  })
})
