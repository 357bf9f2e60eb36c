/** Who is signed in, and what they do with their account. */
import { queryOptions } from "@tanstack/react-query"
import type { QueryClient } from "@tanstack/react-query"
import { keep } from "../ui/kept.ts"
import { takeAhead } from "./ahead.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { holdCsrf } from "./csrf.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export type Me = components["schemas"]["Me"]
export type User = components["schemas"]["User"]
export type WorkspaceSummary = components["schemas"]["WorkspaceSummary"]

/** Every tab of the browser reads here whose session they share; those already open hear of a change. */
export const SIGNED_IN = "svc-account"

export const readMe = async (signal: AbortSignal | null = null): Promise<Me> => {
  const found = (await take(api.GET("/v1/me", { signal }))) as Me
  keep(SIGNED_IN, found.user.id, "localStorage")
  return found
}

export const me = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
  // Whoever comes back to this tab may be somebody else by now.
  refetchOnWindowFocus: "always"
})

/** The workspace parameter of a query: left out where the page has asked ahead for the first workspace's data. */
export const namedAhead = (client: QueryClient, workspace: string | undefined, path: string): string | undefined =>
  workspace !== undefined && client.getQueryData<Me>(keys.me)?.workspaces[0]?.id === workspace && takeAhead(path) ? undefined : workspace

export const renameMe: Change<{ readonly name: string }> = {
  send: (body) => take(api.PATCH("/v1/me", { body })),
  settles: () => [keys.me],
  tells: "Saved"
}

export const changePassword: Change<{ readonly current_password: string; readonly new_password: string }> = {
  send: async (body) => holdCsrf((await take(api.POST("/v1/auth/password/change", { body }))).csrf_token),
  settles: () => [keys.me],
  says: () => "The new password is set. Every other browser is signed out."
}

export const signOut = (): Promise<unknown> => take(api.POST("/v1/auth/logout"))

/** The caller is signed out from then on. */
export const signOutEverywhere: Change<void> = {
  send: () => take(api.POST("/v1/auth/logout-all")),
  settles: () => []
}

export const deletionImpact = queryOptions({
  queryKey: keys.deletionImpact,
  queryFn: ({ signal }) => take(api.GET("/v1/me/deletion-impact", { signal }))
})

export type DeletionImpact = components["schemas"]["DeletionImpact"]

/** The caller is signed out from then on. */
export const deleteAccount: Change<{ readonly password: string }, components["schemas"]["ScheduledDeletion"]> = {
  send: (body) => take(api.DELETE("/v1/me", { body })),
  settles: () => []
}

/** Mails a way to choose a password to those who have none. */
export const mailPasswordLink: Change<{ readonly email: string }> = {
  send: ({ email }) => take(api.POST("/v1/auth/password-reset", { body: { email, next: "/account/sign-in" } })),
  settles: () => [],
  says: () => "A link to choose a password is on its way to you."
}

/** Resolves with where the browser should go. */
export const linkProvider: Change<void, { readonly redirect_to: string }> = {
  send: () => take(api.POST("/v1/auth/idp/link")),
  settles: () => []
}

export const unlinkProvider: Change<void> = {
  send: () => take(api.POST("/v1/auth/idp/unlink")),
  settles: () => [keys.me],
  says: () => "Your organisation’s sign-in is unlinked."
}

export const resendVerification: Change<{ readonly email: string }> = {
  send: (body) => take(api.POST("/v1/auth/verify-email/resend", { body })),
  settles: () => [],
  says: () => "A new link is on its way to you."
}
