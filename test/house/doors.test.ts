/** Every endpoint requires a caller, or is on this list. A new public endpoint must be added by hand. */
import { assert, it } from "@effect/vitest"
import { Api } from "../../src/http/contract/api.ts"
import { Authenticated, SessionOnly } from "../../src/http/contract/authentication.ts"

const PUBLIC = [
  "POST /v1/auth/invites/accept",
  // The mailed link is the key.
  "POST /v1/auth/invites/look",
  // The sign-in page needs it before anybody is signed in.
  "GET /v1/auth/ways",
  "POST /v1/auth/signup",
  "POST /v1/auth/login",
  "POST /v1/auth/magic-link",
  "POST /v1/auth/magic-link/verify",
  "POST /v1/auth/password-reset",
  "POST /v1/auth/password-reset/confirm",
  "GET /v1/auth/idp",
  // Leads whoever has no session to the login page instead of answering 401.
  "GET /v1/auth/idp/link",
  "GET /v1/auth/idp/callback",
  "POST /v1/auth/verify-email/resend",
  "POST /v1/auth/device",
  "POST /v1/auth/device/token",
  "POST /v1/auth/verify-email/confirm",
  // The mailed link is the key.
  "GET /v1/exports/:export_id/download",
  // Stripe authenticates by its signature.
  "POST /v1/billing/webhook"
]

it("no endpoint is public by accident", () => {
  const keys = new Set([Authenticated.key, SessionOnly.key])
  const open = Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints)
      .filter((endpoint) => ![...endpoint.middlewares].some((middleware) => keys.has(middleware.key)))
      .map((endpoint) => `${endpoint.method} ${endpoint.path}`)
  )
  assert.sameMembers(open, PUBLIC)
})
