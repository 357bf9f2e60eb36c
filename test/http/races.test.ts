/** Many at once at two processes that share one database: the last seat, slot, slug and admin; one invite; Stripe's notices. */
import { afterAll, assert, beforeAll, it } from "vitest"
import type { Answer } from "../support/ask.ts"
import { comesIn, elsewhere } from "../support/newcomers.ts"
import type { Newcomer } from "../support/newcomers.ts"
import { comingAgain, startPair } from "../support/pair.ts"
import type { Pair } from "../support/pair.ts"
import { tokenIn } from "../support/post-office.ts"
import { eventually, newFolder } from "../support/program.ts"
import type { Program } from "../support/program.ts"
import { openStripe, PRICES, signed } from "../support/stripe.ts"

const TRIES = 200
const ROUNDS = 48
const SENT = 50

const stripe = await openStripe()
let pair: Pair
let ada: Newcomer
let bob: Newcomer

beforeAll(async () => {
  pair = await startPair({ ...stripe.environment, SVC_DATA_DIR: newFolder() })
  ;[ada, bob] = await Promise.all([comesIn(pair.one, pair.post, "ada"), comesIn(pair.two, pair.post, "bob")])
})
afterAll(() => Promise.all([pair?.stop(), stripe.stop()]))

/** All at once, alternating between the two. */
const atOnce = (ask: (program: Program, index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: TRIES }, (_, index) => comingAgain(() => ask(index % 2 === 0 ? pair.one : pair.two, index))))

const told = (answers: ReadonlyArray<Answer>) =>
  Object.entries(Object.groupBy(answers, ({ json, status }) => `${status} ${json.error?.code ?? "ok"} ${json.error?.field ?? ""}`.trim()))
    .map(([what, all]) => [what, all!.length] as const)
    .toSorted(([a], [b]) => a.localeCompare(b))

const count = async (text: string, ...values: ReadonlyArray<unknown>) => (await pair.statement<{ count: number }>(text, values))[0]!.count

const put = (program: Program, { bearer }: Newcomer, slug: string, body: string) =>
  program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": "text/html" } })

const invite = (program: Program, email: string) => program.ask("/v1/workspace/invites", { json: { email, role: "member" }, headers: ada.bearer })

it("the last seat goes to one of 200 invitations, and one of 200 who accept it comes in", async () => {
  for (const name of ["first", "second", "third"]) assert.strictEqual((await invite(pair.one, `${name}@race.example`)).status, 201)
  const answers = await atOnce((program, index) => invite(program, `guest-${index}@race.example`))
  assert.deepStrictEqual(told(answers), [["201 ok", 1], ["402 quota_exceeded members", TRIES - 1]])
  const { email } = answers.find(({ status }) => status === 201)!.json
  const letter = await eventually("the letter", () => pair.post.lettersTo(email)[0])
  const guests = () => pair.post.attempts.filter(({ recipients }) => recipients.some((to) => to.startsWith("guest-")))
  assert.lengthOf(guests(), 1)
  assert.strictEqual(await count("SELECT count(*)::int FROM audit_entries WHERE workspace_id = $1 AND action = 'invite.created'", ada.workspace), 4)

  const token = tokenIn(letter, "invite")
  const accepted = await atOnce((program) => program.ask("/v1/auth/invites/accept", { json: { token, name: "Guest" }, headers: elsewhere() }))
  assert.deepStrictEqual(told(accepted), [["200 ok", 1], ["401 invalid_token token", TRIES - 1]])
  assert.lengthOf(new Set(accepted.filter(({ status }) => status === 401).map(({ text }) => text)), 1)
  assert.strictEqual(await count("SELECT count(*)::int FROM users WHERE email = $1", email), 1)
  assert.strictEqual(await count("SELECT count(*)::int FROM members WHERE workspace_id = $1", ada.workspace), 2)
  assert.strictEqual(await count("SELECT count(*)::int FROM audit_entries WHERE workspace_id = $1 AND action IN ('invite.accepted', 'member.joined')", ada.workspace), 2)
  assert.lengthOf(guests(), 1)
})

it("the last slot of a plan takes one of 200 projects, and a free slug goes to one of two who publish to it 200 times", async () => {
  await pair.statement("UPDATE workspaces SET plan = 'starter' WHERE id = $1", [bob.workspace])
  for (const index of [1, 2, 3, 4]) assert.strictEqual((await put(pair.two, bob, `there-${index}`, "<p>x</p>")).status, 201)
  const slots = await atOnce((program, index) => put(program, bob, `slot-${index}`, `<p>${index}</p>`))
  assert.deepStrictEqual(told(slots), [["201 ok", 1], ["402 quota_exceeded projects", TRIES - 1]])
  const facts = { kept: "SELECT project_count AS count FROM workspaces WHERE id = $1", there: "SELECT count(*)::int FROM projects WHERE workspace_id = $1" }
  for (const text of Object.values(facts)) assert.strictEqual(await count(text, bob.workspace), 5)

  await pair.statement("UPDATE workspaces SET plan = 'studio' WHERE id = $1", [bob.workspace])
  // Each person tries equally often at each process.
  const who = (index: number) => index % 4 < 2 ? ada : bob
  const claims = await atOnce((program, index) => put(program, who(index), "free-for-all", `<p>${index}</p>`))
  const winner = who(claims.findIndex(({ status }) => status === 201))
  assert.deepStrictEqual(told(claims), [["200 ok", TRIES / 2 - 1], ["201 ok", 1], ["409 slug_taken slug", TRIES / 2]])
  assert.isTrue(claims.every(({ status }, index) => (status < 300) === (who(index) === winner)))
  const versions = claims.flatMap(({ json, status }) => status < 300 ? [json.version as number] : []).toSorted((a, b) => a - b)
  assert.deepStrictEqual(versions, Array.from({ length: TRIES / 2 }, (_, index) => index + 1))
  const last = `<p>${claims.findIndex(({ json }) => json.version === TRIES / 2)}</p>`
  for (const program of [pair.one, pair.two]) assert.include((await program.ask("/", { host: "free-for-all.svc.localhost" })).text, last)
})

it(`an admin remains of two who remove, demote and leave each other at once, in ${ROUNDS} workspaces`, async () => {
  const rows = await pair.statement<{ id: string }>(`
    WITH made AS (
      INSERT INTO workspaces (id, name, plan, created_at) SELECT gen_random_uuid(), 'Shared', 'studio', now() FROM generate_series(1, $1::int) RETURNING id
    ), joined AS (
      INSERT INTO members (workspace_id, user_id, role, joined_at)
      SELECT made.id, one::uuid, 'admin', now() FROM made, unnest(ARRAY[$2, $3]) AS one
    )
    SELECT id FROM made`, [ROUNDS, ada.id, bob.id])
  type Deed = (program: Program, by: Newcomer, to: Newcomer, workspace: string) => Promise<Answer>
  const removes: Deed = (program, by, to, workspace) => program.ask(`/v1/workspace/members/${to.id}?workspace=${workspace}`, { method: "DELETE", headers: by.bearer })
  const demotes: Deed = (program, by, to, workspace) => program.ask(`/v1/workspace/members/${to.id}?workspace=${workspace}`, { method: "PATCH", json: { role: "member" }, headers: by.bearer })
  const leaves: Deed = (program, by, _, workspace) => removes(program, by, by, workspace)
  // The later request comes from somebody who is no member, no admin, or the last admin.
  const kinds: ReadonlyArray<readonly [ofAda: Deed, ofBob: Deed, late: ReadonlyArray<number>]> = [
    [removes, removes, [404]], [demotes, demotes, [403]], [removes, demotes, [403, 404]], [leaves, leaves, [409]]
  ]
  const firsts: Array<number> = []
  for (const [round, { id }] of rows.entries()) {
    const [ofAda, ofBob, late] = kinds[round % kinds.length]!
    const [here, there] = round % 8 < 4 ? [pair.one, pair.two] : [pair.two, pair.one]
    const [a, b] = await Promise.all([ofAda(here, ada, bob, id), ofBob(there, bob, ada, id)])
    const statuses = [a.status, b.status]
    firsts.push(statuses.indexOf(200))
    assert.lengthOf(statuses.filter((status) => status === 200), 1, statuses.join())
    assert.include(late, statuses.find((status) => status !== 200), a.text + b.text)
  }
  const admins = await pair.statement<{ admins: number }>(`
    SELECT (SELECT count(*)::int FROM members m WHERE m.workspace_id = w AND m.role = 'admin') AS admins FROM unnest($1::uuid[]) w`, [rows.map(({ id }) => id)])
  assert.deepStrictEqual(admins.map((row) => row.admins), rows.map(() => 1))
  console.log(`races: of ${ROUNDS} pairs of admins against each other, the first won ${firsts.filter((first) => first === 0).length} times`)
})

const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.map((item) => [Math.random(), item] as const).toSorted(([a], [b]) => a - b).map(([, item]) => item)

it(`notices of Stripe's, each ${SENT} times in any order and at both while it moves on, come to what it says at last, once`, async () => {
  const carol = await comesIn(pair.one, pair.post, "carol")
  const bill = async () => (await pair.two.ask(`/v1/billing/subscription?workspace=${carol.workspace}`, { headers: carol.bearer })).json
  const order = { workspace: carol.workspace, plan: "agency", interval: "month" }
  const page = await pair.one.ask("/v1/billing/checkout", { json: order, headers: carol.bearer })
  assert.strictEqual(page.status, 200, page.text)
  const from = stripe.events.length
  const letters = pair.post.lettersTo(carol.email).length

  let sent = 0
  /** Sends the events since then, several times each. */
  const send = async (since: number, times: number) => {
    const deliveries = shuffled(stripe.events.slice(since).flatMap((event) => Array.from({ length: times }, () => event)))
    const answers = await Promise.all(deliveries.map((event, index) => (index % 2 === 0 ? pair.one : pair.two).ask("/v1/billing/webhook", signed(event))))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
    sent += deliveries.length
  }
  const readings = async () => {
    const [row] = await pair.statement<{ readings: number; answered: number }>("SELECT readings, answered FROM customers WHERE workspace_id = $1", [carol.workspace])
    return row!.readings === row!.answered ? row!.readings : -1
  }
  const heard = (what: string) => eventually(what, async () => (await readings()) >= stripe.events.length - from)

  const one = stripe.pay(page.json.url as string)
  await send(from, SENT)
  await heard("the first charge")
  assert.deepInclude(await bill(), { plan: "agency", state: "active" })

  // The next events arrive while the former are still being handled; in the end all of them are sent once more.
  const failing = stripe.events.length
  stripe.renew(one, false)
  const failed = send(failing, SENT)
  const recovering = stripe.events.length
  stripe.recover(one)
  stripe.change(one, PRICES.starter.month, true)
  stripe.cancelAtPeriodEnd(one)
  await Promise.all([failed, send(recovering, SENT)])
  await send(from, 5)
  await heard("all of it")

  const events = stripe.events.slice(from)
  assert.deepInclude(await bill(), { plan: "starter", state: "active", cancel_at_period_end: true, current_period_end: new Date(one.periodEnd * 1000).toISOString() })
  assert.strictEqual(await count("SELECT count(*)::int FROM payment_notices WHERE id = ANY($1)", events.map(({ id }) => id)), events.length)
  assert.strictEqual(await readings(), events.length)
  const plans = await pair.statement<{ plan: string }>(
    "SELECT target->>'plan' AS plan FROM audit_entries WHERE workspace_id = $1 AND action = 'workspace.plan_changed' ORDER BY at, id", [carol.workspace])
  assert.deepStrictEqual(plans.map(({ plan }) => plan), ["agency", "starter"])
  assert.strictEqual(pair.post.lettersTo(carol.email).length, letters)
  console.log(`races: ${sent} deliveries of ${events.length} notices to two processes were ${await readings()} readings`)
})
