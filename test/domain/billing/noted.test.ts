/** What billing writes to the audit log, each event once, and what happens after two payments: one subscription stays, the other's money is given back. */
import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Layer, Logger, Option } from "effect"
import { afterAll } from "vitest"
import type { User } from "../../../src/domain/accounts/model.ts"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Billing } from "../../../src/domain/billing/billing.ts"
import type { CustomerId } from "../../../src/domain/billing/model.ts"
import { Subscriptions } from "../../../src/domain/billing/subscriptions.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import type { Plan } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { endDouble } from "../../../src/workers/end-double.ts"
import { noteLapsesOnce } from "../../../src/workers/note-lapses.ts"
import { rows } from "../../support/database.ts"
import { endings, houseWith } from "../../support/house.ts"
import { at as fixedAt, DAY } from "../../support/moments.ts"
import { eventually } from "../../support/program.ts"
import { openStripe } from "../../support/stripe.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const BEGIN = Date.UTC(2027, 0, 1, 9, 30, 0, 123)
const END = BEGIN + 7 * DAY

/** At this moment, by the clock of the payment service too. */
const at = <A, E, R>(millis: number, program: Effect.Effect<A, E, R>) => {
  stripe.tell(() => millis)
  return fixedAt(millis, program).pipe(Effect.provide(Logger.layer([])))
}

const someone = at(BEGIN, Effect.gen(function*() {
  const store = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const workspaceId = WorkspaceId.make(yield* tokens.uuid)
  const home = { id: workspaceId, name: "Home", plan: "studio", trialEndsAt: DateTime.makeUnsafe(END) } as const
  yield* store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "none", home }, now)
  yield* store.verifyEmail(id, now)
  return { user: Option.getOrThrow(yield* store.find(id)), workspaceId }
}))

interface Someone {
  readonly user: User
  readonly workspaceId: WorkspaceId
}

/** The log's entries, oldest first: what, and by whom. */
const log = ({ user, workspaceId }: Someone) =>
  Effect.map(rows("SELECT action, actor_id, target FROM audit_entries WHERE workspace_id = $1 ORDER BY id", workspaceId), (all) =>
    all.map(({ action, actor_id, target }) => {
      assert.deepInclude(target, { type: "workspace", id: workspaceId })
      return actor_id === null ? action : `${action as string} by ${actor_id === user.id ? "them" : "somebody else"}`
    }))

const page = ({ user, workspaceId }: Someone, plan: Plan) =>
  Effect.map(Billing.use((billing) => billing.checkout(user, { workspace: workspaceId, plan, interval: "month" })), ({ url }) => url)

const heard = (customer: string) => Subscriptions.use(({ read }) => read(customer as CustomerId))

const noteLapses = (millis: number) => at(millis, noteLapsesOnce)

layer(houseWith(stripe.environment))("the audit log", (it) => {
  it.effect("tells of paying as it goes, each thing once however often it is heard", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const urls = yield* at(BEGIN, Effect.all(Array.from({ length: 10 }, () => page(ada, "studio")), { concurrency: "unbounded" }))
      assert.deepStrictEqual(yield* log(ada), ["billing.checkout_started by them"])
      stripe.tell(() => BEGIN)
      const one = stripe.pay(urls[0]!)
      const told = Effect.fnUntraced(function*(happens: () => unknown) {
        const before = (yield* log(ada)).length
        happens()
        yield* at(BEGIN, Effect.all([heard(one.customer), heard(one.customer)], { concurrency: "unbounded" }))
        yield* at(BEGIN + 1, heard(one.customer))
        return (yield* log(ada)).slice(before)
      })
      assert.deepStrictEqual(yield* told(() => {}), ["subscription.started"])
      assert.deepStrictEqual(yield* told(() => stripe.renew(one, false)), ["subscription.past_due"])
      assert.deepStrictEqual(yield* told(() => stripe.recover(one)), ["subscription.recovered"])
      assert.deepStrictEqual(yield* told(() => stripe.cancelAtPeriodEnd(one)), ["subscription.cancelled"])
      assert.deepStrictEqual(yield* told(() => (one.cancelAt = null)), ["subscription.resumed"])
      yield* at(BEGIN, Billing.use((billing) => Effect.all([billing.portal(ada.user, ada.workspaceId), billing.portal(ada.user, ada.workspaceId)])))
      assert.deepStrictEqual((yield* log(ada)).slice(-2), ["billing.portal_opened by them", "billing.portal_opened by them"])
      assert.deepStrictEqual(yield* told(() => stripe.end(one, Math.floor(BEGIN / 1000))), ["subscription.ended"])
    }))

  it.effect("tells of a lapse at its moment, once for each end, and of nobody else's", () =>
    Effect.gen(function*() {
      const [ada, paying, dark] = [yield* someone, yield* someone, yield* someone]
      const lapses = (one: Someone) => Effect.map(log(one), (all) => all.filter((action) => action === "workspace.lapsed").length)
      const url = yield* at(BEGIN, page(paying, "studio"))
      stripe.tell(() => BEGIN)
      const one = stripe.pay(url)
      yield* at(BEGIN, heard(one.customer))
      yield* rows(`
        WITH d AS (
          INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on)
          VALUES (gen_random_uuid(), 'workspace', $1, $2, now(), now() + interval '1000 days') RETURNING id
        ) UPDATE workspaces SET deletion_id = d.id FROM d WHERE workspaces.id = $1`, dark.workspaceId, dark.user.id)
      yield* noteLapses(END - 1)
      assert.strictEqual(yield* lapses(ada), 0)
      yield* at(END, Effect.all(Array.from({ length: 20 }, () => noteLapsesOnce), { concurrency: "unbounded" }))
      yield* noteLapses(END + DAY)
      assert.deepStrictEqual([yield* lapses(ada), yield* lapses(paying), yield* lapses(dark)], [1, 0, 0])
      yield* rows("UPDATE workspaces SET deletion_id = NULL WHERE id = $1", dark.workspaceId)
      yield* noteLapses(END + DAY)
      assert.strictEqual(yield* lapses(dark), 1, "restored, it is lapsed")

      // Once cancelled it ends with its period: nobody sends a notice at that moment.
      stripe.cancelAtPeriodEnd(one)
      yield* at(BEGIN + DAY, heard(one.customer))
      yield* noteLapses(one.periodEnd * 1000 - 1)
      assert.strictEqual(yield* lapses(paying), 0)
      yield* noteLapses(one.periodEnd * 1000)
      assert.deepStrictEqual((yield* log(paying)).slice(-2), ["subscription.cancelled", "workspace.lapsed"])
      // Bought again and ended again, it lapses once more.
      const again = yield* at(one.periodEnd * 1000, page(paying, "studio"))
      stripe.end(one, one.periodEnd)
      const second = stripe.pay(again)
      yield* at(one.periodEnd * 1000 + 1, heard(second.customer))
      stripe.end(second, second.created + 60)
      yield* at(second.created * 1000 + 61_000, heard(second.customer))
      yield* noteLapses(second.created * 1000 + 61_000)
      assert.strictEqual(yield* lapses(paying), 2)
    }))

  it.effect("tells of no lapse where somebody paid a moment before", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const url = yield* at(END - 1, page(ada, "studio"))
      stripe.tell(() => END - 1)
      const { customer } = stripe.pay(url)
      yield* Effect.all([at(END, heard(customer)), at(END, noteLapsesOnce)], { concurrency: "unbounded" })
      const told = yield* log(ada)
      assert.include(told, "subscription.started")
      // Either may have been first; the log has them in the order in which they happened.
      if (told.includes("workspace.lapsed")) assert.isBelow(told.indexOf("workspace.lapsed"), told.indexOf("subscription.started"))
      yield* noteLapses(END + DAY)
      assert.deepStrictEqual(yield* log(ada), told)
    }))

  it.effect("tells of every lapse, however many there are, but of the one that cannot be told", () =>
    Effect.gen(function*() {
      const made = yield* rows(`
        INSERT INTO workspaces (id, name, plan, created_at, trial_ends_at)
        SELECT gen_random_uuid(), 'Lapsed', 'studio', now(), $1 FROM generate_series(1, 210) RETURNING id`, new Date(END))
      const ids = made.map(({ id }) => id as string).sort()
      yield* rows(`ALTER TABLE audit_entries ADD CONSTRAINT untold CHECK (workspace_id <> '${ids[0]}') NOT VALID`)
      yield* noteLapses(END)
      yield* rows("ALTER TABLE audit_entries DROP CONSTRAINT untold")
      const told = rows("SELECT workspace_id FROM audit_entries WHERE workspace_id = ANY($1::uuid[]) AND action = 'workspace.lapsed' ORDER BY workspace_id", ids)
      assert.deepStrictEqual((yield* told).map((row) => row["workspace_id"]), ids.slice(1))
      yield* noteLapses(END)
      assert.lengthOf(yield* told, ids.length)
    }))
})

// These requests to Stripe run at once, and wait in real time.
layer(Layer.fresh(houseWith(stripe.environment)), { excludeTestServices: true })("who pays on two pages at once", (it) => {
  const twice = Effect.fnUntraced(function*(ada: Someone, ...plans: readonly [Plan, Plan]) {
    const [first, second] = [yield* at(BEGIN, page(ada, plans[0])), yield* at(BEGIN, page(ada, plans[1]))]
    assert.notStrictEqual(first, second)
    stripe.tell(() => BEGIN)
    const older = stripe.pay(first)
    stripe.tell(() => BEGIN + 60_000)
    return { older, newer: stripe.pay(second) }
  })

  const work = (ada: Someone, id: string, round = "1", millis = BEGIN + 120_000) => at(millis, endDouble(ada.workspaceId, id, round))
  const doubles = ({ workspaceId }: Someone) =>
    Effect.map(rows("SELECT id, ended_at IS NOT NULL AS ended FROM surplus_subscriptions WHERE workspace_id = $1", workspaceId), (all) => all.map(({ ended, id }) => [id, ended]))
  const refunds = ({ workspaceId }: Someone) =>
    Effect.map(rows("SELECT 1 FROM audit_entries WHERE workspace_id = $1 AND action = 'subscription.duplicate_refunded'", workspaceId), (all) => all.length)
  /** Until Stripe was asked this. */
  const askedFor = (route: RegExp) => {
    const before = stripe.asked.length
    return Effect.promise(() => eventually(`${route} to be asked`, () => stripe.asked.slice(before).some((asked) => route.test(asked))))
  }
  /** The days on which a job for it began. */
  const days = (id: string) => endings.filter(({ subscription }) => subscription === id).map(({ round }) => round)

  it.effect("is sent there by everybody who asks, while what they had before is read", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      stripe.tell(() => BEGIN)
      const { customer } = stripe.failToPay(yield* at(BEGIN, page(ada, "studio")))
      // Each reading changes what the next checkout page is, which is noted.
      const both = Array.from({ length: 75 }, (_, n) => [page(ada, n % 2 === 0 ? "studio" : "agency"), heard(customer)] as const).flat()
      const ends = yield* at(BEGIN, Effect.all(both.map((one: Effect.Effect<unknown, unknown, Billing | Subscriptions>) => Effect.exit(one)), { concurrency: 30 }))
      assert.deepStrictEqual(ends.filter(Exit.isFailure).map(({ cause }) => Cause.pretty(cause)), [])
      assert.isAbove((yield* log(ada)).length, 10)
    }))

  it.effect("keeps the plan chosen last, and gets the other payment back, once, by any number of workers", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { newer, older } = yield* twice(ada, "studio", "agency")
      yield* at(BEGIN + 60_000, Effect.all([heard(older.customer), heard(older.customer), heard(older.customer)], { concurrency: "unbounded" }))
      assert.deepStrictEqual(yield* doubles(ada), [[older.id, false]])
      assert.deepStrictEqual([older.status, newer.status], ["active", "active"])

      yield* Effect.all(Array.from({ length: 4 }, () => work(ada, older.id)), { concurrency: "unbounded" })
      assert.deepStrictEqual([older.status, older.invoice.refunded, newer.status, newer.invoice.refunded], ["canceled", 2_900, "active", 0])
      assert.deepStrictEqual([yield* doubles(ada), yield* refunds(ada)], [[[older.id, true]], 1])
      yield* work(ada, older.id, "2", BEGIN + 3 * DAY)
      yield* at(BEGIN + 3 * DAY, heard(older.customer))
      assert.deepStrictEqual([older.invoice.refunded, yield* refunds(ada)], [2_900, 1])
      const bill = yield* at(BEGIN + 3 * DAY, Billing.use((billing) => billing.bill(ada.user, ada.workspaceId)))
      assert.deepInclude(bill, { plan: "agency", state: "active", canCheckout: false })
    }))

  it.effect("gets it back even where the first try died between its two steps, or the customer ended it themselves", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { older } = yield* twice(ada, "studio", "agency")
      yield* at(BEGIN + 60_000, heard(older.customer))
      stripe.end(older)
      yield* at(BEGIN + 90_000, heard(older.customer))
      yield* work(ada, older.id)
      assert.deepStrictEqual([older.invoice.refunded, yield* refunds(ada)], [2_900, 1])
    }))

  it.effect("waits where Stripe is away, and tells nothing that has not happened", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { older } = yield* twice(ada, "studio", "agency")
      yield* at(BEGIN + 60_000, heard(older.customer))
      stripe.trouble({ status: 429 })
      const tried = yield* Effect.forkChild(work(ada, older.id))
      yield* askedFor(/GET/)
      assert.deepStrictEqual([older.status, yield* refunds(ada)], ["active", 0])
      stripe.trouble({})
      tried.interruptUnsafe()
      yield* work(ada, older.id)
      assert.deepStrictEqual([older.status, older.invoice.refunded, yield* refunds(ada)], ["canceled", 2_900, 1])
    }))

  it.effect("gets it back on a later day, if all through the first one the refund was refused", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { newer, older } = yield* twice(ada, "studio", "agency")
      yield* at(BEGIN + 60_000, heard(older.customer))
      stripe.fund(false)
      const tried = yield* Effect.forkChild(work(ada, older.id))
      yield* askedFor(/credit_notes/)
      tried.interruptUnsafe()
      stripe.fund(true)
      assert.deepStrictEqual([older.status, older.invoice.refunded, yield* doubles(ada)], ["canceled", 0, [[older.id, false]]])
      // Meanwhile the other one was ended in the portal, and a third is bought.
      stripe.tell(() => BEGIN + DAY)
      stripe.end(newer)
      yield* at(BEGIN + DAY, heard(newer.customer))
      stripe.pay(yield* at(BEGIN + DAY + 60_000, page(ada, "studio")))
      yield* at(BEGIN + DAY + 60_000, heard(newer.customer))
      assert.deepStrictEqual(days(older.id), ["2027-01-01", "2027-01-02"])
      yield* work(ada, older.id, "2027-01-02", BEGIN + DAY + 120_000)
      assert.deepStrictEqual([older.invoice.refunded, yield* doubles(ada), yield* refunds(ada)], [2_900, [[older.id, true]], 1])
      yield* at(BEGIN + 2 * DAY, heard(newer.customer))
      assert.notInclude(days(older.id), "2027-01-03")
    }))

  it.effect("pays no debit beside a card: it is taken back, or given back once it has arrived, and the log tells which", () =>
    Effect.gen(function*() {
      const ended = ({ workspaceId }: Someone) =>
        Effect.map(rows("SELECT 1 FROM audit_entries WHERE workspace_id = $1 AND action = 'subscription.duplicate_ended'", workspaceId), (all) => all.length)
      const debited = Effect.fnUntraced(function*(ada: Someone) {
        const [first, second] = [yield* at(BEGIN, page(ada, "studio")), yield* at(BEGIN, page(ada, "agency"))]
        stripe.tell(() => BEGIN)
        const older = stripe.debit(first)
        stripe.tell(() => BEGIN + 60_000)
        stripe.pay(second)
        yield* at(BEGIN + 60_000, heard(older.customer))
        return older
      })
      const [ada, bob] = [yield* someone, yield* someone]
      const coming = yield* debited(ada)
      yield* work(ada, coming.id)
      assert.deepStrictEqual([coming.status, coming.invoice.status, yield* doubles(ada), yield* refunds(ada), yield* ended(ada)], ["canceled", "open", [[coming.id, false]], 0, 0])
      stripe.arrive(coming)
      yield* at(BEGIN + 5 * DAY, heard(coming.customer))
      assert.strictEqual(days(coming.id).at(-1), "2027-01-06")
      yield* work(ada, coming.id, "2027-01-06", BEGIN + 5 * DAY)
      assert.deepStrictEqual([coming.invoice.refunded, yield* doubles(ada), yield* refunds(ada), yield* ended(ada)], [2_900, [[coming.id, true]], 1, 0])

      const open = yield* debited(bob)
      open.invoice.processing = false
      yield* work(bob, open.id)
      assert.deepStrictEqual([open.status, open.invoice.status, yield* doubles(bob), yield* refunds(bob), yield* ended(bob)], ["canceled", "void", [[open.id, true]], 0, 1])
    }))

  it.effect("does not lose what carries the workspace after all, nor what somebody set up by hand", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { newer, older } = yield* twice(ada, "studio", "agency")
      yield* at(BEGIN + 60_000, heard(older.customer))
      stripe.end(newer)
      yield* work(ada, older.id)
      assert.deepStrictEqual([older.status, older.invoice.refunded, yield* doubles(ada), yield* refunds(ada)], ["active", 0, [], 0])

      const bob = yield* someone
      const both = yield* twice(bob, "studio", "agency")
      delete both.older.metadata["workspace_id"]
      yield* at(BEGIN + 60_000, heard(both.older.customer))
      assert.deepStrictEqual([yield* doubles(bob), both.older.status], [[], "active"])
    }))
})
