/** The codes of /docs.md: each with its statuses, read off the contract, what it means and what to do about it. */
import type { OpenApi } from "effect/http-api"
import type * as failures from "../../domain/failures.ts"
import { MAX_BODY_BYTES } from "../contract/request-shape.ts"
import { sizeText } from "../contract/sizes.ts"

type Class = Extract<(typeof failures)[keyof typeof failures], abstract new(...given: never) => { readonly _tag: string }>
type Code = InstanceType<Class>["_tag"]

const CODES: Record<Code, string> = {
  auth_required: "No token or session, or one that ended or was revoked. Sign in again. Session-only operations answer it to tokens too. With `details.reason` `doorcode`, the document opens with its doorcode.",
  invalid_credentials: "Wrong email or password.",
  invalid_token: "A mailed link or device code that is unknown, used or expired. Ask for a new one.",
  device_denied: "The person said no. Start again only if they ask you to.",
  forbidden: [
    "Your role does not allow it, or a check failed, which `details.reason` then names:",
    "`csrf` (the header does not match the cookie), `another_account` (`X-Account-Id` names another than the one signed in), `foreign_origin` (a page of another site sent it),",
    "`password_wrong`, `password_not_set` (set one by a password reset), `private` (for members of the workspace, or its owner alone),",
    "`not_allowed_to_comment`, `not_author` (only its author may do this), `edit_window_closed` (its 15 minutes are over)."
  ].join(" "),
  email_not_verified: "Follow the link in the verification mail, then publish.",
  not_found: "Missing, or not yours to see: both look the same. With `details.reason` `no_workspace`, you are in none.",
  method_not_allowed: "`details.allow` names the methods of this address.",
  conflict: "The state of things is against it; `message` says which. After an `Idempotency-Key`: the first request still runs.",
  account_exists: "Sign in with that account first, then accept the invitation.",
  slug_taken: "Somebody has this address, perhaps you in another workspace: the message says so. Choose another. A workspace’s admins publish to a colleague’s project with `If-Match: *`.",
  slug_reserved: "This name is reserved. Choose another.",
  payment_required: "The trial or subscription ended, or there was none yet. An admin of the workspace chooses a plan, where plans are sold.",
  quota_exceeded: "The plan's cap on what `field` names is reached.",
  upload_too_large: `Beyond the plan's cap for one upload, or ${sizeText(MAX_BODY_BYTES)} of JSON. Nothing was stored.`,
  validation_error: [
    "The request is at fault; `details.errors` lists every fault with its `field`.",
    "Under 429 an export is being made or was taken today, under 503 nothing can be paid here, under 400 a notice is not signed by Stripe.",
    "Under any other 400, 408 (too slow), 417 (`Expect`) and 431 (address or headers too long) it was no request that the service reads."
  ].join(" "),
  rate_limited: "Too often. Wait `details.retry_after_seconds`.",
  oauth_not_configured: "No identity provider is set up here. Use a password or a mailed link.",
  unavailable: "The service is not available right now. Try again after `Retry-After`. With `details.reason` `no_room`, its disk is full: whoever runs it has to make room.",
  internal_error: "Our fault. Try again; if it stays, send us the `X-Request-Id`."
}

/** Which codes an answer's schema may hold. */
export const codesIn = (schema: unknown): ReadonlyArray<string> =>
  [...new Set([...JSON.stringify(schema ?? {}).matchAll(/"code":\{[^}]*"enum":\["([a-z_]+)"\]/g)].map(([, code]) => code!))]

/** Every code with the statuses it travels under. */
const statusesIn = (document: OpenApi.OpenAPISpec): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  const answers = JSON.parse(JSON.stringify(document.paths)) as Record<string, Record<string, { readonly responses?: Record<string, unknown> }>>
  for (const operation of Object.values(answers).flatMap((item) => Object.values(item))) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      // A failure's schema has a name of its own where its code travels under several statuses.
      for (const [, name] of JSON.stringify(answer).matchAll(/#\/components\/schemas\/([a-z_]+)"/g)) {
        for (const code of codesIn(document.components.schemas[name!])) found.set(code, (found.get(code) ?? new Set()).add(status))
      }
    }
  }
  return found
}

/** Answered outside the contract: by the router, or before there is a request, ahead of any operation. */
const ELSEWHERE: Readonly<Record<string, ReadonlyArray<string>>> = { method_not_allowed: ["405"], validation_error: ["400", "408", "417", "431"] }

export const errorTable = (document: OpenApi.OpenAPISpec): string => {
  const statuses = statusesIn(document)
  return [
    "## Errors",
    "",
    "| Code | Status | What it means, what to do |",
    "|---|---|---|",
    ...Object.entries(CODES).map(([code, words]) => `| \`${code}\` | ${[...new Set([...statuses.get(code) ?? [], ...ELSEWHERE[code] ?? []])].sort().join(", ")} | ${words} |`),
    ""
  ].join("\n")
}
