/** The gates' routes as a protocol, and who may cache an answer behind a gate: over real sockets. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { InvalidCredentials, InvalidToken, NotFound, tooManyTries } from "../../../src/domain/failures.ts"
import type { Pass, PassId } from "../../../src/domain/hosting/model.ts"
import type { ShareLinkId } from "../../../src/domain/share-links/model.ts"
import { form } from "../../support/ask.ts"
import { hash, openRig } from "./rig.ts"
import type { Answer, Rig } from "./rig.ts"

const HTML = "text/html; charset=utf-8"
const SECRET = "the author's own words"
const RAW = "p".repeat(43)
const AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36"
const COOKIE = `__Host-svc_gate=${RAW}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax`
const files = { "index.html": [HTML, SECRET.repeat(100)], "a.txt": ["text/plain; charset=utf-8", SECRET], "b.png": ["image/png", SECRET],
  "d.svg": ["image/svg+xml", SECRET], "t.csv": ["text/csv; charset=utf-8", SECRET], "z.zip": ["application/zip", SECRET],
  "p.pdf": ["application/pdf", SECRET], "v.mp4": ["video/mp4", SECRET], "s.js": ["text/javascript; charset=utf-8", SECRET], "j.json": ["application/json", SECRET] } as const
const pass: Pass = {
  id: "g" as PassId, via: "link", givenAt: DateTime.makeUnsafe(Date.now()), accessEpoch: 0, frameName: "f", member: null,
  link: { id: "l" as ShareLinkId, expiresAt: null, revoked: false }
}

describe("gates", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig({ bodyMs: 60, outageIn: (cause) => String(cause).includes("away") ? { what: "away", code: "57P01" } : undefined })
    rig.publish("open", files)
    rig.publish("code", files, { visibility: "password" })
    rig.publish("members", files, { visibility: "private" })
    rig.passes.set(hash(Buffer.from(RAW)), pass)
  })
  beforeEach(() => {
    rig.gated.answer = Effect.succeed({ let: "in", cookie: RAW })
    rig.gated.asked.length = 0
    rig.defects.length = 0
  })
  afterAll(() => rig.close())

  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    rig.ask("code", "/_svc/gate/password", { "content-type": "application/x-www-form-urlencoded", ...headers }, "POST", body)
  const share = (path = "t=x", headers: Record<string, string> = {}, method = "GET") =>
    rig.ask("code", `/_svc/gate/share?${path}`, { "user-agent": AGENT, ...headers }, method)
  const errorOf = (answer: Answer) => JSON.parse(answer.text).error

  /** Headers of every answer of a gate. */
  const isGate = ({ headers }: Answer) => {
    assert.strictEqual(headers["cache-control"], "private, no-store")
    assert.strictEqual(headers["referrer-policy"], "no-referrer")
    assert.strictEqual(headers["x-content-type-options"], "nosniff")
    assert.strictEqual(headers["x-robots-tag"], "noindex")
  }

  it("the right doorcode leads on, with a pass; a program is told so", async () => {
    const answer = await post("password=open+sesame&next=%2Fa%3Fb%3D1")
    isGate(answer)
    assert.deepStrictEqual([answer.status, answer.headers.location, answer.headers["set-cookie"], answer.text], [303, "/a?b=1", [COOKIE], ""])
    assert.deepStrictEqual(rig.gated.asked, [["code", "open sesame", "client"]])
    const { body, headers } = form({ name: "password", value: "open sésame" }, { name: "next", value: "/a?b=1" }, { name: "note", file: "a.txt", content: "x" })
    const parts = await post(body, headers)
    assert.deepStrictEqual([parts.status, parts.headers.location, rig.gated.asked[1]], [303, "/a?b=1", ["code", "open sésame", "client"]])
    for (const next of ["/x", null]) {
      const json = await post(JSON.stringify({ password: "open sesame", next }), { "content-type": "application/json; charset=utf-8", accept: "application/json" })
      isGate(json)
      assert.deepStrictEqual([json.status, json.text, json.headers["set-cookie"], json.headers.location], [200, `{"status":"ok"}`, [COOKIE], undefined])
    }
  })

  it("goes nowhere but on this project", async () => {
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "/_svc/gate/share?t=x", "/a\r\nX-Evil: 1", ""]) {
      const answer = await post(new URLSearchParams({ password: "x", next }).toString())
      assert.deepStrictEqual([answer.status, answer.headers.location, answer.headers["x-evil"]], [303, "/", undefined])
      const member = await rig.ask("code", `/_svc/gate/member?${new URLSearchParams({ t: "k", next })}`)
      assert.deepStrictEqual([member.status, member.headers.location], [303, "/"])
    }
    assert.strictEqual((await post("password=x&next=/a&next=/b")).headers.location, "/")
  })

  it("leads on to the longest path, and to a query with a backslash", async () => {
    for (const next of [`/${"%E4%B8%AD".repeat(341)}?re=\\d`, `/a?${"~".repeat(2_600)}`, `/a?${"a".repeat(4_000)}`]) {
      assert.strictEqual((await post(new URLSearchParams({ password: "x", next }).toString())).headers.location, next)
      assert.strictEqual((await rig.ask("code", `/_svc/gate/member?${new URLSearchParams({ t: "k", next })}`)).headers.location, next)
      assert.include((await rig.ask("members", next)).text, new URLSearchParams({ next }).toString())
    }
  })

  it("a wrong one gets the page again, without what was typed", async () => {
    rig.gated.answer = Effect.fail(new InvalidCredentials({ message: "That is not the doorcode.", field: "password" }))
    const answer = await post("password=hunter2&next=%2Fa%3Fq%3D%22%3Cb%3E")
    isGate(answer)
    assert.strictEqual(answer.status, 401)
    assert.include(answer.text, "That is not the doorcode.")
    assert.include(answer.text, `aria-invalid="true" aria-describedby="refusal"`)
    assert.include(answer.text, `name="next" value="/a?q=&quot;&lt;b&gt;"`)
    assert.notInclude(answer.text, "hunter2")
    assert.isUndefined(answer.headers["set-cookie"])
    assert.match(answer.headers["content-security-policy"] as string, /form-action 'self'/)
    assert.include((await post("password=hunter2&next=%2Fa%3Fq%3D1%26z")).text, `value="/a?q=1&amp;z"`)
    const json = await post("password=hunter2", { accept: "application/json" })
    assert.deepStrictEqual([json.status, errorOf(json).code, errorOf(json).field], [401, "invalid_credentials", "password"])
    assert.notInclude(json.text, "hunter2")
  })

  it("a window that sent a wrong one is led back to where it was, and told there once", async () => {
    const window = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" }
    const shown = (cookie: string, headers: Record<string, string> = window) => rig.ask("code", "/a?b=1", { ...headers, cookie })
    const failures = [
      [new InvalidCredentials({ message: "No.", field: "password" }), "wrong", "That is not the doorcode."],
      [tooManyTries(61), "wait-61", "Too many tries. Wait 2 minutes, then try again."]
    ] as const
    for (const [failure, note, words] of failures) {
      rig.gated.answer = Effect.fail(failure)
      const answer = await post("password=hunter2&next=%2Fa%3Fb%3D1", window)
      isGate(answer)
      assert.deepStrictEqual([answer.status, answer.headers.location, answer.text], [303, `/_svc/gate/password?note=${note}&next=%2Fa%3Fb%3D1`, ""])
      assert.deepStrictEqual(answer.headers["set-cookie"], [`__Host-svc_try=${note}; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Strict`])
      const back = await rig.ask("code", answer.headers.location!, { ...window, cookie: `__Host-svc_try=${note}` })
      assert.deepStrictEqual([back.status, back.headers.location, back.headers["set-cookie"]], [303, "/a?b=1", undefined])
      // A browser that keeps no cookies is told on the way.
      const bare = await rig.ask("code", answer.headers.location!, window)
      isGate(bare)
      assert.deepStrictEqual([bare.status, bare.headers["set-cookie"], bare.headers["retry-after"]], note === "wrong" ? [401, undefined, undefined] : [429, undefined, "61"])
      assert.include(bare.text, words)
      assert.include(bare.text, `name="next" value="/a?b=1"`)
      const told = await shown(`x=y; __Host-svc_try=${note}`)
      assert.deepStrictEqual([told.status, told.headers["set-cookie"]], [401, ["__Host-svc_try=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict"]])
      assert.include(told.text, words)
      assert.include(told.text, `name="next" value="/a?b=1"`)
      // What the page loads does not read it away.
      const loaded = await shown(`__Host-svc_try=${note}`, { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" })
      assert.deepStrictEqual([loaded.headers["set-cookie"], loaded.text.includes(words)], [undefined, false])
      assert.strictEqual((await post("password=hunter2", { ...window, accept: "application/json" })).status, note === "wrong" ? 401 : 429)
    }
    for (const cookie of ["", "__Host-svc_try=", "__Host-svc_try=wait-", "__Host-svc_try=Type it at evil.example", "__Host-svc_try=wrong<b>", "svc_try=wrong"]) {
      const plain = await shown(cookie)
      assert.deepStrictEqual([plain.status, plain.headers["set-cookie"], plain.text.includes(`role="alert"`)], [401, undefined, false], cookie)
    }
    for (const [query, next] of [["note=Type+it+at+evil.example&next=%2Fa", "/a"], ["note=wrong&note=wrong", "/"], ["next=%2F%2Fevil.example", "/"]]) {
      const plain = await rig.ask("code", `/_svc/gate/password?${query}`, window)
      assert.deepStrictEqual([plain.status, plain.headers.location, plain.text], [303, next, ""], query)
    }
  })

  it("a window that kept no pass is told so, where it would be asked for the doorcode again", async () => {
    const window = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" }
    const answer = await post("password=open+sesame&next=%2Fa%3Fb%3D1", window)
    isGate(answer)
    assert.deepStrictEqual([answer.status, answer.headers.location, answer.headers["set-cookie"]], [303, "/_svc/gate/password?note=right&next=%2Fa%3Fb%3D1", [COOKIE]])
    const entered = await rig.ask("code", answer.headers.location!, { ...window, cookie: COOKIE.split(";")[0]! })
    assert.deepStrictEqual([entered.status, entered.headers.location], [303, "/a?b=1"])
    const bare = await rig.ask("code", answer.headers.location!, window)
    isGate(bare)
    assert.deepStrictEqual([bare.status, bare.headers["set-cookie"]], [401, undefined])
    assert.include(bare.text, "Allow cookies for this address")
    assert.include(bare.text, `name="next" value="/a?b=1"`)
  })

  it("takes a doorcode at the address that its page stands at, and no other form there", async () => {
    const at = (path: string, body: string, headers: Record<string, string> = {}, slug = "code") =>
      rig.ask(slug, path, { "content-type": "application/x-www-form-urlencoded", ...headers }, "POST", body)
    for (const path of ["/a?b=1", "/gone", "/_svc/versions", "/_svc/gate/password?note=wrong&next=%2Fx"]) {
      const answer = await at(path, "next=%2Fa%3Fb%3D1&password=open+sesame", { "sec-fetch-site": "same-origin" })
      assert.deepStrictEqual([answer.status, answer.headers.location, answer.headers["set-cookie"], answer.headers["cache-control"]], [303, "/a?b=1", [COOKIE], "private, no-store"], path)
    }
    assert.deepStrictEqual(rig.gated.asked.splice(0), Array.from({ length: 4 }, () => ["code", "open sesame", "client"]))
    const blank = await at("/a", "next=%2Fa&password=+")
    assert.deepStrictEqual([blank.status, blank.text.includes("Type the doorcode.")], [422, true])
    const refused: ReadonlyArray<readonly [number, Promise<Answer>]> = [
      [405, at("/a", "password=x")], [405, at("/a", "next=/")], [405, at("/a", "")], [405, at("/a", "next=/&password=a&password=b")],
      [405, at("/a", `next=/&password=${"x".repeat(32_768)}`)], [405, at("/a", `{"next":"/","password":"x"}`, { "content-type": "application/json" })],
      [405, at("/a", "next=/&password=x", { "sec-fetch-site": "cross-site" })], [405, at("/a", "next=/&password=x", { origin: "https://evil.example" })],
      [405, at("/a", "next=/&password=x", {}, "-bad-")], [405, at("/a", "next=/&password=x", {}, "svc--aaaaaaaaaaaaaaaaaaaaaaaaaa")],
      [405, at("/a%2f..%2fb", "next=/&password=x")], [405, rig.ask("code", "/a", { "content-type": "application/x-www-form-urlencoded" }, "PUT", "next=/&password=x")]
    ]
    for (const [status, asked] of refused) assert.deepStrictEqual([(await asked).status, (await asked).headers.allow], [status, "GET, HEAD"])
    assert.lengthOf(rig.gated.asked, 0)
  })

  it("says how long to wait after too many tries", async () => {
    rig.gated.answer = Effect.fail(tooManyTries(61))
    const answer = await post("password=x")
    isGate(answer)
    assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [429, "61"])
    assert.include(answer.text, "Wait 2 minutes")
    const json = await post("password=x", { accept: "application/json" })
    assert.deepStrictEqual([json.status, json.headers["retry-after"], errorOf(json).code, errorOf(json).details], [429, "61", "rate_limited", { retry_after_seconds: 61 }])
  })

  it("a link that is opened too often from one network says so on a page of its own, and how long to wait", async () => {
    rig.gated.answer = Effect.fail(tooManyTries(61))
    for (const headers of [{}, { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }] as ReadonlyArray<Record<string, string>>) {
      const answer = await share("t=tok-en", headers)
      isGate(answer)
      assert.deepStrictEqual([answer.status, answer.headers["retry-after"], answer.headers["set-cookie"]], [429, "61", undefined])
      assert.include(answer.text, "So many at once")
      assert.notInclude(answer.text, "tok-en")
    }
    const json = await share("t=tok-en", { accept: "application/json" })
    assert.deepStrictEqual([json.status, json.headers["retry-after"], errorOf(json).code, errorOf(json).details], [429, "61", "rate_limited", { retry_after_seconds: 61 }])
  })

  it("refuses what is no doorcode, before anything is asked", async () => {
    const listed = await post("password=", { accept: "application/json" })
    assert.deepStrictEqual(errorOf(listed).details, { errors: [{ field: "password", message: "Type the doorcode." }] })
    const large = `password=${"x".repeat(32_768)}`
    const parts = (count: number) => post(form({ name: "password", value: "x" }, ...Array.from({ length: count - 1 }, (_, n) => ({ name: `more-${n}`, value: "" }))).body, form().headers)
    const cases: ReadonlyArray<readonly [number, Promise<Answer>]> = [
      [422, post("")], [422, post("password=")], [422, post("password=%20%20")], [422, post("next=/")], [422, post("password=a&password=b")],
      [422, post("{", { "content-type": "application/json" })], [422, post("[]", { "content-type": "application/json" })],
      [422, post(`{"password":1}`, { "content-type": "application/json" })], [422, post(`{"password":null}`, { "content-type": "application/json" })], [422, post(`${"[".repeat(8_000)}`, { "content-type": "application/json" })],
      [422, post("x", { "content-type": "multipart/form-data; boundary=x" })], [422, post("x", { "content-type": "multipart/form-data" })],
      [422, post(form({ name: "password", value: "a" }, { name: "password", value: "b" }).body, form().headers)], [422, parts(21)], [413, post(large)], [413, post(large, { "transfer-encoding": "chunked" })],
      [403, post("password=x", { "sec-fetch-site": "cross-site" })], [403, post("password=x", { "sec-fetch-site": "same-site" })],
      [403, post("password=x", { origin: "https://evil.example" })], [403, post("password=x", { origin: "http://not-code.svc.test" })]
    ]
    for (const [status, asked] of cases) {
      const answer = await asked
      isGate(answer)
      assert.strictEqual(answer.status, status)
      assert.include(answer.text, "<form")
    }
    assert.lengthOf(rig.gated.asked, 0)
    assert.strictEqual((await parts(20)).status, 303)
    for (const origin of ["null", "http://code.svc.test"]) assert.strictEqual((await post("password=x", { origin })).status, 303)
    assert.strictEqual((await post("password=x", { "sec-fetch-site": "same-origin", origin: "null" })).status, 303)
  })

  it("waits for a slow form no longer than it should, and ends that connection alone", async () => {
    const head = "POST /_svc/gate/password HTTP/1.1\r\nHost: code.svc.test\r\nContent-Length: 10\r\n"
    const slow = await rig.raw(`${head}Content-Type: application/x-www-form-urlencoded\r\n\r\npass`)
    assert.match(slow, /^HTTP\/1\.1 408 /)
    assert.match(slow, /\r\nConnection: close\r\n/i)
    // Of one that says how long it is, nothing has to arrive.
    const large = await rig.raw(`${head.replace("10", "99999")}Content-Type: application/x-www-form-urlencoded\r\n\r\n`)
    assert.match(large, /^HTTP\/1\.1 413 /)
    assert.match(large, /\r\nConnection: close\r\n/i)
    assert.lengthOf(rig.gated.asked, 0)
    assert.strictEqual((await rig.ask("open", "/")).status, 200)
  })

  it("a share link opens once it is followed, and its token is gone from the address", async () => {
    const answer = await share("t=tok-en")
    isGate(answer)
    assert.deepStrictEqual([answer.status, answer.headers.location, answer.headers["set-cookie"]], [303, "/", [COOKIE]])
    assert.notInclude(JSON.stringify(answer.headers), "tok-en")
    assert.deepStrictEqual(rig.gated.asked, [["code", "tok-en", "client", null]])
    const program = await share("t=tok-en", { accept: "application/json" })
    assert.deepStrictEqual([program.status, program.headers.location, program.headers["set-cookie"]], [303, "/", [COOKIE]])
  })

  it("a link that opens nothing has one page, whatever was wrong with it", async () => {
    rig.gated.answer = Effect.fail(new NotFound({ message: "This link does not open anything." }))
    const answers = await Promise.all(["t=x", "t=", "", "t=a&t=b", `t=${"x".repeat(2_000)}`, "t=%00"].map((query) => share(query, { "x-request-id": "one-request" })))
    for (const answer of answers) {
      isGate(answer)
      assert.deepStrictEqual([answer.status, answer.text], [404, answers[0]!.text])
    }
    assert.notInclude(answers[0]!.text, "<form")
    const json = await share("t=x", { accept: "application/json" })
    assert.deepStrictEqual([json.status, errorOf(json).code], [404, "not_found"])
  })

  it("looking is not opening: HEAD, fetching ahead, previews", async () => {
    const previews: Array<string> = []
    for (const query of ["t=right", "t=wrong", ""]) {
      const head = await share(query, {}, "HEAD")
      assert.deepStrictEqual([head.status, head.body.length], [200, 0])
      const ahead = await Promise.all([share(query, { "sec-purpose": "prefetch" }), share(query, { "sec-purpose": "prefetch;prerender" }), share(query, { purpose: "prefetch" })])
      for (const answer of ahead) assert.strictEqual(answer.status, 503)
      const crawlers = await Promise.all(["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Twitterbot/1.0"].map((agent) =>
        share(query, { "user-agent": agent, "x-request-id": "one-request" })))
      for (const answer of [head, ...ahead, ...crawlers]) {
        isGate(answer)
        assert.isUndefined(answer.headers["set-cookie"])
        assert.isUndefined(answer.headers.location)
      }
      for (const answer of crawlers) assert.strictEqual(answer.status, 200)
      previews.push(...crawlers.map(({ text }) => text))
    }
    assert.lengthOf([...new Set(previews)], 1)
    for (const method of ["HEAD", "GET"]) {
      const answer = await rig.ask("code", "/_svc/gate/member?t=k", { "sec-purpose": "prefetch" }, method)
      assert.strictEqual(answer.status, method === "HEAD" ? 200 : 503)
    }
    assert.lengthOf(rig.gated.asked, 0)
    assert.strictEqual((await share("t=x", { "user-agent": "curl/8.5.0" })).status, 303)
  })

  it("a member's key leads on; one that is spent leads back to signing in", async () => {
    const answer = await rig.ask("members", "/_svc/gate/member?t=key&next=%2Fa%3Fb")
    isGate(answer)
    assert.deepStrictEqual([answer.status, answer.headers.location, answer.headers["set-cookie"]], [303, "/a?b", [COOKIE]])
    assert.deepStrictEqual(rig.gated.asked, [["members", "key"]])
    rig.gated.answer = Effect.fail(new InvalidToken({ message: "spent" }))
    const spent = await rig.ask("members", "/_svc/gate/member?t=key&next=%2Fa%3Fb")
    isGate(spent)
    assert.strictEqual(spent.status, 401)
    assert.include(spent.text, `href="https://svc.example/v1/gate/member?slug=members&amp;next=%2Fa%3Fb"`)
  })

  it("a reader's key names them and leads on; without one, and where that fails, they go on all the same, and a fault is told", async () => {
    const reader = (query: string, method?: string) => rig.ask("open", `/_svc/gate/reader?${query}`, {}, method)
    rig.gated.names = Effect.succeed("ada")
    const named = await reader("t=k&next=%2Fa%3Fb%23c")
    isGate(named)
    assert.deepStrictEqual([named.status, named.headers.location], [303, "/a?b#c"])
    assert.deepStrictEqual(named.headers["set-cookie"], ["__Host-svc_reader=ada; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax"])
    assert.deepStrictEqual(rig.gated.asked, [["open", "k"]])
    assert.strictEqual((await reader("t=k&next=%2F%2Felsewhere.example")).headers.location, "/")
    assert.deepStrictEqual([(await reader("t=k", "HEAD")).status, (await reader("t=k", "POST")).status, rig.gated.asked.length], [200, 405, 2])
    for (const [names, faults] of [[Effect.undefined, 0], [Effect.die(new Error("a mistake")), 1]] as const) {
      rig.gated.names = names
      const unnamed = await reader("t=k&next=/a")
      assert.deepStrictEqual([unnamed.status, unnamed.headers.location, unnamed.headers["set-cookie"], rig.defects.length], [303, "/a", undefined, faults])
    }
  })

  it("a project that is closed for another reason says so", async () => {
    for (const [why, status] of [["unknown", 404], ["expired", 410], ["down", 410], ["private", 403], ["empty", 404]] as const) {
      rig.gated.answer = Effect.succeed({ let: "out", why })
      const answers = await Promise.all([post("password=x"), share(), rig.ask("code", "/_svc/gate/member?t=x")])
      for (const answer of answers) {
        isGate(answer)
        assert.strictEqual(answer.status, status)
        assert.isUndefined(answer.headers["set-cookie"])
      }
    }
    rig.gated.answer = Effect.succeed({ let: "in", cookie: undefined })
    // Nor does one that opens to everybody by now ask a window for a pass.
    for (const headers of [{}, { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" }]) {
      const open = await post("password=x&next=/a", headers)
      assert.deepStrictEqual([open.status, open.headers.location, open.headers["set-cookie"]], [303, "/a", undefined])
    }
  })

  it("internal errors are told apart and give nothing away", async () => {
    for (const [cause, status, code] of [["the database is away: hunter2", 503, "unavailable"], ["a mistake: hunter2", 500, "internal_error"]] as const) {
      rig.gated.answer = Effect.die(new Error(cause))
      for (const answer of [await post("password=x"), await share(), await rig.ask("code", "/_svc/gate/member?t=x")]) {
        isGate(answer)
        assert.strictEqual(answer.status, status)
        assert.notInclude(answer.text, "hunter2")
        assert.include(answer.text, answer.headers["x-request-id"] as string)
      }
      assert.strictEqual(errorOf(await post("password=x", { accept: "application/json" })).code, code)
    }
    assert.lengthOf(rig.defects, 8)
  })

  it("takes no other method, and nothing else is behind these addresses", async () => {
    for (const [path, allow, methods] of [
      ["password", "POST", ["PUT", "DELETE", "OPTIONS"]], ["share?t=x", "GET, HEAD", ["POST", "PUT", "DELETE"]],
      ["member?t=x", "GET, HEAD", ["POST", "PATCH"]]
    ] as const) {
      for (const method of methods) {
        const answer = await rig.ask("code", `/_svc/gate/${path}`, {}, method)
        isGate(answer)
        assert.deepStrictEqual([answer.status, answer.headers.allow], [405, allow])
      }
    }
    // After a refused try the address bar may hold the form's address, which leads back to the document.
    for (const method of ["GET", "HEAD"]) {
      const again = await rig.ask("code", "/_svc/gate/password", {}, method)
      isGate(again)
      assert.deepStrictEqual([again.status, again.headers.location, again.headers["set-cookie"], again.text], [303, "/", undefined, ""])
      assert.strictEqual((await rig.ask("code", "/_svc/gate/password", { accept: "application/json" }, method)).status, 405)
    }
    for (const path of ["/_svc/gate/", "/_svc/gate/Password", "/_svc/gate/password/", "/_svc/gate/other", "/_svc/gates", "/_svc/gate"]) {
      assert.strictEqual((await rig.ask("code", path)).status, 404)
    }
    assert.strictEqual((await share("t=x", { "service-worker": "script" })).status, 404)
    assert.strictEqual((await rig.ask("-bad-", "/_svc/gate/share?t=x", { "user-agent": AGENT })).status, 404)
    assert.lengthOf(rig.gated.asked, 0)
  })

  it("closed pages lead to their gates, with the way the reader was going", async () => {
    const code = await rig.ask("code", "/plan?x=%22&y=1")
    assert.include(code.text, `action="/_svc/gate/password"`)
    assert.include(code.text, `<button class="button" formaction="">`)
    assert.include(code.text, `value="/plan?x=%22&amp;y=1"`)
    assert.include(code.text, `https://svc.example/v1/gate/member?slug=code&amp;next=%2Fplan%3Fx%3D%2522%26y%3D1`)
    for (const [accept, type] of [["application/json, text/html", HTML], ["text/html;q=0.9, application/json", "application/json"], ["*/*", HTML]] as const) {
      assert.strictEqual((await rig.ask("code", "/plan", { accept })).headers["content-type"], type, accept)
    }
    const members = await rig.ask("members", "/plan")
    assert.include(members.text, `class="button" href="https://svc.example/v1/gate/member?slug=members&amp;next=%2Fplan"`)
    assert.notInclude(members.text, "<form")
  })

  it("behind a gate nothing is anybody else's: pages, assets, HEAD, ranges, conditions", async () => {
    for (const slug of ["code", "members"]) {
      for (const [path, control, vary] of [
        ["/", "private, no-store", "Accept-Encoding, Cookie"], ["/a.txt", "private, no-cache", "Cookie"], ["/b.png", "private, no-cache", "Cookie"]
      ] as const) {
        const cookie = `other=1; __Host-svc_gate=${RAW}; more="x"`
        const first = await rig.ask(slug, path, { cookie })
        const tag = first.headers.etag!
        const asked: ReadonlyArray<readonly [number, Record<string, string>, string?]> = [
          [200, {}], [200, {}, "HEAD"], [304, { "if-none-match": tag }], [304, { "if-none-match": tag }, "HEAD"], [412, { "if-match": "\"x\"" }],
          [206, { range: "bytes=0-3" }], [416, { range: "bytes=999999-" }]
        ]
        for (const [status, headers, method] of asked) {
          const answer = await rig.ask(slug, path, { cookie, ...headers }, method)
          assert.strictEqual(answer.status, status)
          assert.deepStrictEqual(
            [answer.headers["cache-control"], answer.headers.vary, answer.headers["cross-origin-resource-policy"], answer.headers["surrogate-key"]],
            [control, vary, "same-origin", undefined], `${path} ${status}`
          )
          const without = await rig.ask(slug, path, headers, method)
          assert.strictEqual(without.status, slug === "code" ? 401 : 403)
          assert.notInclude(without.text, SECRET)
          assert.isUndefined(without.headers.etag)
        }
      }
    }
    // The same files once they are public: ETags from behind the gate do not match.
    const kept = (await rig.ask("code", "/a.txt", { cookie: `__Host-svc_gate=${RAW}` })).headers.etag
    rig.change("code", { visibility: "public" })
    for (const [status, headers] of [[200, {}], [200, { "if-none-match": kept }]] as const) {
      const open = await rig.ask("code", "/a.txt", { cookie: `__Host-svc_gate=${RAW}`, ...headers })
      assert.strictEqual(open.status, status)
      assert.deepStrictEqual([open.headers["cache-control"], open.headers.vary, open.headers["cross-origin-resource-policy"]], ["public, no-cache, must-revalidate", undefined, "cross-origin"])
    }
    const old = (await rig.ask("code", "/a.txt")).headers.etag!
    rig.change("code", { visibility: "password" })
    // Nor do those from before it: with a 304 a browser would keep what anybody could frame.
    const again = await rig.ask("code", "/a.txt", { cookie: `__Host-svc_gate=${RAW}`, "if-none-match": old })
    assert.deepStrictEqual([again.status, again.headers["cache-control"]], [200, "private, no-cache"])
  })

  it("to a page of another origin, what a pass opens is as what is closed: in a window, in a frame, loaded", async () => {
    for (const slug of ["code", "members"]) {
      for (const path of ["/", "/d.svg", "/a.txt", "/t.csv", "/s.js", "/j.json", "/p.pdf"]) {
        const opened = await rig.ask(slug, path, { cookie: `__Host-svc_gate=${RAW}` })
        const closed = await rig.ask(slug, path)
        assert.deepStrictEqual([opened.status, opened.headers["content-security-policy"]], [200, "frame-ancestors 'self'"], path)
        assert.include(closed.headers["content-security-policy"], "frame-ancestors 'none'")
        assert.strictEqual((await rig.ask(slug, path, { accept: "application/json" })).headers["content-security-policy"], "frame-ancestors 'none'", path)
        // Each cuts off a page of another origin that opened it; what the author's own page opens is left to it.
        for (const [{ headers }, opener] of [[opened, "same-origin-allow-popups"], [closed, "same-origin"]] as const) {
          assert.deepStrictEqual([headers["cross-origin-opener-policy"], headers["cross-origin-resource-policy"]], [opener, "same-origin"], path)
        }
      }
    }
    for (const path of ["/", "/d.svg", "/a.txt"]) {
      const { headers } = await rig.ask("open", path)
      assert.deepStrictEqual([headers["content-security-policy"], headers["cross-origin-opener-policy"], headers["cross-origin-resource-policy"]], [undefined, undefined, "cross-origin"])
    }
    rig.publish("drawn", { "d.svg": files["d.svg"] }, { visibility: "private", kind: "image", entry: "d.svg" })
    assert.strictEqual((await rig.ask("drawn", "/_svc/raw/d.svg", { cookie: `__Host-svc_gate=${RAW}` })).headers["content-security-policy"], "sandbox; frame-ancestors 'self'")
  })

  it("what a browser would save from behind a gate comes after a page of ours when another origin opens it", async () => {
    const cookie = `__Host-svc_gate=${RAW}`
    const opened = (site: string) => ({ "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" })
    rig.publish("saved", { "a.txt": files["a.txt"] }, { visibility: "private", kind: "text", entry: "a.txt" })
    rig.publish("paper", { "p.pdf": files["p.pdf"] }, { visibility: "private", kind: "pdf", entry: "p.pdf" })
    const saved = [["saved", "/_svc/raw/a.txt?download", "/"], ["members", "/t.csv?as=is", "/t.csv?as=is"], ["members", "/z.zip", "/z.zip"],
      ["members", "/p.pdf", "/p.pdf"], ["members", "/v.mp4", "/v.mp4"], ["paper", "/_svc/raw/p.pdf", "/"]] as const
    for (const [slug, path, to] of saved) {
      for (const site of ["same-site", "cross-site"]) {
        const led = await rig.ask(slug, path, { cookie, ...opened(site) })
        assert.deepStrictEqual([led.status, led.headers["refresh"], led.headers["content-disposition"]], [200, `0;url=${to}`, undefined], `${path} ${site}`)
        assert.notInclude(led.text, SECRET)
        assert.include(led.text, `href="${to}"`)
        const framed = await rig.ask(slug, path, { cookie, ...opened(site), "sec-fetch-dest": "iframe" })
        assert.deepStrictEqual([framed.status, framed.headers.location, framed.text], [303, "/", ""])
        assert.deepStrictEqual([led.headers["cache-control"], led.headers["cross-origin-opener-policy"]], ["private, no-store", "same-origin"])
      }
      for (const headers of [{}, opened("same-origin"), opened("none"), { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }]) {
        assert.strictEqual((await rig.ask(slug, path, { cookie, ...headers })).text, SECRET, `${path} ${JSON.stringify(headers)}`)
      }
    }
    for (const path of ["/a.txt", "/b.png", "/d.svg", "/j.json"]) assert.strictEqual((await rig.ask("members", path, { cookie, ...opened("cross-site") })).status, 200, path)
    for (const path of ["/t.csv", "/p.pdf"]) assert.strictEqual((await rig.ask("open", path, opened("cross-site"))).text, SECRET)
  })

  it("facts are asked for once per address and pass, and only for what can be a pass", async () => {
    rig.calls.length = 0
    const request = (cookie: string, last = false) => `GET /a.txt HTTP/1.1\r\nHost: members.svc.test\r\n${cookie}${last ? "Connection: close\r\n" : ""}\r\n`
    const [mine, other] = [`Cookie: __Host-svc_gate=${RAW}\r\n`, `Cookie: __Host-svc_gate=${"q".repeat(43)}\r\n`]
    const text = await rig.raw([mine, other, "", mine, other, "", mine].map((cookie, index) => request(cookie, index === 6)).join(""))
    assert.deepStrictEqual([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]), ["200", "403", "403", "200", "403", "403", "200"])
    const asked = rig.calls.flat()
    assert.sameMembers([...new Set(asked.map(({ pass }) => pass))], [hash(Buffer.from(RAW)), hash(Buffer.from("q".repeat(43))), null])
    for (const call of rig.calls) assert.strictEqual(new Set(call.map(({ pass }) => pass)).size, call.length)

    rig.calls.length = 0
    for (const cookie of [`__Host-svc_gate=${RAW}x`, "__Host-svc_gate=", `x__Host-svc_gate=${RAW}`, `__Host-svc_gate=${RAW.slice(1)}'`, `__host-svc_gate=${RAW}`, `a="__Host-svc_gate=${RAW}"`]) {
      assert.strictEqual((await rig.ask("members", "/", { cookie })).status, 403, cookie)
    }
    assert.isTrue(rig.calls.flat().every(({ pass }) => pass === null))
  })
})
