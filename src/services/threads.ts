/** Threads for documents of strangers: each does one at a time, is ended if it takes too long, and ends itself when idle for a while. */
import { memoryUsage } from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { memoryOfMachine } from "./machine.ts"

/** `defeated`: the document is too much, and would be again. `late`, or more memory than could be given this time, and `unbegun` where no thread could begin, may pass. */
export type Outcome<Made> = Made | "defeated" | "late" | "unbegun"

export interface ThreadLimits {
  /** Of JavaScript. */
  readonly megabytes: number
  /** Of WebAssembly, whose memory is its own; the script finds its share as `workerData`. */
  readonly wasmMegabytes?: number
  readonly idleMs: number
}

/** What a thread may take of either. */
interface Share {
  readonly megabytes: number
  readonly wasmMegabytes: number
  /** Less than the limits allow. */
  readonly cramped: boolean
}

const MB = 1024 ** 2

/** Of the machine's memory; the rest is the database's and the system's. */
const OURS = 0.75

/** What the process may still take, in megabytes. Asked of the system, a container's free memory would lack what it caches of files. */
const room = (): number => (memoryOfMachine() * OURS - memoryUsage.rss()) / MB

/** Times as long by the clock a thread may take: for code that never lets it say how much time it spent. */
const BY_CLOCK = 10

/** With less of either, even a short document is defeated. */
const LEAST_MB = 64

/** Half of the room at most, so that no document ends the service on a small machine; undefined where that is too little to begin. */
const shareOf = ({ megabytes, wasmMegabytes = 0 }: ThreadLimits, room: number): Share | undefined => {
  const script = Math.min(megabytes, Math.floor(room / 2))
  const wasm = Math.min(wasmMegabytes, Math.floor(room / 2) - script)
  if (script < Math.min(LEAST_MB, megabytes) || wasm < Math.min(LEAST_MB, wasmMegabytes)) return undefined
  return { megabytes: script, wasmMegabytes: wasm, cramped: script + wasm < megabytes + wasmMegabytes }
}

/** Ended for good once it is cut short: its half-done work is of no use. */
class Thread<Task, Made> {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  readonly #defeated: "defeated" | "late"
  over = false

  constructor(script: URL, { cramped, megabytes, wasmMegabytes }: Share) {
    this.#defeated = cramped ? "late" : "defeated"
    this.#worker = new Worker(script, {
      // The thread does not need to know how this service is configured.
      env: {},
      execArgv: [],
      workerData: wasmMegabytes,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 }
    })
    this.#worker.on("error", () => (this.over = true))
    this.#worker.once("exit", () => (this.over = true))
    this.#ready = new Promise((resolve) => this.#worker.once("message", resolve).once("exit", resolve))
    this.#worker.unref()
  }

  /** Time is what the thread itself spends, once it is ready: other work of the machine defeats no document. Running out of memory is the document's own doing. */
  async do(task: Task, ms: number): Promise<Outcome<Made>> {
    const worker = this.#worker
    worker.ref()
    await this.#ready
    if (this.over) return "unbegun"
    const { promise, resolve } = Promise.withResolvers<Outcome<Made>>()
    const failed = () => {
      // What defeated it may have left it broken, and the next document may be somebody else's.
      this.end()
      resolve(this.#defeated)
    }
    const done = (made: Made | null) => made === null ? failed() : resolve(made)
    const ended = () => resolve("unbegun")
    const answered = new AbortController()
    const late = () => {
      this.end()
      resolve("late")
    }
    const clock = setTimeout(late, ms * BY_CLOCK)
    this.#spent(ms, answered.signal).then(late, () => {})
    worker.once("message", done).once("error", failed).once("exit", ended)
    worker.postMessage(task, [])
    try {
      return await promise
    } finally {
      clearTimeout(clock)
      answered.abort()
      worker.off("message", done).off("error", failed).off("exit", ended)
      worker.unref()
    }
  }

  /** Fails where the thread answers or ends before. */
  async #spent(ms: number, answered: AbortSignal): Promise<void> {
    const before = await this.#worker.cpuUsage()
    for (let left = ms; left > 0;) {
      await wait(left, undefined, { signal: answered })
      const { system, user } = await this.#worker.cpuUsage(before)
      left = ms - (user + system) / 1_000
      answered.throwIfAborted()
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
  readonly #room: () => number
  readonly #idle = new Map<Thread<Task, Made>, ReturnType<typeof setTimeout>>()
  readonly #busy = new Set<Thread<Task, Made>>()

  constructor(script: URL, limits: ThreadLimits, roomMegabytes = room) {
    this.#script = script
    this.#limits = limits
    this.#room = roomMegabytes
  }

  async do(task: Task, ms: number): Promise<Outcome<Made>> {
    const thread = this.#take() ?? this.#begun()
    if (thread === undefined) return "unbegun"
    this.#busy.add(thread)
    const outcome = await thread.do(task, ms)
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
    const share = shareOf(this.#limits, this.#room())
    if (share === undefined) return undefined
    try {
      return new Thread(this.#script, share)
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
