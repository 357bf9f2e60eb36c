/** A file that is written once, on a file system that has no links. */
import { afterEach, assert, it } from "@effect/vitest"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import promises from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writtenOnce } from "../../src/services/written-once.ts"

const { link, open } = promises
const folder = mkdtempSync(join(tmpdir(), "svc-once-"))

afterEach(() => {
  Object.assign(promises, { link, open })
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true, force: true })
})

it("is a copy, whose bytes are on the disk before its name is, and both before anybody goes by it", async () => {
  const synced: Array<string> = []
  Object.assign(promises, {
    link: () => Promise.reject(Object.assign(new Error("no links"), { code: "ENOTSUP" })),
    open: async (...given: Parameters<typeof open>) => {
      const handle = await open(...given)
      const sync = handle.sync.bind(handle)
      return Object.assign(handle, { sync: () => (synced.push(String(given[0])), sync()) })
    }
  })
  syncBuiltinESMExports()
  const file = join(folder, "secret")
  assert.strictEqual(await writtenOnce(file, "first"), "first")
  assert.deepStrictEqual(synced.slice(1), [file, folder])
  assert.strictEqual(await writtenOnce(file, "second"), "first")
  assert.deepStrictEqual(readdirSync(folder), ["secret"])
})
