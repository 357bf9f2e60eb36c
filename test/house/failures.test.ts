/** Every wire code that the service can answer is named in some test; its statuses and every reason beside it are in the reference. */
import { globSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Failures from "../../src/domain/failures.ts"
import { openApiDocument } from "../../src/http/contract/openapi.ts"
import { errorTable } from "../../src/http/server/docs-errors.ts"

it("every failure code is named in some test outside of this folder", () => {
  const codes = Object.values(Failures).flatMap((failure) => "fields" in failure ? [failure.fields._tag.schema.literal] : [])
  assert.isAbove(codes.length, 10)
  const tests = globSync("test/**/*.test.ts").filter((file) => !file.startsWith("test/house/")).map((file) => readFileSync(file, "utf8")).join("\n")
  assert.deepStrictEqual(codes.filter((code) => !tests.includes(`"${code}"`)), [])
})

it("the reference names every reason beside the code that it comes with", () => {
  const sources = globSync("src/{domain,http}/**/*.ts").map((file) => readFileSync(file, "utf8")).join("\n")
  const raised = [...sources.matchAll(/new (\w+)\(\{[^}]*?\bdetails: \{\s*reason: "([a-z_]+)"/g)].map(([, name = "", reason = ""]) => ({ name, reason }))
  assert.isAtLeast(raised.length, 9)
  assert.strictEqual(raised.length, [...sources.matchAll(/\breason: "[a-z_]+"/g)].length, "a reason that this test does not see")
  const rows = errorTable(openApiDocument).split("\n")
  const isNamed = ({ name, reason }: (typeof raised)[number]) => {
    const failure: unknown = Object.entries(Failures).find(([own]) => own === name)?.[1]
    const code = (failure as typeof Failures.Forbidden).fields._tag.schema.literal
    return rows.some((row) => row.startsWith(`| \`${code}\` |`) && row.includes(`\`${reason}\``))
  }
  assert.deepStrictEqual(raised.filter((one) => !isNamed(one)), [])
})

it("the reference lists each code under every status that it travels with", () => {
  const rows = errorTable(openApiDocument).split("\n")
  const statusesOf = (code: string) => rows.find((row) => row.startsWith(`| \`${code}\` |`))!.split(" | ")[1]
  assert.strictEqual(statusesOf("validation_error"), "400, 408, 416, 417, 422, 429, 431, 503")
  const before = [...readFileSync("src/http/server/malformed.ts", "utf8").matchAll(/["`](\d{3}) [A-Z]/g)].map(([, status]) => status!)
  assert.isAtLeast(before.length, 5)
  for (const status of before) assert.include(statusesOf("validation_error"), status)
  assert.strictEqual(statusesOf("invalid_token"), "400, 401")
  assert.deepStrictEqual(rows.filter((row) => row.startsWith("| `") && !/^\| `[a-z_]+` \| \d/.test(row)), [])
})
