/** Many simultaneous queries become one statement, sent after all of them were made; one query's fault does not affect the others. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { ApiTokenStore } from "../../../src/domain/api-tokens/store.ts"
import { PassStore } from "../../../src/domain/hosting/store.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { ProjectStore } from "../../../src/domain/projects/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { together } from "../../../src/services/database/together.ts"
import { freshDatabase } from "../../support/database.ts"
import { houseWith } from "../../support/house.ts"
import { toBeErased } from "../../support/to-be-erased.ts"

/** Doubles its input, and records which inputs were sent together. */
const doubling = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements: Array<ReadonlyArray<string>> = []
  const ask = yield* together({
    alone: (asked: string) =>
      Effect.suspend(() => {
        statements.push([asked])
        return Effect.orDie(Effect.map(sql<{ twice: number }>`SELECT ${asked}::int * 2 AS twice`, ([row]) => row!.twice))
      }),
    many: (asked) =>
      Effect.suspend(() => {
        statements.push(asked)
        return Effect.orDie(Effect.map(
          sql<{ twice: number }>`SELECT n::int * 2 AS twice FROM unnest(${asked}::text[]) WITH ORDINALITY AS a (n, at) ORDER BY at`,
          (rows) => rows.map((row) => row.twice)
        ))
      })
  })
  return { ask, statements }
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => String(from + n))

layer(freshDatabase, { excludeTestServices: true })("questions asked together", (it) => {
  it.effect("are one statement, and each is told its own answer", () =>
    Effect.gen(function*() {
      const { ask, statements } = yield* doubling
      assert.strictEqual(yield* ask("21"), 42)
      const all = yield* Effect.forEach(numbers(1, 150), ask, { concurrency: "unbounded" })
      assert.deepStrictEqual(all, numbers(1, 150).map((n) => Number(n) * 2))
      assert.deepStrictEqual(statements, [["21"], numbers(1, 64), numbers(65, 128), numbers(129, 150)])
    }))

  it.effect("are read after they were asked, whatever is under way", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE facts (value int NOT NULL)`
      yield* sql`INSERT INTO facts VALUES (0)`
      const read = Effect.orDie(Effect.map(sql<{ value: number }>`SELECT value FROM facts`, ([row]) => row!.value))
      const ask = yield* together({ alone: () => read, many: (asked) => Effect.map(read, (value) => asked.map(() => value)) })
      const asking = yield* Effect.forkChild(Effect.forEach(numbers(1, 200), ask, { concurrency: "unbounded" }))
      for (let value = 1; value <= 20; value++) {
        yield* sql`UPDATE facts SET value = ${value}`
        assert.deepStrictEqual(yield* Effect.all([ask("a"), ask("b"), ask("c")], { concurrency: "unbounded" }), [value, value, value])
      }
      yield* Fiber.join(asking)
    }))

  it.effect("are sent separately inside a transaction, which sees uncommitted rows", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const outside = Effect.runPromiseWith(yield* Effect.context<never>())
      const seen = Effect.orDie(Effect.map(sql`SELECT 1 FROM pg_class WHERE relname = 'unborn'`, (rows) => rows.length))
      const ask = yield* together({ alone: () => seen, many: (asked) => Effect.map(seen, (found) => asked.map(() => found)) })
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`CREATE TABLE unborn ()`
        assert.deepStrictEqual(yield* Effect.all([ask(1), ask(2)], { concurrency: "unbounded" }), [1, 1])
        const others = Effect.all([ask(1), ask(2)], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* Effect.promise(() => outside(others)), [0, 0])
      }))
    }))

  it.effect("fail alone where they are wrong themselves, and together where the statement does", () =>
    Effect.gen(function*() {
      const { ask } = yield* doubling
      const exits = yield* Effect.forEach(["1", "no number", "3"], (n) => Effect.exit(ask(n)), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map((exit) => exit._tag === "Success" ? exit.value : exit._tag), [2, "Failure", 6])
      const down = yield* together({ alone: () => Effect.die("down"), many: () => Effect.die("down") })
      const all = yield* Effect.forEach([1, 2, 3], (n) => Effect.exit(down(n)), { concurrency: "unbounded" })
      assert.deepStrictEqual(all.map((exit) => exit._tag), ["Failure", "Failure", "Failure"])
    }))

  it.effect("go on for those who stay", () =>
    Effect.gen(function*() {
      const [begun, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const asked: Array<ReadonlyArray<number>> = []
      const many = Effect.fnUntraced(function*(all: ReadonlyArray<number>) {
        asked.push(all)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(open)
        return all.map((n) => n * 2)
      })
      const ask = yield* together({ alone: (n: number) => Effect.succeed(n * 2), many })
      const [one, two, three] = yield* Effect.forEach([1, 2, 3], (n) => Effect.forkChild(ask(n), { startImmediately: true }))
      // A query cancelled before the statement is sent is left out; one cancelled during it stops waiting.
      three!.interruptUnsafe()
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(one!)
      yield* Deferred.succeed(open, undefined)
      assert.strictEqual(yield* Fiber.join(two!), 4)
      assert.deepStrictEqual(asked, [[1, 2]])
    }))
})

layer(houseWith())("what many ask at once", (it) => {
  const person = Effect.gen(function*() {
    const { uuid } = yield* Tokens
    const now = yield* DateTime.now
    const [id, home] = [UserId.make(yield* uuid), WorkspaceId.make(yield* uuid)]
    yield* AccountStore.use((store) => store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "some", home: { id: home, name: "Home", plan: "studio", trialEndsAt: now } }, now))
    yield* SqlClient.SqlClient.use((sql) => sql`INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at) VALUES (gen_random_uuid(), ${id}, 'test', 'svc_', ${`token of ${id}`}, now())`)
    return { id, home }
  })

  it.effect("is told to each as if they had asked alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [accounts, tokens, projects, workspaces] = [yield* AccountStore, yield* ApiTokenStore, yield* ProjectStore, yield* WorkspaceStore]
      const now = yield* DateTime.now
      const [owner, colleague, stranger, leaver] = [yield* person, yield* person, yield* person, yield* person]
      yield* workspaces.join(colleague.id, { workspaceId: owner.home, role: "member", isOwner: false }, now)
      yield* toBeErased(sql, leaver.id)
      const folder = yield* (yield* Tokens).uuid
      yield* sql`INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at) VALUES (${folder}, ${owner.home}, 'Mine', 'private', ${owner.id}, now(), now())`
      for (const [slug, { home, id }, within, deleted] of [["shown", owner, null, null], ["hidden", owner, folder, null], ["gone", owner, null, new Date()], ["elsewhere", stranger, null, null]] as const) {
        yield* sql`
          INSERT INTO projects (id, workspace_id, owner_id, folder_id, slug, title, visibility, comments_enabled, comment_access, comment_allowlist_inherit, html_display_mode, indexable, created_at, updated_at, deleted_at)
          VALUES (gen_random_uuid(), ${home}, ${id}, ${within}, ${slug}, 'T', 'private', true, 'allowlist', true, 'auto', false, now(), now(), ${deleted})`
      }
      const people = [owner, colleague, stranger, leaver]
      yield* (yield* PassStore).spend(`end of ${stranger.id}`, now)
      const questions = {
        sessions: people.map(({ id }) => Effect.map(accounts.findSignedIn(id, `end of ${id}`), Option.map((user) => user.id))),
        memberships: people.map(({ id }) => Effect.map(workspaces.memberships(id), (all) => all.map(({ id, isHome, role }) => ({ id, isHome, role })))),
        tokens: people.map(({ id }) => Effect.map(tokens.authenticate(`token of ${id}`), Option.map(({ user }) => user.id))),
        lists: people.flatMap(({ id }) => [owner, stranger].map(({ home }) => Effect.map(projects.list(home, id, { limit: 10, after: undefined, folderId: undefined, query: undefined }), (all) => all.map(({ slug }) => slug).sort()))),
        details: people.flatMap(({ id }) => ["shown", "hidden", "gone"].map((slug) => Effect.map(projects.detail(slug, id), Option.map(({ hidden, role }) => ({ hidden, role }))))),
        workspaces: people.flatMap(({ id }) => [undefined, owner.home].map((home) => Effect.map(workspaces.membership(id, home, now), Option.map(({ id, role }) => ({ id, role })))))
      }
      const alone = yield* Effect.all({
        sessions: Effect.all(questions.sessions), memberships: Effect.all(questions.memberships),
        tokens: Effect.all(questions.tokens), lists: Effect.all(questions.lists), details: Effect.all(questions.details), workspaces: Effect.all(questions.workspaces)
      })
      assert.deepStrictEqual(alone.tokens.map(Option.isSome), [true, true, true, false])
      assert.deepStrictEqual(alone.sessions.map(Option.isSome), [true, true, false, false])
      assert.deepStrictEqual(alone.memberships[1], [{ id: colleague.home, isHome: true, role: "admin" }, { id: owner.home, isHome: false, role: "member" }])
      assert.deepStrictEqual(alone.lists.slice(0, 3), [["hidden", "shown"], ["elsewhere"], ["shown"]])
      assert.deepStrictEqual(alone.details.slice(3, 6).map(Option.getOrNull), [{ hidden: false, role: "member" }, { hidden: true, role: "member" }, null])
      const unbounded = { concurrency: "unbounded" } as const
      assert.deepStrictEqual(yield* Effect.all(questions.sessions, unbounded), alone.sessions)
      assert.deepStrictEqual(yield* Effect.all(questions.memberships, unbounded), alone.memberships)
      assert.deepStrictEqual(yield* Effect.all(questions.tokens, unbounded), alone.tokens)
      assert.deepStrictEqual(yield* Effect.all(questions.lists, unbounded), alone.lists)
      assert.deepStrictEqual(yield* Effect.all(questions.details, unbounded), alone.details)
      assert.deepStrictEqual(yield* Effect.all(questions.workspaces, unbounded), alone.workspaces)
    }))
})
