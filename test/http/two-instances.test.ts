/** Two processes on one database are one way in: of many tries at once one wins, and what one ends is over at the other. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { cookiesOf } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { pkce, REDIRECT } from "../support/oauth.ts"
import type { SessionHeaders } from "../support/oauth.ts"
import { startPair } from "../support/pair.ts"
import type { Pair } from "../support/pair.ts"
import { eventually } from "../support/program.ts"
import type { Program } from "../support/program.ts"

const PASSWORD = "correct horse battery staple"
const NEW_PASSWORD = "another long phrase entirely"
const TRIES = 200
let pair: Pair
let one: Program
let two: Program

beforeAll(async () => {
  pair = await startPair()
  ;({ one, two } = pair)
}, 90_000)
afterAll(() => pair?.stop(), 90_000)

let clients = 0
const from = () => ({ "x-forwarded-for": `10.6.${Math.floor(++clients / 250)}.${clients % 250}` })

/** The token of the newest letter that leads to this page. */
const mailed = async (email: string, page: string, ask: () => Promise<Answer>) => {
  const links = () => pair.post.lettersTo(email).flatMap(({ mail }) => [...(mail.text ?? "").matchAll(new RegExp(`/${page}\\?token=([\\w%.-]+)`, "g"))])
  const before = links().length
  assert.strictEqual((await ask()).status, 202)
  const found = await eventually(`a letter to ${email}`, () => links().length > before && links())
  return decodeURIComponent(found.at(-1)![1]!)
}

const signIn = async (program: Program, email: string, password = PASSWORD): Promise<SessionHeaders> => {
  const login = await program.ask("/v1/auth/login", { json: { email, password }, headers: from() })
  assert.strictEqual(login.status, 200, login.text)
  return { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string }
}

const person = async (name: string) => {
  const email = `${name}@example.com`
  const token = await mailed(email, "verify-email", () => one.ask("/v1/auth/signup", { json: { email, password: PASSWORD }, headers: from() }))
  assert.strictEqual((await two.ask("/v1/auth/verify-email/confirm", { json: { token } })).status, 200)
  return { email, session: await signIn(one, email) }
}

const exchanged = (program: Program, fields: Record<string, string>) =>
  program.ask("/oauth/token", { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: new URLSearchParams(fields).toString() })

/** A code that the person allowed at one, and what exchanges it. */
const allowed = async (session: SessionHeaders) => {
  const { client_id } = (await one.ask("/oauth/register", { json: { redirect_uris: [REDIRECT], client_name: "Agent" }, headers: from() })).json as { client_id: string }
  const { challenge, verifier } = pkce()
  const json = { decision: "approve", client_id, redirect_uri: REDIRECT, code_challenge: challenge, code_challenge_method: "S256" }
  const decided = await one.ask("/v1/oauth/authorize", { json, headers: session })
  const code = new URL(decided.json.redirect_to).searchParams.get("code")!
  return { client_id, exchange: { grant_type: "authorization_code", client_id, code, redirect_uri: REDIRECT, code_verifier: verifier } }
}

const me = async (program: Program, headers: Record<string, string>) => (await program.ask("/v1/me", { headers })).status
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
/** Whether the agents' door knows the token: 401 or not. */
const agentKnown = async (program: Program, token: string) => (await program.ask("/mcp", { method: "POST", headers: bearer(token) })).status !== 401

const sides: Array<string> = []
/** All at once, every second one at each, begun by turns; exactly one may win, and the others hear one thing. */
const race = async (what: string, ask: (program: Program) => Promise<Answer>) => {
  const pick = (index: number) => (index + sides.length) % 2 === 0 ? one : two
  const answers = await Promise.all(Array.from({ length: TRIES }, (_, index) => ask(pick(index))))
  const won = answers.flatMap((answer, index) => answer.status === 200 ? [{ answer, index }] : [])
  const lost = new Set(answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`))
  assert.lengthOf(won, 1, what)
  assert.lengthOf([...lost], 1, `${what}: ${[...lost].join("\n")}`)
  sides.push(`${what} at ${pick(won[0]!.index) === one ? "one" : "two"}`)
  return { winner: won[0]!.answer, refusal: [...lost][0]! }
}

it("of 200 tries at once over both, one wins: links, device polls, codes, refreshes", async () => {
  const { email, session } = await person("racer")

  const link = await mailed(email, "magic-link", () => two.ask("/v1/auth/magic-link", { json: { email } }))
  const opened = await race("a magic link", (program) => program.ask("/v1/auth/magic-link/verify", { json: { token: link }, headers: from() }))
  for (const program of [one, two]) assert.strictEqual(await me(program, { cookie: cookiesOf(opened.winner) }), 200)
  assert.match(opened.refusal, /^401 /)

  const device = (await one.ask("/v1/auth/device", { method: "POST", headers: from() })).json
  assert.strictEqual((await two.ask("/v1/auth/device/approve", { json: { user_code: device.user_code }, headers: session })).status, 200)
  const polled = await race("a device's token", (program) => program.ask("/v1/auth/device/token", { json: { device_code: device.device_code } }))
  for (const program of [one, two]) assert.strictEqual(await me(program, bearer(polled.winner.json.token)), 200)
  assert.lengthOf((await two.ask("/v1/tokens", { headers: session })).json, 1)

  // Whoever tries a code again may be the thief or the robbed: what it gave dies, at both.
  const code = await allowed(session)
  const first = await race("a code", (program) => exchanged(program, code.exchange))
  assert.strictEqual(JSON.parse(first.refusal.slice(4)).error, "invalid_grant")
  for (const program of [one, two]) assert.isFalse(await agentKnown(program, first.winner.json.access_token))
  const dead = { grant_type: "refresh_token", client_id: code.client_id, refresh_token: first.winner.json.refresh_token }
  for (const program of [one, two]) assert.strictEqual((await exchanged(program, dead)).json.error, "invalid_grant")

  // A refresh token used twice takes its whole family along.
  const family = await allowed(session)
  const given = (await exchanged(one, family.exchange)).json
  assert.isTrue(await agentKnown(two, given.access_token))
  const refresh = { grant_type: "refresh_token", client_id: family.client_id }
  const next = await race("a refresh", (program) => exchanged(program, { ...refresh, refresh_token: given.refresh_token }))
  for (const program of [one, two]) {
    for (const token of [given.access_token, next.winner.json.access_token]) assert.isFalse(await agentKnown(program, token))
    assert.strictEqual((await exchanged(program, { ...refresh, refresh_token: next.winner.json.refresh_token })).json.error, "invalid_grant")
  }
  console.log(`two instances: of ${TRIES} tries each, one won: ${sides.join(", ")}`)
}, 60_000)

it("what one instance ends is over at the other with the next request", async () => {
  for (const [here, there, name] of [[one, two, "first"], [two, one, "second"]] as const) {
    const { email } = await person(name)
    const alive = async (headers: Record<string, string>, why: string) => assert.strictEqual(await me(there, headers), 200, why)
    const over = async (headers: Record<string, string>, why: string) => assert.strictEqual(await me(there, headers), 401, why)

    const [left, other] = [await signIn(here, email), await signIn(there, email)]
    for (const session of [left, other]) await alive(session, "before signing out everywhere")
    assert.strictEqual((await here.ask("/v1/auth/logout-all", { method: "POST", headers: left })).status, 200)
    for (const session of [left, other]) await over(session, "signed out everywhere")

    const [changing, bystander] = [await signIn(here, email), await signIn(there, email)]
    await alive(bystander, "before the change")
    const changed = await here.ask("/v1/auth/password/change", { json: { current_password: PASSWORD, new_password: NEW_PASSWORD }, headers: changing })
    assert.strictEqual(changed.status, 200)
    for (const session of [changing, bystander]) await over(session, "the password changed")
    const stays = { cookie: cookiesOf(changed), "x-csrf-token": changed.json.csrf_token as string }
    await alive(stays, "whoever changed it stays")

    const token = bearer((await there.ask("/v1/tokens", { json: { label: "laptop" }, headers: stays })).json.token)
    const agent = await allowed(stays)
    const agents = (await exchanged(there, agent.exchange)).json
    for (const headers of [stays, token]) await alive(headers, "before the reset")
    assert.isTrue(await agentKnown(there, agents.access_token))
    const reset = await mailed(email, "reset-password", () => there.ask("/v1/auth/password-reset", { json: { email } }))
    assert.strictEqual((await here.ask("/v1/auth/password-reset/confirm", { json: { token: reset, password: PASSWORD }, headers: from() })).status, 200)
    for (const headers of [stays, token]) await over(headers, "reset")
    assert.isFalse(await agentKnown(there, agents.access_token))
    const refreshed = await exchanged(there, { grant_type: "refresh_token", client_id: agent.client_id, refresh_token: agents.refresh_token })
    assert.strictEqual(refreshed.json.error, "invalid_grant")
    const again = await there.ask("/v1/auth/password-reset/confirm", { json: { token: reset, password: NEW_PASSWORD }, headers: from() })
    assert.deepStrictEqual([again.status, again.json.error.code], [401, "invalid_token"])
    await alive(await signIn(there, email), "the new password lets in at once")
  }
}, 60_000)
