/** Two processes on one database act as one: of many simultaneous tries one wins, and what one process ends is over at the other. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, it } from "vitest"
import { cookiesOf } from "../support/ask.ts"
import type { Answer, Question } from "../support/ask.ts"
import { openEvents } from "../support/event-stream.ts"
import { pkce, REDIRECT } from "../support/oauth.ts"
import type { SessionHeaders } from "../support/oauth.ts"
import { comingAgain, startPair } from "../support/pair.ts"
import type { Pair } from "../support/pair.ts"
import { eventually, launch, newFolder, serve } from "../support/program.ts"
import type { Program } from "../support/program.ts"
import { zipOf } from "../support/zips.ts"

const PASSWORD = "correct horse battery staple"
const NEW_PASSWORD = "another long phrase entirely"
const TRIES = 200
const dataDir = newFolder()
let pair: Pair
let one: Program
let two: Program

beforeAll(async () => {
  // One folder for both, as a bucket would be.
  pair = await startPair({ SVC_TRIAL: "enforced", SVC_DATA_DIR: dataDir })
  ;({ one, two } = pair)
})
afterAll(() => pair?.stop())

let clients = 0
const from = () => ({ "x-forwarded-for": `10.6.${Math.floor(++clients / 250)}.${clients % 250}` })

/** The token in the newest mail that links to this page. */
const mailed = async (email: string, page: string, ask: () => Promise<Answer>) => {
  const links = () => pair.post.lettersTo(email).flatMap(({ mail }) => [...(mail.text ?? "").matchAll(new RegExp(`/${page}\\?token=([\\w%.-]+)`, "g"))])
  const before = links().length
  assert.strictEqual((await ask()).status, 202)
  const found = await eventually(`a letter to ${email}`, () => links().length > before && links())
  return decodeURIComponent(found.at(-1)![1]!)
}

const signIn = async (program: Program, email: string): Promise<SessionHeaders> => {
  const login = await program.ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers: from() })
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

/** A code that the person approved at one instance, and the request that exchanges it. */
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
/** Whether `/mcp` knows the token: 401 or not. */
const agentKnown = async (program: Program, token: string) => (await program.ask("/mcp", { method: "POST", headers: bearer(token) })).status !== 401

const sides: Array<string> = []
/** All at once, alternating between the two, each in turn first; exactly one may win, and the others get the same answer. */
const race = async (what: string, ask: (program: Program) => Promise<Answer>) => {
  const pick = (index: number) => (index + sides.length) % 2 === 0 ? one : two
  const answers = await Promise.all(Array.from({ length: TRIES }, (_, index) => comingAgain(() => ask(pick(index)))))
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

  // The second user of a code may be the thief or the victim: the tokens from it die, at both.
  const code = await allowed(session)
  const first = await race("a code", (program) => exchanged(program, code.exchange))
  assert.strictEqual(JSON.parse(first.refusal.slice(4)).error, "invalid_grant")
  for (const program of [one, two]) assert.isFalse(await agentKnown(program, first.winner.json.access_token))
  const dead = { grant_type: "refresh_token", client_id: code.client_id, refresh_token: first.winner.json.refresh_token }
  for (const program of [one, two]) assert.strictEqual((await exchanged(program, dead)).json.error, "invalid_grant")

  // A refresh token used twice ends its whole family.
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
})

it("of 200 publishes with one key over both there is one version, and either gives its answer again", async () => {
  const { session } = await person("keyed")
  const put = (program: Program, body = "# Once") =>
    program.ask("/v1/projects/keyed-twice", { method: "PUT", headers: { ...session, "content-type": "text/markdown", "idempotency-key": "once" }, body })
  const answers = await Promise.all(Array.from({ length: TRIES }, (_, index) => comingAgain(() => put(index % 2 === 0 ? one : two))))
  assert.lengthOf(answers.filter(({ headers, status }) => status === 201 && headers["idempotent-replayed"] === undefined), 1)
  assert.isTrue(answers.every(({ status }) => status === 201 || status === 409))
  for (const program of [one, two]) {
    const again = await put(program)
    assert.deepStrictEqual([again.status, again.headers["idempotent-replayed"], again.json.version], [201, "true", 1], again.text)
    assert.strictEqual((await put(program, "# Twice")).status, 422)
  }
})

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
})

/** A project with people around it whose passes begin and end. */
const READER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36" }
const CODE = "open sesame"
const BODY = "nobody else may read this"

let slugs = 0

/** A raw site, so that its page is served unchanged. */
const published = async (owner: SessionHeaders, visibility: "password" | "private") => {
  const slug = `gated-${++slugs}`
  const body = await zipOf({ "index.html": Buffer.from(BODY), "a.txt": Buffer.from(BODY) })
  const made = await one.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...owner, "content-type": "application/zip" } })
  assert.strictEqual(made.status, 201, made.text)
  const settings = { visibility, html_display_mode: "raw", ...(visibility === "password" && { password: CODE }) }
  const changed = await two.ask(`/v1/projects/${slug}`, { method: "PATCH", json: settings, headers: owner })
  assert.strictEqual(changed.status, 200, changed.text)
  return slug
}

const at = (program: Program, slug: string, path: string, { headers, ...question }: Question = {}) =>
  program.ask(path, { ...question, host: `${slug}.svc.localhost`, headers: { ...READER, ...headers } })

/** Every kind of request, with this pass, at both. */
const statuses = async (slug: string, cookie: string, tag: string) => {
  const questions: ReadonlyArray<readonly [string, Question]> = [
    ["/", {}], ["/a.txt", {}], ["/", { method: "HEAD" }], ["/a.txt", { headers: { range: "bytes=0-3" } }], ["/a.txt", { headers: { "if-none-match": tag } }]
  ]
  return Promise.all([one, two].flatMap((program) =>
    questions.map(async ([path, question]) => {
      const answer = await at(program, slug, path, { ...question, headers: { ...question.headers, cookie } })
      assert.strictEqual(answer.text.includes(BODY.slice(0, 4)), answer.status === 200 && question.method !== "HEAD" || answer.status === 206)
      return answer.status
    })))
}

const OPEN = [200, 200, 200, 206, 304]

const byCode = async (slug: string) =>
  cookiesOf(await at(one, slug, "/_svc/gate/password", {
    method: "POST", body: new URLSearchParams({ password: CODE }).toString(), headers: { "content-type": "application/x-www-form-urlencoded" }
  }))

const byLink = async (owner: SessionHeaders, slug: string) => {
  const { id, token } = (await one.ask(`/v1/projects/${slug}/share-links`, { json: { label: "Acme" }, headers: owner })).json
  return { id: id as string, cookie: cookiesOf(await at(two, slug, `/_svc/gate/share?t=${token}`)) }
}

const byMembership = async (member: SessionHeaders, slug: string) => {
  const { headers } = await one.ask(`/v1/gate/member?slug=${slug}&next=/`, { headers: { cookie: member.cookie } })
  const { pathname, search } = new URL(headers.location!)
  return cookiesOf(await at(two, slug, pathname + search))
}

/** Open at both, then an event that ends access, then closed at both. */
const ends = async (why: string, slug: string, cookie: string, status: number, end: () => Promise<unknown>) => {
  assert.match(cookie, /^__Host-svc_gate=[\w-]{43}(?:; __Host-svc_reader=\S+)?$/, why)
  const tag = (await at(one, slug, "/a.txt", { headers: { cookie } })).headers.etag!
  assert.deepStrictEqual(await statuses(slug, cookie, tag), [...OPEN, ...OPEN], `before: ${why}`)
  await end()
  assert.deepStrictEqual(await statuses(slug, cookie, tag), Array.from({ length: 10 }, () => status), why)
}

it("every end of a pass holds at both instances with the next request", async () => {
  const [{ email: owned, session: owner }, { email: joined, session: member }] = [await person("owner"), await person("member")]
  const change = (slug: string, json: Record<string, unknown>) => async () =>
    assert.strictEqual((await one.ask(`/v1/projects/${slug}`, { method: "PATCH", json, headers: owner })).status, 200)
  const join = () =>
    pair.statement(`
      INSERT INTO members (workspace_id, user_id, role, joined_at)
      SELECT o.workspace_id, u.id, 'member', now() FROM members o JOIN users a ON a.id = o.user_id, users u
      WHERE a.email = $1 AND o.is_owner AND u.email = $2`, [owned, joined])
  await join()
  const [coded, shared, inner] = [await published(owner, "password"), await published(owner, "private"), await published(owner, "private")]

  await ends("the doorcode changed", coded, await byCode(coded), 401, change(coded, { password: "another one" }))
  await change(coded, { password: CODE })()
  await ends("it became private", coded, await byCode(coded), 403, change(coded, { visibility: "private" }))
  await change(coded, { visibility: "password" })()

  const revoked = await byLink(owner, shared)
  await ends("the link was revoked", shared, revoked.cookie, 403, async () =>
    assert.strictEqual((await one.ask(`/v1/share-links/${revoked.id}`, { method: "DELETE", headers: owner })).status, 200))
  const over = await byLink(owner, shared)
  await ends("the link expired", shared, over.cookie, 403, () => pair.statement("UPDATE share_links SET expires_at = now() WHERE id = $1", [over.id]))

  await ends("the member was removed", inner, await byMembership(member, inner), 403, () =>
    pair.statement("DELETE FROM members m USING users u WHERE u.id = m.user_id AND NOT m.is_owner AND u.email = $1", [joined]))
  await join()
  await ends("the member's browser signed out", inner, await byMembership(member, inner), 403, async () =>
    assert.strictEqual((await one.ask("/v1/auth/logout", { method: "POST", headers: member })).status, 200))
  assert.strictEqual(await byMembership(member, inner), "", "a sign-in that ended gives no pass, whoever kept its cookie")
  const again = await signIn(two, joined)
  await ends("the member signed out everywhere", inner, await byMembership(again, inner), 403, async () =>
    assert.strictEqual((await one.ask("/v1/auth/logout-all", { method: "POST", headers: again })).status, 200))

  await ends("the project expired", coded, await byCode(coded), 410, () => pair.statement("UPDATE projects SET expires_at = now() WHERE slug = $1", [coded]))
  const last = await byLink(owner, shared)
  await ends("the workspace lapsed", shared, last.cookie, 410, () => pair.statement("UPDATE workspaces SET trial_ends_at = now() - interval '31 days'"))
})

/** Held by a session that knows no limits of its own, until the returned function is called. */
const held = async (lock: string) => {
  const [taken, free] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const holding = Effect.runFork(
    SqlClient.SqlClient.use((sql) => sql.withTransaction(sql.unsafe(lock).pipe(Effect.andThen(taken.open), Effect.andThen(free.await)))).pipe(
      Effect.provide(PgClient.layer({ ...pair.database, maxConnections: 1 }))
    )
  )
  await Effect.runPromise(taken.await)
  return () => Effect.runPromise(Effect.andThen(free.open, Fiber.join(holding)))
}

const sessions = (state: string) =>
  pair.statement(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc' AND ${state}`)

const packsStored = () => readdirSync(join(dataDir, "blobs/packs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

it("an instance that freezes with a workspace's lock keeps it for seconds only; whoever waits for another one is told to come again, and leaves no pack", async () => {
  const [{ session }, { email, session: other }] = [await person("frozen"), await person("behind")]
  const put = (program: Program, slug: string, headers = session) =>
    program.ask(`/v1/projects/${slug}`, { method: "PUT", body: "# Words", headers: { ...headers, "content-type": "text/markdown" } })
  assert.strictEqual((await put(two, "frozen-before")).status, 201)

  const letVersions = await held("LOCK TABLE versions IN SHARE ROW EXCLUSIVE MODE")
  const caught = put(two, "frozen-here")
  await eventually("it holds its workspace", async () => (await sessions("wait_event_type = 'Lock'")).length === 1)
  process.kill(two.pid, "SIGSTOP")
  try {
    await letVersions()
    await eventually("its transaction idles", async () => (await sessions("state = 'idle in transaction'")).length === 1)
    const letBehind = await held(`SELECT 1 FROM workspaces w JOIN members m ON m.workspace_id = w.id JOIN users u ON u.id = m.user_id WHERE u.email = '${email}' FOR UPDATE OF w`)
    const [started, before] = [performance.now(), packsStored()]
    // The words are stored already in the first workspace, and not in the other.
    const [meanwhile, ...refused] = await Promise.all([put(one, "frozen-meanwhile"), put(one, "behind", other), put(one, "beside", other)])
    assert.isBelow(performance.now() - started, 20_000)
    assert.strictEqual(meanwhile.status, 201, meanwhile.text)
    for (const { headers, json, status } of refused) {
      assert.deepStrictEqual([status, json.error.code, headers["retry-after"]], [503, "unavailable", "2"])
      assert.strictEqual(json.error.message, "Others are changing this right now. Nothing was done; send it again.")
    }
    // No alert that the database is away fires for it.
    assert.deepStrictEqual(one.stdout().match(/database away|waited too long for others/g), ["waited too long for others", "waited too long for others"])
    assert.strictEqual(packsStored(), before)
    await letBehind()
    assert.strictEqual((await put(one, "behind", other)).status, 201)
  } finally {
    process.kill(two.pid, "SIGCONT")
  }
  const { headers, json, status } = await caught
  assert.deepStrictEqual([status, json.error.code, headers["retry-after"]], [503, "unavailable", "2"])
  // The session that the server ended is not used again.
  assert.deepStrictEqual((await Promise.all(Array.from({ length: 12 }, (_, n) => put(two, `frozen-${n % 6}`)))).filter(({ status }) => status > 201), [])
  assert.strictEqual((await put(one, "frozen-here")).status, 201, "nothing is left of what was refused")
})

// Last, because it stops one of the two.
it("a comment made at one instance is heard at the other", async () => {
  const { session } = await person("talker")
  const token = bearer((await one.ask("/v1/tokens", { json: { label: "laptop" }, headers: session })).json.token)
  const host = "talked-across.svc.localhost"
  const published = await one.ask("/v1/projects/talked-across", { method: "PUT", body: "# Words", headers: { ...token, "content-type": "text/markdown" } })
  assert.strictEqual(published.status, 201, published.text)
  await two.ask("/v1/projects/talked-across", { method: "PATCH", json: { comments_enabled: true }, headers: token })
  const streams = await Promise.all([one, two].map(({ port }) => openEvents(port, "/_svc/comments/events", { host })))
  const { id } = (await one.ask("/v1/projects/talked-across/comments", { json: { body: "heard?" }, headers: token })).json
  await two.ask(`/v1/comments/${id}/resolve`, { method: "POST", headers: token })
  for (const stream of streams) {
    await stream.count(3)
    assert.deepStrictEqual(stream.told().map(({ data, event }) => [event, data.id]), [["ready", undefined], ["created", id], ["resolved", id]])
  }
  // The stream at the first instance stays open: stopping it, below, must not wait for an endless stream.
  streams[1]!.close()
})

it("trials are enforced until an instance serves that leaves them open, and a start that is refused changes nothing", async () => {
  const since = async () => (await pair.statement<{ readonly since: Date | null }>("SELECT trials_enforced_since AS since FROM deployment"))[0]!.since
  const enforced = await since()
  assert.instanceOf(enforced, Date)
  const open = { ...pair.environment, SVC_TRIAL: "open" }
  const refused = await launch("serve", { ...open, SVC_PORT: String(one.port) }).ended
  assert.strictEqual(refused.code, 1)
  assert.include(refused.stderr, "it is in use")
  assert.deepStrictEqual(await since(), enforced)
  await (await serve(open)).end()
  assert.isNull(await since())
})

it("views of one project recorded at both at once add up exactly, including the last ones of an instance that is stopped", async () => {
  const { session } = await person("watched")
  const page = { method: "PUT", body: "<h1>Hello</h1>", headers: { ...session, "content-type": "text/html" } }
  assert.strictEqual((await one.ask("/v1/projects/watched", page)).status, 201)
  const readers = Array.from({ length: 20 }, from)
  const host = "watched.svc.localhost"
  // A crawler's request is no view. An unchanged page is one, and needs none of the bytes, which only one of the two has.
  const { etag } = (await one.ask("/", { host, headers: { "user-agent": "Twitterbot/1.0" } })).headers
  const load = (program: Program, reader: number) =>
    program.ask("/", { host, headers: { ...readers[reader % readers.length]!, "user-agent": "curl/8.5.0", "if-none-match": etag! } })
  const known = async () => {
    const { series, totals } = (await two.ask("/v1/projects/watched/analytics?days=2", { headers: session })).json
    // Midnight may pass meanwhile, which makes everybody a new visitor.
    const days = series.filter((day: { views: number }) => day.views > 0).length as number
    return { views: totals.views as number, visitors: totals.unique_visitors as number, days }
  }
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => load(index % 2 === 0 ? one : two, Math.floor(index / 2))))
    for (const { status } of answers) assert.strictEqual(status, 304)
  }
  const both = await eventually("both have written their views", async () => (await known()).views >= 200 && known())
  assert.strictEqual(both.views, 200)
  assert.isTrue(both.visitors === 20 || (both.days === 2 && both.visitors <= 40), JSON.stringify(both))

  await Promise.all(Array.from({ length: 20 }, (_, reader) => load(one, reader)))
  const { code } = await one.end("SIGTERM")
  assert.strictEqual(code, 0)
  const { views } = await known()
  assert.strictEqual(views, 220)
})
