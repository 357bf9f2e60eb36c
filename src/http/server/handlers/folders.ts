/** Folders over HTTP. */
import { Effect } from "effect"
import { Folders } from "../../../domain/folders/folders.ts"
import { given } from "../../../domain/given.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { ok, PAGE } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"
import { together } from "../forms.ts"

export const FoldersHandlers = handlersOf(
  Api,
  "folders",
  Effect.fnUntraced(function*(handlers) {
    const folders = yield* Folders

    return handlers.handleAll({
      list: ({ query }) =>
        Caller.use(({ user }) => folders.list(user, query.workspace, { after: query.cursor, limit: query.limit ?? PAGE })),
      create: ({ payload: { name, sharing, workspace }, query }) =>
        Effect.fromResult(together(query, given({ workspace: workspace ?? undefined }))).pipe(
          Effect.flatMap((named) => Caller.use(({ user }) => folders.create(user, named.workspace, { name, sharing: sharing ?? undefined })))
        ),
      change: ({ params, payload: { name, sharing } }) => Caller.use(({ user }) => folders.change(user, params.id, { name, sharing })),
      remove: ({ params, query }) =>
        Caller.use(({ user }) => Effect.as(folders.remove(user, params.id, { moveProjects: query.move_projects === true }), ok))
    })
  })
)
