/** Comments over HTTP. */
import { Effect } from "effect"
import { Comments } from "../../../domain/comments/comments.ts"
import { shown, shownReply, shownThread } from "../../../domain/comments/views.ts"
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
        ).pipe(Effect.map((page) => ({ ...page, comments: page.comments.map(shownThread) }))),
      post: ({ params, payload: { anchor, body, parent_id: parentId, version } }) =>
        Caller.use(({ user }) => comments.post(user, params.slug, { anchor, body, parentId, version })).pipe(Effect.map(shown)),
      reply: ({ params, payload }) => Caller.use(({ user }) => comments.reply(user, params.id, payload.body)).pipe(Effect.map(shownReply)),
      resolve: ({ params }) => Caller.use(({ user }) => comments.setStatus(user, params.id, "resolved")).pipe(Effect.map(shownThread)),
      reopen: ({ params }) => Caller.use(({ user }) => comments.setStatus(user, params.id, "open")).pipe(Effect.map(shownThread)),
      edit: ({ params, payload }) => Caller.use(({ user }) => comments.edit(user, params.id, payload.body)).pipe(Effect.map(shown)),
      remove: ({ params, query }) => Caller.use(({ user }) => Effect.as(comments.remove(user, params.id, query.author_only ?? false), ok)),
      notifications: ({ params }) => Caller.use(({ user }) => comments.muted(user, params.slug)),
      mute: ({ params, payload }) => Caller.use(({ user }) => comments.mute(user, params.slug, payload.muted))
    })
  })
)
