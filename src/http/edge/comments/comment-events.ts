/**
 * What happens to a project's comments, as server-sent events. `ready` comes first, and again whenever something may
 * have been missed: list the comments then. After it, `created`, `edited`, `deleted`, `resolved` and `reopened`, each
 * with its thread as it is now; a slow reader gets only one event per thread. `published` says, within
 * ten seconds, which version is served from now on; `here` that the stream still delivers, which something between could hold back
 * unseen. The stream ends when access does; a reader who reconnects gets `ready` again.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Context, Effect, Exit, Schema } from "effect"
import type { Cause, Duration } from "effect"
import type { AtOrigin, Followed, Follower } from "../../../domain/comments/on-origin.ts"
import { shownThread } from "../../../domain/comments/views.ts"
import { RateLimited, unavailable } from "../../../domain/failures.ts"
import type { Unavailable } from "../../../domain/failures.ts"
import { OriginChange } from "../../contract/comments.ts"
import type { Exchange } from "../exchange.ts"
import { everyAnswer } from "../headers.ts"
import { makeSendingTurns } from "./sending-turns.ts"

export interface EventsOptions {
  readonly follow: (at: AtOrigin, follower: Follower) => Effect.Effect<void, unknown>
  readonly run: <A, E>(program: Effect.Effect<A, E>, options: { readonly onExit: (exit: Exit.Exit<A, E>) => void }) => () => void
  readonly failed: (x: Exchange, cause: Cause.Cause<unknown>) => void
  /** Called where there are too many streams already, or the service is shutting down. */
  readonly refuse: (x: Exchange, why: RateLimited | Unavailable) => void
  /** The client's address, as limits count it. */
  readonly clientOf: (req: IncomingMessage) => string
}

/**
 * The most streams in this process, and within it per project and per client address. 100 are enough for an office behind one
 * address: hidden windows hold no stream, and a window without one polls the list. Nobody can exhaust the process from fewer
 * than twenty addresses.
 */
const STREAMS = { process: 2_000, slug: 500, client: 100 }

/** A reader that has not read what was sent within this time is gone. Nothing more is sent meanwhile. */
export const Taking = Context.Reference<Duration.Input>("svc/http/edge/Taking", { defaultValue: () => "30 seconds" })

const crowded = () =>
  new RateLimited({
    message: "Too many windows at your address follow comments as they come. List them instead, or close some.",
    details: { retry_after_seconds: 15 }
  })

const HEAD = [
  "Content-Type", "text/event-stream",
  "Cache-Control", "private, no-store",
  "Cross-Origin-Resource-Policy", "same-origin",
  "Content-Security-Policy", "frame-ancestors 'none'",
  "X-Robots-Tag", "noindex",
  "X-Accel-Buffering", "no"
]

const encode = Schema.encodeSync(OriginChange)

const written = (followed: Followed): string => {
  if (followed.kind === "published") return `event: published\ndata: ${JSON.stringify({ version: followed.version })}\n\n`
  if (!("comment" in followed)) return `event: ${followed.kind}\ndata: {}\n\n`
  const { comment } = followed
  return `event: ${followed.kind}\ndata: ${JSON.stringify(encode({ ...followed, comment: comment && shownThread(comment) }))}\n\n`
}

/** Encoded once for all followers who are told the same: their sockets share one buffer. */
const bytes = new WeakMap<Followed, Buffer>()
const bytesOf = (followed: Followed): Buffer => {
  const made = bytes.get(followed) ?? Buffer.from(written(followed))
  bytes.set(followed, made)
  return made
}

/** Waits until everything written is on its way to the reader. */
const drained = (res: ServerResponse) =>
  Effect.flatMap(Taking, (duration) =>
    Effect.callback<void>((resume) => {
      const done = () => resume(Effect.void)
      res.once("drain", done)
      return Effect.sync(() => res.off("drain", done))
    }).pipe(Effect.timeoutOrElse({ duration, orElse: () => Effect.sync(() => void res.destroy()) })))

/** Counts how many each name holds. */
const tally = () => {
  const held = new Map<string, number>()
  const of = (name: string): number => held.get(name) ?? 0
  return {
    of,
    add: (name: string): void => void held.set(name, of(name) + 1),
    take: (name: string): void => void (of(name) === 1 ? held.delete(name) : held.set(name, of(name) - 1))
  }
}

export const makeCommentEvents = ({ clientOf, failed, follow, refuse, run }: EventsOptions) => {
  const streams = new Map<Exchange, () => void>()
  const [slugs, clients] = [tally(), tally()]
  const turn = makeSendingTurns()
  let hungUp = false

  const begin = (x: Exchange): void => {
    x.head(200, [...everyAnswer(), ...HEAD])
    x.res.write("retry: 2000\n\n")
    // Counted as it begins: how long it lasts is up to the reader.
    x.ended(200, 0, "comments")
  }

  const open = (x: Exchange, door: AtOrigin): void => {
    // During a shutdown a reader may reconnect on a kept-alive connection, and the shutdown would wait for its stream.
    if (hungUp || streams.size >= STREAMS.process || slugs.of(x.slug) >= STREAMS.slug) return refuse(x, unavailable())
    const client = clientOf(x.req)
    if (clients.of(client) >= STREAMS.client) return refuse(x, crowded())
    slugs.add(x.slug)
    clients.add(client)
    const follower: Follower = {
      turn: (followed) => turn(bytesOf(followed).length),
      tell: (followed) =>
        Effect.suspend(() => {
          if (x.res.destroyed) return Effect.succeed(true)
          if (!x.res.headersSent) begin(x)
          return x.res.write(bytesOf(followed)) ? Effect.succeed(true) : Effect.as(drained(x.res), false)
        })
    }
    const stop = run(follow(door, follower), {
      onExit: (exit) => {
        streams.delete(x)
        slugs.take(x.slug)
        clients.take(client)
        // A reader who takes nothing would hold up a shutdown.
        if (x.res.headersSent && x.res.writableLength > 0) x.res.destroy()
        else if (x.res.headersSent) x.res.end()
        else if (x.gone) x.ended(499, 0, "comments")
        else if (Exit.isFailure(exit)) failed(x, exit.cause)
        else refuse(x, unavailable())
      }
    })
    streams.set(x, stop)
    x.res.once("close", stop)
  }

  return {
    open,
    /** Ends every stream; their readers reconnect, to another instance or to the next one here. */
    hangUp: (): void => {
      hungUp = true
      for (const stop of streams.values()) stop()
    }
  }
}
