/** Comment allowlists over HTTP. */
import { Effect } from "effect"
import { Allowlists } from "../../../domain/allowlists/allowlists.ts"
import type { Named } from "../../../domain/allowlists/model.ts"
import { changesOf } from "../../contract/allowlists.ts"
import type { AllowlistBody } from "../../contract/allowlists.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"

export const AllowlistsHandlers = handlersOf(
  Api,
  "allowlists",
  Effect.fnUntraced(function*(handlers) {
    const allowlists = yield* Allowlists
    const get = (named: Named) => Caller.use(({ user }) => allowlists.get(user, named))
    const change = (named: Named, body: AllowlistBody) => Caller.use(({ user }) => allowlists.change(user, named, changesOf(body)))

    return handlers.handleAll({
      ofProject: ({ params }) => get({ level: "project", slug: params.slug }),
      changeProject: ({ params, payload }) => change({ level: "project", slug: params.slug }, payload),
      ofFolder: ({ params }) => get({ level: "folder", id: params.id }),
      changeFolder: ({ params, payload }) => change({ level: "folder", id: params.id }, payload),
      ofWorkspace: ({ query }) => get({ level: "workspace", id: query.workspace }),
      changeWorkspace: ({ payload, query }) => change({ level: "workspace", id: query.workspace }, payload)
    })
  })
)
