/** Threads that render: each does one document at a time, is ended if it takes too long, and ends itself when idle for a while. */
import { Worker } from "node:worker_threads"
import type { Rendered } from "../../domain/ports/renderer.ts"
import type { Done, Task } from "./thread.ts"

/** `defeated`: the document is too much, and would be again. `late`, and `unbegun` where no thread could begin, may pass. */
export type Outcome = Rendered | "defeated" | "late" | "unbegun"

export interface ThreadLimits {
  readonly megabytes: number
  readonly idleMs: number
}

/** Ended for good once it is cut short: its half-done work is of no use. */
class Thread {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  over = false

  constructor(megabytes: number) {
    this.#worker = new Worker(new URL("./thread.ts", import.meta.url), {
      // The thread does not need to know how this service is configured.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 }
    })
    this.#worker.on("error", () => (this.over = true))
    this.#worker.once("exit", () => (this.over = true))
    this.#ready = new Promise((resolve) => this.#worker.once("message", resolve).once("exit", resolve))
    this.#worker.unref()
  }

  /** Time counts only from when the thread is ready; running out of memory is the document's own doing. */
  async do(task: Task, ms: number): Promise<Outcome> {
    const worker = this.#worker
    worker.ref()
    await this.#ready
    if (this.over) return "unbegun"
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const done = (rendered: Done) => resolve(rendered ?? "defeated")
    const failed = () => resolve("defeated")
    const ended = () => resolve("unbegun")
    const late = setTimeout(() => {
      this.end()
      resolve("late")
    }, ms)
    worker.once("message", done).once("error", failed).once("exit", ended)
    worker.postMessage(task, [])
    try {
      return await promise
    } finally {
      clearTimeout(late)
      worker.off("message", done).off("error", failed).off("exit", ended)
      worker.unref()
    }
  }

  end(): void {
    this.over = true
    void this.#worker.terminate()
  }
}

export class Threads {
  readonly #limits: ThreadLimits
  readonly #idle = new Map<Thread, ReturnType<typeof setTimeout>>()
  readonly #busy = new Set<Thread>()

  constructor(limits: ThreadLimits) {
    this.#limits = limits
  }

  async do(task: Task, ms: number): Promise<Outcome> {
    const thread = this.#take() ?? this.#begun()
    if (thread === undefined) return "unbegun"
    this.#busy.add(thread)
    const done = await thread.do(task, ms)
    this.#busy.delete(thread)
    if (!thread.over) this.#rest(thread)
    return done
  }

  end(): void {
    this.#busy.forEach((thread) => thread.end())
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer)
      thread.end()
    }
    this.#idle.clear()
  }

  /** Undefined if the machine has no room for another thread. */
  #begun(): Thread | undefined {
    try {
      return new Thread(this.#limits.megabytes)
    } catch {
      return undefined
    }
  }

  #take(): Thread | undefined {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(thread)
      if (!thread.over) return thread
    }
    return undefined
  }

  #rest(thread: Thread): void {
    this.#idle.set(thread, setTimeout(() => {
      this.#idle.delete(thread)
      thread.end()
    }, this.#limits.idleMs).unref())
  }
}
