/** What happened to a thread since a moment. */
import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { happenedTo } from "../../../src/domain/catching-up/rules.ts"
import type { Comment } from "../../../src/domain/comments/model.ts"

const at = (minute: number) => DateTime.makeUnsafe(Date.UTC(2027, 0, 31, 12, minute))

interface Times {
  readonly updated?: number
  readonly edited?: boolean
  readonly resolved?: number
  readonly replies?: ReadonlyArray<{ readonly created: number; readonly updated: number }>
}

/** Opened at noon. */
const thread = ({ edited = false, replies = [], resolved, updated = 0 }: Times) =>
  ({
    createdAt: at(0),
    updatedAt: at(updated),
    edited,
    resolvedAt: resolved === undefined ? null : at(resolved),
    replies: replies.map(({ created, updated }) => ({ createdAt: at(created), updatedAt: at(updated), edited: updated > created }))
  }) as unknown as Comment

it.each<[string, Times, number, ReadonlyArray<string>]>([
  ["opened", {}, -1, ["opened"]],
  ["nothing new", { updated: 5, edited: true }, 5, []],
  ["edited", { updated: 5, edited: true }, 1, ["edited"]],
  ["opened and edited", { updated: 5, edited: true }, -1, ["opened", "edited"]],
  ["resolved", { updated: 30, resolved: 30 }, 1, ["resolved"]],
  ["resolved, edited before", { updated: 30, resolved: 30, edited: true }, 20, ["resolved"]],
  ["reopened", { updated: 40 }, 30, ["reopened"]],
  ["reopened, edited before", { updated: 40, edited: true }, 30, ["reopened"]],
  ["reopened at once", { updated: 2 }, 1, ["reopened"]],
  ["edited and reopened", { updated: 40, edited: true }, 1, ["reopened", "edited"]],
  ["a reply", { replies: [{ created: 20, updated: 20 }] }, 10, ["replied"]],
  ["an edited reply", { replies: [{ created: 20, updated: 22 }] }, 21, ["edited"]],
  ["an edited reply in an edited thread", { updated: 12, edited: true, replies: [{ created: 10, updated: 12 }] }, 11, ["edited"]],
  ["an old one", { replies: [{ created: 20, updated: 22 }] }, 22, []]
])("%s", (_, times, since, expected) => assert.deepStrictEqual(happenedTo(thread(times), at(since)), [...expected]))
