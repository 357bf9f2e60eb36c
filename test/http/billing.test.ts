/** Billing over the wire, against a Stripe with a memory: paying, failing to, leaving, coming back; notices of every kind; who is refused and how. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import { TrialMails } from "../../src/domain/billing/trial-mails.ts"
import { rereadOnce } from "../../src/workers/reread-subscriptions.ts"
import { UNFOLLOWED } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { mailTo } from "../support/mail.ts"
import { signIn } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { openStripe, PRICES, signed } from "../support/stripe.ts"
import type { FakeEvent } from "../support/stripe.ts"
import { agentOf } from "../support/tools.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const DAY = 86_400_000

const refusedWith = (answer: Answer, status: number, code: string, field: string | null = null) =>
  assert.deepStrictEqual([answer.status, answer.json.error.code, answer.json.error.field], [status, code, field], answer.text)

const checkout = ({ bearer, workspaceId }: Account, plan = "studio", interval = "month") =>
  Service.use(({ ask }) => ask("/v1/billing/checkout", { json: { workspace: workspaceId, plan, interval }, headers: bearer }))

const portal = ({ bearer, workspaceId }: Account) =>
  Service.use(({ ask }) => ask("/v1/billing/portal", { json: { workspace: workspaceId }, headers: bearer }))

const subscription = ({ bearer, workspaceId }: Account) =>
  Service.use(({ ask }) => ask(`/v1/billing/subscription?workspace=${workspaceId}`, { headers: bearer }))

const send = (...sent: Parameters<typeof signed>) => Service.use(({ ask }) => ask("/v1/billing/webhook", signed(...sent)))

const publish = ({ bearer }: Account, slug: string) =>
  Service.use(({ ask }) => ask(`/v1/projects/${slug}`, { method: "PUT", body: `<h1>${slug}</h1>`, headers: { ...bearer, "content-type": "text/html" } }))

const link = (slug: string) => Service.use(({ ask }) => Effect.map(ask("/", { host: `${slug}.svc.localhost` }), ({ status }) => status))

const statement = <Row extends object>(text: string, ...values: ReadonlyArray<unknown>) =>
  Service.use(({ inside }) => inside(Effect.orDie(SqlClient.SqlClient.use((sql) => sql.unsafe<Row>(text, values)))))

/** How many readings were enqueued. */
const readings = ({ workspaceId }: Account) =>
  Effect.map(statement<{ readings: number }>("SELECT readings FROM customers WHERE workspace_id = $1 AND readings = answered", workspaceId), (rows) => rows[0]?.readings ?? -1)

const until = <A, E, R>(ask: Effect.Effect<A, E, R>, found: (a: A) => boolean) =>
  Effect.repeat(ask, { until: found, schedule: Schedule.spaced("20 millis"), times: 12_000 }).pipe(
    Effect.tap((last) => Effect.sync(() => assert.isTrue(found(last), `it came to nothing: ${JSON.stringify(last)}`))))

/** Sends the events since the last call, and waits until they were handled. */
const heard = Effect.fnUntraced(function*(account: Account, from: number) {
  const before = Math.max(0, yield* readings(account))
  const news = stripe.events.slice(from)
  for (const event of news) assert.strictEqual((yield* send(event)).status, 200)
  yield* until(readings(account), (count) => count >= before + news.length)
})

/** Makes something happen at Stripe and sends the service its events. */
const after = <A>(account: Account, happens: () => A) =>
  Effect.gen(function*() {
    const from = stripe.events.length
    const result = happens()
    yield* heard(account, from)
    return result
  })

const paying = Effect.fnUntraced(function*(account: Account, plan = "studio") {
  const page = yield* checkout(account, plan, "month")
  assert.strictEqual(page.status, 200, page.text)
  return yield* after(account, () => stripe.pay(page.json.url as string))
})

const stateOf = (account: Account) => Effect.map(subscription(account), ({ json }) => [json.plan, json.state] as const)

layer(serviceWith(stripe.environment), { excludeTestServices: true })("billing", (it) => {
  it.effect("lists the plans that have a price, for whoever is signed in", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const { bearer } = yield* account()
      const answer = yield* ask("/v1/billing/plans", { headers: bearer })
      assert.deepStrictEqual(answer.json, { billing_enabled: true, plans: { starter: ["month"], studio: ["month", "year"], agency: ["month"] } })
      refusedWith(yield* ask("/v1/billing/plans"), 401, "auth_required")
    }))

  it.effect("goes from trial to paid by a charge: neither checkout nor portal grants anything", () =>
    Effect.gen(function*() {
      const { account } = yield* Service
      const ada = yield* account({ trialDays: 3 })
      const begun = (yield* subscription(ada)).json
      assert.deepStrictEqual({ ...begun, trial_ends_at: typeof begun.trial_ends_at }, {
        plan: "studio", state: "trialing", trial_ends_at: "string", current_period_end: null, cancel_at_period_end: false,
        links_down_on: null, can_checkout: true, can_portal: false, payment_coming: false, lapses: true
      })
      refusedWith(yield* portal(ada), 404, "not_found", "workspace")

      const page = yield* checkout(ada, "agency")
      assert.deepStrictEqual(Object.keys(page.json), ["url"])
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "trialing"])
      assert.strictEqual((yield* checkout(ada, "agency")).json.url, page.json.url)
      yield* after(ada, () => stripe.failToPay(page.json.url as string))
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "trialing"])

      const one = yield* after(ada, () => stripe.pay(page.json.url as string))
      const paid = (yield* subscription(ada)).json
      assert.deepInclude(paid, { plan: "agency", state: "active", cancel_at_period_end: false, can_checkout: false, can_portal: true })
      assert.strictEqual(paid.current_period_end, new Date(one.periodEnd * 1000).toISOString())
      refusedWith(yield* checkout(ada, "starter"), 422, "validation_error", "workspace")
      const [first, second] = [yield* portal(ada), yield* portal(ada)]
      assert.strictEqual(first.status, 200)
      assert.notStrictEqual(first.json.url, second.json.url)
      const audit = yield* statement<{ target: unknown }>("SELECT target FROM audit_entries WHERE workspace_id = $1 AND action = 'workspace.plan_changed'", ada.workspaceId)
      assert.deepStrictEqual(audit.map(({ target }) => target), [{ type: "workspace", id: ada.workspaceId, plan: "agency" }])
    }))

  it.effect("a charge brings back what had lapsed and gone down, at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = "back-again"
      const { call, fails } = yield* agentOf(service, ada)
      assert.strictEqual((yield* publish(ada, slug)).status, 201)
      const ended = (days: number, ms = 0) =>
        statement("UPDATE workspaces SET trial_ends_at = $2 WHERE id = $1", ada.workspaceId, new Date(Date.now() - days * DAY - ms))
      yield* ended(0, 1)
      refusedWith(yield* publish(ada, slug), 402, "payment_required")
      assert.strictEqual(yield* link(slug), 200)
      const lapsed = (yield* subscription(ada)).json
      assert.deepInclude(lapsed, { plan: "studio", state: "lapsed", can_checkout: true })
      assert.strictEqual(Date.parse(lapsed.links_down_on) - Date.parse(lapsed.trial_ends_at), 30 * DAY)
      const late = yield* fails("publish", { slug, text: "# Late" })
      assert.include(late.message, "Choose a plan on its billing page.")
      assert.strictEqual(late.details.billing_url, `http://svc.localhost:${service.port}/workspace/billing?workspace=${ada.workspaceId}`)
      assert.include((yield* call("list_projects")).words, `nothing can be published, and its links go down at ${lapsed.links_down_on}.`)

      yield* ended(30)
      assert.strictEqual(yield* link(slug), 410)
      refusedWith(yield* publish(ada, slug), 402, "payment_required")
      assert.strictEqual((yield* subscription(ada)).json.state, "down")
      for (const told of [yield* call("list_projects"), yield* call("create_share_link", { slug, label: "Eve" })]) assert.match(told.words, /since \S+Z none of its addresses and share links opens\.$/)
      for (const told of [yield* call("get_project_link", { slug }), yield* call("update", { slug, title: "Later" }), yield* call("set_visibility", { slug, visibility: "private" }), yield* call("set_visibility", { slug, visibility: "public" })]) {
        assert.match(told.words, /(?:public|private), but nobody: the workspace’s trial or subscription has ended\./)
      }
      const news = (yield* call("catch_up", { slug, since: "2020-01-01T00:00:00Z" })).words
      assert.match(news, /public, but nobody: the workspace’s trial or subscription has ended\):\n.*none of its addresses and share links opens\./)
      assert.notInclude(news, "anyone")

      yield* paying(ada, "starter")
      assert.deepStrictEqual(yield* stateOf(ada), ["starter", "active"])
      assert.strictEqual(yield* link(slug), 200)
      assert.strictEqual((yield* publish(ada, slug)).status, 200)
      assert.notInclude((yield* call("list_projects")).words, "ended")
    }))

  it.effect("a workspace made beside the first one waits for its charge", () =>
    Effect.gen(function*() {
      const { account, ask } = yield* Service
      const ada = yield* account()
      const made = yield* ask("/v1/workspaces", { json: { name: "Second" }, headers: ada.bearer })
      const second = { ...ada, workspaceId: made.json.id as Account["workspaceId"] }
      assert.deepInclude((yield* subscription(second)).json, { plan: "starter", state: "lapsed", trial_ends_at: null, links_down_on: null, can_checkout: true })
      const put = ask(`/v1/projects/in-the-second?workspace=${second.workspaceId}`, { method: "PUT", body: "<p>x</p>", headers: { ...ada.bearer, "content-type": "text/html" } })
      refusedWith(yield* put, 402, "payment_required")
      assert.strictEqual((yield* put).json.error.message, "Publishing in this workspace begins with a plan. Choose a plan on its billing page.")
      yield* paying(second, "starter")
      assert.deepStrictEqual(yield* stateOf(second), ["starter", "active"])
      assert.strictEqual((yield* put).status, 201)
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "trialing"])
    }))

  it.effect("a failed charge is past due and publishes on; paid after all, it is active; given up, it lapses", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account({ trialDays: -90 })
      const one = yield* paying(ada)
      yield* after(ada, () => stripe.renew(one, false))
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "past_due"])
      assert.strictEqual((yield* publish(ada, "while-past-due")).status, 201)
      yield* after(ada, () => stripe.recover(one))
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])

      yield* after(ada, () => stripe.renew(one, false))
      const given = Date.now()
      yield* after(ada, () => stripe.giveUp(one))
      const over = (yield* subscription(ada)).json
      assert.deepInclude(over, { plan: "studio", state: "lapsed", current_period_end: null, can_checkout: true, can_portal: true })
      assert.isAtLeast(Date.parse(over.links_down_on), given + 30 * DAY)
      refusedWith(yield* publish(ada, "while-past-due"), 402, "payment_required")
      // A repeated notice does not move the end.
      yield* after(ada, () => stripe.giveUp(one))
      assert.strictEqual((yield* subscription(ada)).json.links_down_on, over.links_down_on)
      yield* after(ada, () => stripe.recover(one))
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
    }))

  it.effect("cancelled, it holds to the end of its period, then lapses; bought again, it is back", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account({ trialDays: -90 })
      const one = yield* paying(ada)
      yield* after(ada, () => stripe.cancelAtPeriodEnd(one))
      assert.deepInclude((yield* subscription(ada)).json, { state: "active", cancel_at_period_end: true, can_checkout: false, links_down_on: null })
      const ended = Math.floor(Date.now() / 1000) - 60
      yield* after(ada, () => stripe.end(one, ended))
      const over = (yield* subscription(ada)).json
      assert.deepInclude(over, { plan: "studio", state: "lapsed", cancel_at_period_end: false, can_checkout: true })
      assert.strictEqual(over.links_down_on, new Date(ended * 1000 + 30 * DAY).toISOString())
      yield* paying(ada, "agency")
      assert.deepStrictEqual(yield* stateOf(ada), ["agency", "active"])
      // Late news of the old one changes nothing.
      yield* after(ada, () => stripe.end(one, ended))
      assert.deepStrictEqual(yield* stateOf(ada), ["agency", "active"])
    }))

  it.effect("a debit that takes days is bought once: another page is refused until it arrives or fails", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account({ trialDays: -1 })
      const page = yield* checkout(ada)
      const one = yield* after(ada, () => stripe.debit(page.json.url as string))
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "lapsed"])
      assert.isTrue((yield* subscription(ada)).json.payment_coming)
      refusedWith(yield* checkout(ada, "agency"), 422, "validation_error", "workspace")
      yield* after(ada, () => {
        one.status = "past_due"
        return stripe.happened("invoice.payment_failed", one)
      })
      assert.isFalse((yield* subscription(ada)).json.payment_coming)
      assert.strictEqual((yield* checkout(ada, "agency")).status, 200)
      one.status = "active"
      // Its notice is lost, and nobody read it for days: whoever asks for another page has it read.
      stripe.arrive(one)
      yield* statement("UPDATE customers SET checkout_at = checkout_at - interval '5 days' WHERE workspace_id = $1", ada.workspaceId)
      const refused = yield* checkout(ada, "agency")
      refusedWith(refused, 422, "validation_error", "workspace")
      assert.include(refused.json.error.message, "has a subscription")
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
      assert.isFalse((yield* subscription(ada)).json.payment_coming)
    }))

  it.effect("cancelled on a date of its own, it is shown to end on that date if that is within its paid period; before a later one it renews", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      const one = yield* paying(ada)
      const { periodEnd } = one
      for (const [cancelAt, ends, until] of [[periodEnd - 20 * 86_400, true, periodEnd - 20 * 86_400], [periodEnd + 40 * 86_400, false, periodEnd]] as const) {
        yield* after(ada, () => {
          one.cancelAt = cancelAt
          return stripe.happened("customer.subscription.updated", one)
        })
        assert.deepInclude((yield* subscription(ada)).json, { state: "active", cancel_at_period_end: ends, current_period_end: new Date(until * 1000).toISOString() })
      }
    }))

  it.effect("a change of plan waits for its charge; a downgrade deletes nothing, and adding more is refused by the cap it touches", () =>
    Effect.gen(function*() {
      const { ask } = yield* Service
      const ada = yield* (yield* Service).account()
      const one = yield* paying(ada, "studio")
      yield* after(ada, () => stripe.change(one, PRICES.agency.month, false))
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
      yield* after(ada, () => stripe.recover(one))
      assert.deepStrictEqual(yield* stateOf(ada), ["agency", "active"])

      const slugs = [1, 2, 3, 4, 5, 6].map((n) => `kept-${n}`)
      for (const slug of slugs) assert.strictEqual((yield* publish(ada, slug)).status, 201)
      yield* statement("UPDATE workspaces SET storage_bytes = $2 WHERE id = $1", ada.workspaceId, 2 * 1024 ** 3)
      yield* after(ada, () => {
        one.price = PRICES.starter.month
        return stripe.renew(one, true)
      })
      assert.deepStrictEqual(yield* stateOf(ada), ["starter", "active"])
      for (const slug of slugs) assert.strictEqual(yield* link(slug), 200)
      const more = yield* publish(ada, "one-more")
      refusedWith(more, 402, "quota_exceeded", "projects")
      const invite = yield* ask(`/v1/workspace/invites?workspace=${ada.workspaceId}`, { json: { email: "one-more@example.com", role: "member" }, headers: ada.bearer })
      refusedWith(invite, 402, "quota_exceeded", "members")
      const larger = yield* ask(`/v1/projects/${slugs[0]}`, { method: "PUT", body: "<h1>new bytes</h1>", headers: { ...ada.bearer, "content-type": "text/html" } })
      refusedWith(larger, 402, "quota_exceeded", "storage")
      const heavy = { method: "PUT", body: Buffer.alloc(25 * 1024 * 1024 + 1), headers: { ...ada.bearer, "content-type": "text/plain" } }
      const form = { ...heavy, method: "POST", headers: { ...ada.bearer, "content-type": "multipart/form-data; boundary=x" }, body: Buffer.concat([Buffer.from("--x\r\ncontent-disposition: form-data; name=file; filename=a.txt\r\n\r\n"), heavy.body, Buffer.from("\r\n--x--\r\n")]) }
      const tooLarge = [
        yield* ask(`/v1/projects/${slugs[0]}`, heavy),
        yield* ask(`/v1/projects/${slugs[0]}/files`, form),
        yield* ask("/v1/projects", form)
      ]
      for (const one of tooLarge) refusedWith(one, 413, "upload_too_large", "file")
      // Each says where another plan is chosen.
      const page = `http://svc.localhost:${(yield* Service).port}/workspace/billing?workspace=${ada.workspaceId}`
      assert.deepStrictEqual([more, invite, larger, ...tooLarge].map(({ json }) => json.error.details.billing_url), Array.from({ length: 6 }, () => page))
      const { call, fails } = yield* agentOf(yield* Service, ada)
      const { upload_id } = yield* call("begin_upload", { slug: slugs[0] })
      yield* statement("UPDATE uploads SET max_bytes = 10 WHERE id = $1", upload_id)
      assert.deepInclude((yield* fails("append_upload", { upload_id, index: 0, text: "eleven bytes" })).details, { billing_url: page })
      assert.strictEqual(yield* link(slugs[0]!), 200)
    }))

  it.effect("hears a notice once in 200, and any order of them comes to what Stripe says now", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account({ trialDays: -1 })
      const page = yield* checkout(ada)
      const from = stripe.events.length
      const one = stripe.pay(page.json.url as string)
      stripe.renew(one, false)
      stripe.recover(one)
      const news = stripe.events.slice(from).toReversed()
      // One whose job cannot begin is not taken: it comes again.
      yield* statement("ALTER TABLE cluster_messages ADD CONSTRAINT none CHECK (false) NOT VALID")
      refusedWith(yield* send(news[0]!), 500, "internal_error")
      yield* statement("ALTER TABLE cluster_messages DROP CONSTRAINT none")
      const replays = news.flatMap((event) => Array.from({ length: 200 / news.length }, () => event))
      const answers = yield* Effect.all(replays.map((event) => send(event)), { concurrency: 25 })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      yield* until(readings(ada), (count) => count >= news.length)
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
      // Any other enqueued reading would have run before this last one.
      yield* send(news[0]!)
      yield* after(ada, () => stripe.happened("invoice.paid", one))
      assert.strictEqual(yield* readings(ada), news.length + 1)
    }))

  it.effect("refuses what Stripe did not sign, signed otherwise or long ago, and takes nothing of it", () =>
    Effect.gen(function*() {
      const { ask } = yield* Service
      const ada = yield* (yield* Service).account({ trialDays: -1 })
      const page = yield* checkout(ada)
      const one = stripe.pay(page.json.url as string)
      const event = stripe.happened("invoice.paid", one)
      const good = signed(event)
      const other = signed({ ...event, id: "evt_other" })
      const { "stripe-signature": signature, ...unsigned } = good.headers
      const wrong = [
        { ...good, headers: unsigned },
        { ...good, headers: { ...good.headers, "stripe-signature": "" } },
        { ...good, headers: { ...unsigned, ...UNFOLLOWED } },
        { ...good, headers: { ...good.headers, "stripe-signature": "t=1,v1=00" } },
        { ...good, headers: other.headers },
        { ...good, body: good.body.replace("invoice.paid", "invoice.PAID") },
        { ...good, body: `${good.body} ` },
        { ...good, headers: { ...good.headers, "stripe-signature": signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) + 1}`) } },
        signed(event, Date.now(), "whsec_of_somebody_else"),
        signed(event, Date.now() - 302_000),
        { ...good, body: "" }
      ]
      for (const question of wrong) {
        const refused = yield* ask("/v1/billing/webhook", question)
        refusedWith(refused, 400, "validation_error", "Stripe-Signature")
        assert.deepStrictEqual(refused.json.error.details.errors.map((fault: { field: string }) => fault.field), ["Stripe-Signature"])
      }
      assert.strictEqual((yield* ask("/v1/billing/webhook", { method: "POST", body: "x".repeat(1024 * 1024 + 1), headers: good.headers })).status, 413)
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "lapsed"])
      assert.deepStrictEqual(yield* statement("SELECT id FROM payment_notices WHERE id = ANY($1)", [event.id, "evt_other"]), [])
      assert.strictEqual(yield* readings(ada), 0)
      // Within the five minutes that a signature is valid.
      assert.strictEqual((yield* send(event, Date.now() - 240_000)).status, 200)
      yield* until(stateOf(ada), ([, state]) => state === "active")
    }))

  it.effect("lets forms pass that it does not know, where Stripe signed them", () =>
    Effect.gen(function*() {
      const thin = { id: "evt_thin", object: "v2.core.event", type: "v1.billing.meter.error_report_triggered", related_object: { id: "mtr_1", type: "billing.meter" } }
      for (const event of [thin, "not an event", { ...thin, id: 7 }, null, { id: "evt_\0", type: "invoice.paid", data: { object: { customer: "cus_1" } } }, { id: "evt_strange", type: "invoice.paid", data: { object: { customer: "cus_\0" } } }]) {
        assert.deepStrictEqual((yield* send(event)).json, { status: "ok" })
        refusedWith(yield* send(event, Date.now(), "whsec_of_somebody_else"), 400, "validation_error", "Stripe-Signature")
      }
    }))

  it.effect("lets kinds pass that it does not know, and customers that are nobody's", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      const one = yield* paying(ada)
      const before = yield* readings(ada)
      const strange: ReadonlyArray<FakeEvent | object> = [
        stripe.happened("charge.refunded", one),
        stripe.happened("invoice.paid", { customer: "cus_of_somebody_else" }),
        { id: "evt_bare", type: "invoice.paid", data: { object: { customer: null } } }
      ]
      for (const event of strange) assert.deepStrictEqual((yield* send(event)).json, { status: "ok" })
      assert.deepStrictEqual(yield* statement("SELECT id FROM payment_notices WHERE id = ANY($1)", strange.map((event) => (event as FakeEvent).id)), [])
      assert.strictEqual(yield* readings(ada), before)
    }))

  it.effect("makes one customer and one page of 50 checkouts at once", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      const [customers, sessions] = [stripe.customers.size, stripe.sessions.size]
      stripe.trouble({ delayMs: 150 })
      const pages = yield* Effect.all(Array.from({ length: 50 }, () => checkout(ada)), { concurrency: "unbounded" })
      stripe.trouble({})
      assert.deepStrictEqual([...new Set(pages.map(({ status }) => status))], [200])
      assert.strictEqual(new Set(pages.map(({ json }) => json.url)).size, 1)
      assert.deepStrictEqual([stripe.customers.size - customers, stripe.sessions.size - sessions], [1, 1])
    }))

  it.effect("is unavailable for a moment where Stripe is, with nothing half done", () =>
    Effect.gen(function*() {
      const { ask } = yield* Service
      const ada = yield* (yield* Service).account()
      const customers = stripe.customers.size
      for (const status of [500, 429] as const) {
        stripe.trouble({ status })
        const refused = yield* Effect.all(Array.from({ length: 3 }, () => checkout(ada)), { concurrency: "unbounded" })
        for (const answer of refused) {
          refusedWith(answer, 503, "unavailable")
          assert.strictEqual(answer.headers["retry-after"], "2")
        }
        stripe.trouble({})
        assert.deepInclude((yield* subscription(ada)).json, { state: "trialing", can_portal: false })
      }
      // Stripe keeps a 500 under its key; a new key gets through.
      const page = yield* checkout(ada)
      assert.strictEqual(page.status, 200, page.text)
      assert.strictEqual(stripe.customers.size, customers + 1)
      stripe.trouble({ status: 500 })
      refusedWith(yield* portal(ada), 503, "unavailable")
      refusedWith(yield* checkout(ada, "agency"), 503, "unavailable")
      // The notice is accepted; its subject is read once Stripe is back.
      const event = stripe.happened("invoice.paid", stripe.pay(page.json.url as string))
      assert.strictEqual((yield* send(event)).status, 200)
      yield* until(statement<{ readings: number }>("SELECT readings FROM customers WHERE workspace_id = $1", ada.workspaceId), ([row]) => row!.readings > 0)
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "trialing"])
      stripe.trouble({})
      yield* until(stateOf(ada), ([, state]) => state === "active")
      assert.strictEqual((yield* ask("/v1/billing/plans", { headers: ada.bearer })).status, 200)
    }))

  it.effect("a customer that Stripe no longer knows is made anew; a price that it does not know is refused with another message than an outage", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account({ trialDays: -1 })
      const first = yield* paying(ada)
      yield* after(ada, () => stripe.end(first))
      const count = stripe.customers.size
      stripe.customers.delete(first.customer)
      // Nor does it know the price, as with the key of another account.
      stripe.withdrawn.add(PRICES.agency.month)
      refusedWith(yield* checkout(ada, "agency"), 503, "unavailable")
      stripe.withdrawn.clear()
      assert.deepStrictEqual(yield* statement("SELECT id FROM customers WHERE workspace_id = $1", ada.workspaceId), [{ id: first.customer }])
      const pages = yield* Effect.all(Array.from({ length: 5 }, () => checkout(ada, "agency")), { concurrency: "unbounded" })
      assert.deepStrictEqual(pages.map(({ status }) => status), [200, 200, 200, 200, 200], pages[0]!.text)
      assert.strictEqual(new Set(pages.map(({ json }) => json.url)).size, 1)
      assert.strictEqual(stripe.customers.size, count)
      const one = yield* after(ada, () => stripe.pay(pages[0]!.json.url as string))
      assert.notStrictEqual(one.customer, first.customer)
      assert.deepStrictEqual(yield* stateOf(ada), ["agency", "active"])
      assert.strictEqual((yield* portal(ada)).status, 200)

      const bob = yield* (yield* Service).account()
      assert.strictEqual((yield* checkout(bob)).status, 200)
      stripe.withdrawn.add(PRICES.agency.month)
      const refused = yield* checkout(bob, "agency")
      refusedWith(refused, 503, "unavailable")
      assert.include(refused.json.error.message, "refused")
      assert.strictEqual(stripe.customers.size, count + 1)
      stripe.withdrawn.clear()
    }))

  it.effect("a customer deleted at Stripe pays for nothing more, and may buy again", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account({ trialDays: -1 })
      const one = yield* paying(ada, "agency")
      yield* after(ada, () => stripe.deleteCustomer(one.customer))
      assert.deepStrictEqual(yield* stateOf(ada), ["agency", "lapsed"])
      assert.isTrue((yield* subscription(ada)).json.can_portal)
      const left = yield* portal(ada)
      refusedWith(left, 404, "not_found", "workspace")
      // It was bought for, and whoever paid is not told otherwise.
      assert.match(left.json.error.message, /can be bought again/)
      assert.isFalse((yield* subscription(ada)).json.can_portal)
      const again = yield* paying(ada)
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
      // As with the key of another account: what is paid for is not forgotten.
      const known = stripe.customers.get(again.customer)
      stripe.customers.delete(again.customer)
      refusedWith(yield* portal(ada), 503, "unavailable")
      stripe.customers.set(again.customer, known)
      assert.strictEqual((yield* portal(ada)).status, 200)
      // Nor one whose debit is on its way.
      const bob = yield* (yield* Service).account({ trialDays: -1 })
      const coming = stripe.debit((yield* checkout(bob)).json.url as string)
      const waiting = stripe.customers.get(coming.customer)
      stripe.customers.delete(coming.customer)
      refusedWith(yield* portal(bob), 503, "unavailable")
      stripe.customers.set(coming.customer, waiting)
      yield* after(bob, () => stripe.arrive(coming))
      assert.deepStrictEqual(yield* stateOf(bob), ["studio", "active"])
    }))

  it.effect("finds a charge by itself whose notice never came", () =>
    Effect.gen(function*() {
      const { inside } = yield* Service
      const ada = yield* (yield* Service).account({ trialDays: -1 })
      const page = yield* checkout(ada)
      const one = stripe.pay(page.json.url as string)
      const reread = inside(rereadOnce).pipe(Effect.provide(Logger.layer([])))
      const ago = (hours: number) =>
        statement("UPDATE customers SET read_at = $2 WHERE workspace_id = $1", ada.workspaceId, new Date(Date.now() - hours * 3_600_000))
      yield* reread
      assert.strictEqual(yield* readings(ada), 0)
      yield* ago(1.01)
      yield* reread
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
      stripe.end(one)
      yield* ago(23)
      yield* reread
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])
      yield* ago(24.01)
      yield* reread
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "lapsed"])
      // A returning customer is reread as soon as a new one.
      stripe.pay((yield* checkout(ada)).json.url as string)
      yield* ago(1.01)
      yield* reread
      assert.deepStrictEqual(yield* stateOf(ada), ["studio", "active"])

      // A debit is reread until it arrives, however many days that takes.
      const bob = yield* (yield* Service).account({ trialDays: -1 })
      const coming = stripe.debit((yield* checkout(bob)).json.url as string)
      const later = (hours: number) =>
        statement("UPDATE customers SET read_at = read_at - $2 * interval '1 hour', checkout_at = checkout_at - $2 * interval '1 hour' WHERE workspace_id = $1", bob.workspaceId, hours)
      yield* later(47)
      yield* reread
      stripe.arrive(coming)
      yield* later(2)
      yield* reread
      assert.deepStrictEqual(yield* stateOf(bob), ["studio", "active"])
    }))

  it.effect("is for admins: strangers find nothing, members are refused, a session shows its token", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [ada, eve, bob] = [yield* service.account(), yield* service.account(), yield* service.account()]
      yield* statement("INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at) VALUES ($1, $2, 'member', false, now())", ada.workspaceId, bob.id)
      yield* paying(ada)
      const [customers, sessions] = [stripe.customers.size, stripe.sessions.size]
      const there = { ...ada, bearer: eve.bearer }
      const missing = { ...eve, workspaceId: "018f4a2e-0000-7000-8000-00000000abcd" as Account["workspaceId"] }
      for (const ask of [checkout, portal, subscription]) {
        const [foreign, none] = [yield* ask(there), yield* ask(missing)]
        refusedWith(foreign, 404, "not_found", "workspace")
        assert.strictEqual(foreign.text, none.text)
        refusedWith(yield* ask({ ...ada, bearer: bob.bearer }), 403, "forbidden")
        refusedWith(yield* ask({ ...ada, bearer: {} as Account["bearer"] }), 401, "auth_required")
      }
      const session = yield* signIn(service, ada.email)
      for (const path of ["/v1/billing/portal", "/v1/billing/checkout"]) {
        const bare = yield* service.ask(path, { json: { workspace: ada.workspaceId, plan: "studio", interval: "month" }, headers: { cookie: session.cookie } })
        refusedWith(bare, 403, "forbidden")
        assert.strictEqual(bare.json.error.details.reason, "csrf")
      }
      assert.strictEqual((yield* service.ask("/v1/billing/portal", { json: { workspace: ada.workspaceId }, headers: session })).status, 200)
      assert.deepStrictEqual([stripe.customers.size, stripe.sessions.size], [customers, sessions])
    }))

  it.effect("makes a hundred pages an hour for one person, and no more", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const asked = stripe.asked.length
      const answers = yield* Effect.all(Array.from({ length: 103 }, () => portal(ada)), { concurrency: 20 })
      assert.deepStrictEqual([404, 429].map((status) => answers.filter((answer) => answer.status === status).length), [100, 3])
      refusedWith(yield* checkout(ada), 429, "rate_limited")
      assert.strictEqual(stripe.asked.length, asked)
      assert.strictEqual((yield* checkout(yield* service.account())).status, 200)
    }))

  it.effect("names what is wrong with an order, and takes nothing from its other fields", () =>
    Effect.gen(function*() {
      const { ask } = yield* Service
      const ada = yield* (yield* Service).account()
      const order = { workspace: ada.workspaceId, plan: "studio", interval: "month" }
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ ...order, plan: "starter", interval: "year" }, "plan"],
        [{ ...order, plan: "free" }, "plan"],
        [{ ...order, interval: "week" }, "interval"],
        [{ ...order, workspace: "mine" }, "workspace"],
        [{ plan: "studio", interval: "month" }, "workspace"]
      ]
      for (const [json, field] of wrong) refusedWith(yield* ask("/v1/billing/checkout", { json, headers: ada.bearer }), 422, "validation_error", field)
      refusedWith(yield* ask("/v1/billing/subscription", { headers: ada.bearer }), 422, "validation_error", "workspace")
      const page = yield* ask("/v1/billing/checkout", { json: { ...order, price: "price_free", state: "active", customer: "cus_000001" }, headers: ada.bearer })
      const session = [...stripe.sessions.values()].find(({ url }) => url === page.json.url)
      assert.strictEqual(session?.price, PRICES.studio.month)
      assert.notStrictEqual(session?.customer, "cus_000001")
    }))
})

layer(Layer.fresh(serviceWith({ SVC_TRIAL: "enforced" })), { excludeTestServices: true })("without Stripe", (it) => {
  it.effect("nothing can be bought, and everything says so", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { account, ask } = service
      const ada = yield* account({ trialDays: -1 })
      assert.deepStrictEqual((yield* ask("/v1/billing/plans", { headers: ada.bearer })).json, { billing_enabled: false, plans: {} })
      refusedWith(yield* checkout(ada), 503, "validation_error")
      refusedWith(yield* portal(ada), 503, "validation_error")
      refusedWith(yield* send({ id: "evt_1", type: "invoice.paid", data: { object: { customer: "cus_1" } } }), 503, "validation_error")
      assert.deepInclude((yield* subscription(ada)).json, { state: "lapsed", can_checkout: false, can_portal: false })
      assert.strictEqual((yield* publish(ada, "unsold")).json.error.message, "The workspace’s trial or subscription has ended. Ask whoever runs this service.")
      yield* service.inside(TrialMails.use(({ sendAll }) => sendAll()))
      const [mail] = yield* mailTo(service, ada.email)
      assert.include(mail!.text, "ask whoever runs this service")
      assert.deepStrictEqual([mail!.links, /choose a plan/i.test(mail!.text)], [[], false])
    }))
})
