/**
 * A file of a version as an HTTP answer (RFC 9110), after access was granted:
 * conditions, then a range, then the best encoding at hand, then bytes from memory or from their pack.
 */
import type { Site } from "../../domain/hosting/model.ts"
import { encodingsOf } from "../contract/negotiation.ts"
import type { Encoding } from "../contract/negotiation.ts"
import { precondition, rangeHolds } from "../contract/preconditions.ts"
import type { Presented } from "./memory/editions.ts"
import type { Exchange, Route } from "./exchange.ts"
import { clearing, linesOf, mustClear, saving } from "./headers.ts"
import type { Showing } from "./headers.ts"
import { WHOLE } from "./memory/holdings.ts"
import type { Holdings } from "./memory/holdings.ts"
import { rangeOf } from "../contract/ranges.ts"
import type { ByteRange } from "../contract/ranges.ts"
import { streamBlocks } from "./streaming.ts"

export interface Subject {
  readonly site: Site
  /** Whether a pass was needed to get here. */
  readonly gated: boolean
  readonly file: Presented
  readonly status: 200 | 404
  readonly route: Route
  /** The file name, where the browser is to save it. */
  readonly saved?: string | undefined
}

/** Called where bytes could not be read and the answer has not begun. */
export type Unreadable = (x: Exchange, cause: unknown) => void

const SHOWN: ReadonlySet<unknown> = new Set(["document", "iframe", "frame", "embed", "object"])

/** Whether a browser opens it as a document: HTML always, an SVG only where it is not an image in another page. */
const isOpened = (x: Exchange, file: Presented): boolean => file.page || (file.document && SHOWN.has(x.req.headers["sec-fetch-dest"]))

export class ContentAnswers {
  readonly #holdings: Holdings
  readonly #unreadable: Unreadable
  readonly #troubled: (cause: unknown) => void
  readonly #readMs: number

  constructor(holdings: Holdings, unreadable: Unreadable, troubled: (cause: unknown) => void, readMs: number) {
    this.#holdings = holdings
    this.#unreadable = unreadable
    this.#troubled = troubled
    this.#readMs = readMs
  }

  answer(x: Exchange, subject: Subject): void {
    const { file, status } = subject
    const headers = x.req.headers
    const encodings = file.encodings.length === 1 ? file.encodings : encodingsOf(headers["accept-encoding"])
    // Conditions and ranges are for answers that would be 200 without them (RFC 9110 §13.2.1).
    if (status === 200) {
      if (headers["if-match"] !== undefined || headers["if-none-match"] !== undefined) {
        const verdict = precondition(headers, encodings.map((encoding) => file.tags[encoding]))
        if (verdict === "failed") return this.#empty(x, subject, 412, "identity")
        if (verdict !== "go") {
          return this.#empty(x, subject, 304, encodings.find((encoding) => file.tags[encoding] === verdict.unchanged)!)
        }
      }
      if (headers.range !== undefined && !x.isHead && this.#part(x, subject, headers.range, encodings)) return
    }
    this.#best(x, subject, encodings, true)
  }

  #lines(x: Exchange, { file, gated, saved, site }: Subject, status: Showing["status"], encoding: Encoding, length: number) {
    // A frame's host never had an earlier holder.
    const personal = !file.framed && isOpened(x, file) && mustClear(x, site)
    const lines = linesOf(file, {
      status, encoding, length, gated, personal, projectId: site.projectId, indexable: site.indexable
    })
    // Saved under its name, it stays packed.
    const packing = saved === undefined && (status === 200 || status === 206) ? file.packing : undefined
    if (!personal && saved === undefined && packing === undefined) return lines
    return [
      ...lines, ...(packing === undefined ? [] : ["Content-Encoding", packing]), ...(personal ? clearing(site.projectId) : []),
      ...(saved === undefined ? [] : saving(saved))
    ]
  }

  #empty(x: Exchange, subject: Subject, status: 304 | 412, encoding: Encoding): void {
    x.send(status, this.#lines(x, subject, status, encoding, 0), undefined, subject.route)
  }

  /** False where the range does not apply. Ranges are of the plain bytes only. */
  #part(x: Exchange, subject: Subject, header: string, encodings: ReadonlyArray<Encoding>): boolean {
    const { asset, tags } = subject.file
    const ifRange = x.req.headers["if-range"]
    if (!encodings.includes("identity") || !rangeHolds(typeof ifRange === "string" ? ifRange : undefined, tags.identity)) {
      return false
    }
    const range = rangeOf(header, asset.length)
    if (range === "whole") return false
    if (range === "unsatisfiable") {
      const lines = [...this.#lines(x, subject, 416, "identity", 0), "Content-Range", `bytes */${asset.length}`]
      x.send(416, lines, undefined, subject.route)
      return true
    }
    const { end, start } = range
    const lines = this.#lines(x, subject, 206, "identity", end - start + 1)
    this.#plain(x, subject, 206, [...lines, "Content-Range", `bytes ${start}-${end}/${asset.length}`], range)
    return true
  }

  /** Sends the first acceptable encoding that is in memory. A missing one is made; only a small file waits for it. */
  #best(x: Exchange, subject: Subject, encodings: ReadonlyArray<Encoding>, mayWait: boolean): void {
    const { asset, keys } = subject.file
    let missing: Exclude<Encoding, "identity"> | undefined
    for (const encoding of encodings) {
      if (encoding === "identity") break
      const variant = this.#holdings.variant(keys[encoding])
      if (variant === undefined) missing ??= encoding
      else if (variant !== "not-worth") {
        const lines = this.#lines(x, subject, subject.status, encoding, variant.length)
        return x.send(subject.status, lines, variant, subject.route)
      }
    }
    if (missing !== undefined && mayWait) {
      const soon = this.#holdings.press(asset, missing, keys[missing])
      if (soon !== undefined) {
        const again = () => this.#best(x, subject, encodings, false)
        // Even where that failed, the plain bytes may be readable.
        soon.then(again, again).catch((cause) => this.#unreadable(x, cause))
        return
      }
    }
    this.#plain(x, subject, subject.status, this.#lines(x, subject, subject.status, "identity", asset.length))
  }

  #plain(x: Exchange, subject: Subject, status: number, lines: Array<string>, range?: ByteRange): void {
    const { asset } = subject.file
    if (x.isHead) return x.send(status, lines, undefined, subject.route)
    const start = range?.start ?? 0
    const end = range?.end ?? asset.length - 1
    if (asset.length > WHOLE) {
      streamBlocks(x, this.#holdings, { asset, start, end, status, lines, route: subject.route, readMs: this.#readMs }, this.#unreadable, this.#troubled)
      return
    }
    const send = (bytes: Buffer) =>
      x.send(status, lines, bytes.length === end - start + 1 ? bytes : bytes.subarray(start, end + 1), subject.route)
    const held = this.#holdings.held(asset)
    if (held !== undefined) return send(held)
    this.#holdings.whole(asset).then(send).catch((cause) => this.#unreadable(x, cause))
  }
}
