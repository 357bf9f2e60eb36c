/**
 * What was wrong with a try at a doorcode, told by the page that a window is sent back to: an answer at the form's own address would
 * stay in its history, where Back asks to send the form again. A cookie that lasts a minute and is read once. It names one of two
 * sentences and never holds one: an earlier holder of the address may have left it.
 */
import type { InvalidCredentials, RateLimited } from "../../domain/failures.ts"
import { wrongDoorcode } from "../../domain/hosting/rules.ts"
import { waitText } from "../../domain/words.ts"

const NAME = "__Host-svc_try"
const CARRIED = new RegExp(`(?:^|;)[ \\t]*${NAME}=(?:wrong|wait-(\\d{1,5}))[ \\t]*(?:;|$)`)

export const secondsOf = ({ details }: RateLimited): number => Number(details["retry_after_seconds"] ?? 1)

export const tooManyTries = (seconds: number): string => `Too many tries. Wait ${waitText(seconds)}, then try again.`

const cookie = (value: string, seconds: number): string => `${NAME}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`

export const noteOf = (failure: InvalidCredentials | RateLimited): string =>
  cookie(failure._tag === "rate_limited" ? `wait-${secondsOf(failure)}` : "wrong", 60)

export const noteRead: string = cookie("", 0)

/** The words of the note that a request carries. */
export const noteIn = (cookies: string | undefined): string | undefined => {
  const found = cookies === undefined ? null : CARRIED.exec(cookies)
  if (found === null) return undefined
  return found[1] === undefined ? wrongDoorcode().message : tooManyTries(Number(found[1]))
}
