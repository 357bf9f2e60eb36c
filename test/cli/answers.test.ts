/** What the command line says of answers that are none of svc's, of connections that never come about, and when its own reader leaves. */
import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { isLasting, reasonOf } from "../../src/cli/refusal.ts"
import { environment, newFolder, svc } from "../support/cli.ts"

const html = join(newFolder({ "page.html": "<h1>x</h1>" }), "page.html")

/** Something that answers in this way, and how often it was asked. */
const answering = (answer: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly port: number; readonly asked: () => number; readonly close: () => void }>((resolve) => {
        let asked = 0
        const server = createServer((request, response) => {
          asked++
          request.resume().on("end", () => answer(request, response))
        }).listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port, asked: () => asked, close: () => server.close() }))
      })),
    ({ close }) => Effect.sync(close)
  )

const TOKEN = `svc_${"x".repeat(43)}`

const run = (base: string, ...args: ReadonlyArray<string>) => Effect.promise(() => svc(args, environment({ SVC_BASE_URL: base, SVC_TOKEN: TOKEN })))

const envelope = (code: string, message: string, field: string | null = null) => JSON.stringify({ error: { code, message, field, details: {} } })

it.live("says what stands in front of a service, and what to do where a command differs from the API", () =>
  Effect.gen(function*() {
    const cases: ReadonlyArray<readonly [status: number, headers: Record<string, string>, body: string, says: string, next: string, ...args: ReadonlyArray<string>]> = [
      [200, { "content-type": "text/html" }, "<h1>Sign in to the proxy</h1>", "answered in a way this version does not know", "svc doctor", "publish", html],
      [301, { location: "https://svc.example.com/v1/projects" }, "", "This address leads elsewhere: https://svc.example.com/v1/projects", "SVC_BASE_URL", "publish", html],
      [301, { location: "https://svc.example.com/v1/projects" }, "", "This address leads elsewhere: https://svc.example.com/v1/projects", "SVC_BASE_URL", "list"],
      [413, { "content-type": "text/html" }, "<h1>413</h1>", "Something in front of the service refuses uploads this big.", "Ask whoever runs it", "publish", html],
      [401, { "content-type": "application/json" }, envelope("auth_required", "Sign in first."), "Sign in first.", "SVC_TOKEN is no good: set another, or unset it", "publish", html],
      [409, { "content-type": "application/json" }, envelope("slug_taken", "This address is taken.", "slug"), "This address is taken.", "Choose another: svc rename one <new-slug>", "rename", "one", "other"],
      [409, { "content-type": "application/json" }, envelope("conflict", "Delete it with move_projects=true."), "Delete it with --move-projects.", "", "folders", "delete", "01890a5d-ac96-774b-bcce-b302099a8057", "--yes"]
    ]
    for (const [status, headers, body, says, next, ...args] of cases) {
      const there = yield* answering((_, response) => void response.writeHead(status, headers).end(body))
      const { code, stderr } = yield* run(`http://127.0.0.1:${there.port}`, ...args)
      assert.strictEqual(code, status === 401 ? 3 : 1, stderr)
      assert.include(stderr, says, args.join(" "))
      assert.include(stderr, next)
      assert.notInclude(stderr, "stumbled")
      assert.strictEqual(there.asked(), 1, stderr)
    }
  }).pipe(Effect.scoped), 60_000)

it.live("does not try again what is so again, and says it in words", () =>
  Effect.gen(function*() {
    const there = yield* answering((_, response) => void response.end())
    const { code, stderr } = yield* run(`https://127.0.0.1:${there.port}`, "publish", html)
    assert.strictEqual(code, 4)
    assert.include(stderr, "no TLS is spoken there")
    assert.notInclude(stderr, "Trying again")
    for (const code of ["ENOTFOUND", "EPROTO", "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"]) {
      assert.isTrue(isLasting({ code }), code)
      assert.notStrictEqual(reasonOf({ code }), code)
    }
    for (const code of ["ECONNREFUSED", "ECONNRESET", "EAI_AGAIN", "ETIMEDOUT"]) assert.isFalse(isLasting({ code }), code)
  }).pipe(Effect.scoped), 60_000)
