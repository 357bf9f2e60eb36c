/** The demo: made once, found again, published at another address if its own is taken, and made by a first start on this machine alone. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { loadConfig } from "../../src/services/config.ts"
import { EMAIL, seed } from "../../src/services/seed.ts"
import { firstDemo } from "../../src/serving.ts"
import { withBucketKeys } from "../support/bucket.ts"
import { houseWith } from "../support/house.ts"

withBucketKeys()

const SAMPLE = [{ path: "index.html", content: "<h1>Hello</h1>" }]

const everything = SqlClient.SqlClient.use((sql) =>
  sql`SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM workspaces) AS workspaces,
    (SELECT count(*)::int FROM projects) AS projects, (SELECT count(*)::int FROM api_tokens) AS tokens`)

layer(houseWith())("the seed", (it) => {
  it.effect("is not sown by a first start that others come to, whose log would hold the way in", () =>
    Effect.gen(function*() {
      const elsewhere = { SVC_DATABASE_URL: "postgres://svc@127.0.0.1:1/svc", SVC_SECRET: "k".repeat(32), SVC_SMTP_URL: "smtp://127.0.0.1:1" }
      for (const environment of [{ SVC_BASE_URL: "https://svc.example.com" }, { SVC_BASE_URL: "http://localhost.example.com" }, elsewhere]) {
        assert.isNull(yield* Effect.flatMap(loadConfig(environment), firstDemo), JSON.stringify(environment))
      }
      for (const environment of [{}, { SVC_BASE_URL: "http://localhost:8787" }, { SVC_BASE_URL: "http://127.0.0.1:8787", SVC_CONTENT_DOMAIN: "localhost:8787" }]) {
        assert.isTrue((yield* loadConfig(environment)).demo)
      }
      assert.deepInclude(yield* everything, { users: 0, workspaces: 0, projects: 0, tokens: 0 })
    }))

  it.effect("is sown once: again, it says so and changes nothing", () =>
    Effect.gen(function*() {
      const demo = yield* seed(SAMPLE)
      assert.strictEqual(demo?.email, EMAIL)
      assert.include(demo!.sampleUrl, "q3-report.")
      const before = yield* everything
      assert.deepStrictEqual(before, [{ users: 1, workspaces: 1, projects: 1, tokens: 1 }])
      assert.isNull(yield* seed(SAMPLE))
      assert.deepStrictEqual(yield* everything, before)
    }))
})

layer(Layer.fresh(houseWith()))("the seed beside others", (it) => {
  it.effect("takes another address where somebody has the sample’s", () =>
    Effect.gen(function*() {
      yield* seed(SAMPLE)
      // The first demo account becomes somebody else, who keeps the address.
      yield* SqlClient.SqlClient.use((sql) => sql`UPDATE users SET email = 'somebody@example.com' WHERE email = ${EMAIL}`)
      const demo = yield* seed(SAMPLE)
      assert.notInclude(demo!.sampleUrl, "q3-report.")
      assert.isTrue(Option.isSome(yield* AccountStore.use((store) => store.byEmail(EMAIL))))
    }))
})

layer(houseWith({ SVC_S3_BUCKET: "packs", SVC_S3_ENDPOINT: "http://127.0.0.1:1" }))("the seed without storage", (it) => {
  it.effect("is the account with its password and token, which would not be shown again; only the sample is missing", () =>
    Effect.gen(function*() {
      const demo = yield* seed(SAMPLE)
      assert.deepInclude(demo, { email: EMAIL, sampleUrl: null })
      assert.deepStrictEqual(yield* everything, [{ users: 1, workspaces: 1, projects: 0, tokens: 1 }])
    }))
})
