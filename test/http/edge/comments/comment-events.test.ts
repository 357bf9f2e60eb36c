/** Event streams of a project's comments: what they send, to whom, and when they end. */
import { EventEmitter } from "node:events"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { CommentId } from "../../../../src/domain/comments/model.ts"
import type { Followed, Follower } from "../../../../src/domain/comments/on-origin.ts"
import { makeCommentEvents } from "../../../../src/http/edge/comments/comment-events.ts"
import type { Exchange } from "../../../../src/http/edge/exchange.ts"

it("begins no stream any more once all were ended", () => {
  const told: Array<string> = []
  const exchange = { slug: "talk", res: { once: () => {} } } as unknown as Exchange
  const events = makeCommentEvents({
    follow: () => Effect.never,
    run: () => {
      told.push("begun")
      return () => told.push("stopped")
    },
    clientOf: () => "192.0.2.1",
    failed: () => told.push("failed"),
    refuse: () => told.push("refused")
  })
  const at = { slug: "talk", pass: null, token: undefined }
  events.open(exchange, at)
  events.hangUp()
  events.open(exchange, at)
  assert.deepStrictEqual(told, ["begun", "stopped", "refused"])
})

const id = CommentId.make("018f4a2e-0000-7000-8000-00000000abcd")
const change: Followed = { kind: "deleted", id, threadId: id, comment: null }

/** A response that accepts nothing until it is drained. */
class Stuck extends EventEmitter {
  readonly written: Array<unknown> = []
  destroyed = false
  headersSent = true
  write(chunk: unknown): boolean {
    this.written.push(chunk)
    return false
  }
  destroy(): void {
    this.destroyed = true
  }
}

/** The follower that writes to this response. */
const followerOf = (res: Stuck): Follower => {
  const given: Array<Follower> = []
  const events = makeCommentEvents({
    follow: (_, follower) => {
      given.push(follower)
      return Effect.never
    },
    run: () => () => {},
    clientOf: () => "192.0.2.1",
    failed: () => {},
    refuse: () => {}
  })
  events.open({ slug: "talk", res } as unknown as Exchange, { slug: "talk", pass: null, token: undefined })
  return given[0]!
}

it.effect("one piece of memory is sent to all; who does not take it is waited for, and gone after thirty seconds", () =>
  Effect.gen(function*() {
    const [one, two] = [new Stuck(), new Stuck()]
    const telling = yield* Effect.forkChild(followerOf(one).tell(change), { startImmediately: true })
    const other = yield* Effect.forkChild(followerOf(two).tell(change), { startImmediately: true })
    assert.deepStrictEqual([one.written.length, two.written.length], [1, 1])
    assert.strictEqual(one.written[0], two.written[0])
    one.emit("drain")
    assert.isFalse(yield* Fiber.join(telling), "they were slow")
    yield* TestClock.adjust("29 seconds")
    assert.isFalse(two.destroyed)
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(other)
    assert.deepStrictEqual([one.destroyed, two.destroyed, two.written.length], [false, true, 1])
    assert.strictEqual(two.listenerCount("drain"), 0)
  }))

it("a stream that ends is not held open by a reader who has not taken what was sent", () => {
  const ended = (writableLength: number) => {
    const told: Array<string> = []
    const res = { headersSent: true, writableLength, once: () => {}, end: () => told.push("ended"), destroy: () => told.push("cut") }
    const events = makeCommentEvents({
      follow: () => Effect.void,
      run: (_, { onExit }) => () => onExit(Exit.interrupt()),
      clientOf: () => "192.0.2.1",
      failed: () => {},
      refuse: () => {}
    })
    events.open({ slug: "talk", res } as unknown as Exchange, { slug: "talk", pass: null, token: undefined })
    events.hangUp()
    return told
  }
  assert.deepStrictEqual([ended(0), ended(9_900)], [["ended"], ["cut"]])
})

it("one project has five hundred streams at most, all of them two thousand, and one that ends makes room", () => {
  const [ends, refusals]: [Array<() => void>, Array<string>] = [[], []]
  let followed = 0
  const events = makeCommentEvents({
    follow: () => Effect.never,
    run: (_, { onExit }) => {
      ends.push(() => onExit(Exit.interrupt()))
      return () => {}
    },
    clientOf: () => `192.0.2.${Math.floor(followed++ / 100)}`,
    failed: () => {},
    refuse: (_, { _tag }) => refusals.push(_tag)
  })
  const begun = (slug: string, count: number): number => {
    const before = ends.length
    const res = { headersSent: true, writableLength: 0, once: () => {}, end: () => {} }
    for (let n = 0; n < count; n++) events.open({ slug, res } as unknown as Exchange, { slug, pass: null, token: undefined })
    return ends.length - before
  }
  assert.strictEqual(begun("talk", 600), 500)
  ends[0]!()
  assert.strictEqual(begun("talk", 2), 1)
  assert.deepStrictEqual(["second", "third", "fourth", "fifth"].map((slug) => begun(slug, 500)), [500, 500, 500, 0])
  ends[1]!()
  assert.strictEqual(begun("fifth", 2), 1)
  assert.deepStrictEqual([...new Set(refusals)], ["unavailable"])
})
