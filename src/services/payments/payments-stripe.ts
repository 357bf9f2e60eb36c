/** Payments by Stripe: one customer per workspace, Stripe's hosted checkout and portal, and signed notices. */
import { DateTime, Effect, Layer, Option, Redacted, Schedule, Schema } from "effect"
import type { Stripe } from "stripe"
import { CustomerId } from "../../domain/billing/model.ts"
import { unconfigured } from "../../domain/billing/rules.ts"
import { invalid, UnsignedNotice } from "../../domain/failures.ts"
import { Payments, PaymentsAway } from "../../domain/ports/payments.ts"
import { makeStripe, PATIENCE_MS } from "./stripe-client.ts"
import type { StripeSettings } from "./stripe-client.ts"
import { ENDED_BY_US, endedByUs, idOf, OF_WORKSPACE, owedOf, renews, subscriptionOf } from "./stripe-subscriptions.ts"

/** How old a signature may be (Stripe’s own default). */
const TOLERANCE_SECONDS = 300

/** A request that repeats one still running gets 409 and waits for it here, no longer than a request may take. */
const turns = Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "6 seconds" }))

interface Trouble {
  readonly type?: string
  readonly code?: string
  readonly param?: string
  readonly statusCode?: number
  readonly requestId?: string
}

const troubleOf = (cause: unknown): Trouble => typeof cause === "object" && cause !== null ? cause : {}

/** Too many requests at once, or the same one twice at once, are no refusal. */
const PASSES: ReadonlySet<number> = new Set([409, 429])

const refusalOf = ({ code, param, statusCode = 0 }: Trouble) =>
  statusCode < 400 || statusCode >= 500 || PASSES.has(statusCode)
    ? {}
    : { refused: code === "resource_missing" && param === "customer" ? "no such customer" as const : "otherwise" as const }

const isUnknown = (cause: unknown): boolean => refusalOf(troubleOf(cause)).refused === "no such customer"

/** Stripe's ids have up to 255 characters. */
const ID = /^\w{1,255}$/

/** All that is read of an event; none if the event has another shape. */
const decodeEvent = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({
  id: Schema.String.check(Schema.isPattern(ID)),
  type: Schema.String,
  data: Schema.Struct({ object: Schema.Struct({ customer: Schema.optionalKey(Schema.Unknown) }) })
})))

/** Reads of an answer what is needed. One of another form, as from something in between, counts as an outage. */
const reading = <Read>(schema: Schema.Codec<Read, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (answer: unknown) =>
    decode(answer).pipe(
      Effect.tapError(() => Effect.logWarning("the payment service answered in another form")),
      Effect.mapError(() => new PaymentsAway({ answered: true }))
    )
}

const readCustomer = reading(Schema.Struct({ id: CustomerId }))

const readPage = reading(Schema.Struct({ url: Schema.String }))

/** These cannot be ended any more. */
const OVER: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"])

/** An invoice that somebody can still pay. */
const PAYABLE: ReadonlySet<string | null> = new Set(["open", "uncollectible"])

export const PaymentsStripe = (settings: StripeSettings) =>
  Layer.effect(
    Payments,
    Effect.gen(function*() {
      const stripe = yield* makeStripe(settings)
      const { patienceMs = PATIENCE_MS, prices: offers, webhookSecret } = settings

      /** Stripe's messages may name a card or a person, so only the kind of trouble is logged. The client itself would wait for an answer that trickles. */
      const asked = <A>(what: string, ask: (client: Stripe) => Promise<A>) =>
        Effect.flatMap(stripe, (client) => Effect.timeout(Effect.tryPromise(() => ask(client)), patienceMs)).pipe(
          Effect.retry({ schedule: turns, while: ({ cause }) => troubleOf(cause).statusCode === 409 }),
          Effect.tapError(({ cause }) => {
            const { code, param, requestId, statusCode, type } = troubleOf(cause)
            const log = refusalOf(troubleOf(cause)).refused === undefined ? Effect.logWarning("the payment service did not do it") : Effect.logError("the payment service refused it")
            return Effect.annotateLogs(log, { what, type, code, param, statusCode, stripeRequest: requestId })
          }),
          Effect.mapError(({ cause }) => new PaymentsAway({ answered: (troubleOf(cause).statusCode ?? 0) >= 500, ...refusalOf(troubleOf(cause)) })),
          Effect.withSpan(`PaymentsStripe.${what}`)
        )

      const isDeleted = async (client: Stripe, customer: CustomerId) => (await client.customers.retrieve(customer)).deleted === true

      /** One that Stripe does not know may be known again, as with another account's key: such a customer is given up on proof alone. */
      const page = (what: string, ask: (client: Stripe) => Promise<unknown>, isGone: (client: Stripe) => Promise<boolean>) =>
        asked(what, async (client) => {
          try {
            return await ask(client)
          } catch (cause) {
            if (isUnknown(cause) && !(await isGone(client))) throw new Error("a customer that is there after all", { cause })
            throw cause
          }
        }).pipe(
          Effect.flatMap(readPage),
          Effect.map(({ url }) => url)
        )

      /** A customer deleted at Stripe has no subscriptions left, since Stripe ended them; one that it never knew is refused. */
      const listed = (what: string, customer: CustomerId, params: Stripe.SubscriptionListParams) =>
        asked(what, async (client) => {
          try {
            const { data } = await client.subscriptions.list({ ...params, customer, limit: 100, expand: ["data.latest_invoice"] })
            if (!Array.isArray(data)) throw new Error("an answer of another form")
            return data
          } catch (cause) {
            if (isUnknown(cause) && await isDeleted(client, customer)) return []
            throw cause
          }
        })

      return Payments.of({
        enabled: true,
        offers,
        customer: (workspaceId, key) =>
          asked("customer", (client) => client.customers.create({ metadata: { [OF_WORKSPACE]: workspaceId } }, { idempotencyKey: `customer/${key}` })).pipe(
            Effect.flatMap(readCustomer),
            Effect.map(({ id }) => id)
          ),
        checkout: ({ closesAt, customer, key, price, returnTo, workspaceId }) =>
          page("checkout", (client) =>
            client.checkout.sessions.create({
              mode: "subscription",
              customer,
              client_reference_id: workspaceId,
              line_items: [{ price, quantity: 1 }],
              subscription_data: { metadata: { [OF_WORKSPACE]: workspaceId } },
              expires_at: Math.floor(DateTime.toEpochMillis(closesAt) / 1000),
              success_url: returnTo.paid,
              cancel_url: returnTo.left
            }, { idempotencyKey: `checkout/${key}` }),
          // An account that has our price is the one meant; after a change from test to live its customers are others.
          async (client) => (await client.prices.retrieve(price)).id === price),
        portal: (customer, returnTo) =>
          page("portal", (client) => client.billingPortal.sessions.create({ customer, return_url: returnTo }), (client) => isDeleted(client, customer)),
        // Marked at Stripe, so that what was done by hand before stays so. One that fails must not keep the others being paid for.
        endWithPeriod: Effect.fnUntraced(function*(customer, ends) {
          const all = yield* listed("endWithPeriod", customer, {})
          const noted = (value: string) => ({ metadata: { [ENDED_BY_US]: value } })
          const [, failed] = yield* Effect.partition(all, (one) =>
            asked("endWithPeriod", async (client) => {
              const { id, schedule } = one
              const owed = owedOf(one)
              if (owed !== undefined && (ends ? owed.auto_advance : endedByUs(owed))) await client.invoices.update(owed.id!, { auto_advance: !ends, ...noted(ends ? "yes" : "") })
              if (!(ends ? renews(one) : endedByUs(one))) return
              // A subscription that a schedule controls cannot be told to end.
              if (ends && schedule !== null) await client.subscriptionSchedules.release(idOf(schedule)!)
              const later = Number(one.metadata[ENDED_BY_US])
              await client.subscriptions.update(id, ends ? { cancel_at_period_end: true, ...noted(one.cancel_at === null ? "yes" : String(one.cancel_at)) }
                : { ...(later > 0 ? { cancel_at: later } : { cancel_at_period_end: false }), ...noted("") })
            }).pipe(Effect.mapError((failure) => ({ failure, id: one.id }))))
          if (failed[0] !== undefined) return yield* new PaymentsAway({ ...failed[0].failure, left: failed.map(({ id }) => id) })
        }),
        // The credit notes on the invoice keep a later round from refunding again; the idempotency key does so for two tries of one round.
        giveBack: Effect.fnUntraced(function*(subscription, round) {
          const { id, latest_invoice: invoice, status } = yield* asked("giveBack", (client) => client.subscriptions.retrieve(subscription, { expand: ["latest_invoice"] }))
          if (!OVER.has(status)) yield* asked("giveBack", (client) => client.subscriptions.cancel(id, { prorate: false, invoice_now: false }))
          if (invoice === null || typeof invoice === "string") return "nothing paid"
          if (PAYABLE.has(invoice.status)) {
            // Refused while a payment of it is on its way.
            return yield* asked("giveBack", (client) => client.invoices.voidInvoice(invoice.id!)).pipe(
              Effect.as("nothing paid" as const),
              Effect.catchIf(({ refused }) => refused !== undefined, () => Effect.succeed("still open" as const))
            )
          }
          const { amount_paid: paid, post_payment_credit_notes_amount: returned } = invoice
          if (invoice.status !== "paid" || paid === 0) return "nothing paid"
          const amount = paid - returned
          if (amount > 0) {
            yield* asked("giveBack", (client) =>
              client.creditNotes.create({ invoice: invoice.id!, amount, refund_amount: amount, reason: "duplicate" }, { idempotencyKey: `give-back/${id}/${round}` }))
          }
          return "refunded"
        }),
        subscriptions: (customer) =>
          Effect.map(listed("subscriptions", customer, { status: "all" }), (all) => all.map(subscriptionOf(offers))),
        notice: (body, signature, now) =>
          Effect.flatMap(stripe, (client) =>
            Effect.try({
              try: () =>
                client.webhooks.signature!.verifyHeader(
                  body, signature ?? "", Redacted.value(webhookSecret), TOLERANCE_SECONDS, undefined, DateTime.toEpochMillis(now)
                ),
              catch: () => new UnsignedNotice(invalid({ field: "Stripe-Signature", message: "The signature does not fit, or is too old." }))
            })).pipe(
            Effect.tapError(() => Effect.annotateLogs(Effect.logWarning("payment notice refused"), { bytes: Buffer.byteLength(body) })),
            Effect.map(() => Option.map(decodeEvent(body), ({ data: { object: { customer } }, id, type }) => ({
              id, kind: type, customer: typeof customer === "string" && ID.test(customer) ? CustomerId.make(customer) : null
            })))
          )
      })
    })
  )

const refused = Effect.suspend(() => Effect.fail(unconfigured()))

/** For when Stripe is not configured. */
export const PaymentsNone = Layer.succeed(Payments, {
  enabled: false,
  offers: {},
  customer: () => refused,
  checkout: () => refused,
  portal: () => refused,
  endWithPeriod: () => refused,
  giveBack: () => refused,
  subscriptions: () => refused,
  notice: () => refused
})
