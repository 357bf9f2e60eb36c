/** What the log says of a failure, without its words. */
import { assert, it } from "@effect/vitest"
import { SqlError } from "effect/sql"
import { kindOf } from "../../src/services/kind-of.ts"

it("a failure of the database says its SQLSTATE or the socket's code, and nothing of its words", () => {
  const sql = (reason: { readonly cause: unknown }) => new SqlError.SqlError({ reason: new SqlError.ConnectionError({ message: "secret", ...reason }) })
  const coded = (code: string) => Object.assign(new Error("secret"), { code })
  assert.deepStrictEqual(
    [sql({ cause: coded("53300") }), sql({ cause: coded("ECONNREFUSED") }), sql({ cause: undefined }), coded("ENOENT"), { _tag: "Refused" }, "secret"].map(kindOf),
    ["SqlError 53300", "SqlError ECONNREFUSED", "SqlError ConnectionError", "Error", "Refused", "string"]
  )
})
