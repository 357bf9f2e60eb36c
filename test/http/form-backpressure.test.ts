/** A form's files are read no further ahead than they are taken. */
import { Readable } from "node:stream"
import { make } from "@effect/platform-node/NodeMultipartParser"
import { assert, it } from "@effect/vitest"
import "../../src/http/server/form-backpressure.ts"

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
