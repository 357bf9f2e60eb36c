/** The dashboard, the alerts and the guide ask for figures that the service has. */
import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const named = (text: string, pattern: RegExp): ReadonlySet<string> => new Set([...text.matchAll(pattern)].map(([, name]) => name!))

it("every figure that docs/ names is one of the source", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
  const counted = named(sources.map((name) => readFileSync(join("src", name), "utf8")).join("\n"), /"(svc_[a-z_]+)"/g)
  for (const document of ["docs/grafana.json", "docs/alerts.yml", "docs/deploy.md"]) {
    const asked = named(readFileSync(document, "utf8"), /\b(svc_[a-z_]+?)(?:_bucket)?\b/g)
    assert.isAbove(asked.size, 4, document)
    for (const name of asked) assert.isTrue(counted.has(name), `${document} asks for ${name}`)
  }
})
