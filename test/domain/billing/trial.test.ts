/** A trial's whole life at exact moments: signup, its mails, the lapse, the links' last day, and the charge that restores everything. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, Layer, Logger, Option, References } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import { Accounts } from "../../../src/domain/accounts/accounts.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Administering } from "../../../src/domain/administration/administering.ts"
import { PlatformAdmins } from "../../../src/domain/administration/platform-admins.ts"
import { Billing } from "../../../src/domain/billing/billing.ts"
import type { CustomerId } from "../../../src/domain/billing/model.ts"
import { LapseStore, TrialMailStore } from "../../../src/domain/billing/store.ts"
import { Subscriptions } from "../../../src/domain/billing/subscriptions.ts"
import { TrialMails } from "../../../src/domain/billing/trial-mails.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import { DeletionStore } from "../../../src/domain/erasure/store.ts"
import { door } from "../../../src/domain/hosting/rules.ts"
import { HostingStore } from "../../../src/domain/hosting/store.ts"
import { Policies } from "../../../src/domain/ports/policies.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { ProjectStore } from "../../../src/domain/projects/store.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import type { TrialSetting } from "../../../src/domain/workspaces/model.ts"
import { billingState, lapsesAt } from "../../../src/domain/workspaces/rules.ts"
import { Workspaces } from "../../../src/domain/workspaces/workspaces.ts"
import { heldOpen, PoliciesKept } from "../../../src/services/database/policies.ts"
import { houseWith } from "../../support/house.ts"
import { at as fixedAt, bytesOf, DAY } from "../../support/moments.ts"
import { eventually } from "../../support/program.ts"
import { openStripe, signed } from "../../support/stripe.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const BEGIN = Date.UTC(2027, 0, 1, 9, 30, 0, 123)
const END = BEGIN + 7 * DAY
const DOWN = END + 30 * DAY

const ADMIN = "root@example.com"

/** At this moment, by the clock of the payment service too. */
const at = <A, E, R>(millis: number, program: Effect.Effect<A, E, R>) => {
  stripe.tell(() => millis)
  return fixedAt(millis, program)
}

interface Notice {
  readonly _tag: string
  readonly to: string
  readonly token: string
  readonly stage: string
  readonly linksDownOn: string
  readonly endsAt: string
}

/** The mails that wait for this address, oldest first: nothing delivers them here. */
const mailsTo = Effect.fnUntraced(function*(to: string) {
  const seals = yield* Seals
  const rows = yield* SqlClient.SqlClient.use((sql) => sql<{ sealed: string }>`SELECT sealed FROM mails ORDER BY enqueued_at, id`)
  const mails = yield* Effect.forEach(rows, (row) => seals.open("mail", row.sealed))
  return mails.flatMap((mail) => Option.toArray(mail) as ReadonlyArray<Notice>).filter((mail) => mail.to === to)
})

const noticesTo = (to: string) =>
  Effect.map(mailsTo(to), (mails) => mails.filter(({ _tag }) => _tag === "TrialNotice").map(({ linksDownOn, stage }) => [stage, Date.parse(linksDownOn)] as const))

const signedUp = Effect.fnUntraced(function*(email: string) {
  const accounts = yield* Accounts
  yield* accounts.signup({ email, password: "correct horse battery staple", name: undefined }, `address of ${email}`)
  yield* accounts.verifyEmail((yield* mailsTo(email))[0]!.token)
  const { user } = Option.getOrThrow(yield* AccountStore.use((store) => store.byEmail(email)))
  const [home] = yield* Workspaces.use((workspaces) => workspaces.of(user.id))
  return { user, workspace: home!.id }
})

const publish = (user: Parameters<typeof Publishing.Service.put>[0], slug: string) =>
  Publishing.use((publishing) => publishing.put(user, slug, { path: undefined, contentType: "text/html", length: undefined, bytes: bytesOf("<h1>Hello</h1>") }, {}))

/** What a reader of the project gets, decided on what the edge reads. */
const met = Effect.fnUntraced(function*(slug: string) {
  const site = (yield* HostingStore.use((store) => store.site(slug)))!
  return door({ site, pass: null }, (yield* Policies).trial, yield* DateTime.now)
})

const mailed = TrialMails.use(({ sendAll }) => sendAll())

layer(houseWith({ ...stripe.environment, SVC_PLATFORM_ADMINS: ADMIN }))("a trial with Stripe configured", (it) => {
  it.effect("lives from signup over its lapse to its links' end, and comes back with a charge", () =>
    Effect.gen(function*() {
      const email = "ada@example.com"
      const { user, workspace } = yield* at(BEGIN, signedUp(email))
      const bill = Billing.use((billing) => billing.bill(user, workspace))
      const state = Effect.map(bill, (one) => one.state)
      assert.deepInclude(yield* at(BEGIN, bill), { plan: "studio", state: "trialing", trialEndsAt: DateTime.makeUnsafe(END), linksDownOn: null })
      yield* at(BEGIN, publish(user, "a-whole-trial"))

      const stages = [[END - 2 * DAY, "ending"], [END, "ended"], [DOWN - 7 * DAY, "links_going_down"]] as const
      for (const [index, [due, stage]] of stages.entries()) {
        const earlier = stages.slice(0, index).map(([, name]) => [name, DOWN] as const)
        assert.strictEqual(yield* at(due - 1, mailed), 0, stage)
        assert.deepStrictEqual(yield* noticesTo(email), earlier)
        // From many machines at once, and once more later.
        const counts = yield* at(due, Effect.all(Array.from({ length: 20 }, () => mailed), { concurrency: "unbounded" }))
        assert.strictEqual(counts.reduce((sum, one) => sum + one, 0), 1, stage)
        assert.strictEqual(yield* at(due + DAY, mailed), 0)
        assert.deepStrictEqual(yield* noticesTo(email), [...earlier, [stage, DOWN]])
      }

      assert.strictEqual(yield* at(END - 1, state), "trialing")
      yield* at(END - 1, publish(user, "a-whole-trial"))
      assert.deepInclude(yield* at(END, bill), { state: "lapsed", plan: "studio", linksDownOn: DateTime.makeUnsafe(DOWN) })
      assert.strictEqual((yield* at(END, Effect.flip(publish(user, "a-whole-trial"))))._tag, "payment_required")
      assert.strictEqual((yield* at(END, Effect.flip(publish(user, "a-new-one"))))._tag, "payment_required")
      assert.deepStrictEqual([yield* at(DOWN - 1, met("a-whole-trial")), yield* at(DOWN - 1, state)], ["open", "lapsed"])
      assert.deepStrictEqual([yield* at(DOWN, met("a-whole-trial")), yield* at(DOWN, state)], ["down", "down"])
      assert.strictEqual(yield* at(DOWN + DAY, mailed), 0)

      const back = DOWN + 3 * DAY
      const { url } = yield* at(back, Billing.use((billing) => billing.checkout(user, { workspace, plan: "studio", interval: "year" })))
      const one = stripe.pay(url)
      const { body, headers } = signed(stripe.events.at(-1), back)
      const { read, receive } = yield* Subscriptions
      yield* at(back + 300_000, receive(body, headers["stripe-signature"]))
      const late = yield* at(back + 301_000 + 1000, Effect.flip(receive(body, headers["stripe-signature"])))
      assert.strictEqual(late.message, "The signature does not fit, or is too old.")
      yield* at(back, read(one.customer as CustomerId))
      assert.deepInclude(yield* at(back, bill), { state: "active", plan: "studio", linksDownOn: null, canCheckout: false })
      assert.strictEqual(yield* at(back, met("a-whole-trial")), "open")
      yield* at(back, publish(user, "a-whole-trial"))

      // Once cancelled, it ends without a further notice.
      stripe.cancelAtPeriodEnd(one)
      yield* at(back, read(one.customer as CustomerId))
      const over = one.periodEnd * 1000
      assert.strictEqual(yield* at(over - 1, state), "active")
      assert.strictEqual(yield* at(over, state), "lapsed")
      assert.strictEqual(yield* at(over + 23 * DAY - 1, mailed), 0)
      assert.strictEqual(yield* at(over + 23 * DAY, mailed), 1)
      assert.deepStrictEqual((yield* noticesTo(email)).at(-1), ["links_going_down", over + 30 * DAY])
      assert.strictEqual(yield* at(over + 30 * DAY, met("a-whole-trial")), "down")
    }))

  it.effect("a reading that answers late does not overwrite a later one", () =>
    Effect.gen(function*() {
      const { user, workspace } = yield* at(BEGIN, signedUp("grace@example.com"))
      const { url } = yield* at(BEGIN, Billing.use((billing) => billing.checkout(user, { workspace, plan: "agency", interval: "month" })))
      const one = stripe.pay(url)
      const { read } = yield* Subscriptions
      const reading = read(one.customer as CustomerId)
      yield* at(BEGIN, reading)
      one.status = "past_due"
      stripe.trouble({ delayMs: 300 })
      const before = stripe.asked.length
      const slow = yield* at(BEGIN + DAY, Effect.forkChild(reading, { startImmediately: true }))
      yield* Effect.promise(() => eventually("the slow question", () => stripe.asked.length > before))
      // Its answer is fixed already; meanwhile the charge is paid, and read.
      stripe.trouble({})
      one.status = "active"
      yield* at(BEGIN + DAY, reading)
      yield* Fiber.join(slow)
      assert.deepInclude(yield* at(BEGIN + DAY, Billing.use((billing) => billing.bill(user, workspace))), { state: "active", plan: "agency" })
    }))

  it.effect("a customer is read on their day however many others are, after those with news; nobody is asked on while no answer comes", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // Those of other tests were read at later moments.
      yield* sql`UPDATE customers SET read_at = ${new Date(BEGIN + DAY / 4)}`
      const { user, workspace } = yield* at(BEGIN, signedUp("alan@example.com"))
      yield* sql`UPDATE workspaces SET trial_ends_at = NULL WHERE id = ${workspace}`
      const { url } = yield* at(BEGIN, Billing.use((billing) => billing.checkout(user, { workspace, plan: "agency", interval: "month" })))
      const { customer } = stripe.pay(url)
      const others = yield* sql<{ id: string }>`
        WITH made AS (
          INSERT INTO workspaces (id, name, plan, created_at, subscription_status)
          SELECT gen_random_uuid(), 'Paying', 'studio', now(), 'active' FROM generate_series(1, 410) RETURNING id
        ) INSERT INTO customers (workspace_id, id, attempt, read_at, created_at)
        SELECT id, 'cus_' || id, gen_random_uuid(), ${new Date(BEGIN - 2 * DAY)}, now() FROM made RETURNING id`
      for (const { id } of others) stripe.customers.set(id, { id, object: "customer" })
      const read = at(BEGIN + DAY / 4, Subscriptions.use(({ readOverdue }) => readOverdue()))
      const readings = (from: number) => stripe.asked.slice(from).filter((asked) => asked === "GET /v1/subscriptions").length
      const before = stripe.asked.length
      stripe.trouble({ status: 500 })
      assert.strictEqual(yield* read, 0)
      assert.strictEqual(readings(before), 200)
      assert.lengthOf(yield* sql`SELECT 1 FROM customers WHERE id = ${customer} AND readings = 1`, 1)
      stripe.trouble({})
      assert.strictEqual(yield* read, 211)
      assert.strictEqual(yield* read, 0)
    }).pipe(Effect.provide(Logger.layer([]))))

  it.effect("a customer whom a clock that was ahead has read is read again on their day", () =>
    Effect.gen(function*() {
      const { user, workspace } = yield* at(BEGIN, signedUp("mary@example.com"))
      yield* SqlClient.SqlClient.use((sql) => sql`UPDATE workspaces SET trial_ends_at = NULL WHERE id = ${workspace}`)
      const { url } = yield* at(BEGIN, Billing.use((billing) => billing.checkout(user, { workspace, plan: "agency", interval: "month" })))
      const one = stripe.pay(url)
      yield* at(BEGIN + 300 * DAY, Subscriptions.use(({ read }) => read(one.customer as CustomerId)))
      // Its notice never comes.
      stripe.end(one, Math.floor((BEGIN + DAY) / 1000))
      yield* at(BEGIN + 2 * DAY, Subscriptions.use(({ readOverdue }) => readOverdue()))
      assert.notStrictEqual((yield* at(BEGIN + 2 * DAY, Billing.use((billing) => billing.bill(user, workspace)))).state, "active")
      const asked = stripe.asked.length
      yield* at(BEGIN + 2 * DAY, Subscriptions.use(({ readOverdue }) => readOverdue()))
      assert.strictEqual(stripe.asked.length, asked, "once")
    }))

  it.effect("an extension after a subscription ended gives time: the plan stays the one last paid for, and its versions stay", () =>
    Effect.gen(function*() {
      const admin = yield* at(BEGIN - 40 * DAY, signedUp(ADMIN))
      const { user, workspace } = yield* at(BEGIN, signedUp("extended@example.com"))
      const checkout = Billing.use((billing) => billing.checkout(user, { workspace, plan: "agency", interval: "month" }))
      const { url } = yield* at(END, checkout)
      const one = stripe.pay(url)
      const reading = Subscriptions.use(({ read }) => read(one.customer as CustomerId))
      yield* at(END, reading)
      for (let version = 1; version <= 21; version++) yield* at(END, publish(user, "extended"))
      const over = END + 30 * DAY
      yield* at(over, Effect.sync(() => stripe.end(one)))
      yield* at(over, reading)
      const until = DateTime.makeUnsafe(over + 14 * DAY)
      const operator = yield* PlatformAdmins.use(({ admit }) => admit(admin.user))
      yield* at(over + 1, Administering.use((administering) => administering.extendTrial(operator, workspace, until)))
      yield* at(over + 1, reading)
      assert.deepInclude(yield* at(over + 1, Billing.use((billing) => billing.bill(user, workspace))), { state: "trialing", plan: "agency" })
      yield* at(over + 1, publish(user, "extended"))
      const kept = Option.getOrThrow(yield* ProjectStore.use((store) => store.detail("extended", user.id))).versions
      assert.lengthOf(kept, 22)
      for (const days of [-2, 0, 23]) yield* at(over + (14 + days) * DAY, mailed)
      const down = over + 44 * DAY
      assert.deepStrictEqual(yield* noticesTo("extended@example.com"), [["ending", down], ["ended", down], ["links_going_down", down]])
    }))

  it.effect("is over in the database's statement for those that the rule calls lapsed, whatever their trial and subscription, at the very moment", () =>
    Effect.gen(function*() {
      const now = DateTime.makeUnsafe(BEGIN)
      const moments = [null, -1, 0, 1].map((ms) => ms === null ? null : DateTime.add(now, { milliseconds: ms }))
      const all = moments.flatMap((trialEndsAt) =>
        ([[null, null], ...(["active", "past_due"] as const).flatMap((status) => moments.map((end) => [status, end] as const))] as const).flatMap(([subscriptionStatus, subscriptionEndsAt]) =>
          [true, false].map((needsCharge) => ({ trialEndsAt, subscriptionStatus, subscriptionEndsAt, needsCharge }))))
      const ids = all.map((_, at) => WorkspaceId.make(`00000000-0000-7000-8000-${String(at).padStart(12, "0")}`))
      const moment = (one: DateTime.Utc | null) => one && DateTime.toDateUtc(one)
      yield* SqlClient.SqlClient.use((sql) => Effect.forEach(all, ({ needsCharge, subscriptionEndsAt, subscriptionStatus, trialEndsAt }, at) => sql`
        INSERT INTO workspaces (id, name, plan, trial_ends_at, subscription_status, subscription_ends_at, needs_charge, created_at)
        VALUES (${ids[at]!}, 'W', 'studio', ${moment(trialEndsAt)}, ${subscriptionStatus}, ${moment(subscriptionEndsAt)}, ${needsCharge}, ${moment(now)})`, { discard: true }))
      const ended = new Set(yield* LapseStore.use((store) => store.ended(now, 1_000)))
      const policy = { enforcedSince: DateTime.makeUnsafe(0) }
      for (const [at, facts] of all.entries()) {
        // Where there was neither, nothing ended.
        const lapsed = billingState(facts, policy, now) === "lapsed" && lapsesAt(facts, policy) !== null
        assert.strictEqual(ended.has(ids[at]!), lapsed, JSON.stringify(facts))
      }
      assert.isAbove(ended.size, 10)
      yield* SqlClient.SqlClient.use((sql) => sql`DELETE FROM workspaces WHERE id = ANY(${ids}::uuid[])`)
    }))

  it.effect("an extension gives no plan to a workspace that had no trial: what was paid for there is what it is tried with", () =>
    Effect.gen(function*() {
      const before = BEGIN - 90 * DAY
      const operator = yield* PlatformAdmins.use(({ admit }) => Effect.flatMap(AccountStore.use((store) => store.byEmail(ADMIN)), (found) => admit(Option.getOrThrow(found).user)))
      const { user } = yield* at(before, signedUp("second-one@example.com"))
      const { id } = yield* at(before, Workspaces.use((workspaces) => workspaces.create(user, "Second")))
      const { url } = yield* at(before, Billing.use((billing) => billing.checkout(user, { workspace: id, plan: "starter", interval: "month" })))
      const one = stripe.pay(url)
      const reading = Subscriptions.use(({ read }) => read(one.customer as CustomerId))
      yield* at(before, reading)
      yield* at(before + DAY, Effect.sync(() => stripe.end(one)))
      yield* at(before + DAY, reading)
      yield* at(before + DAY, Administering.use((administering) => administering.extendTrial(operator, id, DateTime.makeUnsafe(before + 16 * DAY))))
      yield* at(before + 2 * DAY, reading)
      assert.deepInclude(yield* at(before + 2 * DAY, Billing.use((billing) => billing.bill(user, id))), { state: "trialing", plan: "starter" })
    }))

  it.effect("is told of to every admin whose address is proven, and to nobody else", () =>
    Effect.gen(function*() {
      const store = yield* AccountStore
      const { workspace } = yield* at(BEGIN, signedUp("first@example.com"))
      const others = yield* Effect.forEach(["second", "member"], (name) => at(BEGIN - 40 * DAY, signedUp(`${name}@example.com`)))
      const unproven = "unproven@example.com"
      yield* at(BEGIN - 40 * DAY, Accounts.use((accounts) => accounts.signup({ email: unproven, password: "correct horse battery staple", name: undefined }, "elsewhere")))
      const { user } = Option.getOrThrow(yield* store.byEmail(unproven))
      const join = (id: string, role: string) =>
        SqlClient.SqlClient.use((sql) => sql`INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at) VALUES (${workspace}, ${id}, ${role}, false, now())`)
      yield* join(others[0]!.user.id, "admin")
      yield* join(others[1]!.user.id, "member")
      yield* join(user.id, "admin")
      assert.strictEqual(yield* at(END, mailed), 2)
      assert.lengthOf(yield* noticesTo("first@example.com"), 1)
      assert.lengthOf((yield* noticesTo("second@example.com")).filter(([stage]) => stage === "ended"), 1)
      assert.deepStrictEqual(yield* noticesTo("member@example.com"), [])
      assert.deepStrictEqual(yield* noticesTo(unproven), [])
    }))

  it.effect("waits while the workspace is to be erased, and is told of once it is restored", () =>
    Effect.gen(function*() {
      const email = "back@example.com"
      const { user, workspace } = yield* at(BEGIN, signedUp(email))
      yield* at(BEGIN, Erasure.use((erasure) => erasure.deleteWorkspace(user, undefined, { workspace, password: "correct horse battery staple" })))
      yield* at(END - 2 * DAY, mailed)
      assert.isFalse(yield* at(END - 2 * DAY, TrialMailStore.use((store) => store.claim(workspace, "ending", DateTime.makeUnsafe(END), DateTime.makeUnsafe(END)))))
      assert.deepStrictEqual(yield* noticesTo(email), [])
      const now = DateTime.makeUnsafe(END - DAY)
      yield* at(END - DAY, DeletionStore.use((store) =>
        Effect.flatMap(store.restorable({ type: "workspace", id: workspace }), (found) => store.restore(Option.getOrThrow(found), user.id, now))))
      yield* at(END - DAY, mailed)
      assert.deepStrictEqual(yield* noticesTo(email), [["ending", DOWN]])
    }))

  it.effect("is told of by mail as soon as somebody there can be told", () =>
    Effect.gen(function*() {
      const email = "late@example.com"
      const accounts = yield* Accounts
      yield* at(BEGIN, accounts.signup({ email, password: "correct horse battery staple", name: undefined }, "address of late"))
      yield* at(END - 2 * DAY, mailed)
      yield* at(END - 2 * DAY, accounts.resendVerification(email))
      assert.deepStrictEqual(yield* noticesTo(email), [])
      yield* at(END - DAY, accounts.verifyEmail((yield* mailsTo(email)).at(-1)!.token))
      yield* at(END - DAY, mailed)
      yield* at(END - DAY + 1, mailed)
      assert.deepStrictEqual(yield* noticesTo(email), [["ending", DOWN]])
    }))
})

const packs = mkdtempSync(join(tmpdir(), "svc-trial-"))
afterAll(() => rmSync(packs, { recursive: true, force: true }))

layer(Layer.fresh(houseWith({ SVC_DATA_DIR: packs })))("a trial where nobody could pay", (it) => {
  it.effect("ends with nothing: no lapse, no mail", () =>
    Effect.gen(function*() {
      const { user, workspace } = yield* at(BEGIN, signedUp("ada@example.com"))
      for (const moment of [END - DAY, END, DOWN - DAY, DOWN + 400 * DAY]) {
        assert.strictEqual(yield* at(moment, mailed), 0)
        const bill = yield* at(moment, Billing.use((billing) => billing.bill(user, workspace)))
        assert.deepInclude(bill, { state: moment < END ? "trialing" : "active", plan: "studio", linksDownOn: null, canCheckout: false })
      }
      assert.deepStrictEqual(yield* noticesTo("ada@example.com"), [])
      yield* at(DOWN + 400 * DAY, publish(user, "on-and-on"))
    }))

  it.effect("lapses as trials begin to be enforced, with thirty days and every mail, however long ago it ended", () =>
    Effect.gen(function*() {
      const database = Layer.succeedContext(Context.pick(PgClient.PgClient, SqlClient.SqlClient)(yield* Effect.context<PgClient.PgClient | SqlClient.SqlClient>()))
      const lines: Array<string> = []
      const hearing = Logger.layer([Logger.make(({ fiber, message }) => void lines.push(`${String(message)} ${JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))}`))])
      const since = (millis: number, trial: TrialSetting = "enforced") =>
        at(millis, Policies.pipe(
          Effect.provide(Layer.fresh(PoliciesKept({ trial, platformAdmins: new Set() }))),
          Effect.provide(hearing),
          Effect.tap(({ trial }) => trial === "open" ? heldOpen : Effect.void),
          Effect.map((policies) => policies.trial === "open" ? "open" : DateTime.toEpochMillis(policies.trial.enforcedSince))
        ))
      const email = "ada@example.com"
      const { user, workspace } = yield* at(BEGIN, signedUp("grace@example.com"))
      yield* at(BEGIN, publish(user, "another"))

      const begun = DOWN + 500 * DAY
      const down = begun + 30 * DAY
      const starts = yield* Effect.all(Array.from({ length: 9 }, (_, n) => since(begun + n % 2)), { concurrency: "unbounded" })
      assert.lengthOf(new Set(starts), 1)
      lines.length = 0
      // Taken back, it begins anew, and starts after that change nothing.
      assert.deepStrictEqual([yield* since(begun, "open"), yield* since(begun), yield* since(begun + DAY)], ["open", begun, begun])
      assert.deepStrictEqual(lines, [
        `trials are enforced from now on, and workspaces without a charge lapse; a start with SVC_TRIAL=open holds that {"workspaces":2,"linksDownOn":"${new Date(down).toISOString()}"}`
      ])

      yield* Effect.gen(function*() {
        const bill = Billing.use((billing) => billing.bill(user, workspace))
        assert.deepInclude(yield* at(begun + DAY, bill), { state: "lapsed", linksDownOn: DateTime.makeUnsafe(down), lapses: true })
        assert.strictEqual((yield* at(begun + DAY, Effect.flip(publish(user, "another"))))._tag, "payment_required")
        assert.strictEqual(yield* at(begun + DAY, mailed), 2)
        for (const to of [email, "grace@example.com"]) assert.deepStrictEqual(yield* noticesTo(to), [["ended", down]])
        // It names the day on which the trial ended, long before.
        assert.deepStrictEqual((yield* mailsTo(email)).flatMap((mail) => mail._tag === "TrialNotice" ? [Date.parse(mail.endsAt)] : []), [END])
        assert.strictEqual(yield* at(begun + 23 * DAY - 1, mailed), 0)
        assert.strictEqual(yield* at(begun + 23 * DAY, mailed), 2)
        assert.deepStrictEqual(yield* noticesTo(email), [["ended", down], ["links_going_down", down]])
        assert.deepStrictEqual([yield* at(down - 1, met("another")), yield* at(down, met("another"))], ["open", "down"])
        assert.strictEqual(yield* at(down, mailed), 0)
      }).pipe(Effect.provide(Layer.fresh(houseWith({ SVC_TRIAL: "enforced", SVC_DATA_DIR: packs }, database))))
    }))
})
