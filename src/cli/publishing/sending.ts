/** One upload, retried under the same key while the connection is broken or the service is busy. */
import { randomUUID } from "node:crypto"
import { Duration, Effect, Option } from "effect"
import { IDEMPOTENCY_HEADER } from "../../http/contract/idempotency.ts"
import { again } from "../again.ts"
import { Connection } from "../connection.ts"
import { answeredBy, brokenBy } from "../outcome.ts"
import type { Outcome } from "../outcome.ts"
import { Output } from "../output.ts"
import { fromBody, Refusal } from "../refusal.ts"
import type { Got } from "../transport.ts"
import type { Body } from "./bodies.ts"
import { progress } from "./progress.ts"

/** If the process of the try that is at work died it is released within a minute; if it is working it may need longer. */
const AT_WORK_TRIES = 24
const atWorkWait = (met: number): number => Math.min(15_000, 1_000 * 2 ** met)

/** Another body under the same key: the files are not what they were. */
const isAltered = ({ code, field }: Refusal): boolean => code === "validation_error" && field === "Idempotency-Key"
const altered = new Refusal({ exit: 1, code: "source", message: "The files changed between two tries. What was sent first may be live.", next: "Run it again." })

/** A proxy's page, or an answer that was cut short. */
const unread = new Refusal({ exit: 4, code: "network", message: "The answer cannot be read: it is cut short, or not the service’s own.", next: "svc doctor" })

const parsed = ({ bytes }: Got): Option.Option<unknown> => Option.liftThrowable((text: string) => JSON.parse(text) as unknown)(bytes.toString("utf8"))

/** How it ends without an answer: nobody should take what is live for lost. */
const orLive = ({ code, exit, message, field = null, details = {} }: Refusal): Refusal =>
  new Refusal({ code, exit, field, details, message: `${message} What was sent may be live.`, next: "svc list   shows what is; run it again if this is not." })

interface Ended extends Outcome {
  readonly answer?: unknown
  readonly headers?: Got["headers"]
  readonly refusal: Refusal
}

const endedBy = (got: Got): Ended => {
  const { headers, status } = got
  if (status < 300) {
    const answer = parsed(got)
    return { headers, refusal: unread, why: "the answer cannot be read", lasting: false, unsure: true, atWork: false, ...(Option.isSome(answer) && { answer: answer.value }) }
  }
  const refusal = fromBody(status, got.bytes.toString("utf8"), headers)
  return { headers, refusal, ...answeredBy(status, refusal) }
}

export const deliver = Effect.fnUntraced(function*(method: "POST" | "PUT", path: string, body: Body, headers: Readonly<Record<string, string>> = {}) {
  const { aside, event, json } = yield* Output
  const { send } = yield* Connection
  const sent = {
    ...headers,
    // The service recognises retries by it, and makes one version of all of them.
    [IDEMPOTENCY_HEADER]: randomUUID(),
    ...(body.type === undefined ? {} : { "content-type": body.type }),
    ...(body.length === undefined ? {} : { "content-length": String(body.length) })
  }

  // Whether all of it was sent by the try that is at work …
  let whole = false
  // … and whether any try before may have arrived.
  let arrived = false

  const attempt = Effect.fnUntraced(function*() {
    const shown = yield* progress(body.size)
    const bytes = async function*() {
      let left = body.length ?? Infinity
      for await (const part of body.open(shown.read)) {
        // With the last of it: the answer may come before anything more is asked for.
        whole = (left -= part.length) <= 0
        yield part
      }
      whole = true
    }
    const outcome = yield* send(path, { method, headers: sent, body: bytes() }).pipe(
      Effect.ensuring(Effect.sync(shown.end)),
      Effect.map(endedBy),
      Effect.catchTag("TransportBroken", ({ cause, refusal }) => Effect.succeed<Ended>({ refusal, ...brokenBy(cause) }))
    )
    arrived ||= outcome.unsure && whole
    whole = false
    return outcome
  })

  const answered = Effect.gen(function*() {
    for (let tries = 0, met = 0;;) {
      const { answer, atWork, headers, lasting, refusal, why } = yield* attempt()
      if (answer !== undefined) return answer
      if (atWork && met < AT_WORK_TRIES) {
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
      if (isAltered(refusal) && tries + met > 0) return yield* altered
      if (!lasting && (yield* again(tries++, why, headers, true))) continue
      return yield* arrived && !lasting ? orLive(refusal) : refusal
    }
  })
  return yield* Effect.onInterrupt(answered, () => arrived || whole ? aside("Stopped. What was sent may be live: svc list   shows what is.") : Effect.void)
})
