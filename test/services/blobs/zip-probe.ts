/** Makes one large zip of many packs in a process of its own, and prints by how much that raised its peak memory. */
import { readFileSync, rmSync } from "node:fs"
import { DateTime, Effect, Layer, Stream } from "effect"
import { Archives } from "../../../src/domain/ports/archives.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { PacksDisk } from "../../../src/services/blobs/packs-disk.ts"
import { ArchivesCompressCommons } from "../../../src/services/blobs/zip.ts"

const [root, ...counts] = process.argv.slice(2) as [string, ...ReadonlyArray<string>]
/** getrusage would include the parent's memory at the fork. */
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) * 1024

const PACK = "018f2f3e-0000-7000-8000-0000000000aa"
const MB = 1024 * 1024
const chunk = Buffer.from(Array.from({ length: MB }, (_, index) => 32 + (index * index * 7) % 90))
const bytes = async function*() {
  for (let sent = 0; sent < 10; sent++) yield chunk
}

/** Files of ten megabytes, some compressed and some stored, then many small files, empty ones with long names and a long text. */
const entries = (large: number, small: number, empty: number) => Stream.range(1, large).pipe(
  Stream.map((index) => ({ path: `large/${index}.${index % 3 === 0 ? "txt" : "png"}`, pack: PACK, offset: 0, length: 10 * MB })),
  Stream.concat(Stream.map(Stream.range(1, small), (index) => ({ path: `small/some/folders/deep/${index}.png`, pack: PACK, offset: index, length: 100 }))),
  Stream.concat(Stream.map(Stream.range(1, empty), (index) => ({ path: `${"empty/some/folders/".repeat(10)}${index}.png`, pack: PACK, offset: 0, length: 0 }))),
  Stream.concat(Stream.make({ path: "text.json", text: Stream.map(Stream.range(1, 20_000), (index) => `${index} ${"words ".repeat(40)}\n`) }))
)

const program = Effect.gen(function*() {
  const packs = yield* Packs
  yield* Effect.scoped(Effect.gen(function*() {
    const draft = yield* packs.draft
    yield* draft.keep(PACK, [yield* draft.append(bytes(), Infinity)])
  }))
  const draft = yield* packs.draft
  const archives = yield* Archives
  const zip = Effect.fnUntraced(function*([large, small, empty]: ReadonlyArray<number>) {
    return yield* draft.append(archives.zip(entries(large!, small!, empty!), yield* DateTime.now), Infinity, true)
  })
  // Warms up: loading and compiling must not count for the archive.
  yield* zip([1, 100, 100])
  const before = peak()
  const body = yield* zip(counts.map(Number))
  yield* draft.keep("018f2f3e-0000-7000-8000-0000000000bb", [body])
  return { growth: peak() - before, length: body.length }
})

const answer = await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ArchivesCompressCommons.pipe(Layer.provideMerge(PacksDisk({ root }))))))
console.log(JSON.stringify(answer))
rmSync(root, { recursive: true })
