/** Share links over HTTP. */
import { Effect } from "effect"
import { ShareLinks } from "../../../domain/share-links/share-links.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import type { ShareLinkBody } from "../../contract/share-links.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

const given = (body: ShareLinkBody) => ({
  label: body.label,
  expiresInDays: body.expires_in_days,
  expiresAt: body.expires_at,
  notifyOnFirstOpen: body.notify_on_first_open ?? undefined
})

export const ShareLinksHandlers = handlersOf(
  Api,
  "shareLinks",
  Effect.fnUntraced(function*(handlers) {
    const links = yield* ShareLinks

    return handlers.handleAll({
      list: ({ params }) => Caller.use(({ user }) => links.list(user, params.slug)),
      create: ({ params, payload }) =>
        Caller.use(({ user }) => links.create(user, params.slug, { ...given(payload), label: payload.label })),
      change: ({ params, payload }) =>
        Caller.use(({ user }) => links.change(user, params.id, given(payload))),
      revoke: ({ params }) => Caller.use(({ user }) => Effect.as(links.revoke(user, params.id), ok))
    })
  })
)
