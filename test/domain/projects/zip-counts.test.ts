/** How many entries a zip says that it holds: read off its end, before it is unpacked. */
import { assert, it } from "@effect/vitest"
import { entriesIn, TAIL_BYTES } from "../../../src/domain/projects/zip-counts.ts"
import { zipOf } from "../../support/zips.ts"

const filesOf = (count: number) => zipOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.txt`, `${n}`])))

it("is what it says, with a short comment too; more than it can say, or an end that is not found, counts as very many", async () => {
  const zip = await filesOf(1_001)
  assert.strictEqual(entriesIn(zip.subarray(-TAIL_BYTES)), 1_001)
  assert.strictEqual(entriesIn(await filesOf(1)), 1)
  const comment = Buffer.from("made at noon")
  const commented = Buffer.concat([zip, comment])
  commented.writeUInt16LE(comment.length, zip.length - 2)
  assert.strictEqual(entriesIn(commented.subarray(-TAIL_BYTES)), 1_001)
  const uncounted = Buffer.from(zip)
  uncounted.writeUInt16LE(0xffff, zip.length - 12)
  assert.strictEqual(entriesIn(uncounted.subarray(-TAIL_BYTES)), Infinity)
  for (const none of [Buffer.alloc(0), Buffer.alloc(21), Buffer.from("PK\u0005\u0006"), zip.subarray(0, 500)]) assert.strictEqual(entriesIn(none), Infinity)
})
