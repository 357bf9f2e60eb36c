/** Pictures that stand as base64 in a document: behind the same doors as its bytes, in parts, and at the price of a file, over real sockets. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { BLOCK } from "../../../src/http/edge/memory/holdings.ts"
import { hash, openRig, utc } from "./rig.ts"
import type { Rig } from "./rig.ts"

const MARKDOWN = "text/markdown; charset=utf-8"
const SIGN = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
/** Of every length that base64 pads differently, one of many blocks. */
const pictures = [5_000, 5_001, 5_002, BLOCK * 5 + 77].map((length) => Buffer.concat([SIGN, randomBytes(length - SIGN.length)]))
const words = `# Grüße\n\n${pictures.map((one, index) => `![${index}](data:image/png;base64,${one.toString("base64")})\n`).join("\n")}`
const text = Buffer.from(words).toString("latin1")
const places = pictures.map((one) => [text.indexOf(one.toString("base64")), one.toString("base64").length] as const)
const RAW = `/_svc/raw/a.md?v=${hash(Buffer.from(words)).slice(0, 32)}`
const at = (from: number, length: number) => `${RAW}&picture=${from}-${length}`
const paths = places.map((place) => at(...place))
const large = pictures[3]!

describe("a picture in a document", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig()
    const publish = (slug: string, facts: Parameters<Rig["publish"]>[2]) => rig.publish(slug, { "a.md": [MARKDOWN, words] }, { kind: "markdown", entry: "a.md", ...facts })
    publish("open", {})
    publish("doorcode", { visibility: "password" })
    publish("private", { visibility: "private" })
    publish("expired", { expiresAt: utc("2020-01-01T00:00:00Z") })
    publish("down", { trialEndsAt: utc("2020-01-01T00:00:00Z") })
    publish("entered", { visibility: "password" })
    publish("followed", { visibility: "private" })
    const given = { id: "01890000-0000-7000-b000-000000000001" as never, givenAt: utc(new Date().toISOString()), accessEpoch: 0, frameName: "f", member: null, link: null }
    rig.passes.set(hash(Buffer.from("by-doorcode".padEnd(43, "x"))), { ...given, via: "doorcode" })
    rig.passes.set(hash(Buffer.from("by-link".padEnd(43, "x"))), { ...given, via: "link", link: { id: "01890000-0000-7000-b000-000000000002" as never, expiresAt: null, revoked: false } })
  })
  afterAll(() => rig.close())

  it("is answered whole and in parts, as its own bytes", async () => {
    for (const [index, path] of paths.entries()) {
      const picture = pictures[index]!
      const { body, headers, status } = await rig.ask("open", path)
      assert.deepStrictEqual([status, headers["content-type"], headers["content-length"], body.equals(picture)], [200, "image/png", String(picture.length), true])
      const head = await rig.ask("open", path, {}, "HEAD")
      assert.deepStrictEqual([head.status, head.body.length], [200, 0])
      for (const name of ["content-length", "content-type", "etag", "accept-ranges", "cache-control"]) assert.strictEqual(head.headers[name], headers[name], name)
      const etag = headers.etag!
      assert.strictEqual((await rig.ask("open", path, { "if-none-match": etag })).status, 304)
      assert.strictEqual((await rig.ask("open", path, { "if-none-match": etag }, "HEAD")).status, 304)
      const end = picture.length - 1
      for (const [start, to] of [[0, 0], [1, 1], [2, 4_000], [end, end], [end - 3, end], [Math.min(BLOCK, end) - 2, Math.min(BLOCK + 2, end)], [7, end]] as const) {
        const part = await rig.ask("open", path, { range: `bytes=${start}-${to}`, "if-range": etag })
        assert.deepStrictEqual([part.status, part.headers["content-range"]], [206, `bytes ${start}-${to}/${picture.length}`])
        assert.isTrue(part.body.equals(picture.subarray(start, to + 1)), `${index}: ${start}-${to}`)
      }
      assert.strictEqual((await rig.ask("open", path, { range: "bytes=0-0", "if-range": "\"x\"" })).status, 200)
      assert.strictEqual((await rig.ask("open", path, { range: `bytes=${picture.length}-` })).status, 416)
    }
    const tags = await Promise.all(paths.map(async (path) => (await rig.ask("open", path)).headers.etag))
    assert.strictEqual(new Set(tags).size, paths.length)
  })

  it("is no other place, whatever stands there", async () => {
    const [from, length] = places[0]!
    for (const path of [
      at(from + 4, length - 4), at(from, length - 4), at(from - 1, length + 1), at(from, 5_000_000), at(from, 4_000), at(from, 0), at(999_999_999, length), `${RAW}&picture=`, `${RAW}&picture=x`
    ]) assert.strictEqual((await rig.ask("open", path)).status, 404, path)
    assert.strictEqual((await rig.ask("open", paths[0]!.replace(/v=\w+/, "v=0"))).status, 409)
  })

  it("opens where the document's own bytes do, and nowhere else", async () => {
    const cookie = (name: string) => ({ cookie: `__Host-svc_gate=${name.padEnd(43, "x")}` })
    for (const [slug, headers, status] of [
      ["open", {}, 200], ["doorcode", {}, 401], ["private", {}, 403], ["expired", {}, 410], ["down", {}, 410],
      ["entered", cookie("by-doorcode"), 200], ["followed", cookie("by-link"), 200], ["private", cookie("by-doorcode"), 403]
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        for (const extra of [{}, { range: "bytes=0-9" }, { "if-none-match": "*" }]) {
          const [bytes, picture] = await Promise.all([RAW, paths[0]!].map((path) => rig.ask(slug, path, { ...headers, ...extra }, method)))
          assert.strictEqual(picture!.status, bytes!.status, `${slug} ${method}`)
          if (Object.keys(extra).length === 0) assert.strictEqual(picture!.status, status, slug)
          for (const name of ["cache-control", "x-robots-tag", "surrogate-key"]) assert.strictEqual(picture!.headers[name], bytes!.headers[name], `${slug} ${name}`)
        }
      }
    }
  })

  it("costs what is asked of it: a few bytes of its beginning and its end, and each block that is read, once", async () => {
    await using own = await openRig()
    own.publish("open", { "a.md": [MARKDOWN, words] }, { kind: "markdown", entry: "a.md" })
    for (let n = 0; n < 5; n++) await own.ask("open", paths[3]!, {}, "HEAD")
    const read = () => own.reads.splice(0).reduce((sum, { length }) => sum + length, 0)
    assert.isBelow(read(), 100)
    await own.ask("open", paths[3]!, { range: "bytes=99-99" })
    assert.isBelow(read(), BLOCK * 4 / 3 + 4)
    const answers = await Promise.all(Array.from({ length: 5 }, () => own.ask("open", paths[3]!)))
    assert.isBelow(read(), BLOCK * 4 * 4 / 3 + 200)
    for (const { body } of answers) assert.isTrue(body.equals(large))
  })

  it("of signs that are no base64 after all has its length, and no bytes", async () => {
    const broken = `![a](data:image/png;base64,${Buffer.concat([SIGN, Buffer.alloc(4_000, 1)]).toString("base64")} and "${"é".repeat(2_000)}" more)`
    rig.publish("broken", { "a.md": [MARKDOWN, broken] }, { kind: "markdown", entry: "a.md" })
    const { body, headers, status } = await rig.ask("broken", `/_svc/raw/a.md?picture=27-${Buffer.byteLength(broken) - 27}`)
    assert.deepStrictEqual([status, headers["content-length"], headers["content-type"]], [200, String(body.length), "image/png"])
    assert.isTrue(body.length > 4_008 && body.every((byte) => byte === 0))
    assert.deepStrictEqual(rig.defects, [])
  })
})
