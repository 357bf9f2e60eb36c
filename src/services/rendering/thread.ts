/** Renders documents off the main thread, one after the other, for markdown.ts. */
import { parentPort } from "node:worker_threads"
import type { Rendered, Source } from "../../domain/ports/renderer.ts"
import { renderDocument } from "./document.ts"

export interface Task {
  readonly source: Source
  readonly colours: boolean
}

parentPort?.on("message", ({ colours, source }: Task) => {
  /** Null if rendering failed. */
  const say = (done: Rendered | null) => parentPort!.postMessage(done, [])
  renderDocument(source, { colours }).then(say, () => say(null))
})

/** Sent once everything that takes long to load is loaded. */
parentPort?.postMessage("ready", [])
