/** Comments over HTTP. */
import { Effect } from "effect"
import { Comments } from "../../../domain/comments/comments.ts"
import { located } from "../../../domain/comments/places.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { ok, PAGE } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

export const CommentsHandlers = handlersOf(
  Api,
  "comments",
  Effect.fnUntraced(function*(handlers) {
    const comments = yield* Comments

    return handlers.handleAll({
      list: ({ params, query }) =>
        Caller.use(({ user }) =>
          comments.list(user, params.slug, { status: query.status ?? "all", after: query.cursor, limit: query.limit ?? PAGE })
        ).pipe(Effect.map((page) => ({ ...page, comments: page.comments.map(located) }))),
      post: ({ params, payload: { anchor, body, parent_id: parentId } }) =>
        Caller.use(({ user }) => comments.post(user, params.slug, { anchor, body, parentId })).pipe(Effect.map(located)),
      reply: ({ params, payload }) => Caller.use(({ user }) => comments.reply(user, params.id, payload.body)),
      resolve: ({ params }) => Caller.use(({ user }) => comments.settle(user, params.id, "resolved")).pipe(Effect.map(located)),
      reopen: ({ params }) => Caller.use(({ user }) => comments.settle(user, params.id, "open")).pipe(Effect.map(located)),
      edit: ({ params, payload }) => Caller.use(({ user }) => comments.edit(user, params.id, payload.body)).pipe(Effect.map(located)),
      remove: ({ params, query }) => Caller.use(({ user }) => Effect.as(comments.remove(user, params.id, query.author_only ?? false), ok)),
      notifications: ({ params }) => Caller.use(({ user }) => comments.muted(user, params.slug)),
      mute: ({ params, payload }) => Caller.use(({ user }) => comments.mute(user, params.slug, payload.muted))
    })
  })
)
