/** OAuth decisions: which addresses an answer may be sent to, and what proves a challenge. */
import { createHash } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { answered, mayRedirect, redirectFault, redirectHost } from "../../../src/domain/oauth/redirects.ts"
import type { Code } from "../../../src/domain/oauth/model.ts"
import { authorizationFault, proves, redeem, type Redemption } from "../../../src/domain/oauth/rules.ts"

const hash = (text: string) => createHash("sha256").update(text).digest("hex")
/** RFC 7636, appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

it.each([
  "https://agent.example/cb", "https://agent.example:8443/cb?a=b", "http://127.0.0.1/cb", "http://127.0.0.1:1/cb", "http://[::1]:8080/", "http://localhost",
  "com.example.app:/cb", "com.example.app://host/cb", "cursor://anysphere.cursor-mcp/oauth/callback"
])("%s may be registered", (uri) => assert.isUndefined(redirectFault(uri)))

it.each([
  "", "/cb", "//agent.example/cb", "agent.example/cb", "http://agent.example/cb", "http://localhost.evil/cb", "http://127.0.0.1.evil/cb", "http://127.0.0.1:1@evil/cb",
  "http://127.1/cb", "http://2130706433/cb", "https://u@agent.example/", "https://:pw@agent.example/", "https://agent.example/#", "https://agent.example/ x", "https://agent.example\\@evil/", "https:/agent.example/cb", "https:agent.example",
  "javascript:alert(1)", "data:text/html,x", "myapp:/cb", "cursor:/cb", "cursor://anysphere.cursor-mcp/oauth/callback/", "cursor://anysphere.cursor-mcp/oauth/callback?x=1", "cursor://evil/oauth/callback", "CURSOR://anysphere.cursor-mcp/oauth/callback", "file:///etc/passwd", "https://agent.example/\r\nX: y", "https://bücher.example/", `https://agent.example/${"x".repeat(2000)}`
])("%s may not", (uri) => assert.isString(redirectFault(uri)))

it("addresses compare as they are written; loopback ones without their port", () => {
  const registered = ["https://agent.example/cb", "http://127.0.0.1:3000/cb?x=1", "http://localhost"]
  for (const uri of [...registered, "http://127.0.0.1/cb?x=1", "http://127.0.0.1:65535/cb?x=1", "http://localhost:5"]) assert.isTrue(mayRedirect(registered, uri), uri)
  for (const uri of [
    "https://agent.example:443/cb", "https://agent.example/cb/", "https://agent.example/CB", "https://agent.example/x/../cb", "http://127.0.0.1/cb", "http://127.0.0.1/cb?x=2",
    "http://localhost/", "http://localhost:5/x", "http://localhost:99999", "http://[::1]:3000/cb?x=1", "https://127.0.0.1:3000/cb?x=1"
  ]) assert.isFalse(mayRedirect(registered, uri), uri)
})

it("an answer keeps the query that was there, and a person sees the host", () => {
  assert.strictEqual(answered("https://a.example/cb?x=%2F", { code: "c d", state: undefined, iss: "i" }), "https://a.example/cb?x=%2F&code=c+d&iss=i")
  assert.deepStrictEqual(["https://a.example:8/cb", "http://[::1]:1/", "com.example.app:/cb", "cursor://anysphere.cursor-mcp/oauth/callback"].map(redirectHost), ["a.example:8", "[::1]:1", "com.example.app", "cursor://anysphere.cursor-mcp"])
})

it("a verifier proves its own challenge alone", () => {
  assert.isTrue(proves(VERIFIER, CHALLENGE, hash))
  for (const wrong of [CHALLENGE, VERIFIER.slice(1), `${VERIFIER}x`, "", "x".repeat(42), "x".repeat(129), `${VERIFIER} `]) assert.isFalse(proves(wrong, CHALLENGE, hash))
  // Too short to be guessed by nobody, however well it fits.
  const short = "x".repeat(42)
  assert.isFalse(proves(short, createHash("sha256").update(short).digest("base64url"), hash))
})

it("checks come in their order", () => {
  const resource = "https://svc.example/mcp"
  const request = { clientId: "c", redirectUri: "r", codeChallenge: CHALLENGE, codeChallengeMethod: "S256", scope: "mcp", state: undefined, resource }
  assert.isUndefined(authorizationFault(request, resource))
  assert.isUndefined(authorizationFault({ ...request, scope: "openid mcp", resource: undefined }, resource))
  const bad = { ...request, scope: "x", resource: `${resource}/` }
  assert.strictEqual(authorizationFault({ ...bad, codeChallenge: undefined, codeChallengeMethod: "plain" }, resource)?.field, "code_challenge")
  assert.strictEqual(authorizationFault({ ...bad, codeChallengeMethod: undefined }, resource)?.field, "code_challenge_method")
  assert.strictEqual(authorizationFault(bad, resource)?.error, "invalid_scope")
  assert.strictEqual(authorizationFault({ ...bad, scope: undefined }, resource)?.error, "invalid_target")
})

it("a code is redeemed by its client before its minute is over, at its address, with its verifier, for its resource", () => {
  const expiresAt = DateTime.makeUnsafe("2026-11-23T12:01:00.000Z")
  const at = (ms: number) => DateTime.add(expiresAt, { milliseconds: ms })
  const code = { clientId: "c", redirectUri: "https://agent.example/cb", challenge: CHALLENGE, resource: "https://svc.example/mcp", expiresAt } as Code
  const asked: Redemption = { clientId: "c", redirectUri: code.redirectUri, verifier: VERIFIER, resource: code.resource }
  const verdict = (changes: Partial<Redemption>, now = at(-1)) =>
    Result.match(redeem(code, { ...asked, ...changes }, hash, now), { onSuccess: () => "redeemed", onFailure: ({ error, message }) => `${error}: ${message}` })

  const invalid = "invalid_grant: This authorization code is not valid."
  assert.deepStrictEqual([-60_000, -1, 0, 1].map((ms) => verdict({}, at(ms))), ["redeemed", "redeemed", invalid, invalid])
  assert.strictEqual(verdict({ resource: undefined }), "redeemed")
  // Another client learns nothing of the code, whatever else is wrong.
  assert.strictEqual(verdict({ clientId: "d", redirectUri: "x", verifier: "x", resource: "x" }), invalid)
  assert.strictEqual(verdict({ redirectUri: `${code.redirectUri}/`, verifier: "x", resource: "x" }), "invalid_grant: The redirect_uri is not the one that was authorized.")
  assert.strictEqual(verdict({ verifier: `${VERIFIER}x`, resource: "x" }), "invalid_grant: The code_verifier does not fit the challenge.")
  assert.strictEqual(verdict({ resource: `${code.resource}/` }), `invalid_target: The resource is ${code.resource}.`)
})
