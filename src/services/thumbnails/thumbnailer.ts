/** Draws thumbnails in a worker thread, within limits of time and memory. A document that exceeds them has none. */
import { Effect, Layer, Metric } from "effect"
import { Thumbnailer } from "../../domain/ports/thumbnailer.ts"
import type { Drawing } from "../../domain/ports/thumbnailer.ts"
import { Threads } from "../threads.ts"
import type { Task } from "./thread.ts"

export interface DrawingLimits {
  readonly ms: number
  readonly megabytes: number
  readonly wasmMegabytes: number
  readonly idleMs: number
}

const LIMITS: DrawingLimits = { ms: 20_000, megabytes: 32, wasmMegabytes: 512, idleMs: 60_000 }

const drawn = Metric.counter("svc_thumbnails_drawn_total", { description: "Documents drawn small, by how they came out", incremental: true })

export const ThumbnailerWasm = (limits: Partial<DrawingLimits> = {}) =>
  Layer.effect(
    Thumbnailer,
    Effect.gen(function*() {
      const { ms, ...threading } = { ...LIMITS, ...limits }
      const threads = yield* Effect.acquireRelease(
        Effect.sync(() => new Threads<Task, Drawing>(new URL("./thread.ts", import.meta.url), threading)),
        (threads) => Effect.sync(() => threads.end())
      )
      return Thumbnailer.of({
        draw: Effect.fn("ThumbnailerWasm.draw")(function*(document) {
          const outcome = yield* Effect.promise(() => threads.do(document, ms))
          yield* Metric.update(Metric.withAttributes(drawn, { outcome: typeof outcome === "object" ? "drawn" : outcome }), 1)
          return typeof outcome === "object" || outcome === "unbegun" ? outcome : "none"
        })
      })
    })
  )
