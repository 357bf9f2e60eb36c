/** The typed client of the contract: `take(api.GET("/v1/…"))` resolves with the body or throws a Refusal. */
import createClient from "openapi-fetch"
import { baseUrl } from "./base.ts"
import { hear } from "./clock.ts"
import { csrfToken, freshCsrf } from "./csrf.ts"
import { offline, Refusal, refusalOf, unreadableAnswer } from "./refusal.ts"
import type { paths } from "./schema.d.ts"
import { asDrawn, heard } from "./whose.ts"

export type { components } from "./schema.d.ts"

const READS = new Set(["GET", "HEAD"])

/** Requests without a session need no CSRF token. A caller may also bring its own `X-CSRF-Token`. */
const OPEN = /\/v1\/auth\/(?:login|signup|magic-link|password-reset|verify-email|invites\/look|device$)/

const once = async (request: Request, token: string | undefined): Promise<Response> => {
  if (token !== undefined) request.headers.set("X-CSRF-Token", token)
  try {
    const response = await fetch(request)
    hear(response)
    return response
  } catch (error) {
    if (request.signal.aborted) throw error
    throw offline()
  }
}

/** Reads as much as has arrived: a body that was cut off is not an envelope. */
const refusedIn = async (response: Response): Promise<Refusal> =>
  heard(refusalOf(response.status, await response.text().catch(() => ""), response.headers.get("x-request-id")))

const send = async (request: Request): Promise<Response> => {
  if (READS.has(request.method) || OPEN.test(request.url) || request.headers.has("X-CSRF-Token")) {
    const response = await once(request, undefined)
    if (!response.ok) throw await refusedIn(response)
    return response
  }
  for (const [name, value] of Object.entries(asDrawn())) request.headers.set(name, value)
  const again = request.clone()
  const response = await once(request, await csrfToken())
  if (response.ok) return response
  const refusal = await refusedIn(response)
  if (refusal.details["reason"] !== "csrf") throw refusal
  // The reader signed in again in another tab: the CSRF token has changed.
  const second = await once(again, await freshCsrf())
  if (!second.ok) throw await refusedIn(second)
  return second
}

export const api = createClient<paths>({ baseUrl, credentials: "include", fetch: send })

/** Every body is read here: one that is cut off, or not from us, is the fault of neither page nor reader. */
export const take = async <Data>(answer: Promise<{ readonly data?: Data }>): Promise<NonNullable<Data>> => {
  const { data } = await answer.catch((error: unknown) => {
    throw error instanceof SyntaxError || error instanceof TypeError ? unreadableAnswer(null) : error
  })
  // No request made here has an empty answer.
  if (data === undefined) throw unreadableAnswer(null)
  return data as NonNullable<Data>
}
