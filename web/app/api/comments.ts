/** Comments on a project, and who hears of them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import type { Key } from "./once.ts"
import { keys } from "./queries.ts"
import type { Change, ChangeOnce } from "./queries.ts"

export type Comment = components["schemas"]["Comment"]

interface Named {
  readonly slug: string
  readonly id: string
}

export const commentsOf = (slug: string, status?: "open" | "resolved") =>
  infiniteQueryOptions({
    queryKey: [...keys.comments(slug), status ?? "all"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      take(api.GET("/v1/projects/{slug}/comments", {
        params: { path: { slug }, query: { ...(status && { status }), ...(pageParam && { cursor: pageParam }) } },
        signal
      })),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })

const settles = ({ slug }: { readonly slug: string }) => [keys.comments(slug)]

export const aboutPlace = (slug: string): string => `about ${slug}`
export const answerPlace = (id: string): string => `answer ${id}`

export const postComment: ChangeOnce<{ readonly slug: string; readonly comment: components["schemas"]["NewComment"] }> = {
  place: ({ slug }) => aboutPlace(slug),
  send: ({ comment, slug }, header) => take(api.POST("/v1/projects/{slug}/comments", { params: { path: { slug }, header }, body: comment })),
  settles,
  tells: "Comment posted"
}

export const replyTo: ChangeOnce<Named & { readonly body: string }> = {
  place: ({ id }) => answerPlace(id),
  send: ({ body, id }, header) => take(api.POST("/v1/comments/{id}/replies", { params: { path: { id }, header }, body: { body } })),
  settles,
  tells: "Reply posted"
}

/** `seen`: when the thread last changed. */
type Turned = Named & { readonly seen: string }

const reopen = ({ id }: Named, header: Key) => take(api.POST("/v1/comments/{id}/reopen", { params: { path: { id }, header } }))

export const resolveComment: ChangeOnce<Turned> = {
  place: ({ id }) => `resolve ${id}`,
  send: ({ id }, header) => take(api.POST("/v1/comments/{id}/resolve", { params: { path: { id }, header } })),
  settles,
  says: () => "Resolved.",
  undo: (named, _, header) => reopen(named, header)
}

export const reopenComment: ChangeOnce<Turned> = { place: ({ id }) => `reopen ${id}`, send: reopen, settles, tells: "Reopened" }

export const editComment: Change<Named & { readonly body: string }> = {
  send: ({ body, id }) => take(api.PATCH("/v1/comments/{id}", { params: { path: { id } }, body: { body } })),
  settles,
  tells: "Saved"
}

export const removeComment: Change<Named> = {
  send: ({ id }) => take(api.DELETE("/v1/comments/{id}", { params: { path: { id } } })),
  settles,
  says: () => "The comment is deleted."
}

export const notificationsOf = (slug: string) =>
  queryOptions({
    queryKey: keys.notifications(slug),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}/comment-notifications", { params: { path: { slug } }, signal }))
  })

export const changeNotifications: Change<{ readonly slug: string; readonly notifications: components["schemas"]["CommentNotifications"] }> = {
  send: ({ notifications, slug }) => take(api.PUT("/v1/projects/{slug}/comment-notifications", { params: { path: { slug } }, body: notifications })),
  shows: ({ notifications, slug }) => [{ key: keys.notifications(slug), with: () => notifications }],
  settles: ({ slug }) => [keys.notifications(slug)]
}
