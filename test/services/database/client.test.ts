/** The connection to a database of one's own: what its address may say, TLS, and which PostgreSQL is too old. */
import { Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import dns from "node:dns"
import { writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { join } from "node:path"
import { TLSSocket } from "node:tls"
import { afterAll, assert, it } from "vitest"
import { hintFor, ignoredIn } from "../../../src/services/database/address.ts"
import { DatabaseEmbedded, DatabaseRemote, DatabaseStarted } from "../../../src/services/database/client.ts"
import { certificate, key } from "../../support/agent-example.ts"
import { freshDatabaseFacts } from "../../support/database.ts"
import type { ConnectionFacts } from "../../support/database.ts"
import { clearAway, eventually, newFolder } from "../../support/program.ts"

afterAll(clearAway)

const refusal = (url: string) =>
  Effect.map(Effect.flip(Effect.provide(SqlClient.SqlClient, DatabaseRemote(Redacted.make(url)))), ({ message }) => message)

it("what an address says beyond what is done is refused, not ignored", () => {
  const said = (query: string) => ignoredIn(`postgres://svc:hunter2@db.example/svc${query}`)
  for (const fine of ["", "?sslmode=require", "?sslmode=verify-full&sslrootcert=/etc/ca.pem", "?application_name=a&connect_timeout=3&host=/run&options=-c%20a=b"]) assert.isUndefined(said(fine))
  for (const name of ["sslcrl", "channel_binding", "target_session_attrs", "SSLMODE"]) {
    assert.match(said(`?sslmode=require&${name}=1`)!, new RegExp(`^SVC_DATABASE_URL sets (?:${name}|a parameter), which would be ignored; take it out\\.`))
  }
  assert.match(said("?sslcrl=1")!, / NODE_EXTRA_CA_CERTS\.$/)
  assert.match(said("?ssl=true")!, /^SVC_DATABASE_URL sets ssl, which would be ignored; write sslmode=verify-full instead\. With TLS, /)
  for (const name of ["sslcert", "sslkey"]) assert.match(said(`?${name}=1`)!, /; client certificates are not supported: write sslmode=verify-full and a password instead\. /)
  assert.notInclude(said("?hunter2=1")!, "hunter2")
  for (const mode of ["", "&sslmode=prefer", "&sslmode=disable"]) assert.match(said(`?sslrootcert=/etc/ca.pem${mode}`)!, /; add sslmode=verify-full\.$/)
})

it("an address that cannot mean what it says is refused as one, not as a database that is away", () => {
  for (const mode of ["verify_full", "REQUIRE", "true", ""]) {
    assert.strictEqual(
      ignoredIn(`postgres://svc:hunter2@db.example/svc?sslmode=${mode}&sslrootcert=/etc/ca.pem`),
      "sslmode in SVC_DATABASE_URL is none of disable, allow, prefer, require, verify-ca, verify-full; correct it."
    )
  }
  assert.strictEqual(ignoredIn("postgres://svc:12#34@db.example/svc"), "SVC_DATABASE_URL holds a #, and all behind it would be ignored; in a password write it as %23.")
  assert.isUndefined(ignoredIn("postgres://svc:12%2334@db.example/svc"))
})

it("a host with several addresses is refused with what the first of them said", async () => {
  const lookup = dns.lookup
  dns.lookup = ((_name: string, _options: unknown, told: (error: null, found: unknown) => void) =>
    told(null, ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 })))) as typeof lookup
  try {
    const said = await Effect.runPromise(Effect.scoped(refusal("postgres://svc:hunter2@db.example:1/svc")))
    assert.include(said, "cannot be reached (connect ECONNREFUSED 127.0.0.1:1)")
  } finally {
    dns.lookup = lookup
  }
})

const through = (one: Socket, other: Socket) => {
  for (const [from, to] of [[one, other], [other, one]] as const) from.on("error", () => to.destroy()).pipe(to)
}

/** TLS in front of the test's cluster, for agent.example. */
const behindTls = ({ host }: ConnectionFacts) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((raw) => {
        raw.on("error", () => undefined).once("data", () => {
          raw.write("S")
          const secure = new TLSSocket(raw, { isServer: true, cert: certificate, key })
          const database = connect(join(host, ".s.PGSQL.5432"))
          through(secure, database)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  )

it("a certificate is checked against sslrootcert, and a refusal says where authorities go", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const { port } = (yield* behindTls(facts)).address() as AddressInfo
    const file = join(newFolder(), "authority.pem")
    writeFileSync(file, certificate)
    const url = `postgres://${facts.username}@127.0.0.1:${port}/${facts.database}?sslmode=verify-full`
    assert.match(yield* refusal(url), /\(self-signed certificate\b.* sslrootcert or NODE_EXTRA_CA_CERTS, and the host has to be one that it names\.$/)
    // Trusted now, and still not for this host.
    assert.match(yield* refusal(`${url}&sslrootcert=${file}`), /altnames.* sslrootcert or NODE_EXTRA_CA_CERTS/)
    assert.match(yield* refusal(`${url}&sslrootcert=${file}.not`), /^sslrootcert in SVC_DATABASE_URL names no file that can be read \(ENOENT/)
  }).pipe(Effect.scoped, Effect.runPromise))

it("a session's zone is UTC, whatever the database's: where an hour comes twice, a dead worker would keep its jobs for one more", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const url = `postgres://${facts.username}@localhost/${facts.database}?host=${facts.host}`
    const zone = (statement = "SHOW timezone") => SqlClient.SqlClient.use((sql) => sql.unsafe<{ TimeZone: string }>(statement))
    yield* Effect.provide(zone(`ALTER DATABASE ${facts.database} SET timezone = 'Europe/Berlin'`), DatabaseEmbedded(facts))
    assert.deepStrictEqual(yield* Effect.provide(zone(), DatabaseRemote(Redacted.make(url))), [{ TimeZone: "UTC" }])
  }).pipe(Effect.scoped, Effect.runPromise))

/** A socket in front of the test's cluster, where this many connections wait for an answer in vain; it tells how many came. */
const busy = ({ host }: ConnectionFacts, vain: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = newFolder()
      let came = 0
      const server = createServer((raw) => {
        if (++came > vain) through(raw, connect(join(host, ".s.PGSQL.5432")))
        else raw.on("error", () => undefined).resume()
      })
      await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve))
      return { folder, server, came: () => came }
    }),
    ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  )

it("a start waits a minute for the PostgreSQL that it has begun, and is then refused in one line: on a busy machine it ended with a stack", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const start = Effect.fnUntraced(function*(vain: number) {
      const { came, folder } = yield* busy(facts, vain)
      const begun = yield* Effect.forkChild(Effect.provide(SqlClient.SqlClient.use((sql) => sql`SELECT 1 AS one`), DatabaseStarted({ ...facts, host: folder })))
      for (let tries = 1; tries <= Math.min(vain, 12); tries++) {
        yield* Effect.promise(() => eventually(`try ${tries}`, () => came() >= tries))
        yield* TestClock.adjust("5 seconds")
      }
      return yield* Fiber.join(begun)
    })
    assert.deepStrictEqual(yield* start(2), [{ one: 1 }])
    const { message } = yield* Effect.flip(start(100))
    assert.strictEqual(message, "The embedded PostgreSQL runs, but does not answer (Connection timed out); start again once this machine is less busy.")
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise))

it("a PostgreSQL that is too old is refused in one line", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    // Hides the server's own answer, as no setting can.
    yield* SqlClient.SqlClient.use((sql) => sql`
      CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT CASE $1 WHEN 'server_version_num' THEN '150018' ELSE '15.18' END $$`).pipe(
      Effect.provide(DatabaseEmbedded(facts))
    )
    const url = `postgres://${facts.username}@localhost/${facts.database}?host=${facts.host}&options=-c%20search_path%3Dpublic,pg_catalog`
    assert.strictEqual(yield* refusal(url), "SVC_DATABASE_URL names a PostgreSQL 15.18; it wants 16 or newer.")
  }).pipe(Effect.scoped, Effect.runPromise))

it("a pooler is refused, also one that was told to ignore the settings of a session: after a stop it kept the locks of jobs", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    // As if the settings that the session was opened with had never arrived.
    yield* SqlClient.SqlClient.use((sql) => sql`
      CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT CASE $1 WHEN 'statement_timeout' THEN '0' ELSE pg_catalog.current_setting($1) END $$`).pipe(
      Effect.provide(DatabaseEmbedded(facts))
    )
    const url = `postgres://${facts.username}@localhost/${facts.database}?host=${facts.host}`
    const settings = encodeURIComponent("-c statement_timeout=5s")
    yield* Effect.provide(SqlClient.SqlClient, DatabaseRemote(Redacted.make(`${url}&options=${settings}`)))
    const said = yield* refusal(`${url}&options=-c%20search_path%3Dpublic,pg_catalog`)
    assert.match(said, /^SVC_DATABASE_URL names a pooler that ignores the settings of a session\. It wants the PostgreSQL behind [^\n]+\.$/)
    assert.isTrue(said.endsWith(hintFor(new Error("unsupported startup parameter: statement_timeout"))))
    assert.strictEqual(hintFor(new Error("database \"svc\" does not exist")), "")
  }).pipe(Effect.scoped, Effect.runPromise))

it("a database whose encoding lacks what people write is refused in one line", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const name = `${facts.database}_latin`
    const does = (statement: string) => Effect.orDie(Effect.provide(SqlClient.SqlClient.use((sql) => sql.unsafe(statement)), DatabaseEmbedded(facts)))
    yield* Effect.acquireRelease(
      does(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`),
      () => does(`DROP DATABASE ${name}`)
    )
    const url = `postgres://${facts.username}@localhost/${name}?host=${facts.host}`
    assert.match(yield* refusal(url), /^SVC_DATABASE_URL names a database in LATIN1; it wants one in UTF8, [^\n]+\.$/)
  }).pipe(Effect.scoped, Effect.runPromise))
