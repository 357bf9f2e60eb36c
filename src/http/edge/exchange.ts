/** One request and its answer: the few facts that every step of the edge needs, and the one place where answers are finished. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Visit } from "../../domain/hosting/model.ts"
import type { Address } from "./address.ts"
import { requestId } from "./request-id.ts"
import type { Unread } from "./unread.ts"
import type { OnPage } from "./views.ts"

export type Route = "page" | "shell" | "frame" | "file" | "raw" | "versions" | "look" | "gate" | "comments" | "moved" | "closed" | "refused" | "failed"

export interface ResponseFacts {
  readonly slug: string
  /** A closed set: whatever else a stranger sends is `other`. */
  readonly method: "GET" | "HEAD" | "POST" | "other"
  /** 499 where the client went away first. */
  readonly status: number
  /** Bytes of the body that were handed to the connection. */
  readonly bytes: number
  readonly route: Route
  readonly ms: number
}

export type OnResponse = (facts: ResponseFacts) => void

/** Who is told of answers: one object for all of them. */
export interface Told {
  readonly onResponse: OnResponse | undefined
  readonly onPage: OnPage | undefined
  readonly unread: Unread
}

export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly slug: string
  readonly id: string
  readonly isHead: boolean
  readonly address: Address | undefined
  /** Who visits which project, once the door has opened. */
  visit: Visit | undefined
  readonly #started: number
  readonly #told: Told

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    slug: string,
    address: Address | undefined,
    told: Told
  ) {
    this.req = req
    this.res = res
    this.slug = slug
    this.id = requestId(req.headers["x-request-id"])
    this.isHead = req.method === "HEAD"
    this.address = address
    this.#told = told
    this.#started = told.onResponse === undefined ? 0 : performance.now()
  }

  /** Whether the client has left: nothing more needs to be done for it. */
  get gone(): boolean {
    return this.res.destroyed || this.req.socket.destroyed
  }

  /** `lines` is flat, its first name `X-Request-Id`, whose value is set here: the array is shared between requests. */
  head(status: number, lines: Array<string>): void {
    lines[1] = this.id
    this.res.writeHead(status, lines)
  }

  /** A whole answer at once. */
  send(status: number, lines: Array<string>, body: Uint8Array | undefined, route: Route): void {
    if (this.gone) return this.ended(499, 0, route)
    this.head(status, lines)
    if (body === undefined || this.isHead) {
      this.res.end()
      this.ended(status, 0, route)
    } else {
      this.res.end(body)
      this.held(body)
      this.ended(status, body.length, route)
    }
  }

  /** Told after parts of the body were handed to the connection; what it returns may be called once they are read. */
  held(...parts: ReadonlyArray<Uint8Array>): () => void {
    return this.#told.unread.hold(this, ...parts)
  }

  ended(status: number, bytes: number, route: Route): void {
    if (route === "page" || route === "shell" || route === "frame") this.#told.onPage?.(this, status, route === "frame")
    const sent = this.req.method
    const method = sent === "GET" || sent === "HEAD" || sent === "POST" ? sent : "other"
    this.#told.onResponse?.({ slug: this.slug, method, status, bytes, route, ms: performance.now() - this.#started })
  }
}
