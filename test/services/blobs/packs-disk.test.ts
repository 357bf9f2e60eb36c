/** Packs on disk: the contract, and what only a disk can do wrong. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { PacksDisk } from "../../../src/services/blobs/packs-disk.ts"
import { Spool } from "../../../src/services/blobs/spool.ts"
import { eventually } from "../../support/program.ts"
import { tinyDisk, unmount } from "../../support/tiny-disk.ts"
import { chunksOf, freshId, packsContract } from "./packs-contract.ts"

const MB = 1024 * 1024

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "packs-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

packsContract("packs on disk", Layer.unwrap(Effect.map(folder, (root) => Layer.orDie(PacksDisk({ root })))))

const scratchOf = (root: string) => readdirSync(join(root, "scratch"))
const packsOf = (root: string) => readdirSync(join(root, "packs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
const withPacks = <A, E>(root: string, use: (packs: Packs["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Packs, use).pipe(Effect.provide(PacksDisk({ root })))

const unmounted = (disk: string) => Effect.addFinalizer(() => Effect.sync(() => unmount(disk)))

describe("packs on disk, when things go wrong", () => {
  it.effect("a folder that cannot be written refuses the start, naming the variable", () =>
    Effect.gen(function*() {
      const root = yield* folder
      writeFileSync(join(root, "scratch"), "")
      const refused = yield* Effect.flip(withPacks(root, () => Effect.void))
      assert.match(refused.message, /^The folder of blobs cannot be made or read \(E[A-Z]+: [^\n]+\); check that this user may write to SVC_DATA_DIR [^\n]+\.$/)
    }))

  it("what arrives once an upload is over makes no file", async () => {
    const root = mkdtempSync(join(tmpdir(), "packs-"))
    try {
      const spool = new Spool(join(root, "late"))
      await spool.close()
      const refused = await spool.write(Buffer.alloc(MB))?.then(() => "taken", (error: Error) => error.message)
      assert.deepStrictEqual([refused, readdirSync(root)], ["the spool is closed", []])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it.effect("an aborted upload leaves nothing", () =>
    Effect.gen(function*() {
      const root = yield* folder
      yield* withPacks(root, (packs) =>
        Effect.gen(function*() {
          const stalled = yield* Deferred.make<void>()
          const source = async function*() {
            yield Buffer.alloc(3 * MB)
            Deferred.doneUnsafe(stalled, Effect.void)
            await new Promise(() => undefined)
          }
          const upload = yield* Effect.forkChild(
            Effect.scoped(Effect.flatMap(packs.draft, (draft) => draft.append(source(), 100 * MB)))
          )
          yield* Deferred.await(stalled)
          assert.strictEqual(scratchOf(root).length, 1)
          yield* Fiber.interrupt(upload)
          assert.deepStrictEqual(scratchOf(root), [])
        }))
      assert.deepStrictEqual(packsOf(root), [])
    }))

  it.effect("lists nothing that is no pack, such as what an interrupted copy leaves: it would be removed, and cannot be", () =>
    Effect.gen(function*() {
      const root = yield* folder
      yield* withPacks(root, ({ draft, list, remove }) =>
        Effect.gen(function*() {
          yield* Effect.scoped(Effect.flatMap(draft, (one) =>
            Effect.flatMap(one.append(chunksOf(Buffer.from("kept")), MB), (body) => one.keep(freshId(), [body]))))
          for (const name of [".nfs00000000000a1b2c00000001", `.${freshId()}.x7Qb2p`]) writeFileSync(join(root, "packs/00", name), "")
          const listed = yield* Stream.runCollect(list)
          assert.strictEqual(listed.length, 1)
          yield* remove(listed[0]!.id)
        }))
    }).pipe(Effect.scoped))

  it.effect("a scope that ends without keeping leaves nothing, one that kept leaves one file", () =>
    Effect.gen(function*() {
      const root = yield* folder
      yield* withPacks(root, ({ draft }) =>
        Effect.gen(function*() {
          yield* Effect.scoped(Effect.flatMap(draft, (one) => one.append(chunksOf(Buffer.alloc(MB)), MB)))
          assert.deepStrictEqual([scratchOf(root).length, packsOf(root).length], [0, 0])
          yield* Effect.scoped(Effect.gen(function*() {
            const one = yield* draft
            const [first, second] = [yield* one.append(chunksOf(Buffer.alloc(MB)), MB), yield* one.append(chunksOf(Buffer.alloc(MB)), MB)]
            yield* one.keep(freshId(), [second, first])
          }))
          assert.deepStrictEqual([scratchOf(root).length, packsOf(root).length], [0, 1])
        }))
    }))

  it.effect("collects what a killed process left, and leaves the living alone", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const program = `
        import { Effect } from "effect"
        import { Packs } from ${JSON.stringify(join(import.meta.dirname, "../../../src/domain/ports/packs.ts"))}
        import { PacksDisk } from ${JSON.stringify(join(import.meta.dirname, "../../../src/services/blobs/packs-disk.ts"))}
        const source = async function*() {
          yield Buffer.alloc(2_000_000)
          console.log("taken")
          await new Promise((done) => setTimeout(done, 60_000))
        }
        await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
          const draft = yield* (yield* Packs).draft
          yield* draft.append(source(), 9_000_000)
        })).pipe(Effect.provide(PacksDisk({ root: ${JSON.stringify(root)} }))))`
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: join(import.meta.dirname, "../../.."),
        stdio: ["ignore", "pipe", "inherit"]
      })
      yield* Effect.promise(() => once(child.stdout, "data"))
      assert.strictEqual(scratchOf(root).length, 1)
      writeFileSync(join(root, "scratch", "0123456789ab-1-1.old"), "")
      writeFileSync(join(root, "scratch", "0123456789ab-1-1.new"), "")
      utimesSync(join(root, "scratch", "0123456789ab-1-1.old"), 1, 1)

      yield* withPacks(root, () => Effect.sync(() => assert.strictEqual(scratchOf(root).length, 2)))
      child.kill("SIGKILL")
      yield* Effect.promise(() => once(child, "exit"))
      yield* withPacks(root, () => Effect.sync(() => assert.deepStrictEqual(scratchOf(root), ["0123456789ab-1-1.new"])))
    }))

  const stored = (root: string) => join(packsOf(root)[0]!.parentPath, packsOf(root)[0]!.name)
  const needle = "a needle that is to go"
  /** Three megabytes that begin with a needle, and a small body behind them. */
  const keepNeedle = (id: string) => Effect.fnUntraced(function*({ draft }: Packs["Service"]) {
    const one = yield* draft
    const bodies = yield* Effect.forEach([Buffer.alloc(3 * MB, needle), Buffer.from("what stays")], (bytes) => one.append(chunksOf(bytes), bytes.length))
    yield* one.keep(id, bodies)
    return bodies.map(({ hash, length }, at) => ({ offset: at === 0 ? 0 : 3 * MB, length, hash }))
  }, Effect.scoped)

  it.effect("a pack that is thinned is as long as before, and its dead bytes are nowhere in the folder", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const id = freshId()
      yield* withPacks(root, (packs) => Effect.gen(function*() {
        const [dead, living] = yield* keepNeedle(id)(packs)
        const before = statSync(stored(root))
        assert.include(readFileSync(stored(root), "utf8"), needle)
        assert.isTrue(yield* packs.thin(id, [dead!], [living!]))
        const after = statSync(stored(root))
        assert.strictEqual(after.size, before.size)
        assert.strictEqual(after.mode, before.mode)
        assert.isBelow(after.blocks * 512, 64 * 1024)
        assert.notInclude(readFileSync(stored(root), "utf8"), needle)
        assert.deepStrictEqual([packsOf(root).length, scratchOf(root)], [1, []])
        assert.isFalse(yield* packs.thin(id, [], [{ ...living!, hash: dead!.hash }]))
        assert.deepStrictEqual([packsOf(root).length, scratchOf(root)], [1, []])
      }))
    }))

  it.effect("a stop while a pack is thinned waits until its copy is removed", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const [id, bytes] = [freshId(), Buffer.alloc(48 * MB, 7)]
      yield* withPacks(root, (packs) => Effect.gen(function*() {
        yield* Effect.scoped(Effect.gen(function*() {
          const draft = yield* packs.draft
          yield* draft.keep(id, [yield* draft.append(chunksOf(bytes), bytes.length)])
        }))
        const living = { offset: MB, length: 47 * MB, hash: createHash("sha256").update(bytes.subarray(MB)).digest("hex") }
        const thinning = yield* Effect.forkChild(packs.thin(id, [{ offset: 0, length: MB }], [living]))
        yield* Effect.promise(async () => {
          while (scratchOf(root).length === 0) await setImmediate()
        })
        yield* Fiber.interrupt(thinning)
        assert.deepStrictEqual([packsOf(root).length, scratchOf(root)], [1, []])
      }))
    }))

  it.effect("a kill before the copy has the pack's name leaves the pack as it was", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const id = freshId()
      const [dead, living] = yield* withPacks(root, keepNeedle(id))
      const program = `
        import promises from "node:fs/promises"
        import { syncBuiltinESMExports } from "node:module"
        import { Effect } from "effect"
        promises.rename = () => process.kill(process.pid, "SIGKILL")
        syncBuiltinESMExports()
        const { Packs } = await import(${JSON.stringify(join(import.meta.dirname, "../../../src/domain/ports/packs.ts"))})
        const { PacksDisk } = await import(${JSON.stringify(join(import.meta.dirname, "../../../src/services/blobs/packs-disk.ts"))})
        await Effect.runPromise(Effect.flatMap(Packs, (packs) => packs.thin(${JSON.stringify(id)}, [${JSON.stringify(dead)}], [${JSON.stringify(living)}])).pipe(
          Effect.provide(PacksDisk({ root: ${JSON.stringify(root)} }))))`
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: join(import.meta.dirname, "../../.."), stdio: ["ignore", "ignore", "inherit"] })
      const [, signal] = yield* Effect.promise(() => once(child, "exit"))
      assert.strictEqual(signal, "SIGKILL")
      assert.include(readFileSync(stored(root), "utf8"), needle)
      assert.strictEqual(scratchOf(root).length, 1)
      yield* withPacks(root, (packs) => Effect.gen(function*() {
        assert.deepStrictEqual(scratchOf(root), [])
        assert.isTrue(yield* packs.thin(id, [dead!], [living!]))
        assert.strictEqual(Buffer.from(yield* packs.slice(id, living!.offset, living!.length)).toString(), "what stays")
        assert.notInclude(readFileSync(stored(root), "utf8"), needle)
      }))
    }))

  it.effect("closes every file it opened, also where a reader leaves early", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const openBelow = () =>
        existsSync("/proc/self/fd")
          ? readdirSync("/proc/self/fd").filter((fd) => {
            try {
              return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root)
            } catch {
              return false
            }
          })
          : []
      yield* withPacks(root, ({ draft, read, remove, slice, thin }) =>
        Effect.gen(function*() {
          const id = freshId()
          yield* Effect.scoped(Effect.gen(function*() {
            const one = yield* draft
            yield* one.keep(id, [yield* one.append(chunksOf(Buffer.alloc(2 * MB)), 2 * MB)])
          }))
          yield* Stream.runDrain(Stream.take(read(id, 0, 2 * MB), 1))
          yield* slice(id, 0, 10)
          yield* thin(id, [{ offset: 0, length: MB }], [])
          // The second read continues across the removal: a reader gets the whole pack.
          let seen = 0
          yield* Stream.runForEach(read(id, 0, 2 * MB), (chunk) =>
            Effect.andThen(seen === 0 ? remove(id) : Effect.void, Effect.sync(() => (seen += chunk.length))))
          assert.strictEqual(seen, 2 * MB)
        }))
      yield* Effect.promise(() => eventually("every file is closed", async () => openBelow().length === 0))
    }))

  const small = tinyDisk(60)
  it.effect.skipIf(small === undefined)("a long upload leaves room on the disk for the database and for short ones (needs root: mounts a tmpfs)", () =>
    Effect.gen(function*() {
      yield* unmounted(small!)
      yield* withPacks(small!, ({ draft }) =>
        Effect.scoped(Effect.gen(function*() {
          const [long, short] = [yield* draft, yield* draft]
          const refused = yield* Effect.flip(long.append(chunksOf(Buffer.alloc(100 * MB)), 200 * MB))
          assert.deepStrictEqual([refused._tag, refused.details], ["unavailable", { reason: "no_room" }])
          yield* short.keep(freshId(), [yield* short.append(chunksOf(Buffer.alloc(2 * MB)), 3 * MB)])
        })))
      assert.deepStrictEqual([scratchOf(small!).length, packsOf(small!).length], [0, 1])
    }).pipe(Effect.scoped))

  const shared = tinyDisk(300)
  it.live.skipIf(shared === undefined)("bodies that stay small and never end leave room on the disk too, and whoever comes once they are gone is served (needs root: mounts a tmpfs)", () =>
    Effect.gen(function*() {
      yield* unmounted(shared!)
      const free = () => {
        const { bavail, bsize } = statfsSync(shared!)
        return bavail * bsize / MB
      }
      let [least, waiting] = [Infinity, 0]
      const endless = async function*() {
        for (let at = 0; at < 7; at++) {
          yield Buffer.alloc(MB)
          least = Math.min(least, free())
        }
        waiting++
        await new Promise(() => undefined)
      }
      yield* withPacks(shared!, ({ draft }) =>
        Effect.gen(function*() {
          const refused: Array<string> = []
          const bodies = yield* Effect.forEach(Array.from({ length: 45 }, (_, at) => at), (at) =>
            Effect.scoped(Effect.flatMap(draft, (one) => one.append(endless(), 100 * MB))).pipe(
              Effect.catch(({ _tag }) => Effect.sync(() => refused.push(_tag))),
              Effect.forkChild,
              Effect.tap(Effect.promise(() => eventually("it came as far as it may", () => waiting + refused.length > at)))
            ))
          assert.deepStrictEqual([...new Set(refused)], ["unavailable"])
          assert.isAtLeast(least, 5)
          yield* Fiber.interruptAll(bodies)
          yield* Effect.scoped(Effect.gen(function*() {
            const one = yield* draft
            yield* one.keep(freshId(), [yield* one.append(chunksOf(Buffer.alloc(20 * MB)), 20 * MB)])
          }))
          assert.strictEqual(packsOf(shared!).length, 1)
        }))
    }))

  const disk = tinyDisk(2)
  it.effect.skipIf(disk === undefined)("a full disk is a clean refusal, and the next upload fits again (needs root: mounts a tmpfs)", () =>
    Effect.gen(function*() {
      yield* unmounted(disk!)
      yield* withPacks(disk!, ({ draft, ready }) =>
        Effect.gen(function*() {
          yield* Effect.scoped(Effect.gen(function*() {
            const one = yield* draft
            const refused = yield* Effect.flip(one.append(chunksOf(Buffer.alloc(16 * MB)), 100 * MB))
            assert.strictEqual(refused._tag, "unavailable")
            assert.notInclude(JSON.stringify(refused), disk!)
            assert.strictEqual((yield* Effect.flip(ready))._tag, "unavailable")
          }))
          assert.deepStrictEqual([scratchOf(disk!).length, packsOf(disk!).length], [0, 0])
          yield* ready
          yield* Effect.scoped(Effect.gen(function*() {
            const one = yield* draft
            const small = yield* one.append(chunksOf(Buffer.alloc(200_000)), MB)
            yield* one.append(chunksOf(Buffer.alloc(MB)), MB)
            yield* one.keep(freshId(), [small])
          }))
          assert.deepStrictEqual([scratchOf(disk!).length, packsOf(disk!).length], [0, 1])
          const refused = yield* Effect.scoped(Effect.gen(function*() {
            const one = yield* draft
            const bodies = [yield* one.append(chunksOf(Buffer.alloc(1)), MB), yield* one.append(chunksOf(Buffer.alloc(MB)), MB)]
            return yield* Effect.flip(one.keep(freshId(), [bodies[1]!]))
          }))
          assert.strictEqual(refused._tag, "unavailable")
          assert.deepStrictEqual([scratchOf(disk!).length, packsOf(disk!).length], [0, 1])
        }))
    }))
})
