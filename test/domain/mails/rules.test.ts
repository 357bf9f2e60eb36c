/** When a mail is tried again and given up, and which go first. */
import { DateTime } from "effect"
import { assert, it } from "vitest"
import { firstAt, nextTry } from "../../../src/domain/mails/rules.ts"

const since = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

it("a mail that nobody takes is tried after pauses that double up to five minutes, for a day and no longer, whoever tries it", () => {
  const tries: Array<number> = []
  let now: DateTime.Utc | null = since
  while (now !== null) {
    tries.push((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1000)
    now = nextTry({ attempts: tries.length, since }, now)
  }
  assert.deepStrictEqual(tries.slice(0, 12), [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111])
  assert.isTrue(tries.at(-1)! >= 86_400 - 300 && tries.at(-1)! < 86_400, String(tries.at(-1)))
  assert.isNull(nextTry({ attempts: 3, since }, DateTime.add(since, { days: 5 })), "the day is over, however few tries there were")
})

it("of four turns one is for notices first", () => {
  assert.deepStrictEqual([0, 1, 2, 3, 4, 7].map(firstAt), ["awaited", "awaited", "awaited", "notices", "awaited", "notices"])
})
