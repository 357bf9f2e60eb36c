/** Threads for documents of strangers: one that a document broke is not given the next. */
import { assert, it } from "vitest"
import { Threads } from "../../src/services/threads.ts"

/** Answers each task with itself, until one breaks it: from then on with null. */
const script = new URL(`data:text/javascript,${encodeURIComponent(`
  import { parentPort } from "node:worker_threads"
  let broken = false
  parentPort.on("message", (task) => {
    broken ||= task === "break"
    parentPort.postMessage(broken ? null : task)
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
