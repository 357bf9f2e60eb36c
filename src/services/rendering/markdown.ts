/**
 * Renders Markdown in worker threads, one per document being rendered, within limits of time and memory. A document that
 * exceeds them is tried once more without colours and drawn formulas, if it may have some, and is then shown as its text. A result that a later try
 * may improve says so in `short`.
 */
import { Effect, Layer, Metric } from "effect"
import { Renderer } from "../../domain/ports/renderer.ts"
import type { Rendered } from "../../domain/ports/renderer.ts"
import { Threads } from "../threads.ts"
import type { Outcome } from "../threads.ts"
import { withoutNames } from "./pictures.ts"
import { plain } from "./plain.ts"
import type { Task } from "./thread.ts"

/** Increment whenever documents would come out differently: those rendered before are then rendered anew. */
const EDITION = 22

export interface RenderingLimits {
  /** Of the thread's own processor time: for the first try, and for the second one without colours. */
  readonly ms: number
  readonly secondMs: number
  readonly megabytes: number
  readonly idleMs: number
}

const LIMITS: RenderingLimits = { ms: 20_000, secondMs: 10_000, megabytes: 384, idleMs: 60_000 }

const CODE = /^[ \t>]*(?:```|~~~)|\$|\\[([]/m

const rendered = Metric.counter("svc_documents_rendered_total", { description: "Documents rendered, by how they came out", incremental: true })

const counted = (outcome: "whole" | "without colours" | "plain") => Metric.update(Metric.withAttributes(rendered, { outcome }), 1)

const marked = (rendered: Rendered, short: Rendered["short"]): Rendered => short === undefined ? rendered : { ...rendered, short }

export const RendererMarkdown = (limits: Partial<RenderingLimits> = {}) =>
  Layer.effect(
    Renderer,
    Effect.gen(function*() {
      const { idleMs, megabytes, ms, secondMs } = { ...LIMITS, ...limits }
      const threads = yield* Effect.acquireRelease(
        Effect.sync(() => new Threads<Task, Rendered>(new URL("./thread.ts", import.meta.url), { megabytes, idleMs })),
        (threads) => Effect.sync(() => threads.end())
      )
      const attempt = (task: Task, ms: number): Effect.Effect<Outcome<Rendered>> => Effect.promise(() => threads.do(task, ms))

      return Renderer.of({
        edition: EDITION,
        render: Effect.fn("RendererMarkdown.render")(function*(source) {
          const whole = yield* attempt({ source, colours: true }, ms)
          if (typeof whole === "object") return yield* Effect.as(counted("whole"), whole)
          const without = whole !== "unbegun" && CODE.test(source.text) ? yield* attempt({ source, colours: false }, secondMs) : whole
          const short = [whole, without].find((one) => one === "unbegun" || one === "late")
          if (typeof without === "object") return yield* Effect.as(counted("without colours"), marked(without, short))
          yield* Effect.logWarning("a document could not be rendered").pipe(Effect.annotateLogs({ characters: source.text.length, why: without }))
          const text = source.pictures === undefined ? source.text : withoutNames(source.text, source.pictures)
          return yield* Effect.as(counted("plain"), marked(plain(text, source.pictures === undefined ? "" : " without its pictures", short), short))
        })
      })
    })
  )
