/** The typed client that the contract makes: the same values and failures on both sides of the wire. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../../src/http/contract/api.ts"
import { Service, serviceWith } from "../support/service.ts"

layer(serviceWith(), { excludeTestServices: true })("the typed client", (it) => {
  it.effect("reads what the server wrote, and gets the domain's own failures back", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      yield* service.ask("/v1/projects/typed", { method: "PUT", body: "hello", headers: { ...account.bearer, "content-type": "text/plain" } })
      const client = yield* HttpApiClient.make(Api, {
        transformClient: (client) =>
          client.pipe(
            HttpClient.mapRequest(HttpClientRequest.prependUrl(`http://127.0.0.1:${service.port}`)),
            HttpClient.mapRequest(HttpClientRequest.bearerToken(account.token))
          )
      })
      const me = yield* client.account.me()
      assert.strictEqual(me.user.email, account.email)
      assert.isTrue("workspaces" in me && DateTime.isDateTime(me.workspaces[0]!.trialEndsAt!))
      const project = yield* client.projects.get({ params: { slug: "typed" }, query: {} })
      assert.strictEqual(project.kind, "text")
      assert.strictEqual(project.versions[0]!.sizeBytes, 5)
      const missing = yield* Effect.flip(client.projects.get({ params: { slug: "typed-never" }, query: {} }))
      assert.strictEqual(missing._tag, "not_found")
      const taken = yield* Effect.flip(client.projects.change({ params: { slug: "typed" }, payload: { slug: "www" as never } }))
      assert.strictEqual(taken._tag, "slug_reserved")
    }).pipe(Effect.provide(FetchHttpClient.layer)))
})
