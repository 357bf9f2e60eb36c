/** A year of one workspace, day by day and at its turning points to the millisecond: from signup to what is left after its erasure. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import type { Email } from "../../../src/domain/accounts/email.ts"
import { PlatformAdmins } from "../../../src/domain/administration/platform-admins.ts"
import { Billing } from "../../../src/domain/billing/billing.ts"
import type { CustomerId } from "../../../src/domain/billing/model.ts"
import { Subscriptions } from "../../../src/domain/billing/subscriptions.ts"
import { TrialMails } from "../../../src/domain/billing/trial-mails.ts"
import { Erasing } from "../../../src/domain/erasure/erasing.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import type { DeletionId } from "../../../src/domain/erasure/model.ts"
import { Renewals } from "../../../src/domain/erasure/renewals.ts"
import { door } from "../../../src/domain/hosting/rules.ts"
import { HostingStore } from "../../../src/domain/hosting/store.ts"
import { Inviting } from "../../../src/domain/invites/inviting.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Policies } from "../../../src/domain/ports/policies.ts"
import { Workspaces } from "../../../src/domain/workspaces/workspaces.ts"
import { houseWith } from "../../support/house.ts"
import { at, DAY, mailsTo, publish, signedUp } from "../../support/moments.ts"
import { PASSWORD } from "../../support/service.ts"
import { openStripe, PRICES, signed } from "../../support/stripe.ts"
import type { FakeSubscription } from "../../support/stripe.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const ROOT = "root@example.com"
const BEGIN = Date.UTC(2027, 0, 1, 9, 30, 0, 123)
const day = (number: number) => BEGIN + number * DAY

const SLUGS = ["kept-1", "kept-2", "kept-3", "kept-4", "kept-5", "kept-6"]

/** What readers get at each of these addresses, decided on what the edge reads. */
const met = (slugs: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sites = yield* HostingStore.use((store) => Effect.forEach(slugs, store.site))
    const [{ trial }, now] = [yield* Policies, yield* DateTime.now]
    return [...new Set(sites.map((site) => door(site && { site, pass: null }, trial, now)))].join()
  })

/** Every row that names one of these, whatever the table. */
const rowsOf = Effect.fnUntraced(function*(...traces: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ '_\\d{8}$' ORDER BY 1`
  const every = tables.map(({ name }) => `SELECT '${name} ' || t::text AS row FROM "${name}" t`).join(" UNION ALL ")
  const rows = yield* sql.unsafe<{ row: string }>(`SELECT row FROM (${every}) every WHERE row ~ $1 ORDER BY row`, [traces.join("|")])
  return rows.map(({ row }) => row)
})

const packs = Packs.use(({ list }) => Effect.map(Stream.runCollect(list), (all) => [...all].map(({ id }) => id).toSorted()))

/** What the workers do each day at this moment; returns the numbers of mails, readings and erasures. */
const swept = Effect.gen(function*() {
  const mails = yield* TrialMails.use(({ sendAll }) => sendAll())
  const read = yield* Subscriptions.use(({ readOverdue }) => readOverdue())
  const begun = yield* Erasing.use(({ beginDue }) => beginDue())
  return { mails, read, begun }
})

layer(houseWith({ ...stripe.environment, SVC_PLATFORM_ADMINS: ROOT }))("a workspace", (it) => {
  it.effect("lives a year: tried, lapsed, paid for, changed, down, brought back, deleted, restored, erased; nothing of another's moves", () =>
    Effect.gen(function*() {
      const email = "ada@example.com"
      const { user, workspace } = yield* at(BEGIN, signedUp(email))
      const root = yield* at(BEGIN, signedUp(ROOT))
      const other = yield* at(BEGIN, signedUp("other@example.com"))
      yield* SqlClient.SqlClient.use((sql) => sql`UPDATE workspaces SET trial_ends_at = NULL WHERE id IN ${sql.in([root.workspace, other.workspace])}`)
      yield* at(BEGIN, publish(other.user, "elsewhere", "<h1>Elsewhere</h1>"))
      const bystanders = rowsOf(other.workspace, other.user.id, "elsewhere")
      const before = yield* bystanders
      assert.isNotEmpty(before)
      const foreign = yield* packs

      const bill = Billing.use((billing) => billing.bill(user, workspace))
      const state = Effect.map(bill, (one) => `${one.plan} ${one.state}`)
      const put = (slug: string, text?: string) => publish(user, slug, text)
      const refused = <A, E extends { readonly _tag: string; readonly field: string | null }, R>(program: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(program), ({ _tag, field }) => [_tag, field])
      const invite = (name: string) => Inviting.use((inviting) => inviting.create({ user, workspaceId: workspace }, { email: `${name}@example.com` as Email, role: "member" }))
      const notices = Effect.map(mailsTo(email), (mails) => mails.map((mail) => mail._tag === "TrialNotice" ? `${mail.stage} ${Date.parse(mail.linksDownOn)}` : mail._tag))
      const expected = ["VerifyEmail"]

      let today = BEGIN
      /** Lives through every day until then, and that very moment. */
      const until = Effect.fnUntraced(function*(moment: number) {
        const sums = { mails: 0, read: 0, begun: 0 }
        const live = Effect.fnUntraced(function*(now: number) {
          stripe.tell(() => now)
          const one = yield* at(now, swept)
          for (const what of ["mails", "read", "begun"] as const) sums[what] += one[what]
        })
        for (; today < moment; today += DAY) yield* live(today)
        yield* live(moment)
        today = moment
        return sums
      })
      /** A mail is sent at this moment, not a millisecond before, and once however many machines send. */
      const mailedAt = Effect.fnUntraced(function*(moment: number, stage: string, downOn: number) {
        assert.strictEqual((yield* until(moment - 1)).mails, 0, stage)
        const counts = yield* at(moment, Effect.all(Array.from({ length: 5 }, () => swept), { concurrency: "unbounded" }))
        assert.strictEqual(counts.reduce((sum, { mails }) => sum + mails, 0), 1, stage)
        expected.push(`${stage} ${downOn}`)
        assert.deepStrictEqual(yield* notices, expected)
      })
      const paidFor = Effect.fnUntraced(function*(moment: number, plan: "starter" | "studio" | "agency") {
        stripe.tell(() => moment)
        const { url } = yield* at(moment, Billing.use((billing) => billing.checkout(user, { workspace, plan, interval: "month" })))
        return stripe.pay(url)
      })
      /** Stripe sends its events, and the reading that the notice set going is done. */
      const heard = Effect.fnUntraced(function*(moment: number, one: FakeSubscription) {
        const { read, receive } = yield* Subscriptions
        const { body, headers } = signed(stripe.events.at(-1), moment)
        yield* at(moment, receive(body, headers["stripe-signature"]))
        yield* at(moment, read(one.customer as CustomerId))
      })

      // Days 0 to 7: the trial.
      const [end, down] = [day(7), day(37)]
      assert.strictEqual(yield* at(BEGIN, state), "studio trialing")
      yield* at(BEGIN, put("kept-1"))
      yield* mailedAt(end - 2 * DAY, "ending", down)
      yield* at(end - 1, put("kept-1", "<h1>Last of the trial</h1>"))
      assert.strictEqual(yield* at(end - 1, state), "studio trialing")
      yield* mailedAt(end, "ended", down)
      assert.strictEqual(yield* at(end, state), "studio lapsed")
      assert.deepStrictEqual(yield* at(end, refused(put("kept-1"))), ["payment_required", null])
      assert.deepStrictEqual(yield* at(end, refused(put("kept-2"))), ["payment_required", null])

      // To day 20: lapsed; its links serve. Then a charge.
      yield* until(day(20))
      assert.strictEqual(yield* at(day(20), met(["kept-1"])), "open")
      const first = yield* paidFor(day(20), "studio")
      assert.strictEqual(yield* at(day(20), state), "studio lapsed", "neither page nor payment page grants anything")
      yield* heard(day(20), first)
      assert.strictEqual(yield* at(day(20), state), "studio active")
      for (const slug of SLUGS) yield* at(day(20), put(slug))
      // No further mail of the first lapse is sent.
      assert.strictEqual((yield* until(down)).mails, 0)
      assert.strictEqual(yield* at(down, met(SLUGS)), "open")

      // Day 40: up; day 50: down to less than it holds.
      yield* until(day(40))
      stripe.change(first, PRICES.agency.month, true)
      yield* heard(day(40), first)
      assert.strictEqual(yield* at(day(40), state), "agency active")
      for (const name of ["a", "b", "c", "d", "e", "f"]) yield* at(day(40), invite(name))
      yield* until(day(50))
      first.price = PRICES.starter.month
      stripe.renew(first, true)
      yield* heard(day(50), first)
      assert.strictEqual(yield* at(day(50), state), "starter active")
      assert.strictEqual(yield* at(day(50), met(SLUGS)), "open")
      yield* at(day(50), put("kept-6", "<h1>Another version</h1>"))
      assert.deepStrictEqual(yield* at(day(50), refused(put("one-more"))), ["quota_exceeded", "projects"])
      assert.deepStrictEqual(yield* at(day(50), refused(invite("g"))), ["quota_exceeded", "members"])

      // Day 80: the next charge fails; day 84: it is paid after all.
      yield* until(day(80))
      stripe.renew(first, false)
      yield* heard(day(80), first)
      assert.strictEqual(yield* at(day(80), state), "starter past_due")
      yield* at(day(83), put("kept-1", "<h1>While past due</h1>"))
      yield* until(day(84))
      stripe.recover(first)
      yield* heard(day(84), first)
      assert.strictEqual(yield* at(day(84), state), "starter active")

      // Day 110: one more period, at whose end the subscription is to end.
      yield* until(day(110))
      stripe.renew(first, true)
      stripe.cancelAtPeriodEnd(first)
      yield* heard(day(110), first)
      const over = first.periodEnd * 1000
      assert.deepInclude(yield* at(over - 1, bill), { state: "active", cancelAtPeriodEnd: true, currentPeriodEnd: DateTime.makeUnsafe(over) })
      assert.strictEqual((yield* until(over - 1)).mails, 0)
      yield* at(over - 1, put("kept-1", "<h1>Last of what was paid</h1>"))
      assert.deepInclude(yield* at(over, bill), { state: "lapsed", plan: "starter", linksDownOn: DateTime.makeUnsafe(over + 30 * DAY) })
      assert.deepStrictEqual(yield* at(over, refused(put("kept-1"))), ["payment_required", null])
      stripe.tell(() => over)
      stripe.end(first, over / 1000)
      yield* heard(over, first)

      // Thirty days more, with a mail in the last seven of them, then the links are down.
      yield* mailedAt(over + 23 * DAY, "links_going_down", over + 30 * DAY)
      yield* until(over + 30 * DAY - 1)
      assert.deepStrictEqual([yield* at(over + 30 * DAY - 1, met(SLUGS)), yield* at(over + 30 * DAY - 1, state)], ["open", "starter lapsed"])
      assert.deepStrictEqual([yield* at(over + 30 * DAY, met(SLUGS)), yield* at(over + 30 * DAY, state)], ["down", "starter down"])

      // Half a year later a charge restores everything.
      const back = over + 170 * DAY
      yield* until(back)
      const second = yield* paidFor(back, "studio")
      assert.strictEqual(yield* at(back, met(SLUGS)), "down")
      yield* heard(back, second)
      assert.deepStrictEqual([yield* at(back, met(SLUGS)), yield* at(back, state)], ["open", "studio active"])
      yield* at(back, put("kept-7"))
      const all = [...SLUGS, "kept-7"]

      // Deleted: dark at once, and paid for no longer than its period. Restored: all of it is back.
      const settle = Renewals.use((renewals) => renewals.settle(workspace))
      const deleted = (moment: number) =>
        at(moment, Erasure.use((erasure) => erasure.deleteWorkspace(user, undefined, { workspace, password: PASSWORD })))
      const [gone, again] = [back + 10 * DAY, back + 25 * DAY]
      yield* until(gone)
      const whole = (yield* rowsOf(workspace)).filter((row) => /^(projects|versions|packs|invites) /.test(row))
      assert.strictEqual(DateTime.toEpochMillis((yield* deleted(gone)).eraseOn), gone + 30 * DAY)
      assert.strictEqual(yield* at(gone, met(all)), "deleted")
      assert.deepStrictEqual(yield* at(gone, Workspaces.use((workspaces) => workspaces.of(user.id))), [])
      yield* at(gone, settle)
      assert.strictEqual(second.cancelAt, second.periodEnd)
      yield* until(gone + 14 * DAY)
      const operator = yield* PlatformAdmins.use(({ admit }) => admit(root.user))
      const restored = Erasure.use((erasure) => erasure.restore(operator, { type: "workspace", id: workspace }))
      assert.deepStrictEqual([yield* at(gone + 14 * DAY, restored), yield* at(gone + 14 * DAY, restored)], [{ restored: true }, { restored: false }])
      yield* at(gone + 14 * DAY, settle)
      assert.deepStrictEqual([second.cancelAt, yield* at(gone + 14 * DAY, met(all)), yield* at(gone + 14 * DAY, state)], [null, "open", "studio active"])
      assert.deepStrictEqual((yield* rowsOf(workspace)).filter((row) => /^(projects|versions|packs|invites) /.test(row)), whole)
      assert.deepStrictEqual((yield* until(again)).begun, 0)
      assert.deepStrictEqual(yield* notices, expected)

      const actions = yield* SqlClient.SqlClient.use((sql) => sql<{ action: string; plan: string | null }>`
        SELECT action, target->>'plan' AS plan FROM audit_entries WHERE workspace_id = ${workspace}
          AND action IN ('workspace.plan_changed', 'workspace.deletion_scheduled', 'workspace.restored') ORDER BY at`)
      assert.deepStrictEqual(actions.map(({ action, plan }) => plan ?? action), ["agency", "starter", "studio", "workspace.deletion_scheduled", "workspace.restored"])

      // Deleted again, and for good at its millisecond.
      yield* deleted(again)
      const due = again + 30 * DAY
      const [deletion] = yield* SqlClient.SqlClient.use((sql) => sql<{ id: DeletionId }>`SELECT id FROM deletions WHERE target_id = ${workspace} AND restored_at IS NULL`)
      const erase = Erasing.use((erasing) => erasing.erase(deletion!.id))
      assert.strictEqual((yield* until(due - 1)).begun, 0)
      assert.isFalse(yield* at(due - 1, erase))
      assert.strictEqual(yield* at(due - 1, met(all)), "deleted")
      assert.strictEqual((yield* at(due, swept)).begun, 1)
      assert.isTrue(yield* at(due, erase))
      assert.isFalse(yield* at(due, erase))
      assert.strictEqual(yield* at(due, met(all)), "unknown")
      assert.deepStrictEqual((yield* rowsOf(workspace)).map((row) => row.split(" ")[0]), ["deletions", "deletions"])
      assert.deepStrictEqual(yield* packs, foreign)
      assert.strictEqual(second.cancelAt, second.periodEnd)

      assert.deepStrictEqual(yield* bystanders, before)
      assert.strictEqual(yield* at(due, met(["elsewhere"])), "open")
    }))
})
