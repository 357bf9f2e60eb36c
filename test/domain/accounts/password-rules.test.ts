/** What a new password must be. */
import { assert, describe, it } from "@effect/vitest"
import { passwordFault } from "../../../src/domain/accounts/password-rules.ts"

const email = "ada.lovelace@example.com"
const fault = (password: string, field = "password") => passwordFault(password, email, field)

describe("password rules", () => {
  it("8 to 256 characters, counted as a person counts them", async () => {
    assert.isUndefined(await fault("k3-Tqz9v"))
    assert.isDefined(await fault("k3-Tqz9"))
    assert.isUndefined(await fault("kq".repeat(128)))
    assert.isDefined(await fault("kq".repeat(128) + "k"))
    assert.isUndefined(await fault("🦊🌲🌊🎻🦉🍋🏔🪁"))
    assert.isDefined(await fault("🦊🌲🌊🎻"))
    assert.isUndefined(await fault("a".repeat(256)))
  })

  it("not a common one, in any case", async () => {
    for (
      const one of ["password", "PassWord", "12345678", "qwertyuiop", "iloveyou1", "trustno1", "P@ssw0rd", "aaaaaaaa", "abcdefgh", "abcdefghijklmnop", "87654321", "Password123", " ".repeat(8), "      1 "]
    ) assert.isDefined(await fault(one), one)
    for (const one of ["correct horse battery", "Tr0ub4dor&3x", "vogelfrei-im-mai", "ab7!xQ92kd", "acegikmo"]) assert.isUndefined(await fault(one), one)
  })

  it("neither the email nor its local part, in any case", async () => {
    for (const one of [email, "Ada.Lovelace@Example.com", "ada.lovelace", "ADA.LOVELACE"]) assert.isDefined(await fault(one), one)
    assert.isUndefined(await fault("ada.lovelace!"))
  })

  it("names the field it was given for", async () => {
    assert.deepStrictEqual(await fault("short", "new_password"), {
      field: "new_password",
      message: "A password has at least 8 characters."
    })
  })

  it("no fault repeats the password", async () => {
    for (const one of ["trustno1", "ada.lovelace"]) assert.notInclude(JSON.stringify(await fault(one)), one)
  })
})
