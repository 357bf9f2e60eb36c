/**
 * A stateful double of the parts of Stripe that this service uses: customers, checkout and portal sessions, subscriptions,
 * their invoices and events. Like Stripe it keeps answers by idempotency key, failures included, and tells a client that
 * sends a key still in use to wait.
 */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"

export const SECRET_KEY = "sk_test_between_the_two_of_us"
export const WEBHOOK_SECRET = "whsec_between_the_two_of_us"

export const PRICES = {
  starter: { month: "price_starter_month" },
  studio: { month: "price_studio_month", year: "price_studio_year" },
  agency: { month: "price_agency_month" }
} as const

interface Line {
  readonly amount: number
  readonly price: string
  readonly end: number
  /** Whether it credits what a change leaves unused. */
  readonly credit?: boolean
}

interface Invoice {
  readonly id: string
  status: "open" | "paid" | "void"
  /** Whether a debit for an open one is on its way. */
  processing: boolean
  /** Refunded by credit notes since it was paid. */
  refunded: number
  /** Whether an open one is tried again. */
  collected: boolean
  readonly metadata: Record<string, string>
  lines: ReadonlyArray<Line>
}

export interface FakeSubscription {
  readonly id: string
  readonly customer: string
  readonly created: number
  price: string
  status: string
  periodEnd: number
  cancelAt: number | null
  endedAt: number | null
  readonly metadata: Record<string, string>
  /** The schedule, made at Stripe, that moves the subscription. */
  schedule: string | null
  invoice: Invoice
}

export interface FakeEvent {
  readonly id: string
  readonly type: string
  readonly data: { readonly object: { readonly customer: string } }
}

export interface Trouble {
  /** How long every answer is delayed. */
  readonly delayMs?: number
  /** Answered instead: 500 after the key was recorded, 429 before. */
  readonly status?: 429 | 500
}

const MONTH = 30 * 86_400

type Answered = readonly [status: number, body: unknown]

const refused = (status: number, type: string, code?: string, param?: string): Answered => [status, { error: { type, code, param, message: "No." } }]

export const openStripe = async () => {
  const customers = new Map<string, unknown>()
  const sessions = new Map<string, { readonly id: string; readonly customer: string; readonly price: string; readonly url: string; readonly metadata: Record<string, string>; readonly paid: string | null; readonly left: string | null }>()
  const subscriptions = new Map<string, FakeSubscription>()
  const events: Array<FakeEvent> = []
  const asked: Array<string> = []
  const portals: Array<string> = []
  const deleted = new Set<string>()
  const withdrawn = new Set<string>()
  const kept = new Map<string, { readonly params: string; readonly answer: Promise<Answered> }>()
  const running = new Set<string>()
  let trouble: Trouble = {}
  let funded = true
  let clock = () => Date.now()
  let made = 0

  const next = (kind: string) => `${kind}_${String(++made).padStart(6, "0")}`
  const now = () => Math.floor(clock() / 1000)

  const isThere = (customer: string | null) => customers.has(customer ?? "") && !deleted.has(customer ?? "")
  const noSuchCustomer = () => refused(400, "invalid_request_error", "resource_missing", "customer")

  const due = ({ lines }: Invoice) => lines.reduce((sum, { amount }) => sum + amount, 0)

  const happened = (type: string, { customer }: { readonly customer: string }): FakeEvent => {
    const event = { id: next("evt"), object: "event", type, data: { object: { customer } } }
    events.push(event)
    return event
  }

  const invoiced = (status: Invoice["status"], ...lines: ReadonlyArray<Line>): Invoice => ({ id: next("in"), status, processing: false, refunded: 0, collected: true, metadata: {}, lines })

  const seen = ({ cancelAt, created, customer, endedAt, id, invoice, metadata, periodEnd, price, schedule, status }: FakeSubscription, expanded: boolean) => ({
    id, object: "subscription", customer, status, created, metadata, schedule, cancel_at: cancelAt, cancel_at_period_end: cancelAt === periodEnd, ended_at: endedAt,
    items: { object: "list", data: [{ id: `si_${id}`, current_period_end: periodEnd, price: { id: price } }] },
    latest_invoice: !expanded ? invoice.id : {
      id: invoice.id, object: "invoice", status: invoice.status, auto_advance: invoice.status === "open" && invoice.collected, metadata: invoice.metadata,
      amount_paid: invoice.status === "paid" ? due(invoice) : 0, post_payment_credit_notes_amount: invoice.refunded,
      lines: {
        object: "list",
        data: invoice.lines.map(({ amount, credit = false, end, price }) => ({
          amount, period: { start: 0, end }, pricing: { type: "price_details", price_details: { price } },
          parent: {
            type: "subscription_item_details", invoice_item_details: null,
            subscription_item_details: { proration: credit, proration_details: { credited_items: credit ? { invoice: "in_before", invoice_line_items: ["il_before"] } : null } }
          }
        }))
      }
    }
  })

  const notesOf = (params: URLSearchParams, prefix: string) =>
    Object.fromEntries([...params].filter(([name]) => name.startsWith(`${prefix}[`)).map(([name, value]) => [name.slice(prefix.length + 1, -1), value]))

  const routes: Record<string, (params: URLSearchParams) => Answered> = {
    "POST /v1/customers": (params) => {
      const customer = { id: next("cus"), object: "customer", metadata: { workspace_id: params.get("metadata[workspace_id]") } }
      customers.set(customer.id, customer)
      return [200, customer]
    },
    "POST /v1/checkout/sessions": (params) => {
      const [customer, price] = [params.get("customer") ?? "", params.get("line_items[0][price]") ?? ""]
      // From half an hour to a day ahead.
      const ahead = Number(params.get("expires_at")) - now()
      if (ahead < 1_800 || ahead > 86_400) return refused(400, "invalid_request_error", "parameter_invalid")
      if (!isThere(customer)) return noSuchCustomer()
      if (withdrawn.has(price)) return refused(400, "invalid_request_error", "resource_missing", "line_items[0][price]")
      const id = next("cs")
      const metadata = notesOf(params, "subscription_data[metadata]")
      sessions.set(id, { id, customer, price, url: `https://checkout.stripe.example/${id}`, metadata, paid: params.get("success_url"), left: params.get("cancel_url") })
      return [200, { ...sessions.get(id), object: "checkout.session" }]
    },
    "POST /v1/billing_portal/sessions": (params) => {
      if (!isThere(params.get("customer"))) return noSuchCustomer()
      const id = next("bps")
      portals.push(params.get("return_url") ?? "")
      return [200, { id, object: "billing_portal.session", customer: params.get("customer"), url: `https://portal.stripe.example/${id}` }]
    },
    /** A paid invoice refunds no more than what is left of it. */
    "POST /v1/credit_notes": (params) => {
      const invoice = [...subscriptions.values()].map((one) => one.invoice).find(({ id }) => id === params.get("invoice"))
      const amount = Number(params.get("amount"))
      if (invoice === undefined) return refused(404, "invalid_request_error", "resource_missing")
      if (!funded) return refused(400, "invalid_request_error", "balance_insufficient")
      if (invoice.status !== "paid" || amount !== Number(params.get("refund_amount")) || amount > due(invoice) - invoice.refunded) return refused(400, "invalid_request_error")
      invoice.refunded += amount
      return [200, { id: next("cn"), object: "credit_note", invoice: invoice.id, amount }]
    },
    "GET /v1/subscriptions": (params) => {
      if (!isThere(params.get("customer"))) return noSuchCustomer()
      const expanded = params.getAll("expand[0]").includes("data.latest_invoice")
      const all = [...subscriptions.values()].filter(({ customer, status }) =>
        customer === params.get("customer") && (params.get("status") === "all" || status !== "canceled"))
      return [200, { object: "list", has_more: false, data: all.toReversed().map((one) => seen(one, expanded)) }]
    }
  }

  /** Releases a schedule, after which only requests move its subscription; one whose id ends in `_kept` is not released. */
  const releasing = (route: string) => {
    const id = /^POST \/v1\/subscription_schedules\/(.+)\/release$/.exec(route)?.[1]
    const one = [...subscriptions.values()].find(({ schedule }) => schedule === id && !id.endsWith("_kept"))
    return one && ((): Answered => {
      one.schedule = null
      return [200, { id, object: "subscription_schedule", status: "released", released_subscription: one.id }]
    })
  }

  /** A deleted customer can still be retrieved. */
  const retrieving = (route: string) => {
    const id = /^GET \/v1\/customers\/(.+)$/.exec(route)?.[1]
    if (id === undefined) return undefined
    return (): Answered => !customers.has(id) ? refused(404, "invalid_request_error", "resource_missing", "id")
      : [200, deleted.has(id) ? { id, object: "customer", deleted: true } : customers.get(id)]
  }

  const pricing = (route: string) => {
    const id = /^GET \/v1\/prices\/(.+)$/.exec(route)?.[1]
    return id === undefined ? undefined : (): Answered => withdrawn.has(id) ? refused(404, "invalid_request_error", "resource_missing", "price") : [200, { id, object: "price" }]
  }

  const noting = (metadata: Record<string, string>, params: URLSearchParams) => {
    for (const [key, value] of Object.entries(notesOf(params, "metadata"))) {
      if (value === "") delete metadata[key]
      else metadata[key] = value
    }
  }

  /** Sets whether an open invoice is tried again. */
  const collecting = (route: string) => {
    const id = /^POST \/v1\/invoices\/(.+)$/.exec(route)?.[1]
    const invoice = [...subscriptions.values()].map((one) => one.invoice).find((one) => one.id === id)
    return invoice && ((params: URLSearchParams): Answered => {
      if (invoice.status !== "open") return refused(400, "invalid_request_error")
      invoice.collected = params.get("auto_advance") === "true"
      noting(invoice.metadata, params)
      return [200, { id, object: "invoice", status: invoice.status, auto_advance: invoice.collected }]
    })
  }

  /** An open invoice is void from then on, unless a payment of it is on its way. */
  const voiding = (route: string) => {
    const id = /^POST \/v1\/invoices\/(.+)\/void$/.exec(route)?.[1]
    const invoice = [...subscriptions.values()].map((one) => one.invoice).find((one) => one.id === id)
    return invoice && ((): Answered => {
      if (invoice.status !== "open" || invoice.processing) return refused(400, "invalid_request_error")
      invoice.status = "void"
      return [200, { id, object: "invoice", status: invoice.status }]
    })
  }

  /** Sets whether a subscription ends with its period, and our metadata; an empty value removes the key. One that never began, or that a schedule moves, cannot be ended. */
  const updating = (route: string) => {
    const one = subscriptions.get(route.replace("POST /v1/subscriptions/", ""))
    return one && ((params: URLSearchParams): Answered => {
      const ending = params.has("cancel_at_period_end") || params.has("cancel_at")
      if (one.status === "canceled") return refused(404, "invalid_request_error", "resource_missing")
      if (ending && (one.status.startsWith("incomplete") || one.schedule !== null)) return refused(400, "invalid_request_error")
      if (ending) one.cancelAt = params.has("cancel_at") ? Number(params.get("cancel_at")) : params.get("cancel_at_period_end") === "true" ? one.periodEnd : null
      noting(one.metadata, params)
      happened("customer.subscription.updated", one)
      return [200, seen(one, false)]
    })
  }

  /** A subscription that is over cannot be ended again. */
  const one = (route: string) => {
    const [method, id = ""] = route.split(" /v1/subscriptions/")
    const found = subscriptions.get(id)
    if (found === undefined || method === "POST") return undefined
    return (params: URLSearchParams): Answered => {
      if (method === "GET") return [200, seen(found, params.getAll("expand[0]").includes("latest_invoice"))]
      if (found.status === "canceled") return refused(404, "invalid_request_error", "resource_missing")
      found.status = "canceled"
      found.endedAt = now()
      happened("customer.subscription.deleted", found)
      return [200, seen(found, false)]
    }
  }

  const answer = async (route: string, params: string): Promise<Answered> => {
    const { delayMs, status } = trouble
    const answered = status === 500
      ? refused(500, "api_error")
      : (routes[route] ?? retrieving(route) ?? pricing(route) ?? voiding(route) ?? collecting(route) ?? releasing(route) ?? updating(route) ?? one(route))?.(new URLSearchParams(params)) ?? refused(404, "invalid_request_error")
    if (delayMs !== undefined) await wait(delayMs)
    return answered
  }

  const keyed = (key: string, route: string, params: string): Promise<Answered> => {
    const known = kept.get(key)
    if (known === undefined) {
      const first = answer(route, params)
      running.add(key)
      kept.set(key, { params: route + params, answer: first })
      return first.finally(() => running.delete(key))
    }
    if (running.has(key)) return Promise.resolve(refused(409, "idempotency_error", "idempotency_key_in_use"))
    return known.params === route + params ? known.answer : Promise.resolve(refused(400, "idempotency_error"))
  }

  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, search } = new URL(request.url ?? "/", "http://stripe.example")
      const params = request.method === "POST" ? await text(request) : search.slice(1)
      const route = `${request.method} ${pathname}`
      const key = request.headers["idempotency-key"]?.toString()
      asked.push(route)
      const [status, body] = request.headers.authorization !== `Bearer ${SECRET_KEY}`
        ? refused(401, "invalid_request_error")
        : trouble.status === 429
        ? refused(429, "invalid_request_error", "rate_limit")
        : await (key === undefined ? answer(route, params) : keyed(key, route, params))
      response.writeHead(status, { "content-type": "application/json", "request-id": next("req") })
      response.end(JSON.stringify(body))
    })()
  })
  await once(server.listen(0, "127.0.0.1"), "listening")

  const begin = (url: string, paid: boolean): FakeSubscription => {
    const session = [...sessions.values()].find((one) => one.url === url)
    if (session === undefined) throw new Error(`There is no such page: ${url}`)
    const { customer, metadata, price } = session
    const periodEnd = now() + MONTH
    const subscription: FakeSubscription = {
      id: next("sub"), customer, created: now(), price, status: paid ? "active" : "incomplete", periodEnd, cancelAt: null, endedAt: null, metadata: { ...metadata }, schedule: null,
      invoice: invoiced(paid ? "paid" : "open", { amount: 2_900, price, end: periodEnd })
    }
    subscriptions.set(subscription.id, subscription)
    happened("customer.subscription.created", subscription)
    happened(paid ? "invoice.paid" : "invoice.payment_failed", subscription)
    if (paid) happened("checkout.session.completed", subscription)
    return subscription
  }

  return {
    environment: {
      SVC_STRIPE_SECRET_KEY: SECRET_KEY,
      SVC_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SVC_STRIPE_PRICES: JSON.stringify(PRICES),
      SVC_STRIPE_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    /** A customer removed from this set is unknown from then on. */
    customers,
    /** Prices that no longer exist. */
    withdrawn,
    sessions,
    /** The return addresses given for portal sessions. */
    portals: portals as ReadonlyArray<string>,
    events,
    /** The requests that it received, as method and path. */
    asked: asked as ReadonlyArray<string>,
    tell: (time: () => number) => void (clock = time),
    trouble: (given: Trouble) => void (trouble = given),
    /** Whether the account holds enough to refund anything. */
    fund: (enough: boolean) => void (funded = enough),
    /** Somebody pays on a checkout page. */
    pay: (url: string) => begin(url, true),
    /** They pay by a debit that arrives days later: the subscription is active meanwhile, its charge open. */
    debit: (url: string) => {
      const one = begin(url, false)
      one.status = "active"
      one.invoice.processing = true
      return one
    },
    /** The debit arrives, even if the subscription is over. */
    arrive: (one: FakeSubscription) => {
      one.invoice.status = "paid"
      one.invoice.processing = false
      return happened("invoice.paid", one)
    },
    /** Their card is refused. */
    failToPay: (url: string) => begin(url, false),
    /** The next period begins with its charge. */
    renew: (one: FakeSubscription, paid: boolean) => {
      one.periodEnd += MONTH
      one.status = paid ? "active" : "past_due"
      one.invoice = invoiced(paid ? "paid" : "open", { amount: 2_900, price: one.price, end: one.periodEnd })
      happened(paid ? "invoice.paid" : "invoice.payment_failed", one)
      return happened("customer.subscription.updated", one)
    },
    /** The open charge is paid after all. */
    recover: (one: FakeSubscription) => {
      one.status = "active"
      one.invoice.status = "paid"
      return happened("invoice.paid", one)
    },
    /** Stripe stops trying to collect the open charge. */
    giveUp: (one: FakeSubscription) => {
      one.status = "unpaid"
      return happened("customer.subscription.updated", one)
    },
    cancelAtPeriodEnd: (one: FakeSubscription) => {
      one.cancelAt = one.periodEnd
      return happened("customer.subscription.updated", one)
    },
    end: (one: FakeSubscription, at = now()) => {
      one.status = "canceled"
      one.endedAt = at
      return happened("customer.subscription.deleted", one)
    },
    /** Somebody deletes a customer at Stripe, which ends at once what they pay for; nothing is listed of them from then on. */
    deleteCustomer: (customer: string) => {
      deleted.add(customer)
      for (const one of subscriptions.values()) {
        if (one.customer !== customer || one.status === "canceled") continue
        one.status = "canceled"
        one.endedAt = now()
        happened("customer.subscription.deleted", one)
      }
    },
    /** Another price from now on: the rest of the period is charged, what was paid for it credited. */
    change: (one: FakeSubscription, price: string, paid: boolean) => {
      one.invoice = invoiced(
        paid ? "paid" : "open",
        { amount: -1_400, price: one.price, end: one.periodEnd, credit: true },
        { amount: 4_900, price, end: one.periodEnd }
      )
      one.price = price
      return happened("customer.subscription.updated", one)
    },
    /** Makes an event that no request caused. */
    happened,
    stop: () => new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

/** An event as Stripe sends it; `at` in milliseconds. */
export const signed = (event: unknown, at = Date.now(), secret = WEBHOOK_SECRET) => {
  const body = JSON.stringify(event)
  const t = Math.floor(at / 1000)
  const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")
  return { method: "POST", body, headers: { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` } }
}
