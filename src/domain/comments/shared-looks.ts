/**
 * The queries that all followers of a project need when something happens, shared between them.
 *
 * 1. Doors: concurrent looks are answered by one query, which runs after they were asked for and is not cached. Not for use in
 *    a transaction: the looks of others would run on its connection.
 * 2. News: a thread is read once for each change, and never before it. A follower who is told later than others is told the
 *    same; what happened since is a change of its own. All views are alike, since a project's own host shows no email addresses.
 */
import { Effect, Exit, Request, RequestResolver } from "effect"
import type { Visit } from "../hosting/model.ts"
import type { AtDoor, HostingStore } from "../hosting/store.ts"
import type { Comment, CommentChange } from "./model.ts"
import type { Followed } from "./on-origin.ts"
import type { CommentStore } from "./store.ts"

class Look extends Request.Class<{ readonly at: AtDoor }, Visit | undefined> {}
class ThreadLook extends Request.Class<{ readonly change: CommentChange }, Followed> {}

/** How many changes are kept in this process: those that are being told just now. */
const KEPT = 16

interface Stores {
  readonly hosting: typeof HostingStore.Service
  readonly store: typeof CommentStore.Service
}

export const sharedLooks = ({ hosting, store }: Stores) => {
  const looks = RequestResolver.make<Look>(Effect.fnUntraced(function*(asked) {
    const visits = yield* hosting.visits(asked.map(({ request }) => request.at))
    asked.forEach((one, at) => one.completeUnsafe(Exit.succeed(visits[at])))
  }))

  const kept = new Map<CommentChange, Followed>()
  const keep = (change: CommentChange, comment: Comment | null): Followed => {
    const { id, kind, threadId } = change
    const followed = { kind, id, threadId, comment }
    kept.set(change, followed)
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest)
    return followed
  }

  const news = RequestResolver.make<ThreadLook>(Effect.fnUntraced(function*(asked) {
    const ids = new Set(asked.map(({ request }) => request.change.threadId))
    const threads = new Map((yield* store.threads([...ids])).map((thread) => [thread.id, thread]))
    for (const one of asked) {
      const { change } = one.request
      one.completeUnsafe(Exit.succeed(kept.get(change) ?? keep(change, threads.get(change.threadId) ?? null)))
    }
  }))

  return {
    visit: (at: AtDoor) => Effect.request(new Look({ at }), looks),
    /** One object for all followers, so that what is derived from it is made once. */
    news: (change: CommentChange) =>
      Effect.suspend(() => {
        const known = kept.get(change)
        return known === undefined ? Effect.request(new ThreadLook({ change }), news) : Effect.succeed(known)
      })
  }
}
