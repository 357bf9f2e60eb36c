/** The scoped GET /v1/me: which origins may read it with a reader's session, what they get, and what that allows. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Option } from "effect"
import { CommentTokens } from "../../src/domain/comments/comment-tokens.ts"
import { ProjectId } from "../../src/domain/projects/model.ts"
import { cookiesOf } from "../support/ask.ts"
import { Service, serviceWith } from "../support/service.ts"

layer(serviceWith(), { excludeTestServices: true })("viewer origins", (it) => {
  it.effect("rendered kinds read the reader's name and a comment token; sites, strangers and bearers do not", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: account.password } })
      const cookie = cookiesOf(login)
      const origin = (slug: string) => `http://${slug}.svc.localhost:${service.port}`
      for (const [slug, type] of [["note", "text/markdown"], ["table", "text/csv"], ["page", "text/html"]] as const) {
        yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body: "x", headers: { ...account.bearer, "content-type": type } })
      }
      const me = (headers: Record<string, string>) => service.ask("/v1/me", { headers })

      for (const slug of ["note", "table"]) {
        const scoped = yield* me({ cookie, origin: origin(slug) })
        assert.deepStrictEqual(Object.keys(scoped.json), ["user", "comment_token"])
        assert.deepStrictEqual(scoped.json.user, { name: "Ada Example", email: account.email })
        assert.strictEqual(scoped.headers["access-control-allow-origin"], origin(slug))
        assert.strictEqual(scoped.headers["access-control-allow-credentials"], "true")
        assert.match(String(scoped.headers.vary), /Origin/)
        const nobody = yield* me({ origin: origin(slug) })
        assert.strictEqual(nobody.status, 401)
        assert.strictEqual(nobody.headers["access-control-allow-origin"], origin(slug))
        assert.match(String(nobody.headers.vary), /Origin/)
      }
      // A framed site's own origin runs only our code; nobody signs in at its frame's host.
      const settings = (json: unknown) => service.ask("/v1/projects/page", { method: "PATCH", json, headers: account.bearer })
      for (const [json, trusted] of [
        [{ comments_enabled: true }, true], [{ html_display_mode: "framed" }, true], [{ html_display_mode: "raw" }, false],
        [{ html_display_mode: "auto", comments_enabled: false }, false]
      ] as const) {
        yield* settings(json)
        const framed = yield* me({ cookie, origin: origin("page") })
        assert.strictEqual(framed.headers["access-control-allow-origin"], trusted ? origin("page") : undefined)
        assert.strictEqual("comment_token" in framed.json, trusted)
      }
      yield* settings({ comments_enabled: true })
      const frame = /data-origin="([^"]+)"/.exec((yield* service.ask("/", { host: "page.svc.localhost" })).text)![1]!
      const fromFrame = yield* me({ cookie, origin: frame })
      assert.isUndefined(fromFrame.headers["access-control-allow-origin"])
      assert.isUndefined(fromFrame.json.comment_token)
      yield* settings({ comments_enabled: false })

      const foreign = [
        origin("page"), origin("never"), "https://evil.example", "null", `${origin("note")}.evil.example`,
        `https://note.svc.localhost:${service.port}`, `http://note.svc.localhost`, `http://a.note.svc.localhost:${service.port}`
      ]
      for (const given of foreign) {
        const whole = yield* me({ cookie, origin: given })
        assert.isUndefined(whole.headers["access-control-allow-origin"], given)
        assert.isUndefined(whole.json.comment_token, given)
      }
      const bearer = yield* me({ ...account.bearer, origin: origin("note") })
      assert.isUndefined(bearer.headers["access-control-allow-origin"])
      assert.deepStrictEqual(Object.keys(bearer.json), ["user", "workspaces"])
      // Only this endpoint: nothing else is readable from a project's origin.
      assert.isUndefined((yield* service.ask("/v1/tokens", { headers: { cookie, origin: origin("note") } })).headers["access-control-allow-origin"])
    }))

  it.effect("a comment token is one reader's, one project's, for fifteen minutes, within one epoch", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: account.password } })
      const headers = { cookie: cookiesOf(login), origin: `http://bound.svc.localhost:${service.port}` }
      yield* service.ask("/v1/projects/bound", { method: "PUT", body: "# x", headers: { ...account.bearer, "content-type": "text/markdown" } })
      const project = ProjectId.make((yield* service.ask("/v1/projects/bound", { headers: account.bearer })).json.id)
      const { comment_token: token } = (yield* service.ask("/v1/me", { headers })).json

      const opened = (raw: string, id: ProjectId, later = 0) =>
        service.inside(CommentTokens.use((tokens) => tokens.open(raw, id))).pipe(
          Effect.provideService(Clock.Clock, Object.assign(Object.create(clock), { currentTimeMillis: Effect.sync(() => Date.now() + later) })),
          Effect.map((user) => Option.getOrUndefined(user)?.email)
        )
      const clock = yield* Clock.Clock
      assert.strictEqual(yield* opened(token, project), account.email)
      assert.isUndefined(yield* opened(token, ProjectId.make(account.id)))
      assert.isUndefined(yield* opened(`${token}x`, project))
      assert.isUndefined(yield* opened(cookiesOf(login).split("; ")[0]!.split("=")[1]!, project))
      assert.strictEqual(yield* opened(token, project, 14 * 60_000), account.email)
      assert.isUndefined(yield* opened(token, project, 15 * 60_000))
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } })).status, 401)
      yield* service.ask("/v1/auth/logout-all", { method: "POST", headers: { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token } })
      assert.isUndefined(yield* opened(token, project))
    }))
})
