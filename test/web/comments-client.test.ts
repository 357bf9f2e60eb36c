/** The requests of the comments' panel: as whom it asks, what it sends again, and how it reports answers that are not ours. */
import { assert, beforeEach, it, vi } from "@effect/vitest"
import { client } from "../../web/viewer/comments/client.ts"

interface Asked {
  readonly url: string
  readonly headers: Headers
}

type Answer = (asked: Asked) => Response

const asked: Array<Asked> = []
let answers: Answer

const json = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status })
const NOBODY = () => json(401, { error: { code: "auth_required", message: "Sign in first." } })
const isMe = ({ url }: Asked): boolean => url.endsWith("/v1/me")

beforeEach(() => {
  asked.length = 0
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const one = { url, headers: new Headers(init.headers) }
    asked.push(one)
    return answers(one)
  })
  // As in a browser that denies storage.
  vi.stubGlobal("sessionStorage", undefined)
  return () => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

const refusalOf = (promise: Promise<unknown>): Promise<{ readonly status: number, readonly message: string, readonly isShut: boolean }> =>
  promise.then(() => assert.fail("it was taken"), (error: { readonly status: number, readonly message: string, readonly isShut: boolean }) => error)

it("after a session has ended every try asks for a new token, and gets one once the reader has signed in again", async () => {
  const turns: Array<boolean> = []
  const service = client({ base: "http://svc.test", proof: undefined, turned: (isKnown) => turns.push(isKnown) })
  let token: string | undefined = "one"
  answers = (one) => isMe(one)
    ? token === undefined ? NOBODY() : json(200, { comment_token: token })
    : token !== undefined && one.headers.get("authorization") === `Bearer ${token}` ? json(201, { id: "made" }) : NOBODY()
  await service.signIn()
  await service.post({ body: "first" })

  token = undefined
  assert.strictEqual((await refusalOf(service.post({ body: "second" }))).status, 401)
  assert.strictEqual((await refusalOf(service.post({ body: "second" }))).status, 401)
  assert.deepStrictEqual(turns, [false])
  token = "two"
  await service.post({ body: "second" })
  assert.deepStrictEqual(turns, [false, true])
  assert.strictEqual(asked.at(-1)!.headers.get("authorization"), "Bearer two")
})

it("whoever was never signed in is not asked for by what they read", async () => {
  const service = client({ base: "http://svc.test", proof: undefined })
  answers = (one) => isMe(one) ? NOBODY() : json(200, { comments: [], next_cursor: null, you: null })
  assert.isUndefined(await service.signIn())
  await service.list()
  await service.list()
  assert.strictEqual(asked.filter(isMe).length, 1)
})

it("a page that needs a proof and has none asks nobody: its reader is led to the gate that names them", async () => {
  const service = client({ base: "http://svc.test", proof: "" })
  answers = () => assert.fail("it was asked")
  assert.isUndefined(await service.signIn())
})

it("a page that was opened longer ago than its proof lasts asks nobody either, and says that its reader is not known", async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  const turns: Array<boolean> = []
  const service = client({ base: "http://svc.test", proof: "proof", turned: (isKnown) => turns.push(isKnown) })
  const isMe = ({ url }: Asked): boolean => url === "http://svc.test/v1/me?shell=proof"
  answers = (one) => isMe(one) ? json(200, { comment_token: "one" }) : one.headers.has("authorization") ? json(201, { id: "made" }) : NOBODY()
  vi.advanceTimersByTime(11 * 60 * 60_000)
  assert.strictEqual(await service.signIn(), "one")
  await service.post({ body: "first" })

  vi.advanceTimersByTime(60 * 60_000)
  assert.strictEqual((await refusalOf(service.post({ body: "second" }))).status, 401)
  assert.deepStrictEqual(turns, [false])
  assert.strictEqual(asked.filter(isMe).length, 1)
})

it("what one reader wrote is not sent in the name of another who signs in meanwhile, until that is meant", async () => {
  const turns: Array<boolean> = []
  const service = client({ base: "http://svc.test", proof: undefined, turned: (isKnown) => turns.push(isKnown) })
  let reader: string | undefined = "ada"
  answers = (one) => isMe(one)
    ? reader === undefined ? NOBODY() : json(200, { user: { name: reader, email: `${reader}@example.com` }, comment_token: reader })
    : one.headers.get("authorization") === `Bearer ${reader}` ? json(201, { id: "made" }) : NOBODY()
  const taken: Array<string> = []
  const sent = async (doing: Promise<unknown>) => {
    await doing
    taken.push(asked.at(-1)!.headers.get("authorization")!)
  }
  await service.signIn()
  const as = service.person()
  assert.strictEqual(as, "ada@example.com")
  await sent(service.post({ body: "first", as }))

  // A sign-in ends the session that the browser had, and its tokens with it.
  reader = "bob"
  const words = /^You are signed in as bob@example\.com now\./
  assert.match((await refusalOf(service.post({ body: "second", as }))).message, words)
  assert.match((await refusalOf(service.edit("made", "second", as))).message, words)
  assert.deepStrictEqual(turns, [true])
  reader = undefined
  assert.strictEqual((await refusalOf(service.post({ body: "second", as }))).status, 401)
  reader = "cy"
  // What nobody wrote is meant for whom the page shows.
  assert.match((await refusalOf(service.remove("made"))).message, /^You are signed in as cy@/)
  await sent(service.remove("made"))
  await sent(service.post({ body: "second", as: service.person() }))
  reader = "ada"
  await sent(service.post({ body: "third", as }))
  assert.deepStrictEqual(taken, ["Bearer ada", "Bearer cy", "Bearer cy", "Bearer ada"])
})

it("where the service lets this page read its answers no more, the project's own host says why, and nothing is sent unasked", async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  const service = client({ base: "http://svc.test", proof: undefined })
  answers = (one) => isMe(one) ? json(200, { user: { name: "Ada", email: "ada@example.com" }, comment_token: "one" }) : json(201, { id: "made" })
  await service.signIn()
  const gone = "There is no project at this address."
  let isGone = true
  vi.advanceTimersByTime(14 * 60_000)
  answers = (one) => {
    if (isMe(one)) throw new TypeError("Failed to fetch")
    return isGone ? json(404, { error: { code: "not_found", message: gone } }) : json(200, { comments: [], next_cursor: null, you: null })
  }
  assert.strictEqual((await refusalOf(service.post({ body: "x" }))).message, gone)
  isGone = false
  assert.match((await refusalOf(service.post({ body: "x" }))).message, /^That did not reach the service/)
  assert.isFalse(asked.some(({ headers }) => headers.has("idempotency-key")))
})

it("an answer that is not ours is reported in words, and the comment is sent again under the same key, even if nothing can be stored", async () => {
  const service = client({ base: "http://svc.test", proof: undefined })
  const posts = [
    () => new Response("<!doctype html><title>Sign in to the hotel</title>", { status: 200 }), () => new Response(`{"id":"ma`, { status: 201 }),
    () => { throw new TypeError("Failed to fetch") }, () => json(201, { id: "made" }), () => json(201, { id: "another" })
  ]
  answers = () => posts.shift()!()
  for (let n = 0; n < 3; n++) {
    const { message, status } = await refusalOf(service.post({ body: "once" }))
    assert.deepStrictEqual([status, message], [0, "That did not reach the service. Check your connection, then try again."])
  }
  await service.post({ body: "once" })
  await service.post({ body: "once" })
  const keys = asked.map(({ headers }) => headers.get("idempotency-key"))
  assert.strictEqual(new Set(keys.slice(0, 4)).size, 1)
  assert.notStrictEqual(keys[4], keys[3])

  answers = () => new Response("<!doctype html>", { status: 200 })
  assert.match((await refusalOf(service.signIn())).message, /^That did not reach the service/)
  assert.match((await refusalOf(service.list())).message, /^That did not reach the service/)
})

it("tells what is over for its reader from what may be tried again", async () => {
  const service = client({ base: "http://svc.test", proof: undefined })
  const refusals = [
    [404, { message: "There are no comments at this address.", field: null }, true],
    [404, { message: "There is no such comment.", field: "parent_id" }, false],
    [403, { message: "Not opened to you.", field: null, details: { reason: "not_allowed_to_comment" } }, true],
    [403, { message: "Confirm your address first.", field: null }, false],
    [403, { message: "Too late to change.", field: null, details: { reason: "edit_window_closed" } }, true],
    [409, { message: "A comment has 200 replies at most.", field: null }, true],
    [409, { message: "The first try is still under way.", field: "Idempotency-Key" }, false],
    [410, { message: "Put away.", field: null }, true],
    [503, { message: "In a moment.", field: null }, false]
  ] as const
  for (const [status, error, isShut] of refusals) {
    answers = () => json(status, { error })
    assert.strictEqual((await refusalOf(service.post({ body: "x" }))).isShut, isShut, error.message)
  }
})
