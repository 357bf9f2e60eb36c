/** How a command fails: the message of the service or of this machine, the input it was about, and what to do next. */
import { Data, Effect, Schema } from "effect"
import { isHttpClientError } from "effect/http/HttpClientError"
import type { HttpClientErrorReason, TransportError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { waitText } from "../domain/words.ts"
import { faultsOf } from "../http/contract/faults.ts"
import { askedMs, isAway } from "./again.ts"
import type { Headers } from "./again.ts"
import { proxyAsked } from "./proxies.ts"
import { whereShown } from "./where-shown.ts"
import { span } from "./words.ts"

/** 1 refused, 2 not understood, 3 sign in first, 4 no connection. */
export type ExitCode = 1 | 2 | 3 | 4

export class Refusal extends Data.TaggedError("Refusal")<{
  readonly exit: ExitCode
  readonly code: string
  readonly message: string
  readonly field?: string | null
  readonly details?: Readonly<Record<string, unknown>>
  /** What to run or do next. */
  readonly next?: string | undefined
}> {}

export const usage = (message: string, next?: string): Refusal => new Refusal({ exit: 2, code: "usage", message, next })

export const refused = (message: string, next?: string): Refusal => new Refusal({ exit: 1, code: "refused", message, next })

/** Names the field that did not fit, if the answer was read that far. */
export const unknownAnswer = (error?: unknown): Refusal => {
  const field = Schema.isSchemaError(error) ? faultsOf(error, "")[0]?.field ?? "" : ""
  return refused(
    `The service answered in a way this version does not know${field === "" ? "" : `: ${field}`}.`,
    "svc doctor   If it finds no fault, install the command that belongs to the service."
  )
}

interface Envelope {
  readonly code: string
  readonly message: string
  readonly field?: string | null
  readonly details?: Readonly<Record<string, unknown>>
}

const NEXT: Readonly<Record<string, string>> = {
  auth_required: "svc login",
  email_not_verified: "Open the link in the mail we sent you, then try again.",
  payment_required: "svc whoami   shows your plan.",
  quota_exceeded: "svc whoami   shows what your plan holds and how much of it is used.",
  upload_too_large: "svc whoami   shows what one upload may hold.",
  slug_taken: "svc publish … --slug <another name>",
  slug_reserved: "svc publish … --slug <another name>",
  forbidden: "svc whoami   shows who you are signed in as.",
  unavailable: "Try again in a moment.",
  internal_error: "Try again; --verbose shows the request id to quote when you ask for help."
}

/** What lists those of which there is none of this name, by the field that named it. */
const LISTED: Readonly<Record<string, string>> = {
  slug: "svc list   shows your projects.",
  version: "svc versions <slug>   shows which there are.",
  folder_id: "svc folders list   shows them.",
  invite_id: "svc invites list   shows them.",
  token_id: "svc tokens list   shows them.",
  user_id: "svc members list   shows them.",
  workspace: "svc whoami   shows yours, with their ids."
}

/** The service has no room, which waiting does not make. */
export const isFull = ({ code, details }: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> | undefined }): boolean => code === "unavailable" && details?.["reason"] === "no_room"

const LENT_IS_NO_GOOD = "SVC_TOKEN is no good: set another, or unset it and svc login"

const nextFor = ({ code, details, field }: Envelope): string | undefined => {
  if (code === "not_found" && typeof field === "string" && Object.hasOwn(LISTED, field)) return LISTED[field]
  // Saving a token by `svc login` does not help while SVC_TOKEN is set.
  if (code === "auth_required" && (process.env["SVC_TOKEN"] ?? "") !== "") return LENT_IS_NO_GOOD
  // The message says what helps: another try does not.
  if (isFull({ code, details }) || details?.["reason"] === "password_not_set") return undefined
  if (code === "forbidden" && field === "password") return "Try again with the right one."
  if (typeof details?.["billing_url"] === "string") return `${details["billing_url"]}   shows the plan; admins change it there.`
  const seconds = details?.["retry_after_seconds"]
  if (code === "rate_limited" && typeof seconds === "number") return `Try again in ${waitText(seconds)}.`
  return NEXT[code]
}

const EXITS: Readonly<Record<string, ExitCode>> = { auth_required: 3, unavailable: 4 }

/** What is refused for its type is told in a sentence, what to publish in its place in the next. */
const inPlace = ({ field, message }: Envelope): { readonly message: string; readonly next: string } | undefined => {
  const [what, ...advice] = field === "Content-Type" ? message.split(/(?<=\.) (?=\p{Lu})/u) : []
  return what === undefined || advice.length === 0 ? undefined : { message: what, next: advice.join(" ") }
}

export const fromEnvelope = (envelope: Envelope): Refusal =>
  new Refusal({ exit: EXITS[envelope.code] ?? 1, next: nextFor(envelope), ...envelope, ...inPlace(envelope) })

/** The same failure, in this command's own words for these codes. */
export const inWordsOf = (codes: ReadonlyArray<string>, words: (refusal: Refusal) => { readonly message?: string; readonly field?: string; readonly next?: string }) =>
  <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, Refusal, R> =>
    Effect.catch(asked, (error) =>
      Effect.flatMap(refusalOf(error), (refusal) => {
        const { code, details = {}, exit, field = null, message, next } = refusal
        return Effect.fail(codes.includes(code) ? new Refusal({ code, details, exit, field, message, next, ...words(refusal) }) : refusal)
      }))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** The error envelope in a body. A proxy's own error page is replaced, since its text helps nobody here. */
export const fromBody = (status: number, text: string, headers: Headers): Refusal => {
  const { location } = headers
  try {
    const { error } = JSON.parse(text) as { error?: Envelope }
    if (typeof error?.code === "string" && typeof error.message === "string") return fromEnvelope(error)
  } catch {}
  if (status >= 300 && status < 400 && location !== undefined) {
    return new Refusal({ exit: 1, code: "unexpected", message: `This address leads elsewhere: ${location}`, next: "Name the address it leads to, in svc login or SVC_BASE_URL." })
  }
  if (status === 413) {
    return new Refusal({ exit: 1, code: "upload_too_large", message: "Something in front of the service refuses uploads this big.", next: "Ask whoever runs it to let them through." })
  }
  const asked = askedMs(headers)
  const later = `Try again in ${asked > 0 ? span(asked / 1000, Math.ceil) : "a moment"}.`
  if (status === 429) return new Refusal({ exit: 1, code: "rate_limited", message: "Something in front of the service is busy.", next: later })
  if (isAway(status)) return new Refusal({ exit: 4, code: "unavailable", message: `The service is away (${status}).`, next: later })
  return new Refusal({ exit: 1, code: "unexpected", message: `This address answered ${status}, and not as svc does.`, next: "svc doctor" })
}

const UNTRUSTED = "its certificate is of nobody this machine trusts; NODE_EXTRA_CA_CERTS names more of them"

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name could not be looked up",
  ETIMEDOUT: "no answer in time",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  EHOSTUNREACH: "no way leads there from this machine",
  ENETUNREACH: "no way leads there from this machine",
  ERR_PROXY_TUNNEL: "the proxy does not let it through",
  EPROTO: "no TLS is spoken there; it may be an http:// address",
  ERR_SSL_WRONG_VERSION_NUMBER: "no TLS is spoken there; it may be an http:// address",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "no TLS is spoken there; it may be an http:// address",
  CERT_HAS_EXPIRED: "its certificate has run out",
  CERT_NOT_YET_VALID: "its certificate does not hold yet; the clock may be wrong",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED
}

/** Errors that recur however often the request is repeated. */
const LASTING = /^(?:ENOTFOUND|EPROTO|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|.*_CERT|.*_CERT_.*|UNABLE_TO_.*)$/

const codeOf = (cause: unknown): string | undefined => isRecord(cause) && typeof cause["code"] === "string" ? cause["code"] : undefined

/** A proxy's own answer, to a request or for a tunnel: it wants to know who asks. */
const isUnknownToProxy = (cause: unknown): boolean => isRecord(cause) && cause["statusCode"] === 407

export const isLasting = (cause: unknown): boolean => isUnknownToProxy(cause) || LASTING.test(codeOf(cause) ?? "")

/** Nothing of the request can have arrived. */
export const isUnsent = (cause: unknown): boolean =>
  isLasting(cause) || [cause, ...(cause instanceof AggregateError ? cause.errors : [])].some((error) => isRecord(error) && (error["syscall"] === "connect" || error["syscall"] === "getaddrinfo"))

export const reasonOf = (cause: unknown): string => {
  const code = codeOf(cause)
  if (isUnknownToProxy(cause)) return "the proxy wants a user and a password"
  // Set by Node where it ran out of time.
  if (isRecord(cause) && "proxyTunnelTimeout" in cause) return "the proxy does not answer in time"
  if (code?.startsWith("HPE_") === true) return "what answers there does not speak HTTP"
  return (code && CAUSES[code]) ?? code ?? (cause instanceof Error ? cause.message : "no connection")
}

/** Where a proxy is asked, most faults are its own. */
export const byProxy = (url: URL): string => {
  const proxy = proxyAsked(url)
  return proxy === undefined ? "" : ` by the proxy that ${proxy.variable} names`
}

export const offline = (url: URL, cause: unknown): Refusal =>
  new Refusal({ exit: 4, code: "network", message: `${url.host} cannot be reached${byProxy(url)}: ${reasonOf(cause)}.`, next: "svc doctor" })

const withoutAnswer = ({ cause, request }: TransportError): Refusal => {
  const next = isUnsent(cause) ? undefined : whereShown(request)
  return next === undefined
    ? offline(new URL(request.url), cause)
    : new Refusal({ exit: 4, code: "network", message: `No answer came: ${reasonOf(cause)}. It may be done all the same.`, next })
}

export const fromResponse = (response: HttpClientResponse): Effect.Effect<Refusal> =>
  Effect.map(Effect.orElseSucceed(response.text, () => ""), (text) => fromBody(response.status, text, response.headers))

const fromClient = (reason: HttpClientErrorReason): Effect.Effect<Refusal> => {
  if (reason._tag === "TransportError") return Effect.succeed(withoutAnswer(reason))
  if (reason._tag === "DecodeError" && reason.response.status < 300) return Effect.succeed(unknownAnswer())
  if (!("response" in reason)) return Effect.succeed(refused(`The request could not be made: ${reason._tag}.`, "svc doctor"))
  return fromResponse(reason.response)
}

/** Any failure as a Refusal; a defect stays one. */
export const refusalOf = (error: unknown): Effect.Effect<Refusal> => {
  if (error instanceof Refusal) return Effect.succeed(error)
  if (isHttpClientError(error)) return fromClient(error.reason)
  if (isRecord(error) && typeof error["_tag"] === "string" && typeof error["message"] === "string" && "details" in error) {
    return Effect.succeed(fromEnvelope({ ...(error as unknown as Envelope), code: error["_tag"], message: error["message"] }))
  }
  // The input does not fit the contract, and was never sent.
  if (Schema.isSchemaError(error)) {
    const [fault = { field: "request", message: "This is not well formed." }] = faultsOf(error, "request")
    return Effect.succeed(new Refusal({ exit: 2, code: "validation_error", ...fault }))
  }
  if (isRecord(error) && error["_tag"] === "RpcClientError") {
    const { _tag, cause } = error["reason"] as { readonly _tag: string; readonly cause?: unknown }
    if (_tag === "HttpError") return fromClient(cause as HttpClientErrorReason)
    return Effect.succeed(new Refusal({ exit: 4, code: "network", message: "The service did not answer as one for administrators does.", next: "svc doctor" }))
  }
  return Effect.die(error)
}
