/**
 * Writes the web app's types from openapi.json: requests and successful answers; refusals share one type of their own. Of headers
 * only the idempotency key is kept, which is then demanded: what takes one cannot be sent without it.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Fetched on demand, when the contract changes: it needs TypeScript 5, and 7 is installed here. */
const GENERATOR = ["--package=openapi-typescript@7.13.0", "--package=typescript@5.9.3"]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const text = readFileSync(join(root, "openapi.json"), "utf8")

/** What the types do not need would be nine tenths of the file. */
const slim = (value) => {
  if (Array.isArray(value)) return value.map(slim)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, kept]) =>
        !(["summary", "pattern", "security", "tags"].includes(key) && (typeof kept === "string" || Array.isArray(kept)))
        && !(key === "description" && typeof kept === "string"))
      .map(([key, kept]) => [key, slim(kept)])
  )
}

const document = slim(JSON.parse(text))
for (const item of Object.values(document.paths)) {
  for (const operation of Object.values(item)) {
    operation.parameters = (operation.parameters ?? [])
      .filter((parameter) => parameter.in !== "header" || parameter.name === "Idempotency-Key")
      .map((parameter) => ({ ...parameter, required: parameter.required || parameter.in === "header" }))
    delete operation.requestBody?.content["application/json"]?.example
    operation.responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith("2")))
    for (const response of Object.values(operation.responses)) {
      delete response.headers
      response.description = ""
    }
  }
}
const refusals = new Set(Object.entries(document.components.schemas).filter(([, { properties }]) => properties?.error !== undefined).map(([name]) => name))
for (const name of refusals) delete document.components.schemas[name]

const folder = mkdtempSync(join(tmpdir(), "svc-schema-"))
const [from, to] = [join(folder, "openapi.json"), join(folder, "schema.d.ts")]
writeFileSync(from, JSON.stringify(document))
const { status } = spawnSync("npm", ["exec", "--yes", ...GENERATOR, "--", "openapi-typescript", from, "--output", to, "--alphabetize"], { stdio: ["ignore", 2, 2] })
if (status !== 0) {
  rmSync(folder, { recursive: true })
  console.error("The web app's types could not be written; see the message above. openapi.json is new, web/app/api/schema.d.ts is not.")
  process.exit(1)
}
const generated = readFileSync(to, "utf8").replace(/^\/\*\*[^]*?\*\/\n+/, "")
rmSync(folder, { recursive: true })

const types = generated
  // Each path says "never" for methods that it does not have: leaving them out means the same.
  .replaceAll(/^ +(?:get|put|post|delete|options|head|patch|trace|query|header|path|cookie|requestBody)\?: never;\n/gm, "")
  .replaceAll(/^ +parameters: \{\n +\};\n/gm, "")
  .replaceAll(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, "")
  .replaceAll(/^ +\/\*\* (?:Format: [a-z-]+|@enum \{\w+\}) \*\/\n/gm, "")
  .replaceAll(/^ +\/\*\*\n +\* Format: [a-z-]+\n +\*\/\n/gm, "")

const hash = createHash("sha256").update(JSON.stringify(JSON.parse(text))).digest("hex")
writeFileSync(
  join(root, "web", "app", "api", "schema.d.ts"),
  `/** Written by "npm run openapi" from the contract; never by hand. Of openapi.json ${hash} */\n${types}`
)
