/** The sample site requests nothing from elsewhere, its links lead somewhere, and its text agrees with its figures. */
import { assert, describe, it } from "@effect/vitest"
import { sampleSite } from "../../src/look/sample/site.ts"

const text = (path: string): string => Buffer.from(sampleSite.find((file) => file.path === path)?.content ?? []).toString("utf8")

describe("sampleSite", () => {
  it("has a front, a page for what is not there, and unique paths", () => {
    const paths = sampleSite.map(({ path }) => path)
    assert.includeMembers(paths, ["index.html", "404.html"])
    assert.strictEqual(new Set(paths).size, paths.length)
    for (const { content } of sampleSite) assert.isAbove(content.length, 0)
  })

  it("links only to its own files", () => {
    const paths = new Set(sampleSite.map(({ path }) => path))
    for (const { path } of sampleSite.filter((file) => /\.(html|css)$/.test(file.path))) {
      for (const [, a, b] of text(path).matchAll(/(?:src|href)="([^"]*)"|url\(([^)]*)\)/g)) {
        const target = a ?? b ?? ""
        assert.isTrue(target.startsWith("data:") || target === "/" || paths.has(target.replace(/^\//, "")), `${path} → ${target}`)
      }
    }
  })

  it("says the sums of its own table", () => {
    const rows = text("data.csv").trim().split("\n").slice(1).map((line) => line.split(","))
    const sums = new Map<string, readonly [number, number]>()
    for (const [, route = "", now, then] of rows) {
      for (const key of [route, "All routes"]) {
        const [a, b] = sums.get(key) ?? [0, 0]
        sums.set(key, [a + Number(now), b + Number(then)])
      }
    }
    const report = text("index.html")
    assert.strictEqual(sums.size, 5)
    for (const [route, [now, then]] of sums) {
      const row = report.slice(report.indexOf(`<th scope="row">${route}</th>`)).split("</tr>")[0] ?? ""
      const change = `+${((now / then - 1) * 100).toFixed(1)}%`
      for (const figure of [now.toLocaleString("en-GB"), then.toLocaleString("en-GB"), change]) assert.include(row, `<td>${figure}</td>`)
    }
  })
})
