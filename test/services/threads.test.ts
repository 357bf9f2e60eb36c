/** Threads for documents of strangers: one that a document broke is not given the next, and none takes more than the machine can give, nor more time than it may. */
import { assert, it } from "vitest"
import { Threads } from "../../src/services/threads.ts"

/** Answers each task with itself, or with its share of memory, until one breaks it: from then on with null. */
const script = new URL(`data:text/javascript,${encodeURIComponent(`
  import { parentPort, resourceLimits, workerData } from "node:worker_threads"
  let broken = false
  parentPort.on("message", (task) => {
    broken ||= task === "break"
    parentPort.postMessage(broken ? null : task === "share" ? resourceLimits.maxOldGenerationSizeMb + " + " + workerData : task)
  })
  parentPort.postMessage("ready")
`)}`)

it("what defeats a thread takes nothing from the documents that come after it", async () => {
  const threads = new Threads<string, string>(script, { megabytes: 32, idleMs: 60_000 })
  try {
    assert.deepStrictEqual([await threads.do("one", 10_000), await threads.do("break", 10_000), await threads.do("two", 10_000)], ["one", "defeated", "two"])
  } finally {
    threads.end()
  }
})

const LIMITS = { megabytes: 384, wasmMegabytes: 512, idleMs: 60_000 }

it("on a machine with little memory a thread takes half of what there is, and what that defeats is tried again", async () => {
  const told: Record<number, ReadonlyArray<string>> = {}
  for (const room of [255, 256, 896, 1_791, 1_792, 64_000]) {
    const threads = new Threads<string, string>(script, room < 896 ? { ...LIMITS, megabytes: 64 } : LIMITS, () => room)
    told[room] = [await threads.do("share", 10_000), await threads.do("break", 10_000)]
    threads.end()
  }
  assert.deepStrictEqual(told, {
    255: ["unbegun", "unbegun"],
    256: ["64 + 64", "late"],
    896: ["384 + 64", "late"],
    1791: ["384 + 511", "late"],
    1792: ["384 + 512", "defeated"],
    64000: ["384 + 512", "defeated"]
  })
})

/** Spends a task's time as it says: `wait` takes that of the clock alone. */
const spending = new URL(`data:text/javascript,${encodeURIComponent(`
  import { parentPort } from "node:worker_threads"
  parentPort.on("message", ({ wait, work }) => {
    if (wait > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
    for (const from = performance.now(); performance.now() - from < work;);
    parentPort.postMessage("done")
  })
  parentPort.postMessage("ready")
`)}`)

it("a thread is late by the time it spends itself, however long others keep it waiting; by the clock alone only much later", async () => {
  const threads = new Threads<{ readonly wait: number; readonly work: number }, string>(spending, { megabytes: 32, idleMs: 60_000 })
  try {
    const outcomes = []
    for (const task of [{ wait: 600, work: 10 }, { wait: 0, work: 60_000 }, { wait: 60_000, work: 0 }, { wait: 0, work: 10 }]) outcomes.push(await threads.do(task, 500))
    assert.deepStrictEqual(outcomes, ["done", "late", "late", "done"])
  } finally {
    threads.end()
  }
})
