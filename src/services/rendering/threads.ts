/** Threads that render: each does one document at a time, is ended when it takes too long, and goes when it has nothing to do. */
import { Worker } from "node:worker_threads"
import type { Done, Task } from "./thread.ts"

export interface ThreadLimits {
  readonly megabytes: number
  readonly idleMs: number
}

/** Ended for good once it was cut short: what it was in the middle of is of no use. */
class Thread {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  over = false

  constructor(megabytes: number) {
    this.#worker = new Worker(new URL("./thread.ts", import.meta.url), {
      // Nothing in there needs to know how this service is configured.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 }
    })
    this.#worker.on("error", () => (this.over = true))
    this.#worker.once("exit", () => (this.over = true))
    this.#ready = new Promise((resolve) => this.#worker.once("message", resolve).once("exit", resolve))
    this.#worker.unref()
  }

  /** Null too where it ran out of time, which only counts once it has begun, or of memory. */
  async do(task: Task, ms: number): Promise<Done> {
    const worker = this.#worker
    worker.ref()
    await this.#ready
    if (this.over) return null
    const { promise, resolve } = Promise.withResolvers<Done>()
    const lost = () => resolve(null)
    const late = setTimeout(() => {
      this.end()
      resolve(null)
    }, ms)
    worker.once("message", resolve).once("error", lost).once("exit", lost)
    worker.postMessage(task, [])
    try {
      return await promise
    } finally {
      clearTimeout(late)
      worker.off("message", resolve).off("error", lost).off("exit", lost)
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

  async do(task: Task, ms: number): Promise<Done> {
    const thread = this.#take() ?? new Thread(this.#limits.megabytes)
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
