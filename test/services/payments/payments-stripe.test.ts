/** Stripe as the port sees it: late answers, repeated requests, and accounts that are configured differently. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger, Redacted } from "effect"
import { afterAll } from "vitest"
import { CustomerId } from "../../../src/domain/billing/model.ts"
import { Payments } from "../../../src/domain/ports/payments.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { PaymentsStripe } from "../../../src/services/payments/payments-stripe.ts"
import { openStripe, PRICES, SECRET_KEY, WEBHOOK_SECRET } from "../../support/stripe.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const workspace = WorkspaceId.make("01890000-0000-7000-8000-000000000001")

const payments = (patienceMs: number, apiUrl: string = stripe.environment.SVC_STRIPE_API_URL, key = SECRET_KEY) =>
  PaymentsStripe({ apiUrl, patienceMs, prices: PRICES, secretKey: Redacted.make(key), webhookSecret: Redacted.make(WEBHOOK_SECRET) }).pipe(
    Layer.provideMerge(Logger.layer([]))
  )

it.live("a late answer counts as an outage; a repeat with the same key does the work once", () =>
  Effect.gen(function*() {
    stripe.trouble({ delayMs: 400 })
    const { customer } = yield* Payments
    const late = yield* Effect.flip(Payments.use((hasty) => hasty.customer(workspace, "one"))).pipe(Effect.provide(payments(150)))
    assert.deepInclude(late, { _tag: "payments_away", answered: false })
    // The first request still uses the key over there: the second waits for it.
    const id = yield* customer(workspace, "one")
    stripe.trouble({})
    assert.strictEqual(yield* customer(workspace, "one"), id)
    assert.deepStrictEqual([...stripe.customers.keys()], [id])
    assert.notStrictEqual(yield* customer(workspace, "two"), id)
  }).pipe(Effect.provide(payments(20_000))))

it.live("nobody there, and a key that opens nothing, are away as well", () =>
  Effect.gen(function*() {
    for (const kept of [payments(500, "http://127.0.0.1:1"), payments(500, undefined, "sk_test_wrong")]) {
      const refused = yield* Effect.flip(Payments.use(({ portal }) => portal("cus_1" as never, "https://svc.example"))).pipe(Effect.provide(kept))
      assert.deepInclude(refused, { _tag: "payments_away", answered: false })
    }
  }))

it.live("an answer that trickles, or is of another form, is away as well", () =>
  Effect.gen(function*() {
    let answered: string | undefined
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      if (answered !== undefined) return void response.end(answered)
      const drops = setInterval(() => response.write(" "), 50)
      response.on("close", () => clearInterval(drops))
    })
    yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const id = CustomerId.make("cus_1")
    const returnTo = { paid: "https://svc.example/a", left: "https://svc.example/b" }
    const asking = Payments.use(({ checkout, customer, portal, subscriptions }) => Effect.all([
      customer(workspace, "one"),
      checkout({ customer: id, workspaceId: workspace, price: "price", returnTo, closesAt: DateTime.makeUnsafe(Date.now()), key: "k" }),
      portal(id, returnTo.left),
      subscriptions(id)
    ].map((ask) => Effect.flip<unknown, unknown, never>(ask)), { concurrency: "unbounded" }))
    for (answered of [undefined, "{}", "[]", "null", `{"id":7,"url":null,"data":{}}`]) {
      for (const failure of yield* asking.pipe(Effect.timeout("5 seconds"), Effect.provide(payments(300, address)))) assert.deepInclude(failure, { _tag: "payments_away" }, answered)
    }
    server.closeAllConnections()
    server.close()
  }))

it.live("an invoice pays for what it charges, apart from credits", () =>
  Effect.gen(function*() {
    const { checkout, customer, subscriptions } = yield* Payments
    const id = yield* customer(workspace, "three")
    const returnTo = { paid: "https://svc.example/a", left: "https://svc.example/b" }
    const url = yield* checkout({ customer: id, workspaceId: workspace, price: PRICES.starter.month, returnTo, closesAt: DateTime.makeUnsafe(Date.now() + 3_600_000), key: "k" })
    assert.deepStrictEqual(yield* subscriptions(id), [])
    const one = stripe.pay(url)
    const only = Effect.map(subscriptions(id), ([found]) => found!)
    assert.include(yield* only, { plan: "starter", paid: true, status: "active", cancelsAt: null, endedAt: null })
    stripe.change(one, PRICES.agency.month, true)
    assert.include(yield* only, { plan: "agency", paid: true })
    stripe.change(one, PRICES.studio.year, false)
    assert.include(yield* only, { plan: null, paid: false })
    stripe.recover(one)
    stripe.cancelAtPeriodEnd(one)
    assert.deepInclude(yield* only, { plan: "studio", cancelsAt: DateTime.makeUnsafe(one.periodEnd * 1000) })
    // With everything discounted, a credit is one of nothing; other things may be sold beside a plan; and two plans may end together.
    const end = one.periodEnd
    for (const lines of [
      [{ amount: 0, price: PRICES.studio.month, end, credit: true }, { amount: 0, price: PRICES.agency.month, end }],
      [{ amount: 1_000, price: "price_of_no_plan", end: end + 1 }, { amount: 4_900, price: PRICES.agency.month, end }],
      [{ amount: 2_900, price: PRICES.studio.month, end }, { amount: 4_900, price: PRICES.agency.month, end }]
    ]) {
      one.price = PRICES.agency.month
      one.invoice.lines = lines
      assert.include(yield* only, { plan: "agency", paid: true })
    }
    one.price = "price_of_no_plan"
    stripe.renew(one, true)
    assert.include(yield* only, { plan: null, paid: true, ours: true, ofPlan: true })
    // Set up by hand: for a plan by what it charges, or by what it is set to charge next.
    delete one.metadata["workspace_id"]
    assert.include(yield* only, { ours: false, ofPlan: false })
    one.price = PRICES.studio.month
    assert.include(yield* only, { ours: false, ofPlan: true })
    stripe.renew(one, true)
    one.price = "price_of_no_plan"
    assert.include(yield* only, { ofPlan: true })
  }).pipe(Effect.provide(payments(20_000))))

it.live("a customer deleted there has no subscriptions, and nothing to end; one that was never there is refused", () =>
  Effect.gen(function*() {
    const { checkout, customer, endWithPeriod, portal, subscriptions } = yield* Payments
    const id = yield* customer(workspace, "five")
    const returnTo = { paid: "https://svc.example/a", left: "https://svc.example/b" }
    stripe.pay(yield* checkout({ customer: id, workspaceId: workspace, price: PRICES.starter.month, returnTo, closesAt: DateTime.makeUnsafe(Date.now() + 3_600_000), key: "k5" }))
    stripe.deleteCustomer(id)
    assert.deepStrictEqual(yield* subscriptions(id), [])
    yield* endWithPeriod(id, true)
    assert.deepInclude(yield* Effect.flip(portal(id, returnTo.left)), { refused: "no such customer" })
    // As with the key of another account: nobody's plan may end by that, nor any customer be forgotten.
    stripe.customers.delete(id)
    for (const ask of [subscriptions(id), endWithPeriod(id, true), portal(id, returnTo.left)]) assert.deepInclude(yield* Effect.flip(ask), { _tag: "payments_away", refused: "otherwise" })
  }).pipe(Effect.provide(payments(20_000))))

it.live("one subscription that refuses its end does not keep the others paid for, and is named", () =>
  Effect.gen(function*() {
    const { checkout, customer, endWithPeriod } = yield* Payments
    const id = yield* customer(workspace, "four")
    const returnTo = { paid: "https://svc.example/a", left: "https://svc.example/b" }
    const url = yield* checkout({ customer: id, workspaceId: workspace, price: PRICES.starter.month, returnTo, closesAt: DateTime.makeUnsafe(Date.now() + 3_600_000), key: "k4" })
    const [first, refusing, last] = [stripe.pay(url), stripe.pay(url), stripe.pay(url)]
    refusing.schedule = "sub_sched_kept"
    assert.deepInclude(yield* Effect.flip(endWithPeriod(id, true)), { _tag: "payments_away", left: [refusing.id] })
    assert.deepStrictEqual([first.cancelAt, refusing.cancelAt, last.cancelAt], [first.periodEnd, null, last.periodEnd])
    yield* endWithPeriod(id, false)
    assert.deepStrictEqual([first.cancelAt, last.cancelAt], [null, null])
    // One that ends on a later day would be charged until then; on an earlier one, it ends then.
    const [soon, late] = [first.periodEnd - 86_400, first.periodEnd + 150 * 86_400]
    first.cancelAt = late
    last.cancelAt = soon
    for (const again of [1, 2]) {
      yield* Effect.flip(endWithPeriod(id, true))
      assert.deepStrictEqual([first.cancelAt, last.cancelAt], [first.periodEnd, soon], String(again))
    }
    yield* endWithPeriod(id, false)
    assert.deepStrictEqual([first.cancelAt, last.cancelAt, first.metadata], [late, soon, { workspace_id: workspace }])
  }).pipe(Effect.provide(payments(20_000))))
