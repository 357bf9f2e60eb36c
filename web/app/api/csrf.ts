/** The token that proves that a change comes from this app: from the readable cookie, from an answer, or asked for. */
import { baseUrl, sameOrigin } from "./base.ts"
import { offline, unreadableAnswer } from "./refusal.ts"

let held: string | undefined

/** For signing in: the answer carries the session's token. */
export const holdCsrf = (token: string | undefined): void => {
  held = token
}

/** Read first, since another tab may have signed in again; another origin's cookies cannot be read. */
const inCookie = (): string | undefined => sameOrigin ? /(?:^|; )__Host-svc_csrf=([^;]+)/.exec(document.cookie)?.[1] : undefined

/** Whether this browser keeps the cookies of a session: Safari keeps none over http, and any may be told to keep none at all. */
export const keepsCsrf = (): boolean => inCookie() !== undefined

const asked = async (): Promise<string | undefined> => {
  const answer = await fetch(`${baseUrl}/v1/auth/csrf`, { credentials: "include" }).catch(() => {
    throw offline()
  })
  if (!answer.ok) return undefined
  const body = (await answer.json().catch(() => {
    throw unreadableAnswer(answer.headers.get("x-request-id"))
  })) as { readonly csrf_token: string }
  return body.csrf_token
}

export const csrfToken = async (): Promise<string | undefined> => inCookie() ?? held ?? (held = await asked())

export const freshCsrf = async (): Promise<string | undefined> => (held = await asked())
