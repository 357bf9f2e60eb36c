/** Zips that we write: another reader can read them; an unreadable entry ends them. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { DateTime, Effect, Fiber, Latch, Layer, Stream } from "effect"
import { fromBufferPromise } from "yauzl"
import { isNoRoom, noRoom, Unavailable } from "../../../src/domain/failures.ts"
import { Archives } from "../../../src/domain/ports/archives.ts"
import type { ArchiveEntry } from "../../../src/domain/ports/archives.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { makeDraft } from "../../../src/services/blobs/drafts.ts"
import { Scratch } from "../../../src/services/blobs/scratch.ts"
import { ArchivesCompressCommons } from "../../../src/services/blobs/zip.ts"
import { filesIn } from "../../support/zips.ts"

const MB = 1024 * 1024
const at = DateTime.makeUnsafe("2027-03-14T12:34:56Z")
const bytes = Buffer.alloc(300_000, "some bytes that come again ")

const scratch = mkdtempSync(join(tmpdir(), "svc-zip-scratch-"))
afterAll(() => rmSync(scratch, { recursive: true }))

const draft: typeof Packs.Service["draft"] = makeDraft(new Scratch(scratch), () => Effect.void)

const reading = (read: typeof Packs.Service["read"], drafts = draft) => ArchivesCompressCommons.pipe(Layer.provide(Layer.mock(Packs, {
  read,
  draft: drafts,
  slice: (id, offset, length) => Effect.map(Stream.runCollect(read(id, offset, length)), Buffer.concat)
})))

const fromBytes: typeof Packs.Service["read"] = (_, offset, length) => Stream.make(Buffer.from(bytes.subarray(offset, offset + length)))
const stored = reading(fromBytes)

const zip = (entries: ReadonlyArray<ArchiveEntry>) =>
  Archives.use((archives) => Effect.map(Stream.runCollect(archives.zip(Stream.fromIterable(entries), at)), Buffer.concat))

/** What it says of its files; reading thousands of them one by one takes seconds. */
const directoryOf = (made: Buffer) => Effect.promise(async () => Array.fromAsync((await fromBufferPromise(made)).eachEntry()))

const file = (path: string, offset: number, length: number): ArchiveEntry => ({ path, pack: "any", offset, length })

describe("a zip", () => {
  it.effect("holds what it was given, packed or as it is, texts and empty files too", () =>
    Effect.gen(function*() {
      const made = yield* zip([
        file("a/page.html", 0, 300_000),
        file("a/Ümlaut 图.png", 7, 1000),
        file("none.txt", 0, 0),
        file("long.mp4", 0, 100_000),
        { path: "words.json", text: Stream.make("[", "“ä”", "]\n") }
      ])
      const files = yield* Effect.promise(() => filesIn(made))
      assert.deepStrictEqual([...files.keys()], ["a/page.html", "a/Ümlaut 图.png", "none.txt", "long.mp4", "words.json"])
      assert.isTrue(files.get("a/page.html")!.equals(bytes))
      assert.isTrue(files.get("a/Ümlaut 图.png")!.equals(bytes.subarray(7, 1007)))
      assert.strictEqual(files.get("none.txt")!.length, 0)
      assert.strictEqual(files.get("words.json")!.toString(), "[“ä”]\n")
      assert.isTrue(files.get("long.mp4")!.equals(bytes.subarray(0, 100_000)))
      assert.isTrue(made.length > 100_000 && made.length < 120_000)
      const facts = (yield* directoryOf(made)).map((entry) => [entry.compressionMethod, entry.generalPurposeBitFlag & 8, entry.getLastModDate().toISOString()])
      // Where the length comes after the bytes, these say where they end: some readers take nothing else.
      assert.deepStrictEqual(facts, [8, 0, 0, 8, 8].map((method) => [method, method, "2027-03-14T12:34:56.000Z"]))
    }).pipe(Effect.provide(stored)))

  it.effect("names as many files as there are, where their count and their names are long, and leaves nothing on the disk", () =>
    Effect.gen(function*() {
      for (const count of [0, 65_535]) {
        const made = yield* zip(Array.from({ length: count }, (_, n) => file(`${"long name ".repeat(10)}${n}.txt`, 0, n === 7 ? 300 : 0)))
        const facts = yield* directoryOf(made)
        assert.deepStrictEqual([new Set(facts.map(({ fileName }) => fileName)).size, facts.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)], [count, count && 300])
      }
      assert.deepStrictEqual(readdirSync(scratch), [])
    }).pipe(Effect.provide(stored)))

  it.effect("holds bodies of every length as they were, short and long, of text and of what does not get shorter", () => {
    const lengths = [1, 2, 511, 512, 513, 4_096, 16_383, 16_384, 16_385, 65_536, 65_537]
    const random = randomBytes(65_537)
    return Effect.gen(function*() {
      const files = yield* Effect.flatMap(zip(lengths.flatMap((length) => [file(`${length}.txt`, 0, length), file(`${length}.bin`, 100_000, length)])), (made) => Effect.promise(() => filesIn(made)))
      for (const length of lengths) {
        assert.isTrue(bytes.subarray(0, length).equals(files.get(`${length}.txt`)!), String(length))
        assert.isTrue(random.subarray(0, length).equals(files.get(`${length}.bin`)!), String(length))
      }
    }).pipe(Effect.provide(reading((_, offset, length) => Stream.make(Buffer.from(offset === 0 ? bytes.subarray(0, length) : random.subarray(0, length))))))
  })

  it.effect("fails where the disk has no room for such names; those of one version need none", () => {
    const full = Effect.map(draft, (made) => ({ ...made, append: () => Effect.fail(noRoom()) }))
    const named = (count: number) => zip(Array.from({ length: count }, (_, n) => file(`${"n".repeat(190)}${n}`, 0, 0)))
    return Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flatMap(named(10_000), directoryOf)).length, 10_000)
      const failure = yield* Effect.flip(named(30_000))
      assert.isTrue(failure._tag === "unavailable" && isNoRoom(failure))
    }).pipe(Effect.provide(reading(fromBytes, full)))
  })

  it.effect("fails as its source does, and lets go of it when nobody reads on", () => {
    let [opened, closed] = [0, 0]
    const source = Stream.fromEffect(Effect.sync(() => Buffer.alloc(1000))).pipe(
      Stream.concat(Stream.fail(new Unavailable({ message: "Away" }))),
      Stream.onStart(Effect.sync(() => void opened++)),
      Stream.ensuring(Effect.sync(() => void closed++))
    )
    return Effect.gen(function*() {
      for (const path of ["packed.txt", "as-it-is.png"]) assert.strictEqual((yield* Effect.flip(zip([file(path, 0, 200_000)])))._tag, "unavailable")
      yield* Archives.use((archives) => Stream.runDrain(Stream.take(archives.zip(Stream.make(file("as-it-is.png", 0, 200_000)), at), 1)))
      assert.deepStrictEqual([opened, closed], [3, 3])
    }).pipe(Effect.provide(reading(() => source)))
  })

  it.effect("lets go at once of a source that never answers, be it a pack, a text or the list of entries", () => {
    const asked = Latch.makeUnsafe()
    let closed = 0
    const silent = Stream.never.pipe(Stream.onStart(asked.open), Stream.ensuring(Effect.sync(() => void closed++)))
    const lists: ReadonlyArray<Stream.Stream<ArchiveEntry>> = [
      Stream.make(file("large.txt", 0, 200_000)),
      Stream.make({ path: "words.txt", text: silent }),
      Stream.concat(Stream.make({ path: "words.txt", text: Stream.make("a") }), silent)
    ]
    return Effect.gen(function*() {
      const archives = yield* Archives
      for (const [index, entries] of lists.entries()) {
        const reader = yield* Effect.forkChild(Stream.runDrain(archives.zip(entries, at)))
        yield* asked.await
        yield* Fiber.interrupt(reader)
        assert.strictEqual(closed, index + 1)
        yield* asked.close
      }
    }).pipe(Effect.provide(reading(() => silent)))
  })

  it.effect("ends where a file arrives in the moment in which its reader leaves", () => {
    const asked = Latch.makeUnsafe()
    let arrives = (): void => undefined
    const slice = () => Effect.callback<Buffer>((resume) => {
      arrives = () => resume(Effect.succeed(Buffer.alloc(20_000)))
      asked.openUnsafe()
    })
    return Effect.gen(function*() {
      const reader = yield* Effect.forkChild(Archives.use((archives) => Stream.runDrain(archives.zip(Stream.make(file("notes.txt", 0, 20_000)), at))))
      yield* asked.await
      setImmediate(() => {
        arrives()
        reader.interruptUnsafe()
      })
      yield* Fiber.await(reader)
    }).pipe(Effect.provide(ArchivesCompressCommons.pipe(Layer.provide(Layer.mock(Packs, { slice, draft })))))
  })

  it.effect("takes entries as it goes, never more than two ahead of what is read", () => {
    let [asked, read, ahead] = [0, 0, 0]
    return Effect.gen(function*() {
      const entries = Stream.range(1, 500).pipe(
        Stream.rechunk(1),
        Stream.tap(() => Effect.sync(() => void (ahead = Math.max(ahead, ++asked - read)))),
        Stream.map((index) => file(`${index}.txt`, index, 10))
      )
      yield* Archives.use((archives) => Stream.runDrain(archives.zip(entries, at)))
      assert.deepStrictEqual([asked, read], [500, 500])
      assert.isAtMost(ahead, 2)
    }).pipe(Effect.provide(reading(() => Stream.sync(() => {
      read++
      return Buffer.alloc(10)
    }))))
  })

  it.live("of 400 MB and thousands of files grows the process by less than 128 MB", () =>
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "svc-zip-"))
      // How much V8's young generation grows before a collection depends on how busy the machine is: it is kept small here.
      const probe = ["--max-semi-space-size=2", join(import.meta.dirname, "zip-probe.ts"), join(folder, "probe"), "60", "2000", "0"]
      let least = Infinity
      // Freed chunks that the allocator keeps add up to 40 MB, now and then; what the archive needs is there every time.
      for (let left = 4; left > 0 && least >= 128 * MB; left--) {
        const { stdout } = await promisify(execFile)(process.execPath, probe)
        const { growth, length } = JSON.parse(stdout) as { growth: number; length: number }
        assert.isAbove(length, 400 * MB)
        least = Math.min(least, growth)
      }
      rmSync(folder, { recursive: true })
      assert.isBelow(least, 128 * MB)
    }))

  it.live("of a hundred thousand files with long names is made in a heap of 64 MB", () =>
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "svc-zip-"))
      const probe = ["--max-semi-space-size=2", "--max-old-space-size=64", join(import.meta.dirname, "zip-probe.ts"), join(folder, "probe"), "1", "1", "100000"]
      const { stdout } = await promisify(execFile)(process.execPath, probe)
      rmSync(folder, { recursive: true })
      assert.isAbove((JSON.parse(stdout) as { length: number }).length, 40 * MB)
    }))
})
