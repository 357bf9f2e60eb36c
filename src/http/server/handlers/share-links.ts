/** Share links over HTTP. */
import { Effect } from "effect"
import { ShareLinks } from "../../../domain/share-links/share-links.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import type { ShareLinkChangesBody, ShareLinkDraftBody } from "../../contract/share-links.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

const changesOf = (body: ShareLinkChangesBody) => ({
  label: body.label,
  expiresInDays: body.expires_in_days,
  expiresAt: body.expires_at,
  notifyOnFirstOpen: body.notify_on_first_open
})

/** A null clears only what is there already. */
const draftOf = (body: ShareLinkDraftBody) => ({
  label: body.label,
  expiresInDays: body.expires_in_days ?? undefined,
  expiresAt: body.expires_at ?? undefined,
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
        Caller.use(({ user }) => links.create(user, params.slug, draftOf(payload))),
      change: ({ params, payload }) =>
        Caller.use(({ user }) => links.change(user, params.id, changesOf(payload))),
      revoke: ({ params }) => Caller.use(({ user }) => Effect.as(links.revoke(user, params.id), ok))
    })
  })
)
