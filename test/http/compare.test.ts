/** Comparing two versions over the wire: files, lines, limits that are stated, and who may see it. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { PIXEL } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

let names = 0
const fresh = () => `sides-${++names}`

const publish = Effect.fnUntraced(function*(account: Account, slug: string, body: string | Uint8Array, type = "text/plain; charset=utf-8") {
  const service = yield* Service
  const put = yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } })
  assert.include([200, 201], put.status, put.text)
})

const site = (account: Account, slug: string, files: Parameters<typeof zipOf>[0]) =>
  Effect.flatMap(Effect.promise(() => zipOf(files)), (zip) => publish(account, slug, zip, "application/zip"))

const ask = (account: Account, slug: string, from: unknown, to: unknown) =>
  Service.use((service) => service.ask(`/v1/projects/${slug}/versions/${from}/compare/${to}`, { headers: account.bearer }))

const compare = (account: Account, slug: string, from: number, to: number) =>
  Effect.map(ask(account, slug, from, to), (answer) => (assert.strictEqual(answer.status, 200, answer.text), answer.json))

layer(serviceWith(), { excludeTestServices: true })("compare", (it) => {
  it.effect("tells added, changed, removed and kept files apart, and shows the lines of texts", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = fresh()
      yield* site(ada, slug, { "index.html": "<h1>One</h1>\n<p>Same</p>\n", "logo.png": PIXEL, "old.css": "a{}", "same.js": "1" })
      yield* site(ada, slug, { "index.html": "<h1>Two</h1>\n<p>Same</p>\n", "logo.png": Buffer.concat([PIXEL, PIXEL]), "same.js": "1", "new/data.json": "{}" })
      assert.deepStrictEqual(yield* compare(ada, slug, 1, 2), {
        from: 1,
        to: 2,
        summary: { added: 1, changed: 2, removed: 1, unchanged: 1 },
        files: {
          added: [{ path: "new/data.json", size_bytes: 2 }],
          changed: [
            { path: "index.html", size_bytes_from: 25, size_bytes_to: 25 },
            { path: "logo.png", size_bytes_from: PIXEL.length, size_bytes_to: 2 * PIXEL.length }
          ],
          removed: [{ path: "old.css", size_bytes: 3 }]
        },
        diffs: [{
          path: "index.html",
          hunks: [{
            from_line: 1,
            from_lines: 2,
            to_line: 1,
            to_lines: 2,
            lines: [
              { kind: "removed", text: "<h1>One</h1>" },
              { kind: "added", text: "<h1>Two</h1>" },
              { kind: "same", text: "<p>Same</p>" }
            ]
          }],
          left_out: null
        }],
        truncated: false
      })
      const back = yield* compare(ada, slug, 2, 1)
      assert.deepStrictEqual([back.files.added[0].path, back.files.removed[0].path], ["old.css", "new/data.json"])
      const none = yield* compare(ada, slug, 2, 2)
      assert.deepStrictEqual([none.summary, none.diffs], [{ added: 0, changed: 0, removed: 0, unchanged: 4 }, []])
    }))

  it.effect("compares a document under a new name with its predecessor", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = fresh()
      for (const [name, text] of [["plan-1.md", "# Plan\n\nOne\n"], ["plan-2.md", "# Plan\n\nTwo\n"]] as const) {
        const put = yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body: text, headers: { ...ada.bearer, "content-type": "text/markdown", "x-filename": name } })
        assert.include([200, 201], put.status, put.text)
      }
      const { diffs, files, summary } = yield* compare(ada, slug, 1, 2)
      assert.deepStrictEqual(summary, { added: 0, changed: 1, removed: 0, unchanged: 0 })
      assert.deepStrictEqual(files.changed, [{ path: "plan-2.md", size_bytes_from: 12, size_bytes_to: 12 }])
      assert.deepStrictEqual(diffs[0].hunks[0].lines.filter(({ kind }: { readonly kind: string }) => kind !== "same"), [{ kind: "removed", text: "One" }, { kind: "added", text: "Two" }])
    }))

  it.effect("reads each side in its own encoding, an empty one too, and says nothing of what only claims to be text", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = fresh()
      yield* publish(ada, slug, Buffer.from("caf\u00e9 au lait", "latin1"), "text/plain; charset=iso-8859-1")
      yield* publish(ada, slug, "caf\u00e9 au lait\n")
      const [{ hunks: [hunk] }] = (yield* compare(ada, slug, 1, 2)).diffs
      assert.deepStrictEqual(hunk.lines, [{ kind: "removed", text: "caf\u00e9 au lait", no_newline_at_end: true }, { kind: "added", text: "caf\u00e9 au lait" }])

      // A log with a truncated character, shown as its viewer shows it.
      const log = fresh()
      yield* publish(ada, log, Buffer.from("gr\xc3\xbcn\nend \xff\n", "latin1"))
      yield* publish(ada, log, Buffer.from("gr\xc3\xbcn\nmore \xff\n", "latin1"))
      const [{ hunks: [cut] }] = (yield* compare(ada, log, 1, 2)).diffs
      assert.deepStrictEqual(cut.lines.map(({ text }: { text: string }) => text), ["grün", "end \uFFFD", "more \uFFFD"])

      const other = fresh()
      yield* site(ada, other, { "index.html": "x", "empty.txt": "", "lies.txt": Buffer.from([0xff, 0x00, 0xfe]) })
      yield* site(ada, other, { "index.html": "x", "empty.txt": "now\n", "lies.txt": Buffer.from([0xff, 0x01, 0xfe]) })
      const found = yield* compare(ada, other, 1, 2)
      assert.deepStrictEqual(found.diffs.map(({ path }: { path: string }) => path), ["empty.txt"])
      assert.deepStrictEqual([found.diffs[0].hunks[0].from_line, found.summary.changed, found.truncated], [0, 2, false])
    }))

  it.effect("stays within its bounds and says what it left out", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = fresh()
      const big = "a".repeat(1024 * 1024)
      const files = (mark: string) => ({
        "index.html": "x",
        "a-over.txt": `${big}${mark}`,
        "a-under.txt": `${"line\n".repeat(40_000)}${mark}\n`,
        "a-wide.txt": `${mark}${big.slice(0, 300_000)}`,
        ...Object.fromEntries(["1", "2", "3"].map((name) => [`b-${name}.txt`, `${mark.repeat(50_000)}\n`])),
        ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c-${10 + at}.txt`, mark]))
      })
      yield* site(ada, slug, files("1"))
      yield* site(ada, slug, files("2"))
      const { diffs, summary, truncated } = yield* compare(ada, slug, 1, 2)
      const leftOut = Object.fromEntries(diffs.map(({ left_out, path }: { path: string; left_out: unknown }) => [path, left_out]))
      assert.deepStrictEqual([summary.changed, diffs.length, truncated], [66, 66, true])
      assert.deepInclude(leftOut, {
        "a-over.txt": "too_large", "a-under.txt": null, "a-wide.txt": "too_large",
        "b-1.txt": null, "b-2.txt": null, "b-3.txt": "no_room", "c-10.txt": null, "c-69.txt": "no_room"
      })
      for (const { hunks, left_out } of diffs) assert.strictEqual(hunks === null, left_out !== null)
      // Fifty were read, among them those for which there was no room, but not the one over 1 MB.
      assert.lengthOf(Object.values(leftOut).filter((why) => why === null), 48)
    }))

  it.effect("counts the lines that it searched in vain, and the files that turned out not to be text", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = fresh()
      const wide = (mark: string) => `${mark.repeat(600)}\n`.repeat(495)
      const files = (mark: string) => ({
        "index.html": "x",
        ...Object.fromEntries(["1", "2", "3", "4", "5"].map((name) => [`a-${name}.txt`, wide(mark)])),
        "b.txt": mark
      })
      yield* site(ada, slug, files("1"))
      yield* site(ada, slug, files("2"))
      const { diffs } = yield* compare(ada, slug, 1, 2)
      assert.deepStrictEqual(diffs.map(({ left_out }: { left_out: unknown }) => left_out), ["too_large", "too_large", "too_large", "too_large", "no_room", "no_room"])

      const lies = fresh()
      const lying = (byte: number, mark: string) => ({
        "index.html": "x",
        ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a-${at}.txt`, Buffer.from([0xff, byte, 0xfe])])),
        "b.txt": mark
      })
      yield* site(ada, lies, lying(0, "1"))
      yield* site(ada, lies, lying(1, "2"))
      assert.deepStrictEqual((yield* compare(ada, lies, 1, 2)).diffs, [{ path: "b.txt", hunks: null, left_out: "no_room" }])
    }))

  it.effect("lets other requests through while it looks at files that were made to be hard", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = fresh()
      const rhythm = (by: number) => Array.from({ length: 19_999 }, (_, at) => at % by === 0 ? "b" : "a").join("\n")
      const files = (by: number) => Object.fromEntries(["index.html", "1.txt"].map((name, at) => [name, rhythm(by + at)]))
      yield* site(ada, slug, files(3))
      yield* site(ada, slug, files(4))
      const looking = yield* Effect.forkChild(compare(ada, slug, 1, 2))
      let served = 0
      while (looking.pollUnsafe() === undefined) {
        assert.strictEqual((yield* service.ask("/v1/tokens", { headers: ada.bearer })).status, 200)
        served++
      }
      const { diffs } = yield* Fiber.join(looking)
      assert.lengthOf(diffs, 2)
      assert.isAbove(served, 3)
    }))

  it.effect("knows no version that was never made or is pruned, and no project that its caller may not see", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account({ plan: "starter" })
      const slug = fresh()
      for (const text of ["1", "2", "3", "4", "5"]) yield* publish(ada, slug, text)
      yield* compare(ada, slug, 3, 5)
      for (const [from, to, field] of [[2, 5, "from"], [5, 2, "to"], [5, 6, "to"]] as const) {
        const gone = yield* ask(ada, slug, from, to)
        assert.deepStrictEqual([gone.status, gone.json.error.code, gone.json.error.field], [404, "not_found", field])
      }
      for (const bad of [0, "x", "1.5", -1, 2 ** 31]) assert.strictEqual((yield* ask(ada, slug, 5, bad)).status, 422, String(bad))

      const member = yield* service.account()
      yield* service.inside(WorkspaceStore.use((store) =>
        Effect.flatMap(DateTime.now, (now) => store.join(member.id, { workspaceId: ada.workspaceId, role: "member", isOwner: false }, now))
      ))
      yield* compare(member, slug, 3, 5)
      const stranger = yield* service.account()
      const refused = yield* ask(stranger, slug, 3, 5)
      assert.deepStrictEqual([refused.status, refused.json], [404, (yield* ask(stranger, "no-such-project", 3, 5)).json])

      const { json: { id } } = yield* service.ask("/v1/folders", { headers: ada.bearer, json: { name: "Mine", sharing: "private" } })
      const moved = yield* service.ask(`/v1/projects/${slug}`, { method: "PATCH", headers: ada.bearer, json: { folder_id: id } })
      assert.strictEqual(moved.status, 200, moved.text)
      assert.strictEqual((yield* ask(member, slug, 3, 5)).status, 404)
      yield* compare(ada, slug, 3, 5)
      const nobody = yield* service.ask(`/v1/projects/${slug}/versions/3/compare/5`)
      assert.strictEqual(nobody.status, 401)
    }))
})
