/** openapi.json follows the contract: the checked-in copy is up to date, complete and valid. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { openApiDocument } from "../../src/http/contract/openapi.ts"

const operations = Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
  (["get", "post", "put", "patch", "delete"] as const).flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : [{ name: `${method} ${path}`, operation }]
  })
)

it("openapi.json is what the contract says (npm run openapi rewrites it)", () => {
  assert.deepStrictEqual(JSON.parse(readFileSync("openapi.json", "utf8")), JSON.parse(JSON.stringify(openApiDocument)))
})

it("is OpenAPI 3.1 of version 0.1.0, with a summary and security for every operation", () => {
  assert.match(openApiDocument.openapi, /^3\.1/)
  assert.strictEqual(openApiDocument.info.version, "0.1.0")
  assert.deepStrictEqual(operations.filter(({ operation }) => !operation.summary || operation.security === undefined).map(({ name }) => name), [])
})

it("documents every refusal by status, as the envelope", () => {
  const publish = openApiDocument.paths["/v1/projects/{slug}"]?.put?.responses ?? {}
  assert.includeMembers(Object.keys(publish), ["200", "201", "401", "402", "403", "404", "409", "413", "422", "503"])
})

it("documents what a range of an export gets", () => {
  const download = openApiDocument.paths["/v1/exports/{export_id}/download"]?.get?.responses ?? {}
  assert.includeMembers(Object.keys(download), ["200", "206", "404", "416"])
  for (const status of ["206", "416"] as const) assert.includeMembers(Object.keys(download[status]?.headers ?? {}), ["Content-Range", "X-Request-Id"])
})

it("passes redocly lint without an error", async () => {
  // Any error is an exit code, which rejects.
  await promisify(execFile)(
    process.execPath,
    ["node_modules/@redocly/cli/bin/cli.js", "lint", "--extends=recommended", "openapi.json"],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", CI: "true" } }
  )
})
