/** Zips on the way out: a stranger's reader reads them, also past 4 GB and 65,535 entries; what cannot be read ends them. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { open } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { crc32 } from "node:zlib"
import { DateTime, Effect, Layer, Stream } from "effect"
import { fromBufferPromise, fromFdPromise } from "yauzl"
import { Unavailable } from "../../../src/domain/failures.ts"
import { Archives } from "../../../src/domain/ports/archives.ts"
import type { ArchiveEntry } from "../../../src/domain/ports/archives.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { localHead, descriptor, tableEnd, tableRow } from "../../../src/services/blobs/zip-records.ts"
import { ArchivesStreamed } from "../../../src/services/blobs/zip.ts"
import { filesIn } from "../../support/zips.ts"

const MB = 1024 * 1024
const at = DateTime.makeUnsafe("2027-03-14T12:34:56Z")
const bytes = Buffer.alloc(300_000, "some bytes that come again ")

const reading = (read: typeof Packs.Service["read"]) => ArchivesStreamed.pipe(Layer.provide(Layer.mock(Packs, {
  read,
  slice: (id, offset, length) => Effect.map(Stream.runCollect(read(id, offset, length)), Buffer.concat)
})))

const stored = reading((_, offset, length) => Stream.make(Buffer.from(bytes.subarray(offset, offset + length))))

const zip = (entries: ReadonlyArray<ArchiveEntry>) =>
  Archives.use((archives) => Effect.map(Stream.runCollect(archives.zip(Stream.fromIterable(entries), at)), Buffer.concat))

const file = (path: string, offset: number, length: number): ArchiveEntry => ({ path, pack: "any", offset, length })

describe("a zip", () => {
  it.effect("holds what it was given, packed or as it is, texts and empty files too", () =>
    Effect.gen(function*() {
      const made = yield* zip([
        file("a/page.html", 0, 300_000),
        file("a/Ümlaut 图.png", 7, 1000),
        file("none.txt", 0, 0),
        { path: "words.json", text: Stream.make("[", "“ä”", "]\n") }
      ])
      const files = yield* Effect.promise(() => filesIn(made))
      assert.deepStrictEqual([...files.keys()], ["a/page.html", "a/Ümlaut 图.png", "none.txt", "words.json"])
      assert.isTrue(files.get("a/page.html")!.equals(bytes))
      assert.isTrue(files.get("a/Ümlaut 图.png")!.equals(bytes.subarray(7, 1007)))
      assert.strictEqual(files.get("none.txt")!.length, 0)
      assert.strictEqual(files.get("words.json")!.toString(), "[“ä”]\n")
      assert.isBelow(made.length, 20_000)
    }).pipe(Effect.provide(stored)))

  it.effect("fails as its source does, and lets go of it when nobody reads on", () => {
    let [opened, closed] = [0, 0]
    const source = Stream.fromEffect(Effect.sync(() => Buffer.alloc(1000))).pipe(
      Stream.concat(Stream.fail(new Unavailable({ message: "Away" }))),
      Stream.onStart(Effect.sync(() => void opened++)),
      Stream.ensuring(Effect.sync(() => void closed++))
    )
    return Effect.gen(function*() {
      for (const path of ["packed.txt", "as-it-is.png"]) assert.strictEqual((yield* Effect.flip(zip([file(path, 0, 200_000)])))._tag, "unavailable")
      yield* Archives.use((archives) => Stream.runDrain(Stream.take(archives.zip(Stream.make(file("as-it-is.png", 0, 200_000)), at), 2)))
      assert.deepStrictEqual([opened, closed], [3, 3])
    }).pipe(Effect.provide(reading(() => source)))
  })

  it.effect("may hold more than 65,535 entries", () =>
    Effect.promise(async () => {
      const names = Array.from({ length: 66_000 }, (_, index) => `f${index}`)
      const parts: Array<Buffer> = []
      const table: Array<Buffer> = []
      let offset = 0
      for (const name of names) {
        const head = { name: Buffer.from(name), deflated: false, modifiedAt: new Date(0) }
        const part = Buffer.concat([localHead(head), descriptor({ crc: 0, packedSize: 0, size: 0 })])
        table.push(tableRow({ ...head, crc: 0, packedSize: 0, size: 0, offset }))
        offset += part.length
        parts.push(part)
      }
      const rows = Buffer.concat(table)
      const opened = await fromBufferPromise(Buffer.concat([...parts, rows, tableEnd(names.length, offset, rows.length)]))
      const found: Array<string> = []
      for await (const { fileName } of opened.eachEntry()) found.push(fileName)
      assert.deepStrictEqual([found.length, found.at(-1)], [names.length, names.at(-1)])
    }), 30_000)

  it.effect("may go on past 4 GB", () =>
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "svc-zip-"))
      // A file that is all hole but for the one entry and what follows it.
      const far = await open(join(folder, "far.zip"), "w+")
      try {
        const [data, offset] = [Buffer.from("beyond"), 5 * 1024 ** 3]
        const facts = { name: Buffer.from("far.txt"), deflated: false, modifiedAt: new Date(0), crc: crc32(data), packedSize: 6, size: 6, offset }
        const entry = Buffer.concat([localHead(facts), data, descriptor(facts)])
        const row = tableRow(facts)
        const rest = Buffer.concat([entry, row, tableEnd(1, offset + entry.length, row.length)])
        await far.write(rest, 0, rest.length, offset)
        const opened = await fromFdPromise(far.fd, { autoClose: false })
        for await (const found of opened.eachEntry()) assert.strictEqual(String(await buffer(await opened.openReadStreamPromise(found))), "beyond")
        assert.strictEqual(opened.entryCount, 1)
      } finally {
        await far.close()
        rmSync(folder, { recursive: true })
      }
    }))

  it.live("of 150 MB and thousands of files grows the process by less than 64 MB", () =>
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "svc-zip-"))
      // How much of V8's own nursery fills before it looks depends on how busy the machine is: it is kept small here.
      const probe = ["--max-semi-space-size=2", join(import.meta.dirname, "zip-probe.ts"), join(folder, "probe"), "15", "5000"]
      let least = Infinity
      // What the allocator keeps of freed pieces adds up to 40 MB, now and then; what the archive needs is there every time.
      for (let left = 4; left > 0 && least >= 64 * MB; left--) {
        const { stdout } = await promisify(execFile)(process.execPath, probe)
        const { growth, length } = JSON.parse(stdout) as { growth: number; length: number }
        assert.isAbove(length, 100 * MB)
        least = Math.min(least, growth)
      }
      rmSync(folder, { recursive: true })
      assert.isBelow(least, 64 * MB)
    }), 60_000)
})
