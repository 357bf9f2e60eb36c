/**
 * `Idempotency-Key` on a project's own host (CONTRACT §1): the same work is not done twice. The sender is authenticated before;
 * a repeat also checks whether they still have access, and answers what was made as it stands now.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { Schema } from "effect"
import type { UserId } from "../../../domain/accounts/model.ts"
import { Idempotency } from "../../../domain/idempotency/idempotency.ts"
import { keyFrom } from "../../../domain/idempotency/rules.ts"
import type { ProjectId } from "../../../domain/projects/model.ts"
import { IDEMPOTENCY_HEADER } from "../../contract/idempotency.ts"
import type { Exchange } from "../exchange.ts"

export interface Sender {
  readonly user: { readonly id: UserId }
  readonly projectId: ProjectId
}

export interface Made {
  readonly value: Schema.Json
  readonly replayed: boolean
}

export const makeOnce = Effect.gen(function*() {
  const { once } = yield* Idempotency

  /** Without a key it simply runs. `body` is the whole input: such a request takes no query. */
  return Effect.fnUntraced(function*<E, E2, E3>(
    { address, req }: Exchange,
    body: Buffer,
    { again, run, sender }: {
      readonly sender: Effect.Effect<Sender, E>
      readonly run: Effect.Effect<Schema.Json, E2>
      readonly again: (made: Schema.Json) => Effect.Effect<Schema.Json, E3>
    }
  ) {
    const made = Effect.map(run, (value): Made => ({ value, replayed: false }))
    const sent = req.headers[IDEMPOTENCY_HEADER]
    if (sent === undefined) return yield* made
    const key = yield* Effect.fromResult(keyFrom(sent))
    const { projectId, user } = yield* sender
    const print = { hash: createHash("sha256").update(body).digest("hex"), length: body.length }
    return yield* once({ userId: user.id, operation: `${req.method} ${address!.path} of ${projectId}`, key }, {
      run: Effect.map(made, (one) => ({ value: one, kept: { print, answer: one.value } })),
      print: () => Effect.succeedSome(print),
      again: (first) => Effect.map(again(first), (value): Made => ({ value, replayed: true }))
    })
  })
})
