/** Remnants of no further use are removed, and nothing else. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger, Option } from "effect"
import { ShardingConfig, SqlMessageStorage } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UserId } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { Views } from "../../src/domain/analytics/views.ts"
import type { FamilyId } from "../../src/domain/oauth/model.ts"
import { OauthClients } from "../../src/domain/oauth/clients.ts"
import { OauthStore } from "../../src/domain/oauth/store.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { Projects } from "../../src/domain/projects/projects.ts"
import { sweepRemnantsOnce } from "../../src/workers/sweep-remnants.ts"
import { houseWith } from "../support/house.ts"
import { publish } from "../support/moments.ts"
import { somebody } from "../support/somebody.ts"

const DAY = 86_400_000

/** The job engine's tables, without a worker on them. */
const withJobs = SqlMessageStorage.layer.pipe(Layer.provide([ShardingConfig.layer(), NodeCrypto.layerDigest]), Layer.provideMerge(houseWith()))

layer(withJobs)("a sweep", (it) => {
  it.effect("takes notices of payments after ninety days, to the millisecond", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`INSERT INTO payment_notices (id, kind, taken_at) VALUES ('evt_2', 'invoice.paid', ${new Date(now.getTime() + 1)})`
      yield* sql`INSERT INTO payment_notices (id, kind, taken_at) SELECT 'evt_of_' || n, 'invoice.paid', ${now}::timestamptz FROM generate_series(1, 1200) n`
      yield* TestClock.adjust(90 * DAY)
      assert.strictEqual((yield* sweepRemnantsOnce).notices, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).notices, 1_200)
      assert.deepStrictEqual(yield* sql`SELECT id FROM payment_notices`, [{ id: "evt_2" }])
    }))

  it.effect("of which one kind fails takes the others all the same", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const long = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { days: 200 }))
      yield* sql`INSERT INTO payment_notices (id, kind, taken_at) VALUES ('stuck', 'invoice.paid', ${long})`
      yield* sql`INSERT INTO mails (id, kind, enqueued_at, awaited, sent_at) VALUES (gen_random_uuid(), 'MagicLink', ${long}, true, ${long})`
      yield* sql`CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stuck'; END $$`
      yield* sql`CREATE TRIGGER stuck BEFORE DELETE ON payment_notices FOR EACH ROW EXECUTE FUNCTION stuck()`
      const swept = yield* sweepRemnantsOnce
      yield* sql`DROP FUNCTION stuck CASCADE`
      assert.deepStrictEqual([swept.notices, swept.mails], [0, 1])
    }).pipe(Effect.provide(Logger.layer([]))))

  it.effect("takes agents' clients that nobody let in within thirty days, and never one with a grant", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [clients, store, tokens] = [yield* OauthClients, yield* OauthStore, yield* Tokens]
      const now = yield* DateTime.now
      const [at, ends] = [DateTime.toDateUtc(now), DateTime.toDateUtc(DateTime.add(now, { days: 60 }))]
      const user = UserId.make(yield* tokens.uuid)
      yield* (yield* AccountStore).createGuest({ id: user, email: "ada@example.com", name: "Ada", passwordHash: null, idpSub: null }, now)
      const register = Effect.map(clients.register({ redirect_uris: ["http://127.0.0.1/back"], client_name: "Agent" }, "192.0.2.1"), ({ client }) => client.id)
      const [unused, live, revoked, asked, device] = yield* Effect.all([register, register, register, register, register])
      const family = (id: string, clientId: string) =>
        Effect.flatMap(tokens.uuid, (uuid) => store.addFamily({ id: uuid as never, userId: user, clientId, clientName: "Agent", resource: id }, now))
      yield* family("live", live)
      yield* family("revoked", revoked)
      yield* sql`UPDATE oauth_families SET revoked_at = ${at} WHERE resource = 'revoked'`
      yield* sql`
        INSERT INTO oauth_codes (hash, id, user_id, client_id, client_name, redirect_uri, challenge, resource, expires_at)
        VALUES ('c', gen_random_uuid(), ${user}, ${asked}, 'Agent', 'r', 'c', 'r', ${ends})`
      yield* sql`
        INSERT INTO device_grants (id, device_hash, user_code, client, address, client_id, requested_at, expires_at)
        VALUES (gen_random_uuid(), 'd', 'd', 'cli', '::1', ${device}, ${at}, ${ends})`
      yield* TestClock.adjust(30 * DAY)
      assert.strictEqual((yield* sweepRemnantsOnce).clients, 0)
      yield* TestClock.adjust(1)
      const later = yield* register
      assert.strictEqual((yield* sweepRemnantsOnce).clients, 1)
      const there = yield* Effect.forEach([unused, live, revoked, asked, device, later], (id) => Effect.map(store.client(id), Option.isSome))
      assert.deepStrictEqual(there, [false, true, true, true, true, true])
      assert.strictEqual((yield* sweepRemnantsOnce).clients, 0)
    }))

  it.effect("takes agents that were let in a year after their last use, with their clients, but none that has a token", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [clients, store, tokens] = [yield* OauthClients, yield* OauthStore, yield* Tokens]
      const now = yield* DateTime.now
      const user = UserId.make(yield* tokens.uuid)
      yield* (yield* AccountStore).createGuest({ id: user, email: "barbara@example.com", name: "Barbara", passwordHash: null, idpSub: null }, now)
      const agent = Effect.fnUntraced(function*() {
        const { client } = yield* clients.register({ redirect_uris: ["http://127.0.0.1/back"], client_name: "Agent" }, "192.0.2.2")
        const id = (yield* tokens.uuid) as FamilyId
        yield* store.addFamily({ id, userId: user, clientId: client.id, clientName: "Agent", resource: "kept" }, now)
        return { client: client.id, id }
      })
      const [left, used, live] = yield* Effect.all([agent(), agent(), agent()])
      yield* store.used(used.id, DateTime.add(now, { milliseconds: 1 }))
      yield* sql`INSERT INTO oauth_tokens (hash, family_id, kind, expires_at) VALUES ('live', ${live.id}, 'refresh', ${DateTime.toDateUtc(DateTime.add(now, { days: 400 }))})`
      const there = Effect.forEach([left, used, live], ({ client, id }) =>
        Effect.map(Effect.all([store.client(client), sql`SELECT 1 FROM oauth_families WHERE id = ${id}`]), ([known, found]) => [Option.isSome(known), found.length]))
      const [kept, gone] = [[true, 1], [false, 0]]
      yield* TestClock.adjust(365 * DAY)
      yield* sweepRemnantsOnce
      assert.deepStrictEqual(yield* there, [kept, kept, kept])
      yield* TestClock.adjust(1)
      yield* sweepRemnantsOnce
      assert.deepStrictEqual(yield* there, [gone, kept, kept])
      yield* TestClock.adjust(1)
      yield* sweepRemnantsOnce
      assert.deepStrictEqual(yield* there, [gone, gone, kept])
    }))

  it.effect("takes codes and device grants a day after they expired, to the millisecond, but no grant that became a token", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const later = new Date(now.getTime() + 1)
      const id = yield* (yield* Tokens).uuid
      yield* sql`INSERT INTO users (id, email, name, created_at) VALUES (${id}, 'joan@example.com', 'Joan', ${now})`
      yield* sql`INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at) VALUES (${id}, ${id}, 'cli', 'svc_', 'became', ${now})`
      yield* sql`
        INSERT INTO oauth_codes (hash, id, user_id, client_id, client_name, redirect_uri, challenge, resource, expires_at)
        SELECT 'over-' || n, gen_random_uuid(), ${id}, 'c', 'Agent', 'r', 'c', 'r', ${now}::timestamptz + n % 2 * interval '1 millisecond'
        FROM generate_series(1, 2400) n`
      yield* sql`
        INSERT INTO device_grants (id, device_hash, user_code, client, address, requested_at, expires_at, token_id) VALUES
          (gen_random_uuid(), 'over', 'over', 'cli', '::1', ${now}, ${now}, NULL), (gen_random_uuid(), 'later', 'later', 'cli', '::1', ${now}, ${later}, NULL),
          (gen_random_uuid(), 'became', 'became', 'cli', '::1', ${now}, ${now}, ${id})`
      const swept = Effect.map(sweepRemnantsOnce, ({ codes, grants }) => ({ codes, grants }))
      const left = sql`SELECT user_code AS code FROM device_grants WHERE user_code IN ('over', 'later', 'became') ORDER BY user_code`
      yield* TestClock.adjust(DAY)
      assert.deepStrictEqual(yield* swept, { codes: 0, grants: 0 })
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* swept, { codes: 1_200, grants: 1 })
      assert.deepStrictEqual(yield* left, [{ code: "became" }, { code: "later" }])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* swept, { codes: 1_200, grants: 1 })
      assert.deepStrictEqual(yield* left, [{ code: "became" }])
    }))

  it.effect("takes mailed links and agents' tokens once their time is up, however many, and leaves who was let in", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [store, tokens] = [yield* OauthStore, yield* Tokens]
      const now = yield* DateTime.now
      const user = UserId.make(yield* tokens.uuid)
      yield* (yield* AccountStore).createGuest({ id: user, email: "grace@example.com", name: "Grace", passwordHash: null, idpSub: null }, now)
      const family = (yield* tokens.uuid) as FamilyId
      yield* store.addFamily({ id: family, userId: user, clientId: "c", clientName: "Agent", resource: "agents" }, now)
      const ends = DateTime.toDateUtc(DateTime.add(now, { minutes: 1 }))
      yield* sql`
        INSERT INTO email_tokens (hash, user_id, purpose, expires_at)
        SELECT 'link-' || n, ${user}, 'magic-link', ${ends}::timestamptz + n % 2 * interval '1 millisecond' FROM generate_series(1, 2400) n`
      yield* sql`
        INSERT INTO oauth_tokens (hash, family_id, kind, expires_at)
        SELECT 'token-' || n, ${family}, 'refresh', ${ends}::timestamptz + n % 2 * interval '1 millisecond' FROM generate_series(1, 2400) n`
      yield* TestClock.adjust(60_000)
      const { links, tokens: none } = yield* sweepRemnantsOnce
      assert.deepStrictEqual({ links, none }, { links: 0, none: 0 })
      yield* TestClock.adjust(1)
      const swept = yield* sweepRemnantsOnce
      assert.deepStrictEqual({ links: swept.links, tokens: swept.tokens }, { links: 1_200, tokens: 1_200 })
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).links, 1_200)
      assert.deepStrictEqual(yield* sql`SELECT client_name FROM oauth_families WHERE id = ${family}`, [{ client_name: "Agent" }])
    }))

  it.effect("takes invitations thirty days after they expired, accepted or not, and with them the addresses of whoever never came", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const workspace = yield* Tokens.use((tokens) => tokens.uuid)
      yield* sql`INSERT INTO workspaces (id, name, plan, created_at) VALUES (${workspace}, 'W', 'starter', now())`
      const ends = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        INSERT INTO invites (id, workspace_id, email, role, token_hash, created_at, expires_at, accepted_at)
        SELECT gen_random_uuid(), ${workspace}, 'guest-' || n || '@example.com', 'member', 'invite-' || n, ${ends}, ${ends}::timestamptz + n % 2 * interval '1 millisecond',
          CASE WHEN n % 4 < 2 THEN ${ends}::timestamptz END FROM generate_series(1, 2400) n`
      yield* TestClock.adjust("30 days")
      assert.strictEqual((yield* sweepRemnantsOnce).invites, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).invites, 1_200)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).invites, 1_200)
    }))

  it.effect("takes mails ninety days after they went out or were given up, and none that waits", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const later = new Date(now.getTime() + 1)
      yield* sql`
        INSERT INTO mails (id, kind, enqueued_at, sent_at, dead_at) VALUES
          (gen_random_uuid(), 'Sent', ${now}, ${now}, NULL), (gen_random_uuid(), 'Later', ${now}, ${later}, NULL),
          (gen_random_uuid(), 'Waiting', ${now}, NULL, NULL), (gen_random_uuid(), 'Dead', ${now}, NULL, ${now}), (gen_random_uuid(), 'Dead later', ${now}, NULL, ${later})`
      yield* TestClock.adjust(90 * DAY)
      assert.deepInclude(yield* sweepRemnantsOnce, { mails: 0, dead: 0 })
      yield* TestClock.adjust(1)
      assert.deepInclude(yield* sweepRemnantsOnce, { mails: 1, dead: 1 })
      assert.deepStrictEqual(yield* sql`SELECT kind FROM mails ORDER BY kind`, [{ kind: "Dead later" }, { kind: "Later" }, { kind: "Waiting" }])
    }))

  it.effect("removes deleted projects with everything that refers to them once their address is free, and leaves the address and the rest alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [views, projects] = [yield* Views, yield* Projects]
      yield* TestClock.setTime(Date.UTC(2025, 0, 1))
      const user = yield* somebody({ plan: "studio", trialDays: 90 })
      const furnished = Effect.fnUntraced(function*(slug: string) {
        const { project: { id } } = yield* publish(user, slug)
        yield* sql`
          INSERT INTO comments (id, project_id, version, body, author_id, created_at, updated_at)
          VALUES (gen_random_uuid(), ${id}, 1, 'Well said', ${user.id}, now(), now())`
        yield* sql`
          INSERT INTO share_links (id, project_id, label, hash, notify_on_first_open, created_by, created_at)
          VALUES (gen_random_uuid(), ${id}, 'Client', ${slug}, true, ${user.id}, now())`
        for (const day of [-400, -1, 0]) {
          views.record({ projectId: id, at: Date.UTC(2025, 0, 1) + day * DAY, address: "192.0.2.7", userAgent: "Firefox", shareLinkId: null })
        }
        return id
      })
      const [gone, later, stays] = [yield* furnished("swept-away"), yield* furnished("swept-later"), yield* furnished("stays")]
      yield* views.flush
      // The second one by an instance of a release that forgot no labels.
      yield* sql`
        INSERT INTO share_links (id, project_id, label, hash, notify_on_first_open, created_by, created_at, revoked_at)
        VALUES (gen_random_uuid(), ${stays}, '', 'forgotten', true, ${user.id}, now(), now()), (gen_random_uuid(), ${stays}, 'Acme', 'revoked', true, ${user.id}, now(), now())`
      const labels = sql`SELECT label, revoked_at IS NULL AS live FROM share_links WHERE project_id = ${stays} ORDER BY hash`
      assert.strictEqual((yield* sweepRemnantsOnce).labels, 1)
      assert.deepStrictEqual(yield* labels, [{ label: "", live: false }, { label: "", live: false }, { label: "Client", live: true }])
      yield* sql`DELETE FROM share_links WHERE project_id = ${stays} AND revoked_at IS NOT NULL`
      const left = (id: string) =>
        Effect.map(
          sql<Record<string, number>>`
            SELECT (SELECT count(*)::int FROM projects WHERE id = ${id}) AS projects, (SELECT count(*)::int FROM comments WHERE project_id = ${id}) AS comments,
              (SELECT count(*)::int FROM share_links WHERE project_id = ${id}) AS links, (SELECT count(*)::int FROM view_days WHERE project_id = ${id}) AS days,
              (SELECT count(*)::int FROM views WHERE project_id = ${id}) AS views`,
          ([row]) => Object.values(row!)
        )
      const [all, nothing] = [[1, 1, 1, 3, 3], [0, 0, 0, 0, 0]]
      yield* projects.remove(user, "swept-away")
      yield* TestClock.adjust(1)
      yield* projects.remove(user, "swept-later")
      const freed = sql`SELECT slug, workspace_id, freed_at FROM freed_slugs ORDER BY slug`
      const addresses = yield* freed
      assert.lengthOf(addresses, 2)
      const log = sql`SELECT id, action, target FROM audit_entries ORDER BY id`
      const told = yield* log

      yield* TestClock.adjust(30 * DAY - 1)
      assert.strictEqual((yield* sweepRemnantsOnce).projects, 0)
      assert.deepStrictEqual([yield* left(gone), yield* left(later)], [all, all])
      yield* TestClock.adjust(1)
      const two = yield* Effect.all([sweepRemnantsOnce, sweepRemnantsOnce], { concurrency: "unbounded" })
      assert.isAtLeast(two[0].projects + two[1].projects, 1)
      assert.deepStrictEqual([yield* left(gone), yield* left(later), yield* left(stays)], [nothing, all, all])
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).projects, 1)
      assert.deepStrictEqual([yield* left(later), yield* left(stays)], [nothing, all])
      assert.deepStrictEqual([yield* freed, yield* log], [addresses, told])
      // The next holder has browsers clear what an earlier one left there.
      const { project } = yield* publish(yield* somebody({ plan: "studio", trialDays: 9 }), "swept-away")
      assert.deepStrictEqual(yield* sql`SELECT succeeds FROM projects WHERE id = ${project.id}`, [{ succeeds: true }])
    }))

  it.effect("takes jobs that ended well after thirty days, with their answers; one that failed or waits stays", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      // As the engine numbers them: milliseconds since 2025, followed by 22 bits.
      const id = (Date.UTC(2026, 0, 1) - Date.UTC(2025, 0, 1)) * 2 ** 22
      const well = '{"_tag":"Success","value":{"_tag":"Complete","exit":{"_tag":"Success","value":null}}}'
      const ends: ReadonlyArray<readonly [entity: string, processed: boolean, payload: string | null]> = [
        ["Workflow/DeliverMail", true, well],
        ["ClusterCron/erase-due", true, '{"_tag":"Success"}'],
        ["Workflow/BuildExport", true, '{"_tag":"Success","value":{"_tag":"Complete","exit":{"_tag":"Failure","cause":[]}}}'],
        ["Workflow/Died", true, '{"_tag":"Failure","cause":[]}'],
        ["Workflow/Aside", true, '{"_tag":"Success","value":{"_tag":"Suspended"}}'],
        ["Workflow/Unanswered", true, null],
        ["Workflow/Waiting", false, null]
      ]
      for (const [at, [entity, processed, payload]] of ends.entries()) {
        const [message, reply] = [String(id + at * 1024), payload === null ? null : String(id + at * 1024 + 512)]
        yield* sql`
          INSERT INTO cluster_messages (id, shard_id, entity_type, entity_id, kind, tag, processed, request_id, last_reply_id)
          VALUES (${message}::bigint, 'elsewhere:1', ${entity}, 'one', 0, 'run', ${processed}, ${message}::bigint, ${reply}::bigint)`
        if (reply !== null) yield* sql`INSERT INTO cluster_replies (id, kind, request_id, payload) VALUES (${reply}::bigint, 0, ${message}::bigint, ${payload})`
      }
      yield* TestClock.adjust(30 * DAY)
      assert.strictEqual((yield* sweepRemnantsOnce).jobs, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* sweepRemnantsOnce).jobs, 2)
      const left = yield* sql<{ entity: string }>`SELECT entity_type AS entity FROM cluster_messages WHERE shard_id = 'elsewhere:1' ORDER BY id`
      assert.deepStrictEqual(left.map(({ entity }) => entity), ends.slice(2).map(([entity]) => entity))
      assert.deepStrictEqual(yield* sql`SELECT count(*)::int AS n FROM cluster_replies WHERE request_id >= ${String(id)}::bigint`, [{ n: 3 }])
    }))
})
