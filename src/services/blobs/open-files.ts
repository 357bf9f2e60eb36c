/** Keeps the most recently used files open for reading: a hot pack costs no open per read. */
import { open } from "node:fs/promises"
import type { FileHandle } from "node:fs/promises"

interface Opened {
  readonly file: Promise<FileHandle>
  users: number
  dropped: boolean
}

export interface Lease {
  readonly file: FileHandle
  readonly release: () => void
}

export class OpenFiles {
  readonly #limit: number
  /** Least recently used first. */
  readonly #files = new Map<string, Opened>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The file stays open until it is released, even if it is dropped in between. */
  async lease(path: string): Promise<Lease> {
    const opened = this.#files.get(path) ?? { file: open(path, "r"), users: 0, dropped: false }
    this.#files.delete(path)
    this.#files.set(path, opened)
    opened.users++
    if (this.#files.size > this.#limit) this.drop(this.#files.keys().next().value!)
    try {
      return { file: await opened.file, release: once(() => this.#release(opened)) }
    } catch (error) {
      if (this.#files.get(path) === opened) this.#files.delete(path)
      throw error
    }
  }

  /** Drops a file; it closes with its last reader. Unlink it first, or a reader may open it once more. */
  drop(path: string): void {
    const opened = this.#files.get(path)
    if (opened === undefined) return
    this.#files.delete(path)
    opened.dropped = true
    if (opened.users === 0) close(opened)
  }

  clear(): void {
    for (const path of [...this.#files.keys()]) this.drop(path)
  }

  #release(opened: Opened): void {
    opened.users--
    if (opened.users === 0 && opened.dropped) close(opened)
  }
}

const close = (opened: Opened): void => {
  // Only read from, so a failed close loses nothing.
  opened.file.then((file) => file.close()).catch(() => undefined)
}

const once = (run: () => void): () => void => {
  let done = false
  return () => {
    if (!done) run()
    done = true
  }
}
