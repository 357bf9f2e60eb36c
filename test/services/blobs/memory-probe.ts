/** Runs one upload in a process of its own and prints by how much that raised its peak memory. */
import { mkdirSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { PacksDisk } from "../../../src/services/blobs/packs-disk.ts"

const [root, mode, what, bytes] = process.argv.slice(2) as [string, string, string, string]
mkdirSync(root, { recursive: true })
/** getrusage would include the parent's memory at the fork. */
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) * 1024

/** Always the same chunks: garbage of the source must not count. */
const chunk = Buffer.alloc(65_536, "svc")
const bodies = async function*(total: number) {
  for (let sent = 0; sent < total; sent += chunk.length) yield chunk
}

const file = async function*(path: string) {
  const from = openSync(path, "r")
  for (let read = 0; (read = readSync(from, chunk)) > 0;) yield Buffer.from(chunk.subarray(0, read))
}

const program = Effect.gen(function*() {
  const draft = yield* (yield* Packs).draft
  const before = peak()
  if (mode === "append") {
    yield* draft.keep("018f2f3e-0000-7000-8000-0000000000aa", [yield* draft.append(bodies(Number(what)), Number(what))])
    return { growth: peak() - before }
  }
  const zip = yield* draft.append(file(what), 1e10)
  const code = yield* draft.unzip(zip, { bytes: Number(bytes), files: 10_000 }).pipe(
    Effect.map(() => "accepted"),
    Effect.catch((refusal) => Effect.succeed(refusal._tag))
  )
  return { code, growth: peak() - before }
})

const answer = await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(PacksDisk({ root }))))
const files = (folder: string) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
console.log(JSON.stringify({ ...answer, scratch: files("scratch"), packs: files("packs") }))
rmSync(root, { recursive: true })
