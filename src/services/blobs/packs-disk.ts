/** Packs as files below one folder. */
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from "node:fs/promises"
import type { FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { DateTime, Effect, Layer, Option, Schedule, Stream } from "effect"
import { Packs } from "../../domain/ports/packs.ts"
import type { LivingRange, Range } from "../../domain/ports/packs.ts"
import { pieces } from "../../domain/projects/packs/ranges.ts"
import { makeFolder } from "../make-folder.ts"
import { step } from "../start-refused.ts"
import type { StartRefused } from "../start-refused.ts"
import { readIfThere, synced, writtenOnce } from "../written-once.ts"
import { copied, makeDraft } from "./drafts.ts"
import type { Contents } from "./drafts.ts"
import { io, tooShort } from "./faults.ts"
import { OpenFiles } from "./open-files.ts"
import { Scratch } from "./scratch.ts"
import { readFully, writeFully } from "./spool.ts"
import { Differs, runsOf } from "./thinned.ts"

const READ_CHUNK = 256 * 1024
const OPEN_FILES = 256
/** Packs up to this size are synced while their publish goes on; with longer ones, it would hold its workspace's lock meanwhile. */
const SMALL = 1024 * 1024

const isId = (name: string): boolean => /^[\w-]{0,126}[0-9a-f]{2}$/.test(name)

/** Ids are our own UUIDs: their random last characters spread the packs over folders that stay small. */
const folderOf = (id: string): string => {
  if (!isId(id)) throw new Error("not the id of a pack")
  return id.slice(-2)
}

const folders = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, "0"))

/** Files that stay open between uses: packs, and their folders. */
export const KEPT_OPEN = OPEN_FILES + folders.length

const exactly = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafeSlow(length)
  if ((await readFully(file, bytes, offset)) < length) throw tooShort()
  return bytes
}

/** All folders are made in advance, so that a publish needs to fsync only one. */
const prepare = async (root: string): Promise<void> => {
  await makeFolder(root)
  const there = new Set(await readdir(root))
  const missing = folders.filter((name) => !there.has(name))
  for (const name of missing) await mkdir(join(root, name), { recursive: true })
  if (missing.length > 0) await synced(root)
}

export const PacksDisk = ({ root }: { readonly root: string }): Layer.Layer<Packs, StartRefused> =>
  Layer.effect(Packs, Effect.gen(function*() {
    const scratch = new Scratch(join(root, "scratch"))
    const packs = join(root, "packs")
    const deployment = join(root, "deployment")
    yield* step(() => Promise.all([scratch.prepare(), prepare(packs)]), "The folder of blobs cannot be made or read")
    const files = yield* Effect.acquireRelease(
      Effect.sync(() => new OpenFiles(OPEN_FILES)),
      (all) => Effect.sync(() => all.clear())
    )
    /** The folders of packs, kept open because each pack's folder is synced with it. */
    const homes = yield* Effect.acquireRelease(
      Effect.sync(() => new OpenFiles(folders.length)),
      (all) => Effect.sync(() => all.clear())
    )
    yield* io("sweep its scratch folder", async () => {
      // Another process may have removed packs; files open here would keep their space in use.
      files.clear()
      homes.clear()
      await scratch.prepare()
    }).pipe(Effect.ignore, Effect.schedule(Schedule.spaced("1 hour")), Effect.forkScoped)

    const pathOf = (id: string) => join(packs, folderOf(id), id)

    const store = async (id: string, contents: Contents): Promise<void> => {
      const spool = contents.whole ?? await copied(scratch, contents)
      const folder = join(packs, folderOf(id))
      const home = homes.lease(folder)
      home.catch(() => undefined)
      let moved = false
      try {
        const { file, path } = await spool.toFile()
        // Renamed before the syncs, so that the disk takes file and name in one commit of its journal. No row names the pack
        // until both are synced, so what a power cut leaves of it is collected like any other orphan.
        await rename(path, pathOf(id))
        moved = true
        await Promise.all([file.sync(), home.then(({ file }) => file.sync())])
      } catch (error) {
        // After a disk went away and came back, the open folder belongs to the disk that went.
        homes.drop(folder)
        if (moved) await unlink(pathOf(id)).catch(() => undefined)
        throw error
      } finally {
        home.then(({ release }) => release()).catch(() => undefined)
        const closed = spool.close(moved).catch(() => undefined)
        if (!moved) await closed
      }
    }

    /** The copy is durable before it takes the pack's name, so a power cut leaves the old file or the new one. */
    const thin = async (id: string, dead: ReadonlyArray<Range>, living: ReadonlyArray<LivingRange>, signal: AbortSignal): Promise<boolean> => {
      const [from, copy] = [await open(pathOf(id), "r"), scratch.fresh()]
      try {
        const { size } = await from.stat()
        const copied = pieces(size, dead, living)
        if (copied === undefined) return false
        const to = await open(copy, "wx", 0o600)
        try {
          await to.truncate(size)
          for await (const { bytes, offset } of runsOf(copied, (at, length) => exactly(from, at, length))) {
            signal.throwIfAborted()
            await writeFully(to, [bytes], offset)
          }
          await to.sync()
        } finally {
          await to.close()
        }
        await rename(copy, pathOf(id))
        files.drop(pathOf(id))
        await synced(join(packs, folderOf(id)))
        return true
      } catch (error) {
        if (error instanceof Differs) return false
        throw error
      } finally {
        await rm(copy, { force: true })
        await from.close()
      }
    }

    const whose = async () => Option.map(Option.fromUndefinedOr(await readIfThere(deployment)), (id) => id.trim())

    return {
      draft: makeDraft(scratch, (id, contents) => Effect.uninterruptible(io("keep a pack", () => store(id, contents))), SMALL),

      read: (id, offset, length) =>
        length === 0 ? Stream.empty : Stream.unwrap(
          Effect.acquireRelease(io("open a pack", () => files.lease(pathOf(id))), (lease) => Effect.sync(lease.release)).pipe(
            Effect.map((lease) =>
              Stream.paginate(0, (at) => {
                const size = Math.min(READ_CHUNK, length - at)
                const next = at + size < length ? Option.some(at + size) : Option.none()
                return Effect.map(io("read a pack", () => exactly(lease.file, offset + at, size)), (bytes) => [[bytes], next] as const)
              })
            )
          )
        ),

      slice: (id, offset, length) =>
        length === 0 ? Effect.succeed(Buffer.alloc(0)) : io("read a pack", async () => {
          const lease = await files.lease(pathOf(id))
          return exactly(lease.file, offset, length).finally(lease.release)
        }),

      // A stop ends it before its next piece, and waits until its copy is removed: the copy may be as long as a pack.
      thin: (id, dead, living) =>
        Effect.suspend(() => {
          let over: Promise<unknown> = Promise.resolve()
          return io("thin a pack", (signal) => {
            const thinned = thin(id, dead, living, signal)
            over = thinned.catch(() => undefined)
            return thinned
          }).pipe(Effect.onInterrupt(() => Effect.promise(() => over)))
        }),

      remove: (id) =>
        io("remove a pack", async () => {
          await rm(pathOf(id), { force: true })
          files.drop(pathOf(id))
        }),

      list: Stream.fromIterable(folders).pipe(
        Stream.mapEffect((name) =>
          io("list the packs", async () => {
            // What a copying program or a file system puts beside them (.nfs…, .<id>.x7Qb2p) is not ours to remove.
            const ids = (await readdir(join(packs, name))).filter(isId)
            const found = await Promise.all(ids.map(async (id) => {
              // The time at which the file changed, not its bytes: those may have arrived long before the pack was kept.
              const facts = await stat(join(packs, name, id)).catch(() => undefined)
              return facts === undefined ? [] : [{ id, storedAt: DateTime.makeUnsafe(facts.ctimeMs) }]
            }))
            return found.flat()
          })
        ),
        Stream.flattenIterable
      ),

      deployment: io("read whose packs these are", whose),

      claim: (id) => io("write whose packs these are", async () => (await writtenOnce(deployment, `${id}\n`)).trim()),

      ready: io("write to its disk", async () => {
        const path = scratch.fresh()
        await writeFile(path, "ready", { flag: "wx" }).finally(() => rm(path, { force: true }))
        return whose()
      })
    }
  }))
