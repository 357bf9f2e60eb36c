/** What one try of a request tells of what it sent: whether another may end otherwise, and whether it may be done already. */
import { isAway, isBusy } from "./again.ts"
import { isFull, isLasting, isUnsent, reasonOf } from "./refusal.ts"
import type { Refusal } from "./refusal.ts"

export interface Outcome {
  readonly why: string
  /** Another try would end as this one did. */
  readonly lasting: boolean
  /** It does not tell what became of what was sent to its end. */
  readonly unsure: boolean
  /** An earlier try under the same key is still at work there. */
  readonly atWork: boolean
}

/** A gateway's failure may come after the service had all of it; a 429 or 503 says that it was not taken. */
export const answeredBy = (status: number, refusal: Refusal): Outcome => ({
  why: "the service is busy",
  lasting: !isBusy(status) || isFull(refusal),
  unsure: isAway(status) && status !== 503,
  atWork: refusal.code === "conflict" && refusal.field === "Idempotency-Key"
})

export const brokenBy = (cause: unknown): Outcome =>
  ({ why: reasonOf(cause), lasting: isLasting(cause), unsure: !isUnsent(cause), atWork: false })
