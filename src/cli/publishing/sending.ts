/** One upload, retried under the same key while the connection is broken or the service is busy. */
import { randomUUID } from "node:crypto"
import { Duration, Effect } from "effect"
import { Connection } from "../connection.ts"
import { Output } from "../output.ts"
import { fromBody, isLasting, reasonOf, unknownAnswer } from "../refusal.ts"
import type { Refusal } from "../refusal.ts"
import type { Got } from "../transport.ts"
import { span } from "../words.ts"
import type { Body } from "./bodies.ts"
import { progress } from "./progress.ts"

const TRIES = 6
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** The service recognises retries by the key, and makes one version of all of them. */
const newKey = (): string => randomUUID()

const BUSY = new Set([429, 502, 503, 504])

/** An earlier try is still at work there. If its process died it is released within a minute; if it is working it may need longer. */
const isAtWork = ({ code, field }: Refusal): boolean => code === "conflict" && field === "Idempotency-Key"
const AT_WORK_TRIES = 24
const atWorkWait = (met: number): number => Math.min(15_000, 1_000 * 2 ** met)

/** Retry-After is a number of seconds, or a date by the clock that wrote the answer's own (RFC 9110 §10.2.3). */
const askedMs = ({ headers: { date, "retry-after": after = "" } }: Got): number =>
  /^\s*\d+\s*$/.test(after) ? Number(after) * 1000 : Date.parse(after) - (Date.parse(date ?? "") || Date.now())

export const waitOf = (attempt: number, got: Got | undefined): number => {
  const asked = got === undefined ? 0 : askedMs(got)
  return asked > 0 ? asked : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)
}

interface Outcome {
  readonly got?: Got
  readonly lasting?: boolean
  readonly refusal: Refusal
  readonly why: string
}

export const deliver = Effect.fnUntraced(function*(method: "POST" | "PUT", path: string, body: Body, headers: Readonly<Record<string, string>> = {}) {
  const { aside, event, json } = yield* Output
  const { send } = yield* Connection
  const sent = {
    ...headers,
    "idempotency-key": newKey(),
    ...(body.type === undefined ? {} : { "content-type": body.type }),
    ...(body.length === undefined ? {} : { "content-length": String(body.length) })
  }

  const attempt = Effect.fnUntraced(function*() {
    const shown = yield* progress(body.size)
    let whole = false
    const bytes = async function*() {
      yield* body.open(shown.read)
      whole = true
    }
    const outcome: Outcome = yield* send(path, { method, headers: sent, body: bytes() }).pipe(
      Effect.ensuring(Effect.sync(shown.end)),
      Effect.map((got) => ({ got, refusal: fromBody(got.status, got.bytes.toString("utf8"), got.headers["location"]), why: "the service is busy" })),
      Effect.catchTag("TransportBroken", ({ cause, refusal }) => Effect.succeed({ refusal, lasting: isLasting(cause), why: reasonOf(cause) }))
    )
    return { ...outcome, whole }
  })

  // Whether any try so far was sent to its end.
  let arrived = false
  for (let tries = 0, met = 0;;) {
    const { got, lasting = got !== undefined && !BUSY.has(got.status), refusal, whole, why } = yield* attempt()
    if (got !== undefined && got.status < 300) return yield* Effect.try({ try: () => JSON.parse(got.bytes.toString("utf8")) as unknown, catch: unknownAnswer })
    if (isAtWork(refusal) && met < AT_WORK_TRIES) {
      const wait = atWorkWait(met)
      yield* event("retry", { reason: arrived ? "it is under way" : "an earlier try still holds the address", in_ms: wait })
      if (met++ === 0 && !json) {
        yield* aside(arrived
          ? "It arrived and is under way. Waiting for it …"
          : "The try that broke off still holds the address. Waiting up to a minute for it to be let go …")
      }
      yield* Effect.sleep(Duration.millis(wait))
      continue
    }
    arrived ||= whole
    const wait = waitOf(tries, got)
    if (++tries >= TRIES || lasting || wait > 2 * LONGEST_WAIT_MS) return yield* refusal
    yield* event("retry", { reason: why, in_ms: wait })
    if (!json) yield* aside(`${why[0]!.toUpperCase()}${why.slice(1)}. Trying again in ${wait < 1000 ? "a moment" : span(wait / 1000)} …`)
    yield* Effect.sleep(Duration.millis(wait))
  }
})
