/** A form's files are read no further ahead than they are taken. */
import { Readable } from "node:stream"
import { make } from "@effect/platform-node/NodeMultipartParser"
import { assert, it } from "@effect/vitest"
import "../../../src/http/server/form-backpressure.ts"

const CHUNKS = 20
const PER_CHUNK = 500

const partOf = (n: number): string => `--b\r\nContent-Disposition: form-data; name="file"; filename="${n}.txt"\r\n\r\n${n}\r\n`

it("of thousands of small files a chunk or two is parsed while nobody takes them, and all arrive once somebody does", async () => {
  let sent = 0
  const source = Readable.from((function*() {
    for (; sent < CHUNKS; sent++) yield Buffer.from(Array.from({ length: PER_CHUNK }, (_, n) => partOf(sent * PER_CHUNK + n)).join(""))
    yield Buffer.from("--b--\r\n")
  })(), { highWaterMark: 1 })
  const parser = source.pipe(make({ headers: { "content-type": "multipart/form-data; boundary=b" } }))
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  assert.isAtMost(parser.readableLength, 2 * PER_CHUNK)
  assert.isAtMost(sent, 4)
  const names: Array<string | undefined> = []
  for await (const part of parser) {
    assert(part._tag === "File")
    names.push(part.filename)
    part.resume()
  }
  assert.deepStrictEqual(names, Array.from({ length: CHUNKS * PER_CHUNK }, (_, n) => `${n}.txt`))
})

it("parts of any length arrive, however the body is cut and however slowly they are taken", async () => {
  const PARTS = 40
  for (const length of [100, 16_000, 64_512, 200_000]) {
    const body = Buffer.concat([...Array.from({ length: PARTS }, (_, n) => Buffer.concat([Buffer.from(partOf(n).slice(0, -2)), Buffer.alloc(length, "x"), Buffer.from("\r\n")])), Buffer.from("--b--\r\n")])
    for (const piece of [1_000, 16_384, 64_600, 65_536]) {
      const source = Readable.from((function*() {
        for (let at = 0; at < body.length; at += piece) yield body.subarray(at, at + piece)
      })(), { highWaterMark: 1 })
      const taken: Array<number> = []
      for await (const part of source.pipe(make({ headers: { "content-type": "multipart/form-data; boundary=b" } }))) {
        assert(part._tag === "File")
        let bytes = 0
        for await (const chunk of part) bytes += (chunk as Buffer).length
        taken.push(bytes)
        if (taken.length % 10 === 0) await new Promise(setImmediate)
      }
      assert.deepStrictEqual(taken, Array.from({ length: PARTS }, (_, n) => String(n).length + length), `${length} in pieces of ${piece}`)
    }
  }
})
