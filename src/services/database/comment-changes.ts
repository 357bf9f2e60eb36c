/**
 * Tells watchers of changes to comments by LISTEN and NOTIFY: each instance holds one connection for all its watchers. A
 * payload carries ids and no text. The first watcher opens the connection; whenever it is opened again, all watchers are told
 * to read anew.
 */
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Layer, Option, Queue, Schema } from "effect"
import { CommentId, ChangeKind } from "../../domain/comments/model.ts"
import { CommentChanges } from "../../domain/comments/store.ts"
import type { Heard } from "../../domain/comments/store.ts"
import { ProjectId } from "../../domain/projects/model.ts"
import { executed } from "./rows.ts"

const CHANNEL = "svc_comments"

/** Between two attempts to connect. */
const PAUSE = "500 millis"

/** How long a watcher waits for the first connection. */
const PATIENCE = "5 seconds"

const Told = Schema.Tuple([ProjectId, ChangeKind, CommentId, CommentId])
const decode = Schema.decodeUnknownOption(Told)

export const CommentChangesPg = Layer.effect(
  CommentChanges,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const scope = yield* Effect.scope
    const watchers = new Map<ProjectId, Set<Queue.Queue<Heard>>>()
    const listening = yield* Deferred.make<void>()
    let begun = false

    const hear = (payload: string) => {
      const told = Option.getOrUndefined(decode(payload.split(" ")))
      if (told === undefined) return
      const [projectId, kind, threadId, id] = told
      const change = { projectId, kind, threadId, id }
      for (const queue of watchers.get(projectId) ?? []) Queue.offerUnsafe(queue, change)
    }

    const listen = Effect.gen(function*() {
      const notifications = yield* sql.listen(CHANNEL)
      for (const queues of watchers.values()) for (const queue of queues) Queue.offerUnsafe(queue, "anew")
      yield* Deferred.succeed(listening, undefined)
      while (true) hear((yield* Queue.take(notifications)).payload)
    }).pipe(
      Effect.scoped,
      Effect.catchCause(() => Effect.andThen(Effect.logWarning("comments: not listening for a moment"), Effect.sleep(PAUSE))),
      Effect.forever
    )

    const begin = Effect.suspend(() => {
      if (begun) return Effect.void
      begun = true
      return Effect.asVoid(Effect.forkIn(listen, scope))
    })

    return CommentChanges.of({
      tell: ({ id, kind, projectId, threadId }) =>
        executed(sql`SELECT pg_notify(${CHANNEL}, ${[projectId, kind, threadId, id].join(" ")})`),
      watch: Effect.fn("CommentChangesPg.watch")(function*(projectId) {
        const queue = yield* Queue.unbounded<Heard>()
        const queues = watchers.get(projectId) ?? new Set()
        watchers.set(projectId, queues.add(queue))
        yield* Effect.addFinalizer(() => Effect.sync(() => {
          queues.delete(queue)
          if (queues.size === 0 && watchers.get(projectId) === queues) watchers.delete(projectId)
        }))
        yield* begin
        // A database outage holds up no watcher: once it is over, all of them are told to read anew.
        yield* Effect.raceFirst(Deferred.await(listening), Effect.sleep(PATIENCE))
        yield* Queue.clear(queue)
        return queue
      })
    })
  })
)
