/** Long lists of the API, compressed for whoever accepts it; nothing that holds a secret ever is. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { form } from "../../support/ask.ts"
import { Service, serviceWith } from "../../support/service.ts"

const PROJECTS = 30

layer(serviceWith(), { excludeTestServices: true })("long lists", (it) => {
  it.effect("are the same in every encoding, and a fraction as long", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      yield* Effect.forEach(Array.from({ length: PROJECTS }, (_, n) => n), (n) =>
        service.ask(`/v1/projects/listed-${n}`, { method: "PUT", body: `# Report ${n}\n\n${"It went well. ".repeat(30)}`, headers: { ...bearer, "content-type": "text/markdown" } }))
      const list = (path: string, accepted: string | undefined, method = "GET") =>
        service.ask(path, { method, headers: { ...bearer, ...accepted !== undefined && { "accept-encoding": accepted } } })
      const all = `/v1/projects?limit=${PROJECTS}&include=excerpt`
      const plain = yield* list(all, undefined)
      assert.lengthOf(plain.json.projects, PROJECTS)
      const decoded = { br: brotliDecompressSync, gzip: gunzipSync }
      for (const [accepted, encoding] of [["gzip, deflate, br, zstd", "br"], ["gzip", "gzip"], ["br;q=0.1, gzip", "gzip"], ["*", "br"]] as const) {
        const { bytes, headers, status } = yield* list(all, accepted)
        assert.deepStrictEqual([status, headers["content-encoding"], headers["content-type"], headers["cache-control"]], [200, encoding, plain.headers["content-type"], "no-store"], accepted)
        assert.strictEqual(Number(headers["content-length"]), bytes.length)
        assert.isBelow(bytes.length, plain.bytes.length / 4)
        assert.strictEqual(decoded[encoding](bytes).toString(), plain.text)
      }
      for (const accepted of ["identity", "br;q=0, gzip;q=0", "zstd", ""]) assert.isUndefined((yield* list(all, accepted)).headers["content-encoding"], accepted)
      assert.isUndefined((yield* list("/v1/projects?limit=2", "br")).headers["content-encoding"])
      const head = yield* list(all, "br", "HEAD")
      assert.deepStrictEqual([head.status, head.bytes.length], [200, 0])
      // A doorcode in the list is a secret; what a title says is none.
      const titled = (title: string, json: object) => service.ask("/v1/projects/listed-0", { method: "PATCH", headers: bearer, json: { title, ...json } })
      yield* titled(`{"password":"x"}`, {})
      assert.strictEqual((yield* list(all, "br")).headers["content-encoding"], "br")
      yield* titled("Closed", { visibility: "password" })
      const closed = yield* list(all, "br")
      assert.match(closed.text, /"password":"[a-z-]+"/)
      assert.isUndefined(closed.headers["content-encoding"])
    }))

  it.effect("are all that is compressed: an answer with a secret in it is as long as it is", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, workspaceId } = yield* service.account()
      const headers = { ...bearer, "accept-encoding": "br, gzip" }
      const sent = form({ name: "slug", value: "linked" }, { name: "file", file: "a.md", content: "# Here" })
      assert.strictEqual((yield* service.ask("/v1/projects", { ...sent, headers: { ...sent.headers, ...bearer } })).status, 201)
      for (let n = 0; n < 20; n++) {
        const made = yield* service.ask("/v1/projects/linked/share-links", { json: { label: `For reader ${n} ${"of the report ".repeat(4)}` }, headers: bearer })
        assert.strictEqual(made.status, 201, made.text)
      }
      const links = yield* service.ask("/v1/projects/linked/share-links", { headers })
      assert.isAbove(links.bytes.length, 4096)
      assert.deepStrictEqual([links.status, links.headers["content-encoding"]], [200, undefined])
      // What was done is told by ids.
      const done = yield* service.ask(`/v1/workspace/audit?workspace=${workspaceId}`, { headers })
      assert.deepStrictEqual([done.status, done.headers["content-encoding"]], [200, "br"])
    }))
})
