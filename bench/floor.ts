/** The lowest cost of a durable write in Node: write, fsync, rename, fsync of the folder. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { folder } from "./closing.ts"

const CHUNK = 1024 * 1024

export interface Floor {
  /** Writes the bytes, repeated so many times, as one file. */
  readonly write: (bytes: Uint8Array, times?: number) => void
  /** Not part of any measurement. */
  readonly clear: () => void
}

export const makeFloor = (): Floor => {
  const home = folder("floor")
  const kept = join(home, "kept")
  mkdirSync(kept)
  let made = 0
  return {
    write: (bytes, times = 1) => {
      const name = String(++made)
      const file = openSync(join(home, name), "wx", 0o600)
      for (let turn = 0; turn < times; turn++) {
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, Math.min(CHUNK, bytes.length - at))
      }
      fsyncSync(file)
      closeSync(file)
      renameSync(join(home, name), join(kept, name))
      const parent = openSync(kept, "r")
      fsyncSync(parent)
      closeSync(parent)
    },
    clear: () => {
      rmSync(kept, { recursive: true, force: true })
      mkdirSync(kept)
    }
  }
}
