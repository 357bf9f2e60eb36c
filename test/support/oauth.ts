/** An OAuth client's requests by hand: register, ask, exchange; and the session of the person it asks. */
import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import { cookiesOf } from "./ask.ts"
import type { Answer } from "./ask.ts"
import { PASSWORD } from "./service.ts"
import type { Service } from "./service.ts"

type It = typeof Service.Service

export type SessionHeaders = { readonly cookie: string; readonly "x-csrf-token": string }

export const signIn = (service: It, email: string, from: Record<string, string> = {}) =>
  Effect.map(service.ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers: from }), (login): SessionHeaders => ({
    cookie: cookiesOf(login),
    "x-csrf-token": String(login.json.csrf_token)
  }))

export const posted = (service: It, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  service.ask(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString()
  })

export const REDIRECT = "https://agent.example/callback"

export const register = (service: It, metadata: Record<string, unknown> = {}, from: Record<string, string> = {}) =>
  service.ask("/oauth/register", { json: { redirect_uris: [REDIRECT], client_name: "Agent", ...metadata }, headers: from })

export const pkce = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

/** A decision as the web app sends it. */
export const decide = (service: It, session: SessionHeaders, request: Record<string, unknown>): Effect.Effect<Answer> =>
  service.ask("/v1/oauth/authorize", {
    json: { decision: "approve", redirect_uri: REDIRECT, code_challenge_method: "S256", ...request },
    headers: session
  })

export const queryOf = (answer: Answer): Record<string, string> => Object.fromEntries(new URL(answer.json.redirect_to).searchParams)

/** A code, and the request that exchanges it. */
export const approved = (service: It, session: SessionHeaders, client_id: string) =>
  Effect.gen(function*() {
    const { challenge, verifier } = pkce()
    const answer = yield* decide(service, session, { client_id, code_challenge: challenge })
    return { grant_type: "authorization_code", client_id, code: queryOf(answer)["code"]!, redirect_uri: REDIRECT, code_verifier: verifier }
  })
