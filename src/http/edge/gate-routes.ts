/**
 * The ways in, on a project's own host (CONTRACT §9): the doorcode's form, a share link, and a member's key.
 * They are rare: each runs its program in a fiber of its own, and every outcome is answered.
 */
import { Cause, Effect, Exit, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { Forbidden, invalid, UploadTooLarge } from "../../domain/failures.ts"
import type { Invalid, InvalidCredentials, InvalidToken, NotFound, RateLimited } from "../../domain/failures.ts"
import { Gates } from "../../domain/hosting/gates.ts"
import type { Passage } from "../../domain/hosting/gates.ts"
import { opensPage } from "../contract/fetch-metadata.ts"
import { receive } from "./body.ts"
import type { BodyLimits, Received } from "./body.ts"
import { isAhead } from "./caching.ts"
import { isCrawler } from "./crawlers.ts"
import type { Exchange } from "./exchange.ts"
import { fieldsOf, isForm, single } from "./fields.ts"
import type { Fields } from "./fields.ts"
import type { Guards, OnDefect } from "./guarding.ts"
import { nextOf } from "./next.ts"
import { previewPage } from "./pages.ts"
import { hashOf, passCookie, passIn } from "./pass-cookie.ts"
import { readerCookie } from "./reader-cookie.ts"
import { GATES, refuse, refuseMethod, refuseTry, sendJson, sendPage, shutLines, wantsJson } from "./refusals.ts"
import { noteCookie, noted, noteIn, noteOf, RIGHT, withoutCookies } from "./try-note.ts"

type Failure = InvalidCredentials | InvalidToken | NotFound | RateLimited

export interface GateOptions extends Pick<Guards, "guarded"> {
  readonly baseUrl: string
  /** The client's address, as limits count it. */
  readonly clientOf: (req: IncomingMessage) => string
  /** Whether a failure only means that the database is away. */
  readonly isAway: (cause: Cause.Cause<unknown>) => boolean
  readonly body: BodyLimits
  readonly onDefect: OnDefect
}

/** How long a program may take before the reader is asked to try again. */
const PATIENCE_MS = 10_000

const redirect = (x: Exchange, to: string, cookies: ReadonlyArray<string> = []): void =>
  x.send(303, [...shutLines(x, 0), "Location", to, ...cookies], undefined, "gate")

const noteAt = (note: string, next: string): string => `${GATES}password?${new URLSearchParams({ note, next })}`

export const makeGateRoutes = Effect.fnUntraced(function*({ baseUrl, body, clientOf, guarded, isAway, onDefect }: GateOptions) {
  const gates = yield* Gates
  const run = Effect.runCallbackWith(yield* Effect.context<never>())

  /** Lets the reader in: sets the pass, and redirects to an address without the secret; a window that typed a doorcode, by way of a look at whether it kept the pass. A program that sent one is told so. */
  const enter = (x: Exchange, passage: Passage, next: string): void => {
    if (passage.let === "out") return refuse(x, passage.why, baseUrl, next)
    const cookie = [
      ...(passage.cookie === undefined ? [] : ["Set-Cookie", passCookie(passage.cookie)]),
      ...(passage.reader === undefined ? [] : ["Set-Cookie", readerCookie(passage.reader)])
    ]
    if (wantsJson(x) && x.req.method === "POST") return sendJson(x, 200, { status: "ok" }, "gate", cookie)
    const looksBack = passage.cookie !== undefined && x.req.method === "POST" && opensPage(x.req.headers)
    redirect(x, looksBack ? noteAt(RIGHT, next) : next, cookie)
  }

  const refusedTry = (x: Exchange, failure: InvalidCredentials | RateLimited, next: string): void =>
    refuseTry(x, failure._tag === "invalid_credentials" ? 401 : 429, failure, { baseUrl, next })

  const sendBack = (x: Exchange, failure: InvalidCredentials | RateLimited, next: string): void => {
    if (!opensPage(x.req.headers) || wantsJson(x)) return refusedTry(x, failure, next)
    const note = noteOf(failure)
    redirect(x, noteAt(note, next), ["Set-Cookie", noteCookie(note)])
  }

  const refused = (x: Exchange, failure: Failure, next: string): void => {
    switch (failure._tag) {
      case "invalid_credentials":
        return sendBack(x, failure, next)
      case "rate_limited":
        return x.req.method === "POST" ? sendBack(x, failure, next) : refuse(x, "crowded", baseUrl, next, failure)
      case "not_found":
        return refuse(x, "link-refused", baseUrl, next)
      case "invalid_token":
        return refuse(x, "entry-refused", baseUrl, next)
    }
  }

  const answer = (x: Exchange, program: Effect.Effect<Passage, Failure>, next: string): void =>
    void run(Effect.timeout(program, PATIENCE_MS), {
      onExit: (exit) =>
        guarded(x, () => {
          if (Exit.isSuccess(exit)) return enter(x, exit.value, next)
          const failed = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
          if (failed !== undefined && failed._tag !== "TimeoutError") return refused(x, failed, next)
          onDefect(Cause.squash(exit.cause), x.id)
          refuse(x, failed !== undefined || isAway(exit.cause) ? "unavailable" : "internal", baseUrl, next)
        })
    })

  const wrong = (message: string) => invalid({ field: "password", message })

  const tryFields = (x: Exchange, { next: given, password = "" }: Fields): void => {
    const next = nextOf(given)
    if (password.trim() === "") return refuseTry(x, 422, wrong("Type the doorcode."), { baseUrl, next })
    answer(x, gates.doorcode(x.slug, password, clientOf(x.req)), next)
  }

  const tryDoorcode = (x: Exchange, received: Received): void => {
    if (received === "gone") return x.ended(499, 0, "gate")
    const refuseBody = (status: number, failure: Invalid | UploadTooLarge, ...more: ReadonlyArray<string>) =>
      refuseTry(x, status, failure, { baseUrl, next: "/", more })
    if (received === "too-large") {
      return refuseBody(413, new UploadTooLarge({ message: "That is longer than any doorcode.", field: "password" }), "Connection", "close")
    }
    if (received === "too-slow") return refuseBody(408, wrong("That took too long to arrive. Try again."), "Connection", "close")
    const fields = fieldsOf(x.req.headers["content-type"], received)
    if (fields === undefined) return refuseBody(422, wrong("Send the doorcode as a form or as JSON."))
    tryFields(x, fields)
  }

  /** Another site's form would try doorcodes from its readers' addresses, and let them in unasked. */
  const byForeignForm = ({ headers }: IncomingMessage): boolean => {
    const site = headers["sec-fetch-site"]
    if (site !== undefined) return site !== "same-origin" && site !== "none"
    // Our pages send no Referer, so old browsers send `Origin: null` from them too.
    const { origin } = headers
    return origin !== undefined && origin !== "null" && !origin.endsWith(`//${headers.host ?? ""}`)
  }

  /** The way on from a try: a window that kept its pass or its note is shown what it wanted, or told there, any other one is told here. */
  const back = (x: Exchange, query: URLSearchParams): void => {
    const next = nextOf(single(query, "next"))
    const note = single(query, "note")
    if (note === RIGHT && passIn(x.req.headers.cookie) === undefined) return refuseTry(x, 401, withoutCookies(), { baseUrl, next })
    const failure = noted(note)
    if (failure !== undefined && noteIn(x.req.headers.cookie) === undefined) return refusedTry(x, failure, next)
    redirect(x, next)
  }

  const password = (x: Exchange, query: URLSearchParams): void => {
    if ((x.req.method === "GET" || x.isHead) && !wantsJson(x)) return back(x, query)
    if (x.req.method !== "POST") return refuseMethod(x, "POST")
    if (byForeignForm(x.req)) {
      return refuseTry(x, 403, new Forbidden({ message: "Another site sent this form. Type the doorcode here." }), { baseUrl, next: "/" })
    }
    receive(x.req, body, (received) => guarded(x, () => tryDoorcode(x, received)))
  }

  /** Answers what must not use up a link or key: a HEAD, a prefetch. True where it did. */
  const looked = (x: Exchange): boolean => {
    const { headers, method } = x.req
    if (method !== "GET" && method !== "HEAD") refuseMethod(x)
    else if (x.isHead) x.send(200, shutLines(x, 0), undefined, "gate")
    else if (isAhead(String(headers["sec-purpose"] ?? headers["purpose"] ?? ""))) x.send(503, shutLines(x, 0), undefined, "gate")
    else return false
    return true
  }

  const share = (x: Exchange, query: URLSearchParams): void => {
    if (looked(x)) return
    if (isCrawler(x.req.headers["user-agent"])) return sendPage(x, 200, previewPage({ baseUrl, requestId: x.id }), "gate")
    answer(x, gates.link(x.slug, single(query, "t") ?? "", clientOf(x.req), hashOf(passIn(x.req.headers.cookie))), "/")
  }

  const member = (x: Exchange, query: URLSearchParams): void => {
    if (looked(x)) return
    answer(x, gates.member(x.slug, single(query, "t") ?? ""), nextOf(single(query, "next")))
  }

  /** Whoever has no key any more goes on all the same: it opens nothing. */
  const reader = (x: Exchange, query: URLSearchParams): void => {
    if (looked(x)) return
    const next = nextOf(single(query, "next"))
    void run(Effect.timeout(gates.reader(x.slug, single(query, "t") ?? ""), PATIENCE_MS), {
      onExit: (exit) =>
        guarded(x, () => {
          if (Exit.isFailure(exit)) onDefect(Cause.squash(exit.cause), x.id)
          const cookie = Exit.isSuccess(exit) ? exit.value : undefined
          redirect(x, next, cookie === undefined ? [] : ["Set-Cookie", readerCookie(cookie)])
        })
    })
  }

  /**
   * In browsers the doorcode page's form goes to the address that the page stands at. What authors' forms send is none of ours, and
   * false or refused like any other method.
   */
  const typed = (x: Exchange): boolean => {
    if (x.req.method !== "POST" || !isForm(x.req.headers["content-type"]) || byForeignForm(x.req)) return false
    receive(x.req, body, (received) =>
      guarded(x, () => {
        if (received === "gone") return x.ended(499, 0, "gate")
        const fields = typeof received === "string" ? undefined : fieldsOf(x.req.headers["content-type"], received)
        if (fields?.next === undefined || fields.password === undefined) return refuseMethod(x)
        tryFields(x, fields)
      }))
    return true
  }

  const byName = new Map(Object.entries({ password, share, member, reader }))

  /** False where the path is not one of these. */
  const ways = (x: Exchange): boolean => {
    const { path, query } = x.address!
    const way = byName.get(path.slice(GATES.length))
    way?.(x, new URLSearchParams(query))
    return way !== undefined
  }

  return { typed, ways }
})
