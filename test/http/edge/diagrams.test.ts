/** The page in whose frame a Markdown's diagrams are drawn, and who may have it in a frame. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { openRig } from "./rig.ts"
import type { Rig } from "./rig.ts"

const OWN = "https://notes.svc.test:8787"

describe("diagrams", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await openRig()
    rig.publish("notes", { "r.md": ["text/markdown; charset=utf-8", "# Notes"] }, { kind: "markdown", entry: "r.md" })
    rig.publish("text", { "a.txt": ["text/plain; charset=utf-8", "a"] }, { kind: "text", entry: "a.txt" })
  })
  afterAll(() => rig.close())

  const policyOf = async (slug: string, path: string) => String((await rig.ask(slug, path)).headers["content-security-policy"]).split("; ")

  it("the page that draws has no origin, loads our scripts alone, and stands in its own host’s frames", async () => {
    const page = await rig.ask("notes", "/_svc/diagrams")
    assert.deepStrictEqual([page.status, page.headers["content-type"], page.headers["x-robots-tag"], page.headers["set-cookie"]], [200, "text/html; charset=utf-8", "noindex", undefined])
    assert.deepStrictEqual(await policyOf("notes", "/_svc/diagrams"), [
      "sandbox allow-scripts", "default-src 'none'", `script-src ${OWN}/_svc/assets/`, "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'", `frame-ancestors ${OWN}`
    ])
    assert.notMatch(page.text, /<script(?![^>]* src="\/_svc\/assets\/)|\son\w+=|<style/)
    // Its scripts are another origin's to it; they are the same for everybody.
    const named = [...page.text.matchAll(/"(\/_svc\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    assert.lengthOf(named, 2)
    for (const path of named) {
      const { headers, status } = await rig.ask("notes", path)
      assert.deepStrictEqual([status, headers["content-type"], headers["access-control-allow-origin"], headers["cache-control"]], [200, "text/javascript; charset=utf-8", "*", "public, max-age=31536000, immutable"], path)
    }
    assert.isUndefined((await rig.ask("notes", "/_svc/raw/r.md")).headers["access-control-allow-origin"])
  })

  it("is the same on every project's host, asked for again by its tag, and is on no frame's", async () => {
    const { headers, text } = await rig.ask("notes", "/_svc/diagrams")
    assert.strictEqual((await rig.ask("unknown", "/_svc/diagrams")).text, text)
    assert.strictEqual((await rig.ask("notes", "/_svc/diagrams", { "if-none-match": headers.etag! })).status, 304)
    assert.strictEqual((await rig.ask("notes", "/_svc/diagrams", {}, "HEAD")).body.length, 0)
    assert.strictEqual((await rig.ask("notes", "/_svc/diagrams", {}, "POST")).status, 405)
    for (const [slug, path] of [[`svc--${"a".repeat(26)}`, "/_svc/diagrams"], ["notes", "/_svc/diagrams/"], ["notes", "/_svc/diagrams/x"]] as const) {
      assert.strictEqual((await rig.ask(slug, path)).status, 404, slug + path)
    }
  })

  it("a Markdown may show that frame and no other, and no other kind any", async () => {
    assert.include(await policyOf("notes", "/"), `frame-src ${OWN}/_svc/diagrams`)
    assert.notMatch((await policyOf("text", "/")).join(), /frame-src|child-src/)
  })
})
