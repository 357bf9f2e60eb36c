/** Staged uploads at their limits: how long they last, who may add to them, how much they hold, and when they are complete. */
import { assert, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { UploadId } from "../../../src/domain/uploads/model.ts"
import type { Chunk, Upload } from "../../../src/domain/uploads/model.ts"
import { CLAIM_LASTS, fits, isClaimed, LASTS, placed, room, stands, whole } from "../../../src/domain/uploads/rules.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const SOMETHING = "018f4a2e-0000-7000-8000-000000000000"
const now = DateTime.makeUnsafe("2027-01-31T12:00:00Z")
const upload: Upload = {
  id: UploadId.make(SOMETHING), userId: UserId.make(SOMETHING), workspaceId: WorkspaceId.make(SOMETHING),
  slug: "a-film", projectId: null, fileName: null, contentType: null, maxBytes: 100, sizeBytes: null, createdAt: now, claimedAt: null
}
const chunks = (...lengths: ReadonlyArray<readonly [index: number, length: number]>): ReadonlyArray<Chunk> => lengths.map(([index, length]) => ({ index, length, pack: "a" }))
const tag = <A>(result: Result.Result<A, { readonly _tag: string }>) => Result.match(result, { onFailure: ({ _tag }) => _tag, onSuccess: (value) => value })
const around = (at: DateTime.Utc) => [DateTime.subtract(at, { milliseconds: 1 }), at]

it("an upload stands for an hour, and a claim on it for a quarter of one", () => {
  assert.deepStrictEqual(around(DateTime.add(now, LASTS)).map((at) => stands(upload, at)), [true, false])
  assert.deepStrictEqual(around(DateTime.add(now, CLAIM_LASTS)).map((at) => isClaimed({ ...upload, claimedAt: now }, at)), [true, false])
  assert.deepStrictEqual([isClaimed(upload, now), isClaimed({ ...upload, claimedAt: now }, now)], [false, true])
})

it("four are open at once", () => {
  assert.deepStrictEqual([0, 3, 4, 5].map((open) => tag(room(Array.from({ length: open }, () => upload)))), [undefined, undefined, "conflict", "conflict"])
})

it("a chunk fits as long as the whole does, and counts instead of the one that it replaces", () => {
  const held = chunks([0, 60], [1, 30])
  assert.deepStrictEqual([10, 11].map((length) => tag(fits(upload, held, 2, length))), [100, "upload_too_large"])
  assert.deepStrictEqual([40, 41].map((length) => tag(fits(upload, held, 1, length))), [100, "upload_too_large"])
  assert.deepStrictEqual([100, 101].map((length) => tag(fits(upload, [], 0, length))), [100, "upload_too_large"])
})

it("it is whole once every chunk from the first on is there; the first that is not is named", () => {
  assert.strictEqual(tag(whole(chunks([0, 60], [1, 30], [2, 1]), null)), 91)
  for (const [held, missing] of [[[], 0], [chunks([1, 30]), 0], [chunks([0, 60], [2, 1]), 1], [chunks([0, 60], [1, 30], [4, 1]), 2]] as const) {
    assert.strictEqual(Result.getOrThrow(Result.flip(whole(held, null))).message, `Chunk ${missing} has not arrived. Send it with append_upload.`)
  }
})

it("what was announced must have arrived, to the byte", () => {
  const held = chunks([0, 60], [1, 30])
  assert.deepStrictEqual([89, 90, 91].map((announced) => tag(whole(held, announced))), ["validation_error", 90, "validation_error"])
})

it("a file that goes into a site carries no settings, and settings that were left out are none", () => {
  for (const [end, expected] of [
    [{}, undefined], [{ path: "a.css" }, undefined], [{ path: "a.css", settings: {} }, undefined], [{ path: "a.css", settings: { title: undefined } }, undefined],
    [{ settings: { title: "A" } }, undefined], [{ path: "a.css", settings: { title: "A" } }, "validation_error"]
  ] as const) assert.strictEqual(tag(placed(end)), expected, JSON.stringify(end))
})
