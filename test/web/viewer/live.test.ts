/** How a page follows its comments: by a stream of events as long as that delivers, by the list otherwise. */
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { follow } from "../../../web/viewer/comments/live.ts"

/** A stream that says what it is told to. */
class Stream extends EventTarget {
  static readonly opened: Array<Stream> = []
  isClosed = false
  constructor() {
    super()
    Stream.opened.push(this)
  }
  say(kind: string): void {
    this.dispatchEvent(new Event(kind))
  }
  close(): void {
    this.isClosed = true
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] })
  vi.stubGlobal("EventSource", Stream)
  vi.stubGlobal("document", { hidden: false, addEventListener: () => {} })
  vi.stubGlobal("addEventListener", () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Stream.opened.length = 0
})

const following = () => {
  let lists = 0
  const isLive = follow({ anew: () => lists++, changed: () => {}, published: () => {} })
  return Object.assign(() => lists, { isLive })
}

it("lists once while the stream says that it is there, and goes back to the list and to another stream once it is silent", () => {
  const lists = following()
  const [first] = Stream.opened
  assert.isFalse(lists.isLive())
  first!.say("ready")
  for (let n = 0; n < 6; n++) {
    vi.advanceTimersByTime(10_000)
    first!.say("here")
  }
  assert.deepStrictEqual([lists(), first!.isClosed], [1, false])
  assert.isTrue(lists.isLive())
  vi.advanceTimersByTime(30_000)
  assert.deepStrictEqual([lists(), first!.isClosed], [1, false])
  vi.advanceTimersByTime(15_000)
  assert.isFalse(lists.isLive())
  assert.deepStrictEqual([lists(), first!.isClosed], [2, true])
  vi.advanceTimersByTime(1_500)
  assert.lengthOf(Stream.opened, 2)
  Stream.opened[1]!.say("ready")
  assert.strictEqual(lists(), 3)
  Stream.opened[1]!.say("error")
  assert.isFalse(lists.isLive())
})

it("lists after two seconds where the stream says nothing, and every fifteen from then on", () => {
  const lists = following()
  vi.advanceTimersByTime(1_999)
  assert.strictEqual(lists(), 0)
  vi.advanceTimersByTime(1)
  assert.strictEqual(lists(), 1)
  vi.advanceTimersByTime(13_000)
  assert.strictEqual(lists(), 2)
  vi.advanceTimersByTime(15_000)
  assert.strictEqual(lists(), 3)
})
