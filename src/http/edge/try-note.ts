/**
 * What was wrong with a try at a doorcode, told by the page that a window is sent back to: an answer at the form's own address would
 * stay in its history, where Back asks to send the form again. A cookie that lasts a minute and is read once; and for browsers that
 * keep none, the address on the way back. Both name one of two sentences and never hold one: an earlier holder of the address may
 * have left the cookie, and anybody may write an address.
 */
import type { RateLimited } from "../../domain/failures.ts"
import { InvalidCredentials, tooManyTries } from "../../domain/failures.ts"
import { wrongDoorcode } from "../../domain/hosting/rules.ts"
import { cookieValue } from "./cookie-value.ts"

const NAME = "__Host-svc_try"
const NOTE = /^(?:wrong|wait-(\d{1,5}))$/
const carried = cookieValue(NAME, "[^; \\t]*")

const secondsOf = (details: RateLimited["details"]): number => Number(details["retry_after_seconds"] ?? 1)

export const noteOf = (failure: InvalidCredentials | RateLimited): string =>
  failure._tag === "rate_limited" ? `wait-${secondsOf(failure.details)}` : "wrong"

/** What a note says; undefined where it is none of ours. */
export const noted = (note: string | undefined): InvalidCredentials | RateLimited | undefined => {
  const found = note === undefined ? null : NOTE.exec(note)
  if (found === null) return undefined
  return found[1] === undefined ? wrongDoorcode() : tooManyTries(Number(found[1]))
}

/** In the address after the right one, which no cookie notes. */
export const RIGHT = "right"

/** It would be asked for again, without a word. */
export const withoutCookies = () =>
  new InvalidCredentials({ message: "That is the doorcode, but this browser did not keep the cookie that opens the door. Allow cookies for this address, then try again.", field: "password" })

const cookie = (value: string, seconds: number): string => `${NAME}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`

export const noteCookie = (note: string): string => cookie(note, 60)

export const noteRead: string = cookie("", 0)

/** What the note that a request carries says. */
export const noteIn = (cookies: string | undefined): InvalidCredentials | RateLimited | undefined => noted(carried(cookies))
