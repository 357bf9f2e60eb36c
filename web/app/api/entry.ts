/** Signing in and up: which ways there are, and the requests of each. Every screen shows its refusals itself. */
import { queryOptions } from "@tanstack/react-query"
import { keep } from "../ui/kept.ts"
import { SIGNED_IN } from "./account.ts"
import { baseUrl } from "./base.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { holdCsrf, keepsCsrf } from "./csrf.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"
import { notKept, Refusal } from "./refusal.ts"

export interface Asked {
  readonly email: string
  readonly next: string | undefined
}

const none = () => []
const withNext = <Body extends object>({ next, ...body }: Body & { readonly next: string | undefined }) => ({ ...body, ...(next !== undefined && { next }) })

/** Where the cookie is not to be seen, as another origin's never is, and one that has only just arrived may not be yet, the API is asked. */
const isKept = async (): Promise<boolean> =>
  keepsCsrf() || take(api.GET("/v1/me", {})).then(() => true, (error) => !(error instanceof Refusal && error.signedOut))

/** The answer carries the CSRF token of the session that it opens, whose cookies a browser may refuse to keep. */
const opened = async <Answer extends { readonly id: string; readonly csrf_token?: string }>(answer: Answer): Promise<Answer> => {
  holdCsrf(answer.csrf_token)
  if (answer.csrf_token === undefined) return answer
  if (!await isKept()) throw notKept()
  // Whoever goes on to a project reads nothing of the app, whose other tabs have to hear of it all the same.
  keep(SIGNED_IN, answer.id, "localStorage")
  return answer
}

export const waysIn = queryOptions({
  queryKey: keys.waysIn,
  queryFn: ({ signal }) => take(api.GET("/v1/auth/ways", { signal })),
  staleTime: Number.POSITIVE_INFINITY
})

/** A link for the browser to follow, not an API request. */
export const providerUrl = (next: string | undefined): string => `${baseUrl}/v1/auth/idp${next === undefined ? "" : `?next=${encodeURIComponent(next)}`}`

export const logIn: Change<{ readonly email: string; readonly password: string }> = {
  send: async (body) => opened(await take(api.POST("/v1/auth/login", { body }))),
  settles: none
}

export const signUp: Change<Asked & { readonly password: string; readonly name: string }> = {
  send: (body) => take(api.POST("/v1/auth/signup", { body: withNext(body) })),
  settles: none
}

export const askForMagicLink: Change<Asked> = { send: (body) => take(api.POST("/v1/auth/magic-link", { body: withNext(body) })), settles: none }
export const askForReset: Change<Asked> = { send: (body) => take(api.POST("/v1/auth/password-reset", { body: withNext(body) })), settles: none }
export const askForVerification: Change<Asked> = { send: (body) => take(api.POST("/v1/auth/verify-email/resend", { body: withNext(body) })), settles: none }

export const openMagicLink: Change<{ readonly token: string }> = {
  send: async (body) => opened(await take(api.POST("/v1/auth/magic-link/verify", { body }))),
  settles: none
}

export const choosePassword: Change<{ readonly token: string; readonly password: string }> = {
  send: (body) => take(api.POST("/v1/auth/password-reset/confirm", { body })),
  settles: none
}

export const confirmEmail: Change<{ readonly token: string }, { readonly email: string }> = {
  send: (body) => take(api.POST("/v1/auth/verify-email/confirm", { body })),
  settles: () => [keys.me]
}

export type Invitation = components["schemas"]["Invitation"]

export const invitationOf = (token: string) =>
  queryOptions({
    queryKey: keys.invitation,
    queryFn: ({ signal }) => take(api.POST("/v1/auth/invites/look", { body: { token }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY
  })

/** `asGuest`: nobody is signed in, so no CSRF token has to be asked for. */
export const acceptInvite: Change<{ readonly token: string; readonly asGuest: boolean; readonly name?: string; readonly password?: string }> = {
  send: async ({ asGuest, ...body }) => opened(await take(api.POST("/v1/auth/invites/accept", { body, ...(asGuest && { headers: { "X-CSRF-Token": "none" } }) }))),
  settles: none
}

export const deviceOf = (code: string) =>
  queryOptions({
    queryKey: keys.device(code),
    queryFn: ({ signal }) => take(api.GET("/v1/auth/device/{user_code}", { params: { path: { user_code: code } }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY
  })

export const decideDevice: Change<{ readonly code: string; readonly approve: boolean }> = {
  send: ({ approve, code }) => take(api.POST(approve ? "/v1/auth/device/approve" : "/v1/auth/device/deny", { body: { user_code: code } })),
  settles: () => [keys.grants]
}

type Optional = "code_challenge" | "code_challenge_method" | "resource" | "response_type" | "scope" | "state"

export type AuthorizationRequest = { readonly client_id: string; readonly redirect_uri: string } & { readonly [Name in Optional]?: string }

export const consentOf = (request: AuthorizationRequest) =>
  queryOptions({
    queryKey: keys.consent(request),
    queryFn: ({ signal }) => take(api.GET("/v1/oauth/authorize/info", { params: { query: request }, signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY
  })

/** Resolves with where the browser should go. */
export const decideConsent: Change<{ readonly request: AuthorizationRequest; readonly approve: boolean }, { readonly redirect_to: string }> = {
  send: ({ approve, request }) => {
    const { response_type: _answer, ...asked } = request
    return take(api.POST("/v1/oauth/authorize", { body: { ...asked, decision: approve ? "approve" : "deny" } }))
  },
  settles: () => [keys.grants]
}
