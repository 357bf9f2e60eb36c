/** How an export stands and when the next may be taken, to the millisecond. */
import { assert, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { ExportId } from "../../../src/domain/exports/model.ts"
import type { Export } from "../../../src/domain/exports/model.ts"
import { countsAsDownload, opens, recordOf, request, statusOf } from "../../../src/domain/exports/rules.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const at = (iso: string) => DateTime.makeUnsafe(iso)
const ID = "018f4a2e-0000-7000-8000-00000000abcd"

const queued: Export = {
  id: ExportId.make(ID),
  workspaceId: WorkspaceId.make(ID),
  requestedBy: null,
  requestedAt: at("2027-03-14T23:59:59.999Z"),
  begunAt: null,
  completedAt: null,
  failedAt: null,
  sizeBytes: null
}
const building = { ...queued, begunAt: at("2027-03-15T00:00:01Z") }
const ready = { ...building, completedAt: at("2027-03-15T00:00:02Z"), sizeBytes: 7 }
const failed = { ...building, failedAt: at("2027-03-15T00:00:02Z") }

it("an export is ready for seven days, then expired", () => {
  const [last, over] = [at("2027-03-22T00:00:01.999Z"), at("2027-03-22T00:00:02.000Z")]
  assert.deepStrictEqual([queued, building, ready, failed].map((facts) => statusOf(facts, last)), ["queued", "building", "ready", "failed"])
  assert.deepStrictEqual([queued, building, ready, failed].map((facts) => statusOf(facts, over)), ["queued", "building", "expired", "failed"])
  assert.deepStrictEqual(recordOf(ready, last).expiresAt, over)
  assert.isNull(recordOf(building, last).expiresAt)
})

it("its link opens while it is ready and its requester an admin", () => {
  const now = at("2027-03-16T00:00:00Z")
  assert.isTrue(opens({ ...ready, role: "admin" }, now))
  for (const role of ["member", null] as const) assert.isFalse(opens({ ...ready, role }, now))
  for (const facts of [queued, building, failed]) assert.isFalse(opens({ ...facts, role: "admin" }, now))
})

it("a download counts from its first byte, once: what resumes it does not, nor what sends no bytes", () => {
  const sent = [{ sendsBytes: true, start: 0 }, { sendsBytes: true, start: 1 }, { sendsBytes: false, start: 0 }]
  assert.deepStrictEqual(sent.map(countsAsDownload), [true, false, false])
})

it("one is taken a UTC day, by when it was asked for, and none beside one under way", () => {
  const verdict = (last: Export | undefined, now: string) => {
    const result = request(last, at(now))
    return Result.isSuccess(result) ? "taken" : result.failure.details["retry_after_seconds"]
  }
  assert.strictEqual(verdict(undefined, "2027-03-14T12:00:00Z"), "taken")
  assert.strictEqual(verdict(ready, "2027-03-14T23:59:59.999Z"), 1)
  assert.strictEqual(verdict(ready, "2027-03-15T00:00:00.000Z"), "taken")
  assert.strictEqual(verdict({ ...ready, requestedAt: at("2027-03-15T00:00:00Z") }, "2027-03-15T00:00:02Z"), 86_398)
  assert.strictEqual(verdict(queued, "2027-03-14T23:59:59.999Z"), 1)
  assert.strictEqual(verdict(building, "2027-03-15T00:00:00.000Z"), 60)
})
