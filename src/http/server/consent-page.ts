/** `{app_url}/oauth/authorize`: who asks, where the answer goes, two buttons (SPEC §4.2, RFC 6749 §4.1). */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Invalid, RateLimited } from "../../domain/failures.ts"
import type { AuthorizationRequest } from "../../domain/oauth/model.ts"
import { SCOPE } from "../../domain/oauth/model.ts"
import { OAuth } from "../../domain/oauth/oauth.ts"
import { redirectHost } from "../../domain/oauth/redirects.ts"
import { pageCsp } from "../../look/page.ts"
import { pageAnswer } from "./answers.ts"
import { clientAsksPage, refusedPage } from "./consent-pages.ts"
import { sessionForm, sessionPage } from "./session-forms.ts"
import type { Fields } from "./session-forms.ts"

const NAMES = ["response_type", "client_id", "redirect_uri", "code_challenge", "code_challenge_method", "scope", "state", "resource"] as const

const asked = (fields: Fields): Fields => Object.fromEntries(NAMES.map((name) => [name, fields[name]]))

const requestOf = (fields: Fields): AuthorizationRequest => ({
  clientId: fields["client_id"] ?? "",
  redirectUri: fields["redirect_uri"] ?? "",
  codeChallenge: fields["code_challenge"],
  codeChallengeMethod: fields["code_challenge_method"],
  scope: fields["scope"],
  state: fields["state"],
  resource: fields["resource"]
})

const here = (fields: Fields): string => {
  const given = Object.entries(asked(fields)).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** Browsers hold a form's redirects to the page's policy as well, so the one address the answer may go to is named. */
const policyFor = (redirectUri: string): string => {
  const { host, origin, protocol } = new URL(redirectUri)
  const source = /^https?:$/.test(protocol) && !host.startsWith("[") ? origin : protocol
  return pageCsp.replace("form-action 'self'", `form-action 'self' ${source}`)
}

/** The code is in the address: no cache keeps it, and no Referer carries it on. */
const backTo = (redirectTo: string) =>
  HttpServerResponse.redirect(redirectTo, { status: 303, headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" } })

/** A wrong client or redirect address is said here, and never sent anywhere. */
const saidHere = Effect.catchTags({
  validation_error: ({ message }: Invalid) => Effect.succeed(pageAnswer(refusedPage(message), 400)),
  rate_limited: ({ message }: RateLimited) => Effect.succeed(pageAnswer(refusedPage(message), 429))
})

const Show = HttpRouter.add(
  "GET",
  "/oauth/authorize",
  sessionPage((user, fields, csrf) =>
    Effect.gen(function*() {
      const request = requestOf(fields)
      const { client, fault } = yield* (yield* OAuth).vet(user, request, fields["response_type"] ?? "")
      if (fault !== undefined) return backTo(fault.redirectTo)
      const page = clientAsksPage({
        clientName: client.name,
        redirectHost: redirectHost(request.redirectUri),
        scope: SCOPE,
        email: user.email,
        fields: { ...asked(fields), csrf }
      })
      return pageAnswer(page, 200, policyFor(request.redirectUri))
    }).pipe(saidHere)
  )
)

const Decide = HttpRouter.add(
  "POST",
  "/oauth/authorize",
  sessionForm(here, (user, fields) =>
    Effect.gen(function*() {
      const decided = yield* (yield* OAuth).decide(user, requestOf(fields), fields["decision"] === "approve" ? "approve" : "deny")
      return backTo(decided.redirectTo)
    }).pipe(saidHere))
)

export const ConsentPage = Layer.mergeAll(Show, Decide)
