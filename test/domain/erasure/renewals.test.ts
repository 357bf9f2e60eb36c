/** An account that is erased must not go on paying: the erasure waits for a payment service that is away, but not for ever. */
import { assert, layer } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import { Billing } from "../../../src/domain/billing/billing.ts"
import type { CustomerId } from "../../../src/domain/billing/model.ts"
import { Subscriptions } from "../../../src/domain/billing/subscriptions.ts"
import { Erasing } from "../../../src/domain/erasure/erasing.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import type { DeletionId } from "../../../src/domain/erasure/model.ts"
import { houseWith } from "../../support/house.ts"
import { at, DAY, publish, signedUp } from "../../support/moments.ts"
import { PASSWORD } from "../../support/service.ts"
import { openStripe } from "../../support/stripe.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const BEGIN = Date.UTC(2027, 0, 1, 9, 30, 0, 123)
const DUE = BEGIN + 30 * DAY

/** A workspace that was paid for and then deleted, whose renewal could not be ended. */
const deleted = Effect.fnUntraced(function*(name: string) {
  stripe.tell(() => BEGIN)
  const { user, workspace } = yield* at(BEGIN, signedUp(`${name}@example.com`))
  yield* at(BEGIN, publish(user, name))
  const { url } = yield* at(BEGIN, Billing.use((billing) => billing.checkout(user, { workspace, plan: "studio", interval: "month" })))
  const subscription = stripe.pay(url)
  yield* at(BEGIN, Subscriptions.use(({ read }) => read(subscription.customer as CustomerId)))
  yield* at(BEGIN, Erasure.use((erasure) => erasure.deleteWorkspace(user, undefined, { workspace, password: PASSWORD })))
  const [deletion] = yield* SqlClient.SqlClient.use((sql) => sql<{ id: DeletionId }>`SELECT id FROM deletions WHERE target_id = ${workspace}`)
  const erase = Erasing.use((erasing) => erasing.erase(deletion!.id))
  const left = SqlClient.SqlClient.use((sql) =>
    Effect.map(sql<{ count: number }>`
      SELECT (SELECT count(*) FROM projects WHERE workspace_id = ${workspace})::int + (SELECT count(*) FROM customers WHERE workspace_id = ${workspace})::int AS count`,
    ([row]) => row!.count))
  return { subscription, erase, left, url }
})

layer(houseWith(stripe.environment))("an erasure while the payment service is away", (it) => {
  it.effect("waits with all of it, and has the renewal ended once the payment service is back", () =>
    Effect.gen(function*() {
      const { erase, left, subscription } = yield* deleted("waits")
      stripe.trouble({ status: 429 })
      for (const moment of [DUE, DUE + DAY, DUE + 3 * DAY - 1]) {
        assert.strictEqual((yield* at(moment, Effect.flip(erase)))._tag, "payments_away")
        assert.deepStrictEqual([yield* left, subscription.cancelAt], [2, null])
      }
      stripe.trouble({})
      assert.isTrue(yield* at(DUE + 3 * DAY - 1, erase))
      assert.deepStrictEqual([yield* left, subscription.cancelAt], [0, subscription.periodEnd])
    }).pipe(Effect.provide(Logger.layer([]))))

  it.effect("goes on after three days, and says aloud what it leaves behind", () =>
    Effect.gen(function*() {
      const { erase, left, subscription } = yield* deleted("goes-on")
      stripe.trouble({ status: 429 })
      const said: Array<unknown> = []
      const heard = Logger.layer([Logger.make(({ fiber, logLevel, message }) =>
        void (logLevel === "Error" && said.push(message, fiber.getRef(References.CurrentLogAnnotations))))])
      assert.isTrue(yield* at(DUE + 3 * DAY, erase).pipe(Effect.provide(heard)))
      stripe.trouble({})
      assert.deepStrictEqual([yield* left, subscription.cancelAt], [0, null])
      // From which an operator can end it by hand.
      const [words, about] = said.flat()
      assert.strictEqual(words, "erased without ending what is paid for it")
      assert.deepInclude(about, { customer: subscription.customer, subscriptions: [subscription.id], why: "payments_away" })
    }))

  it.effect("ends a paid subscription beside one that never began, and one that a schedule moves", () =>
    Effect.gen(function*() {
      const { erase, left, subscription, url } = yield* deleted("beside")
      stripe.failToPay(url)
      stripe.failToPay(url).status = "incomplete_expired"
      subscription.schedule = "sub_sched_1"
      assert.isTrue(yield* at(DUE, erase))
      assert.deepStrictEqual([yield* left, subscription.cancelAt, subscription.schedule], [0, subscription.periodEnd, null])
    }).pipe(Effect.provide(Logger.layer([]))))
})
