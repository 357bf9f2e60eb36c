/** Threads for documents of strangers: each does one at a time, is ended if it takes too long, and ends itself when idle for a while. */
import { Worker } from "node:worker_threads"

/** `defeated`: the document is too much, and would be again. `late`, and `unbegun` where no thread could begin, may pass. */
export type Outcome<Made> = Made | "defeated" | "late" | "unbegun"

export interface ThreadLimits {
  /** Of JavaScript: what a thread compiles to WebAssembly has a memory of its own. */
  readonly megabytes: number
  readonly idleMs: number
}

/** Ended for good once it is cut short: its half-done work is of no use. */
class Thread<Task, Made> {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  over = false

  constructor(script: URL, megabytes: number) {
    this.#worker = new Worker(script, {
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
  async do(task: Task, ms: number): Promise<Outcome<Made>> {
    const worker = this.#worker
    worker.ref()
    await this.#ready
    if (this.over) return "unbegun"
    const { promise, resolve } = Promise.withResolvers<Outcome<Made>>()
    const done = (made: Made | null) => resolve(made ?? "defeated")
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

/** `script`: says once that it is ready, and then answers each task with what it made, or null if it could not. */
export class Threads<Task, Made> {
  readonly #script: URL
  readonly #limits: ThreadLimits
  readonly #idle = new Map<Thread<Task, Made>, ReturnType<typeof setTimeout>>()
  readonly #busy = new Set<Thread<Task, Made>>()

  constructor(script: URL, limits: ThreadLimits) {
    this.#script = script
    this.#limits = limits
  }

  async do(task: Task, ms: number): Promise<Outcome<Made>> {
    const thread = this.#take() ?? this.#begun()
    if (thread === undefined) return "unbegun"
    this.#busy.add(thread)
    const outcome = await thread.do(task, ms)
    // What defeated it may have left it broken, and the next document may be somebody else's.
    if (outcome === "defeated") thread.end()
    this.#busy.delete(thread)
    if (!thread.over) this.#rest(thread)
    return outcome
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
  #begun(): Thread<Task, Made> | undefined {
    try {
      return new Thread(this.#script, this.#limits.megabytes)
    } catch {
      return undefined
    }
  }

  #take(): Thread<Task, Made> | undefined {
    for (const [thread, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(thread)
      if (!thread.over) return thread
    }
    return undefined
  }

  #rest(thread: Thread<Task, Made>): void {
    this.#idle.set(thread, setTimeout(() => {
      this.#idle.delete(thread)
      thread.end()
    }, this.#limits.idleMs).unref())
  }
}
