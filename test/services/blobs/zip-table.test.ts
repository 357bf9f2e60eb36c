/** The table of a zip while it grows: little of it stays in memory, and all of it comes back in its order. */
import { assert, it } from "vitest"
import { ZipTable } from "../../../src/services/blobs/zip-table.ts"

const MB = 1024 * 1024

const tableOf = async (bytes: number) => {
  const aside: Array<Uint8Array> = []
  const table = new ZipTable(async (blocks) => {
    const piece = Buffer.concat(blocks)
    aside.push(piece)
    return async () => piece
  })
  const added: Array<Buffer> = []
  let held = 0
  for (let size = 0, n = 0; size < bytes; n++) {
    const piece = Buffer.alloc(1 + n * 7919 % 1500, `${n} `)
    table.add(n % 2 === 0 ? piece : piece.toString())
    added.push(piece)
    size += piece.length
    await table.makeRoom()
    held = Math.max(held, size - aside.reduce((sum, { length }) => sum + length, 0))
  }
  const back: Array<Uint8Array> = []
  for await (const piece of table) back.push(piece)
  return { aside: aside.length, held, whole: Buffer.concat(back).equals(Buffer.concat(added)) }
}

it("stays in memory while it is no longer than that of one version", async () => {
  for (const bytes of [0, 1, 3 * MB]) assert.deepInclude(await tableOf(bytes), { aside: 0, whole: true })
})

it("beyond that leaves at most 5 MB in memory", async () => {
  const { aside, held, whole } = await tableOf(30 * MB)
  assert.isTrue(whole)
  assert.isAbove(aside, 5)
  assert.isBelow(held, 5 * MB)
})
