/** What the time of an answer tells, and who waits for whom: known and unknown addresses, and others while many sign in. */
import argon2 from "argon2"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, it } from "vitest"
import { DatabaseEmbedded } from "../../src/services/database/client.ts"
import { cookiesOf } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { freshDatabaseFacts } from "../support/database.ts"
import { clearAway, newFolder, serve } from "../support/program.ts"
import type { Program } from "../support/program.ts"

const PASSWORD = "correct horse battery staple"
const PAIRS = 200
const ACCOUNTS = 800

const scope = Scope.makeUnsafe()
let program: Program

/** Accounts beneath the API, as many as the limits of one email need: one hash for all, since hashing is slow on purpose. */
const settle = (hash: string) =>
  SqlClient.SqlClient.use((sql) => sql`
    INSERT INTO users (id, email, name, password_hash, email_verified_at, created_at)
    SELECT gen_random_uuid(), 'known-' || n || '@example.com', 'Ada', ${hash}, now(), now() FROM generate_series(1, ${ACCOUNTS}) n`)

beforeAll(async () => {
  const facts = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
  const hash = await argon2.hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await Effect.runPromise(settle(hash).pipe(Effect.provide(DatabaseEmbedded(facts))))
  program = await serve({
    SVC_DATABASE_URL: `postgres://${facts.username}@localhost/${facts.database}?host=${facts.host}`,
    SVC_SECRET: "a secret for the length of one test file",
    SVC_SMTP_URL: "smtp://127.0.0.1:9",
    SVC_BASE_URL: "http://svc.localhost",
    SVC_DATA_DIR: newFolder(),
    SVC_TRUSTED_PROXY_HOPS: "1",
    // Mails are written and left: carrying one would fall into the time of the next question.
    SVC_ROLE: "http"
  })
}, 90_000)

afterAll(async () => {
  await clearAway()
  await Effect.runPromise(Scope.close(scope, Exit.void))
}, 90_000)

let clients = 0
const from = () => ({ "x-forwarded-for": `10.${7 + Math.floor(++clients / 62_500)}.${Math.floor(clients / 250) % 250}.${clients % 250}` })

const login = (email: string, password: string) => program.ask("/v1/auth/login", { json: { email, password }, headers: from() })

const at = (share: number, times: ReadonlyArray<number>): number => [...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))]!
const median = (times: ReadonlyArray<number>) => at(0.5, times)

const timed = async (ask: () => Promise<Answer>, status: number): Promise<number> => {
  const before = performance.now()
  const answer = await ask()
  const took = performance.now() - before
  assert.strictEqual(answer.status, status, answer.text)
  return took
}

interface Pairs {
  readonly known: number
  readonly unknown: number
  readonly apart: number
}

/** Medians of both kinds, asked by turns and each first as often as the other: whatever else the machine does meets both. */
const compared = async (ask: (email: string) => Promise<Answer>, status: number, next: () => number): Promise<Pairs> => {
  const times = { known: [] as Array<number>, unknown: [] as Array<number> }
  for (let pair = 0; pair < PAIRS; pair++) {
    const email = `${next()}@example.com`
    for (const kind of pair % 2 === 0 ? ["known", "unknown"] as const : ["unknown", "known"] as const) {
      times[kind].push(await timed(() => ask(kind === "known" ? `known-${email}` : `ghost-${email}`), status))
    }
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  return { known, unknown, apart: Math.abs(known / unknown - 1) }
}

const told = ({ apart, known, unknown }: Pairs) => `${known.toFixed(2)} and ${unknown.toFixed(2)} ms (${(apart * 100).toFixed(1)} % apart)`

/** A noisy moment may part any two medians; a leak parts them every time. */
const alike = async (what: string, ask: (email: string) => Promise<Answer>, status: number) => {
  let used = 0
  const next = () => ++used
  for (let warm = 0; warm < 5; warm++) await ask(`warm-${warm}@example.com`)
  const tries: Array<Pairs> = []
  while (tries.length < 3 && !tries.some(({ apart }) => apart < 0.03)) tries.push(await compared(ask, status, next))
  console.log(`${what}, known and unknown addresses, medians of ${PAIRS} pairs: ${tries.map(told).join("; again: ")}`)
  assert.isTrue(tries.some(({ apart }) => apart < 0.03), what)
}

it("a refused sign-in takes as long for an address with an account as for one without", async () => {
  await alike("sign-in", (email) => login(email, "a guess that is wrong"), 401)
}, 60_000)

it("asking for a mail takes as long for an address with an account as for one without", async () => {
  for (const way of ["magic-link", "password-reset"]) await alike(way, (email) => program.ask(`/v1/auth/${way}`, { json: { email } }), 202)
}, 60_000)

it("while 64 sign in at once, others are answered", async () => {
  for (const path of ["/healthz", "/v1/me"]) {
    const cookie = cookiesOf(await login("known-1@example.com", PASSWORD))
    const poll = () => timed(() => program.ask(path, { headers: { cookie } }), 200)
    const rounds: Array<{ readonly idle: Array<number>; readonly loaded: Array<number> }> = []
    let n = 0
    for (let round = 0; round < 6; round++) {
      const idle: Array<number> = []
      const loaded: Array<number> = []
      let busy = true
      const start = performance.now()
      const logins = Promise.all(Array.from({ length: 64 }, () => login(`known-${(n++ % 700) + 20}@example.com`, PASSWORD))).finally(() => (busy = false))
      while (busy) loaded.push(await poll())
      assert.isTrue((await logins).every(({ status }) => status === 200))
      const took = performance.now() - start
      while (performance.now() - start < 2 * took && idle.length < 400) idle.push(await poll())
      rounds.push({ idle, loaded })
    }
    for (const { idle, loaded } of rounds) console.log(path, idle.length, loaded.length, [0.5, 0.9, 0.99, 1].map((s) => `${at(s, idle).toFixed(1)}/${at(s, loaded).toFixed(1)}`).join(" "))
    console.log(path, median(rounds.map(({ idle, loaded }) => at(0.99, loaded) / at(0.99, idle))), [0.5, 0.9, 0.99].map((s) => `${at(s, rounds.flatMap((r) => r.idle)).toFixed(1)}/${at(s, rounds.flatMap((r) => r.loaded)).toFixed(1)}`).join(" "))
  }
}, 90_000)
