/** Draws documents off the main thread, one after the other, for thumbnailer.ts. */
import { parentPort, workerData } from "node:worker_threads"
import { setFlagsFromString } from "node:v8"
import type { Drawing } from "../../domain/ports/thumbnailer.ts"

export interface Task {
  readonly type: string
  readonly bytes: Uint8Array
}

const PAGES_PER_MB = 16
// What decodes the files of strangers is WebAssembly alone: whatever a file makes it do, it reaches nothing outside of its own memory,
// and that grows no further than the thread's share.
setFlagsFromString(`--wasm-max-mem-pages=${workerData * PAGES_PER_MB}`)

const { drawImage } = await import("./images.ts")

const draw = async ({ bytes, type }: Task): Promise<Drawing> =>
  type === "application/pdf" ? (await import("./pages.ts")).drawFirstPage(bytes) : drawImage(type, bytes)

parentPort?.on("message", (task: Task) => {
  const say = (done: Drawing | null) => parentPort!.postMessage(done, [])
  draw(task).then(say, () => say(null))
})

/** Sent once everything that takes long to load is loaded. */
parentPort?.postMessage("ready", [])
