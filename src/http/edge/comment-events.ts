/**
 * What happens to a project's comments, as server-sent events. `ready` comes first, and again whenever something may
 * have been missed: list the comments then. After it, `created`, `edited`, `deleted`, `resolved` and `reopened`, each
 * with its thread as it is now. The stream ends when access does; whoever comes back is told `ready` anew.
 */
import { Exit, Schema } from "effect"
import type { Cause, Effect } from "effect"
import type { AtOrigin, Followed } from "../../domain/comments/on-origin.ts"
import { located } from "../../domain/comments/places.ts"
import { OriginChange } from "../contract/comments.ts"
import type { Exchange } from "./exchange.ts"
import { everyAnswer } from "./headers.ts"

export interface EventsOptions {
  readonly follow: (at: AtOrigin, tell: (followed: Followed) => void) => Effect.Effect<void, unknown>
  readonly run: <A, E>(program: Effect.Effect<A, E>, options: { readonly onExit: (exit: Exit.Exit<A, E>) => void }) => () => void
  readonly failed: (x: Exchange, cause: Cause.Cause<unknown>) => void
  /** When there are too many streams already, or none is begun any more. */
  readonly refuse: (x: Exchange) => void
}

/** Of this process, and of one address in it. */
const STREAMS = { process: 2_000, slug: 500 }

/** A reader that takes nothing for so long that this much waits is gone. */
const WAITING_BYTES = 1024 * 1024

const HEAD = [
  "Content-Type", "text/event-stream",
  "Cache-Control", "private, no-store",
  "Cross-Origin-Resource-Policy", "same-origin",
  "X-Robots-Tag", "noindex",
  "X-Accel-Buffering", "no"
]

const encode = Schema.encodeSync(OriginChange)

const written = (followed: Followed): string => {
  if (!("comment" in followed)) return followed.kind === "here" ? ": here\n\n" : "event: ready\ndata: {}\n\n"
  const { comment } = followed
  return `event: ${followed.kind}\ndata: ${JSON.stringify(encode({ ...followed, comment: comment && located(comment) }))}\n\n`
}

export const makeCommentEvents = ({ failed, follow, refuse, run }: EventsOptions) => {
  const streams = new Map<Exchange, () => void>()
  const at = new Map<string, number>()
  let hungUp = false

  const counted = (slug: string, by: 1 | -1): void => {
    const now = (at.get(slug) ?? 0) + by
    if (now === 0) at.delete(slug)
    else at.set(slug, now)
  }

  const begin = (x: Exchange): void => {
    x.head(200, [...everyAnswer(), ...HEAD])
    x.res.write("retry: 2000\n\n")
    // Counted as it begins: how long it lasts is the reader's affair.
    x.ended(200, 0, "comments")
  }

  const open = (x: Exchange, door: AtOrigin): void => {
    // On a connection that was kept alive a reader may come back too soon, and would be waited for.
    if (hungUp || streams.size >= STREAMS.process || (at.get(x.slug) ?? 0) >= STREAMS.slug) return refuse(x)
    counted(x.slug, 1)
    const tell = (followed: Followed): void => {
      if (x.res.destroyed) return
      if (!x.res.headersSent) begin(x)
      x.res.write(written(followed))
      if (x.res.writableLength > WAITING_BYTES) x.res.destroy()
    }
    const stop = run(follow(door, tell), {
      onExit: (exit) => {
        streams.delete(x)
        counted(x.slug, -1)
        if (x.res.headersSent) x.res.end()
        else if (x.gone) x.ended(499, 0, "comments")
        else if (Exit.isFailure(exit)) failed(x, exit.cause)
        else refuse(x)
      }
    })
    streams.set(x, stop)
    x.res.once("close", stop)
  }

  return {
    open,
    /** Ends every stream; their readers come back, to another instance or the next one here. */
    hangUp: (): void => {
      hungUp = true
      for (const stop of streams.values()) stop()
    }
  }
}
