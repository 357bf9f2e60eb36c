/** A project's links for recipients. */
import { queryOptions } from "@tanstack/react-query"
import { apart } from "../ui/apart.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export type ShareLink = components["schemas"]["ShareLink"]
export type NewShareLink = components["schemas"]["NewShareLink"]

export const shareLinksOf = (slug: string) =>
  queryOptions({
    queryKey: keys.shareLinks(slug),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}/share-links", { params: { path: { slug } }, signal }))
  })

/** Only the answer carries the address with its secret: show it, with a copy button, before it is gone. */
export const createShareLink: Change<{ readonly slug: string; readonly label: string; readonly expires_in_days?: number; readonly notify_on_first_open?: boolean }, NewShareLink> = {
  send: ({ slug, ...body }) => take(api.POST("/v1/projects/{slug}/share-links", { params: { path: { slug } }, body })),
  settles: ({ slug }) => [keys.shareLinks(slug), keys.analytics(slug)],
  tells: "The link is ready. Copy it now: it is shown this once."
}

export const changeShareLink: Change<{ readonly slug: string; readonly id: string; readonly changes: components["schemas"]["ShareLinkChanges"] }> = {
  send: ({ changes, id }) => take(api.PATCH("/v1/share-links/{id}", { params: { path: { id } }, body: changes })),
  settles: ({ slug }) => [keys.shareLinks(slug), keys.analytics(slug)],
  tells: "Saved"
}

export const revokeShareLink: Change<{ readonly slug: string; readonly id: string; readonly label: string }> = {
  send: ({ id }) => take(api.DELETE("/v1/share-links/{id}", { params: { path: { id } } })),
  settles: ({ slug }) => [keys.shareLinks(slug), keys.analytics(slug)],
  says: (_, { label }) => `The link for ${apart(label)} opens nothing any more.`
}
