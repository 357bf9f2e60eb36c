/** What agents publish over what is there, and what they are told of it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Service, serviceWith } from "../support/service.ts"
import { agentOf } from "../support/tools.ts"

layer(serviceWith(), { timeout: "60 seconds", excludeTestServices: true })("what agents publish again", (it) => {
  it.effect("one text over one text stays what it was, unless its bytes say otherwise", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { call } = yield* agentOf(service, yield* service.account())
      const file = (slug: string) => Effect.map(call("read_project", { slug }), ({ kind, path, type }) => [kind, path, type])
      const kept = [
        ["text/html", "<p>one", "<h1>two</h1>", undefined, ["site", "index.html", "text/html; charset=utf-8"]],
        ["text/markdown", "# one", "# two", "notes.md", ["markdown", "notes.md", "text/markdown; charset=utf-8"]],
        ["text/csv", "a,b", "c,d", undefined, ["data", "data.csv", "text/csv; charset=utf-8"]],
        ["application/x-ndjson", "{}", "{\"a\":1}", undefined, ["data", "data.ndjson", "application/x-ndjson; charset=utf-8"]],
        ["text/plain", "one", "two", "log.txt", ["text", "log.txt", "text/plain; charset=utf-8"]]
      ] as const
      for (const [at, [content_type, one, two, file_name, expected]] of kept.entries()) {
        const slug = `stays-${at}`
        yield* call("publish", { slug, text: one, content_type, file_name: file_name ?? null })
        const updated = yield* call("update", { slug, text: two })
        assert.include(updated.words, `version 2 (${expected[0]})`)
        assert.deepStrictEqual(yield* file(slug), [...expected], "update")
        yield* call("publish", { slug, text: `${two} ` })
        assert.deepStrictEqual(yield* file(slug), [...expected], "publish")
        const { upload_id } = yield* call("begin_upload", { slug })
        yield* call("append_upload", { upload_id, index: 0, text: two })
        assert.strictEqual((yield* call("finish_upload", { upload_id })).version, 4)
        assert.deepStrictEqual(yield* file(slug), [...expected], "finish_upload")
      }
      assert.strictEqual((yield* call("update", { slug: "stays-1", text: "<!doctype html><p>page" })).kind, "site")
      assert.strictEqual((yield* call("update", { slug: "stays-0", text: "# words", content_type: "text/markdown" })).kind, "markdown")
      assert.strictEqual((yield* call("update", { slug: "stays-2", text: "# words", file_name: "a.md" })).kind, "markdown")
    }))
})
