/** Every wire code that the service can answer is seen by some test. */
import { globSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Failures from "../../src/domain/failures.ts"

it("every failure code is raised by some test", () => {
  const codes = Object.values(Failures).flatMap((failure) => "fields" in failure ? [failure.fields._tag.schema.literal] : [])
  assert.isAbove(codes.length, 10)
  const tests = globSync("test/**/*.test.ts").filter((file) => !file.startsWith("test/house/")).map((file) => readFileSync(file, "utf8")).join("\n")
  assert.deepStrictEqual(codes.filter((code) => !tests.includes(`"${code}"`)), [])
})
