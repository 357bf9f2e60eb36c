/** openapi.json follows the contract: the checked-in copy is up to date, complete and valid. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import { Email } from "../../src/domain/accounts/email.ts"
import { openApiDocument } from "../../src/http/contract/openapi.ts"
import { foreignPatterns } from "../support/patterns.ts"

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

it("says of a parameter and of a form's field what the contract says, also of what travels as text", () => {
  const parameter = (path: string, method: "delete" | "get" | "put", name: string) => openApiDocument.paths[path]?.[method]?.parameters.find((one) => one.name === name)?.description
  assert.strictEqual(parameter("/v1/projects", "get", "limit"), "1 to 100; 50 by default")
  assert.strictEqual(parameter("/v1/projects", "get", "query"), "Part of a title or slug")
  assert.strictEqual(parameter("/v1/folders/{id}", "delete", "move_projects"), "true: what is in it stays in the workspace, in no folder")
  const meantFor = parameter("/v1/projects/{slug}", "put", "base_version")
  assert.match(meantFor ?? "", /^The version that this is meant for/)
  const { content } = openApiDocument.paths["/v1/projects/{slug}/files"]!.post!.requestBody as unknown as { readonly content: Record<string, { readonly schema: { readonly properties: Record<string, Shape> } }> }
  const { base_version, expires_in_days } = content["multipart/form-data"]!.schema.properties
  assert.deepStrictEqual([base_version?.["description"], expires_in_days?.["description"]], [meantFor, "1 to 3650 days from now"])
})

type Shape = { readonly [key: string]: unknown }

const bodies = operations.flatMap(({ name, operation }) => {
  const { schema } = ((operation as unknown as { requestBody?: { content?: Record<string, { schema: Shape }> } }).requestBody?.content ?? {})["application/json"] ?? {}
  const named = typeof schema?.["$ref"] === "string" ? schema["$ref"].split("/").at(-1)! : undefined
  const body = named === undefined ? schema : (openApiDocument.components.schemas as unknown as Record<string, Shape>)[named]
  return body?.["properties"] === undefined ? [] : [{ name, body: body as Shape & { readonly properties: Record<string, Shape> } }]
})

it("closes the bodies that refuse unknown names, and no others", () => {
  const closed = (name: string) => name.startsWith("patch ") || (name.startsWith("put ") && name.endsWith("/comment-allowlist"))
  assert.deepStrictEqual(bodies.filter(({ body }) => JSON.stringify(body).includes("\"additionalProperties\":false")).map(({ name }) => name), bodies.map(({ name }) => name).filter(closed))
})

it("says how long a text may be, and excludes none that is taken: what is trimmed may be longer before", () => {
  const body = (name: string) => bodies.find((one) => one.name === name)!.body.properties
  const bounds = ({ maxLength, minLength, pattern }: Shape) => [minLength, maxLength, pattern]
  const { label } = body("post /v1/tokens")
  assert.deepStrictEqual([...bounds(label!), label!["description"]], [1, undefined, undefined, "One line, 1–100 characters; spaces around it are left out"])
  assert.deepStrictEqual(bounds(body("post /v1/projects/{slug}/comments")["body"]!), [1, undefined, undefined])
  assert.deepStrictEqual(bounds(body("post /v1/auth/magic-link/verify")["token"]!), [1, 1024, undefined])
  const email = body("post /v1/auth/signup")["email"]!
  for (const taken of [" Ada@Example.com ", "jürgen@müller.example", `${"a".repeat(70)}@example.com`]) assert.match(Schema.decodeSync(Email)(taken), new RegExp(String(email["pattern"]), "u"))
  assert.notProperty(email, "format")
})

it("says patterns in what every language can compile", () => assert.deepStrictEqual(foreignPatterns(openApiDocument), []))

it("says of a published file one type, and of every list what is in it: generated clients take the first, and a list without items for one of anything", () => {
  const put = openApiDocument.paths["/v1/projects/{slug}"]?.put?.requestBody
  assert.deepStrictEqual(Object.keys((put as { readonly content: object }).content), ["application/octet-stream"])
  const lists: Array<unknown> = []
  JSON.stringify(openApiDocument, (_, value) => (value?.type === "array" && lists.push(value), value))
  assert.isAbove(lists.length, 20)
  for (const list of lists) assert.property(list, "items", JSON.stringify(list))
})

it("documents what a range of an export gets", () => {
  const download = openApiDocument.paths["/v1/exports/{export_id}/download"]?.get?.responses ?? {}
  assert.includeMembers(Object.keys(download), ["200", "206", "404", "416"])
  for (const status of ["206", "416"] as const) assert.includeMembers(Object.keys(download[status]?.headers ?? {}), ["Content-Range", "X-Request-Id"])
})

it("gives every JSON body an example that its own schema takes, so that what is tried out on /docs is not refused", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).addSchema(JSON.parse(JSON.stringify(openApiDocument)) as object, "api")
  for (const { name, operation } of operations) {
    const body = (operation.requestBody?.content as Record<string, { readonly example?: unknown }> | undefined)?.["application/json"]
    if (body === undefined || name === "post /v1/billing/webhook") continue
    const [method, path] = name.split(" ") as [string, string]
    const at = ["paths", path, method, "requestBody", "content", "application/json", "schema"].map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")
    assert.isTrue(ajv.validate({ $ref: `api#/${at}` }, body.example), `${name}: ${ajv.errorsText()}`)
  }
  const change = openApiDocument.paths["/v1/projects/{slug}"]?.patch?.requestBody?.content["application/json"]
  assert.deepStrictEqual((change as { readonly example?: unknown } | undefined)?.example, { title: "Week 47" })
})

it("passes redocly lint without an error", async () => {
  // Any error is an exit code, which rejects.
  await promisify(execFile)(
    process.execPath,
    ["node_modules/@redocly/cli/bin/cli.js", "lint", "--extends=recommended", "openapi.json"],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", CI: "true" } }
  )
})
