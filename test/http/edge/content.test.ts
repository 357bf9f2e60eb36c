/** Files as HTTP answers: conditions, ranges, encodings and headers, over real sockets. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { BLOCK } from "../../../src/http/edge/memory/holdings.ts"
import { openRig, tagFor, until } from "./rig.ts"
import type { Rig } from "./rig.ts"

const HTML = "text/html; charset=utf-8"
const page = `<!doctype html><title>Hello</title>${"<p>the quick brown fox</p>".repeat(200)}`
const script = `export const a = ${JSON.stringify("lorem ipsum ".repeat(40_000))}`
const image = randomBytes(5_000)
const video = randomBytes(BLOCK * 5 + 12_345)

describe("content", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig()
    rig.publish("site", {
      "index.html": [HTML, page], "big.js": ["text/javascript; charset=utf-8", script], "a.png": ["image/png", image],
      "v.mp4": ["video/mp4", video], "empty.txt": ["text/plain; charset=utf-8", ""], "404.html": [HTML, `${page}lost`]
    })
  })
  afterAll(() => rig.close())

  it("answers a page with everything that belongs to it", async () => {
    const { headers, status, text } = await rig.ask("site", "/")
    assert.strictEqual(status, 200)
    assert.strictEqual(text, page)
    assert.strictEqual(headers["content-type"], HTML)
    assert.strictEqual(headers["content-length"], String(page.length))
    assert.strictEqual(headers.etag, tagFor(page, HTML))
    assert.strictEqual(headers["cache-control"], "no-cache, must-revalidate")
    assert.strictEqual(headers.vary, "Accept-Encoding")
    assert.strictEqual(headers["accept-ranges"], "bytes")
    assert.strictEqual(headers["x-robots-tag"], "noindex")
    assert.strictEqual(headers["referrer-policy"], "strict-origin-when-cross-origin")
    assert.strictEqual(headers["x-content-type-options"], "nosniff")
    assert.match(headers["x-request-id"] as string, /^[\w.-]{8,128}$/)
    for (const absent of ["surrogate-key", "content-security-policy", "set-cookie", "clear-site-data", "content-encoding"]) {
      assert.isUndefined(headers[absent])
    }
  })

  it("lets an edge keep assets under the project's name, and search engines in where that was asked for, to whoever keeps what it said before too", async () => {
    const asset = await rig.ask("site", "/a.png")
    assert.strictEqual(asset.headers["cache-control"], "public, no-cache, must-revalidate")
    assert.strictEqual(asset.headers["surrogate-key"], rig.sites.get("site")!.projectId)
    assert.isUndefined(asset.headers.vary)
    const { etag } = (await rig.ask("site", "/")).headers
    for (const [indexable, robots] of [[true, "all"], [false, "noindex"]] as const) {
      rig.change("site", { indexable })
      for (const [status, headers] of [[200, {}], [304, { "if-none-match": etag }]] as const) {
        const answer = await rig.ask("site", "/", headers)
        assert.deepStrictEqual([answer.status, answer.headers["x-robots-tag"]], [status, robots])
      }
    }
  })

  it("parts of a Unity build are unpacked by the browser, beside their loader; other packed files stay packed", async () => {
    const part = "window.unity = ".padEnd(5_000, "1")
    const files = { "Build/g.framework.js.br": brotliCompressSync(part), "Build/g.data.gz": gzipSync(part), "Build/other.data.gz": gzipSync(part), "Build/g.js.gz": gzipSync(part) }
    rig.publish("game", {
      "index.html": [HTML, page], "Build/g.loader.js": ["text/javascript; charset=utf-8", "load()"],
      ...Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, ["application/gzip", bytes] as const]))
    })
    const said = async (path: string) => {
      const { body, headers } = await rig.ask("game", path, { "accept-encoding": "gzip, br" })
      assert.deepStrictEqual(body, files[path.slice(1) as keyof typeof files])
      return [headers["content-type"], headers["content-encoding"]]
    }
    assert.deepStrictEqual(await said("/Build/g.framework.js.br"), ["text/javascript; charset=utf-8", "br"])
    assert.deepStrictEqual(await said("/Build/g.data.gz"), ["application/octet-stream", "gzip"])
    assert.deepStrictEqual(await said("/Build/other.data.gz"), ["application/gzip", undefined])
    assert.deepStrictEqual(await said("/Build/g.js.gz"), ["application/gzip", undefined])
  })

  it("HEAD answers what GET would, without the body", async () => {
    for (const path of ["/", "/a.png", "/v.mp4", "/empty.txt", "/nothing"]) {
      const get = await rig.ask("site", path)
      const head = await rig.ask("site", path, {}, "HEAD")
      assert.strictEqual(head.status, get.status)
      assert.strictEqual(head.body.length, 0)
      for (const name of ["content-length", "etag", "content-type", "cache-control", "vary", "accept-ranges"]) {
        assert.strictEqual(head.headers[name], get.headers[name], `${path} ${name}`)
      }
    }
    assert.strictEqual((await rig.ask("site", "/v.mp4", { range: "bytes=0-1" }, "HEAD")).status, 200)
  })

  const image_ = tagFor(image, "image/png")
  const conditions: ReadonlyArray<readonly [name: string, headers: Record<string, string>, status: number]> = [
    ["the tag", { "if-none-match": image_ }, 304],
    ["the tag, weak", { "if-none-match": `W/${image_}` }, 304],
    ["one of a list", { "if-none-match": `"x", W/"y" ,${image_}` }, 304],
    ["a list with a comma inside a tag", { "if-none-match": `"a,b", ${image_}` }, 304],
    ["any", { "if-none-match": "*" }, 304],
    ["another", { "if-none-match": "\"x\"" }, 200],
    ["without quotes", { "if-none-match": image_.slice(1, -1) }, 200],
    ["garbage before it", { "if-none-match": `x ${image_}` }, 200],
    ["the tag beside a date, as Squid sends a reader's with its own copy's", { "if-none-match": image_, "if-modified-since": new Date().toUTCString() }, 200],
    ["a date alone", { "if-modified-since": new Date().toUTCString() }, 200],
    ["must match, and does", { "if-match": image_ }, 200],
    ["must match one of a list that begins like none", { "if-match": `"x", ${image_}` }, 200],
    ["must match, in a list with a tag that has no end", { "if-match": `"x, ${image_}` }, 412],
    ["must match any", { "if-match": "*" }, 200],
    ["must match strongly", { "if-match": `W/${image_}` }, 412],
    ["must match another", { "if-match": "\"x\"" }, 412],
    ["If-Match comes first", { "if-match": "\"x\"", "if-none-match": image_ }, 412],
    ["unchanged comes before the range", { "if-none-match": image_, range: "bytes=0-1" }, 304]
  ]
  for (const [name, headers, status] of conditions) {
    it(`condition: ${name} → ${status}`, async () => {
      const answer = await rig.ask("site", "/a.png", headers)
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.body.length, status === 200 ? image.length : 0)
      if (status === 412) assert.isUndefined(answer.headers.etag)
      if (status === 304) {
        assert.strictEqual(answer.headers.etag, image_)
        assert.strictEqual(answer.headers["cache-control"], "public, no-cache, must-revalidate")
        assert.isUndefined(answer.headers["content-type"])
      }
    })
  }

  const last = video.length - 1
  const ranges: ReadonlyArray<readonly [range: string, start: number, end: number]> = [
    ["bytes=0-0", 0, 0],
    ["bytes=0-", 0, last],
    ["bytes=100-199", 100, 199],
    ["Bytes= 5-9 ", 5, 9],
    ["bytes=-7", last - 6, last],
    [`bytes=-${video.length * 2}`, 0, last],
    [`bytes=${last}-`, last, last],
    [`bytes=${last - 1}-99999999999999999999`, last - 1, last],
    [`bytes=${BLOCK - 1}-${BLOCK}`, BLOCK - 1, BLOCK],
    [`bytes=${BLOCK}-${BLOCK * 2 - 1}`, BLOCK, BLOCK * 2 - 1],
    [`bytes=${BLOCK * 3 + 1}-${last}`, BLOCK * 3 + 1, last]
  ]
  for (const [range, start, end] of ranges) {
    it(`range: ${range}`, async () => {
      for (const turn of ["cold", "from memory"]) {
        const { body, headers, status } = await rig.ask("site", "/v.mp4", { range, "if-range": tagFor(video, "video/mp4") })
        assert.strictEqual(status, 206, turn)
        assert.strictEqual(headers["content-range"], `bytes ${start}-${end}/${video.length}`)
        assert.strictEqual(headers["content-length"], String(end - start + 1))
        assert.strictEqual(headers.etag, tagFor(video, "video/mp4"))
        assert.isTrue(body.equals(video.subarray(start, end + 1)))
      }
    })
  }

  const ignored = ["bytes=0-1,5-6", "bytes=5-4", "bytes=a-b", "bytes=-", "bytes=", "items=0-1", "bytes=0-1,", "bytes 0-1", "bytes=0 - 1"]
  for (const range of ignored) {
    it(`range ignored: ${range}`, async () => {
      const { body, headers, status } = await rig.ask("site", "/a.png", { range })
      assert.strictEqual(status, 200)
      assert.isUndefined(headers["content-range"])
      assert.isTrue(body.equals(image))
    })
  }

  it("an unsatisfiable range says how long the file is", async () => {
    for (const [path, range, length] of [
      ["/a.png", "bytes=5000-", 5000], ["/a.png", "bytes=99999999999999999999-", 5000], ["/a.png", "bytes=-0", 5000],
      ["/empty.txt", "bytes=0-", 0], ["/empty.txt", "bytes=-1", 0]
    ] as const) {
      const { body, headers, status } = await rig.ask("site", path, { range })
      assert.strictEqual(status, 416)
      assert.isUndefined(headers.etag)
      assert.strictEqual(headers["content-range"], `bytes */${length}`)
      assert.strictEqual(body.length, 0)
    }
  })

  it("If-Range: another tag, a weak one and a date mean the whole file", async () => {
    for (const ifRange of ["\"x\"", `W/${tagFor(image, "image/png")}`, new Date().toUTCString()]) {
      assert.strictEqual((await rig.ask("site", "/a.png", { range: "bytes=0-1", "if-range": ifRange })).status, 200)
    }
    assert.strictEqual((await rig.ask("site", "/a.png", { range: "bytes=0-1", "if-range": tagFor(image, "image/png") })).status, 206)
  })

  const encodings: ReadonlyArray<readonly [header: string | undefined, encoding: string | undefined]> = [
    [undefined, undefined],
    ["", undefined],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["x-gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["GZIP;Q=1.0", "gzip"],
    ["identity, br;q=0.5", undefined],
    ["deflate, zstd", undefined],
    ["br;q=nonsense, gzip;q=0", undefined],
    ["identity;q=0, br;q=0.1", "br"],
    ["*;q=0", undefined]
  ]
  for (const [header, encoding] of encodings) {
    it(`encoding: ${header} → ${encoding ?? "identity"}`, async () => {
      const { body, headers, status } = await rig.ask("site", "/", header === undefined ? {} : { "accept-encoding": header })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-encoding"], encoding)
      assert.strictEqual(headers["content-length"], String(body.length))
      assert.strictEqual(headers.vary, "Accept-Encoding")
      const suffix = encoding === undefined ? "" : encoding === "br" ? "-br" : "-gz"
      assert.strictEqual(headers.etag, `${tagFor(page, HTML).slice(0, -1)}${suffix}"`)
      const plain = encoding === undefined ? body : encoding === "br" ? brotliDecompressSync(body) : gunzipSync(body)
      assert.strictEqual(plain.toString(), page)
    })
  }

  it("a large file is not held up by its compression, and is compressed from then on", async () => {
    const first = await rig.ask("site", "/big.js", { "accept-encoding": "br" })
    assert.isUndefined(first.headers["content-encoding"])
    assert.strictEqual(first.text, script)
    let later = first
    while (later.headers["content-encoding"] === undefined) later = await rig.ask("site", "/big.js", { "accept-encoding": "br" })
    assert.strictEqual(brotliDecompressSync(later.body).toString(), script)
  })

  it("a variant is confirmed by its own tag, for a client that still accepts it, and is never cut", async () => {
    const br = `${tagFor(page, HTML).slice(0, -1)}-br"`
    const unchanged = await rig.ask("site", "/", { "accept-encoding": "br", "if-none-match": br })
    assert.strictEqual(unchanged.status, 304)
    assert.strictEqual(unchanged.headers.etag, br)
    assert.strictEqual(unchanged.headers.vary, "Accept-Encoding")
    assert.strictEqual((await rig.ask("site", "/", { "if-none-match": br })).status, 200)
    const part = await rig.ask("site", "/", { "accept-encoding": "br", range: "bytes=0-8" })
    assert.strictEqual(part.status, 206)
    assert.strictEqual(part.text, page.slice(0, 9))
    assert.strictEqual(part.headers.etag, tagFor(page, HTML))
    const whole = await rig.ask("site", "/", { "accept-encoding": "br", range: "bytes=0-8", "if-range": br })
    assert.strictEqual(whole.status, 200)
  })

  it("the same bytes under another type or another policy are sent anew, and under the same ones confirmed", async () => {
    const publish = (type: string) => rig.publish("same", { "index.html": [type, page], "d.svg": ["image/svg+xml", "<svg/>"] })
    const legacy = "text/html; charset=windows-1252"
    for (const accepted of ["identity", "gzip", "br"]) {
      publish(HTML)
      const asked = { "accept-encoding": accepted }
      const { etag } = (await rig.ask("same", "/", asked)).headers
      publish(HTML)
      assert.strictEqual((await rig.ask("same", "/", { ...asked, "if-none-match": etag })).status, 304)
      publish(legacy)
      const anew = await rig.ask("same", "/", { ...asked, "if-none-match": etag })
      assert.deepStrictEqual([anew.status, anew.headers["content-type"]], [200, legacy])
      assert.strictEqual((await rig.ask("same", "/", { ...asked, "if-none-match": anew.headers.etag })).status, 304)
      assert.strictEqual((await rig.ask("same", "/", { range: "bytes=0-1", "if-range": etag })).status, 200)
    }
    const policyOf = async (etag: string | undefined) => {
      const { headers, status } = await rig.ask("same", "/d.svg", etag === undefined ? {} : { "if-none-match": etag })
      assert.strictEqual(status, 200)
      return [headers["content-security-policy"], headers.etag] as const
    }
    const [none, bare] = await policyOf(undefined)
    rig.change("same", { commentsEnabled: true })
    const [sandbox, beside] = await policyOf(bare)
    rig.change("same", { commentsEnabled: false })
    const [again] = await policyOf(beside)
    assert.deepStrictEqual([none, sandbox, again], [undefined, "sandbox", undefined])
  })

  it("the author's 404 page is a 404 with or without conditions and ranges", async () => {
    for (const headers of [{}, { "if-none-match": "*" }, { range: "bytes=0-1" }, { "if-match": "\"x\"" }]) {
      const answer = await rig.ask("site", "/nothing/here", headers)
      assert.strictEqual(answer.status, 404)
      assert.isTrue(answer.text.endsWith("lost"))
      assert.strictEqual(answer.headers.etag, tagFor(`${page}lost`, HTML))
    }
  })

  it("an empty file is answered", async () => {
    const { headers, status } = await rig.ask("site", "/empty.txt")
    assert.deepStrictEqual([status, headers["content-length"]], [200, "0"])
  })

  it("metrics hear of every answer, its bytes and its route", async () => {
    rig.facts.length = 0
    await rig.ask("site", "/a.png")
    await rig.ask("site", "/v.mp4", { range: "bytes=0-999999" })
    const nobody = await rig.ask("nobody", "/")
    await until(() => rig.facts.length >= 3)
    assert.deepStrictEqual(rig.facts.map(({ bytes, route, slug, status }) => [slug, status, bytes, route]), [
      ["site", 200, image.length, "file"], ["site", 206, 1_000_000, "file"], ["nobody", 404, nobody.body.length, "closed"]
    ])
    assert.isTrue(rig.facts.every(({ ms }) => ms >= 0))
  })
})
