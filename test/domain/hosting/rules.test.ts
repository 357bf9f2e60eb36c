/** Who may open a hosted project, to the millisecond, and which file a path names. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Asset, Manifest, Site } from "../../../src/domain/hosting/model.ts"
import { door, locate, original } from "../../../src/domain/hosting/rules.ts"
import type { Kind, ProjectId, VersionId } from "../../../src/domain/projects/model.ts"
import type { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const now = DateTime.makeUnsafe("2026-06-01T12:00:00.000Z")
const version = (kind: Kind, entry = "index.html") => ({ id: "v" as VersionId, number: 1, kind, entry })
const site: Site = {
  projectId: "p" as ProjectId, workspaceId: "w" as WorkspaceId, slug: "s", title: "t", visibility: "public", indexable: false,
  htmlDisplayMode: "auto", commentsEnabled: false, expiresAt: null, trialEndsAt: null, succeeds: false,
  accessEpoch: 0, servedRaw: false, frameName: "f", version: version("site")
}
const before = (milliseconds: number) => DateTime.subtract(now, { milliseconds })
const ended = (milliseconds: number) => DateTime.subtract(before(milliseconds), { days: 30 })

describe("door", () => {
  const table: ReadonlyArray<readonly [name: string, facts: Partial<Site>, verdict: string]> = [
    ["public", {}, "open"],
    ["nothing published", { version: null }, "empty"],
    ["a doorcode", { visibility: "password" }, "doorcode"],
    ["members only", { visibility: "private" }, "private"],
    ["a doorcode with nothing behind it", { visibility: "password", version: null }, "doorcode"],
    ["expiring in a millisecond", { expiresAt: DateTime.add(now, { milliseconds: 1 }) }, "open"],
    ["expired this millisecond", { expiresAt: now }, "expired"],
    ["expired comes before private", { expiresAt: now, visibility: "private" }, "expired"],
    ["lapsed, within its grace", { trialEndsAt: ended(-1) }, "open"],
    ["at the end of its grace", { trialEndsAt: ended(0) }, "down"]
  ]
  for (const [name, facts, verdict] of table) {
    it(`${name}: ${verdict}`, () => assert.strictEqual(door({ site: { ...site, ...facts }, pass: null }, "enforced", now), verdict))
  }
  it("nobody's address is unknown, and no trial lapses where trials are open", () => {
    assert.strictEqual(door(undefined, "enforced", now), "unknown")
    assert.strictEqual(door({ site: { ...site, trialEndsAt: ended(99_999) }, pass: null }, "open", now), "open")
  })
})

describe("locate", () => {
  const asset: Asset = { pack: "p", offset: 0, length: 1, hash: "h", type: "t" }
  const manifest = (...paths: ReadonlyArray<string>): Manifest => Object.fromEntries(paths.map((path) => [path, asset]))
  const files = manifest("index.html", "page.html", "dir/index.html", "both.html", "both/index.html", "404.html")
  const table: ReadonlyArray<readonly [path: string, named: string]> = [
    ["/", "200 index.html"], ["/page", "200 page.html"], ["/page.html", "200 page.html"], ["/dir/", "200 dir/index.html"],
    ["/dir", "→ /dir/"], ["/both", "200 both.html"], ["/both/", "200 both/index.html"], ["/page/", "404 404.html"],
    ["/none", "404 404.html"], ["/toString", "404 404.html"], ["/404", "200 404.html"]
  ]
  for (const [path, named] of table) {
    it(`${path} is ${named}`, () => {
      const found = locate(version("site"), files, path)!
      assert.strictEqual("location" in found ? `→ ${found.location}` : `${found.status} ${found.path}`, named)
    })
  }
  it("without a 404 page nothing is nothing, and other kinds have exact names only", () => {
    assert.isUndefined(locate(version("site"), manifest("index.html"), "/none"))
    const drawing = version("image", "a.svg")
    assert.strictEqual((locate(drawing, manifest("a.svg"), "/") as { path: string }).path, "a.svg")
    assert.isUndefined(locate(drawing, manifest("a.svg", "b.html", "404.html"), "/b"))
  })
  it("originals are for the kinds that have a viewer", () => {
    assert.strictEqual(original(version("image", "a.svg"), manifest("a.svg"), "a.svg")?.path, "a.svg")
    assert.isUndefined(original(version("image", "a.svg"), manifest("a.svg"), "toString"))
    assert.isUndefined(original(version("site"), files, "page.html"))
  })
})
