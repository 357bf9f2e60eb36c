/** Customers, payment notices and subscriptions, in PostgreSQL. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Workflow } from "effect/workflow"
import { Customer, CustomerId } from "../../domain/billing/model.ts"
import { BillingStore } from "../../domain/billing/store.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { makeBeginJob } from "./begin-job.ts"
import { anyRow, date, dateOrNull, executed, idsOf, sweeping } from "./rows.ts"

/** The job that reads a customer's subscriptions again because of this notice. */
export const ReadSubscription = Workflow.make("ReadSubscription", {
  payload: { customer: CustomerId, notice: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ notice }) => notice
})

/** The job that ends a subscription paid for beside another one. If it fails, a reading on a later day begins another. */
export const EndDouble = Workflow.make("EndDouble", {
  payload: { workspaceId: WorkspaceId, subscription: Schema.String, round: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ round, subscription }) => `${subscription}/${round}`
})

const columns = `c.id, c.workspace_id AS "workspaceId", c.subscription_id AS "subscriptionId",
  (SELECT w.made_by IS NULL FROM workspaces w WHERE w.id = c.workspace_id) AS "cameWithTrial",
  c.current_period_end AS "currentPeriodEnd", c.payment_coming AS "paymentComing", c.readings, c.answered`

export const BillingStoreSql = Layer.effect(
  BillingStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const beginJob = yield* makeBeginJob
    const ofCustomer = sql.literal(columns)

    const customer = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Customer,
      execute: (workspaceId) => sql`SELECT ${ofCustomer} FROM customers c WHERE c.workspace_id = ${workspaceId} AND c.id IS NOT NULL`
    })

    const name = SqlSchema.findOne({
      Request: Schema.Struct({ workspaceId: WorkspaceId, id: CustomerId }),
      Result: Customer,
      execute: ({ id, workspaceId }) => sql`
        UPDATE customers c SET id = coalesce(c.id, ${id}) WHERE c.workspace_id = ${workspaceId} RETURNING ${ofCustomer}`
    })

    const beginReading = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: CustomerId, now: Schema.DateTimeUtcFromDate }),
      Result: Customer,
      execute: ({ id, now }) => sql`
        UPDATE customers c SET readings = c.readings + 1, read_at = ${now} WHERE c.id = ${id} RETURNING ${ofCustomer}`
    })

    return BillingStore.of({
      customer: (workspaceId) => Effect.orDie(customer(workspaceId)),

      attempt: Effect.fn("BillingStoreSql.attempt")(function*(workspaceId, fresh, now) {
        // An update that changes nothing, so that RETURNING answers an existing row too.
        const rows = yield* sql<{ attempt: string }>`
          INSERT INTO customers AS c (workspace_id, attempt, read_at, created_at)
          VALUES (${workspaceId}, ${fresh}, ${date(now)}, ${date(now)})
          ON CONFLICT (workspace_id) DO UPDATE SET attempt = c.attempt RETURNING c.attempt`
        return rows[0]!.attempt
      }, Effect.orDie),

      renewAttempt: (workspaceId, old, fresh) =>
        executed(sql`UPDATE customers SET attempt = ${fresh} WHERE workspace_id = ${workspaceId} AND attempt = ${old}`),

      name: (workspaceId, id) => Effect.orDie(name({ workspaceId, id })),

      forget: ({ id, workspaceId }, fresh) =>
        executed(sql`
          UPDATE customers SET id = NULL, attempt = ${fresh}, subscription_id = NULL, current_period_end = NULL, payment_coming = false, checkout_at = NULL, checkout_page = NULL
          WHERE workspace_id = ${workspaceId} AND id = ${id}`),

      noteCheckout: (id, now) => executed(sql`UPDATE customers SET checkout_at = ${date(now)} WHERE id = ${id}`),

      newPage: (id, page) =>
        anyRow(sql`UPDATE customers SET checkout_page = ${page} WHERE id = ${id} AND checkout_page IS DISTINCT FROM ${page} RETURNING id`),

      take: Effect.fn("BillingStoreSql.take")(function*({ id, kind }, customer, now) {
        const taken = yield* sql`
          INSERT INTO payment_notices (id, kind, taken_at)
          SELECT ${id}, ${kind}, ${date(now)}::timestamptz FROM customers c WHERE c.id = ${customer}
          ON CONFLICT DO NOTHING RETURNING id`
        if (taken.length === 0) return false
        yield* beginJob(ReadSubscription, { customer, notice: id })
        return true
      }, Effect.orDie),

      beginReading: (id, now) => Effect.orDie(beginReading({ id, now })),

      put: Effect.fn("BillingStoreSql.put")(function*({ id, paymentComing, readings, workspaceId }: Customer, settled) {
        yield* sql`UPDATE customers SET answered = ${readings}, payment_coming = ${paymentComing} WHERE id = ${id}`
        if (settled === undefined) return
        yield* sql`
          UPDATE customers SET subscription_id = ${settled.subscriptionId}, current_period_end = ${dateOrNull(settled.currentPeriodEnd)} WHERE id = ${id}`
        yield* sql`
          UPDATE workspaces SET plan = coalesce(${settled.plan}, plan), needs_charge = false,
            subscription_status = ${settled.status}, subscription_ends_at = ${dateOrNull(settled.endsAt)}
          WHERE id = ${workspaceId}`
      }, Effect.orDie),

      // Doubles lie in `surplus_subscriptions`, which keeps its name.
      noteDoubles: Effect.fn("BillingStoreSql.noteDoubles")(function*(workspaceId, ids, now) {
        const round = DateTime.formatIsoDateUtc(now)
        for (const id of ids) {
          yield* sql`INSERT INTO surplus_subscriptions (id, workspace_id, noted_at) VALUES (${id}, ${workspaceId}, ${date(now)}) ON CONFLICT DO NOTHING`
        }
        const left = yield* idsOf(sql<{ id: string }>`SELECT id FROM surplus_subscriptions WHERE workspace_id = ${workspaceId} AND ended_at IS NULL ORDER BY id`)
        for (const subscription of left) yield* beginJob(EndDouble, { workspaceId, subscription, round })
        return left.length
      }, Effect.orDie),

      doubleEnded: (id, now) =>
        anyRow(sql`UPDATE surplus_subscriptions SET ended_at = ${date(now)} WHERE id = ${id} AND ended_at IS NULL RETURNING id`),

      doubleForgotten: (id) => executed(sql`DELETE FROM surplus_subscriptions WHERE id = ${id} AND ended_at IS NULL`),

      sweepNotices: sweeping(sql, "payment_notices", "id", "taken_at"),

      overdue: ({ endedSince, newsBefore, now, readAhead, readBefore, wentSince }, limit) =>
        idsOf(sql<{ id: CustomerId }>`
          SELECT c.id FROM customers c JOIN workspaces w ON w.id = c.workspace_id CROSS JOIN LATERAL (
            SELECT (c.read_at < ${date(newsBefore)} OR c.read_at > ${date(readAhead)}) AND (
              (c.current_period_end < ${date(now)} AND (w.subscription_ends_at IS NULL OR w.subscription_ends_at > ${date(now)}))
              OR (c.checkout_at > ${date(wentSince)} AND (w.subscription_status IS NULL OR w.subscription_ends_at <= ${date(now)}))
            ) IS TRUE AS due
          ) news
          WHERE c.id IS NOT NULL AND (
            news.due OR ((c.read_at < ${date(readBefore)} OR c.read_at > ${date(readAhead)}) AND w.subscription_status IS NOT NULL
              AND (w.subscription_ends_at IS NULL OR w.subscription_ends_at > ${date(endedSince)}))
          )
          ORDER BY news.due DESC, c.read_at, c.id LIMIT ${limit}`)
    })
  })
)
