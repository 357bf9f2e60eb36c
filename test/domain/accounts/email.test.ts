/** Each email address has one normal form. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { Email, emailFault, normaliseEmail } from "../../../src/domain/accounts/email.ts"

const decode = Schema.decodeUnknownResult(Email)
const decoded = (given: unknown) => Result.getOrUndefined(decode(given))

describe("email", () => {
  it("decodes any case, spacing and composition to one form, and encodes it as it is", () => {
    assert.strictEqual(decoded("  Ada@Example.COM\t"), "ada@example.com")
    assert.strictEqual(decoded("Zoe\u0308@example.com"), "zo\u00eb@example.com")
    assert.strictEqual(decoded("\u00a0ada@example.com\ufeff"), "ada@example.com")
    assert.strictEqual(Schema.encodeSync(Email)(Email.make("ada@example.com")), "ada@example.com")
  })

  it("folds neither plus nor dot", () => {
    assert.strictEqual(decoded("a.d.a+svc@gmail.com"), "a.d.a+svc@gmail.com")
  })

  it("takes the addresses that people have", () => {
    for (
      const one of ["o'brien@example.co.uk", "x@y.io", "user_name-1@sub.example-site.museum", "müller@bücher.example", "用户@例子.广告", "1@2.de", `ada@${"b".repeat(63)}.com`]
    ) assert.strictEqual(decoded(one), one)
  })

  it("refuses what would break a header, address someone else, or is none", () => {
    const bad = [
      "", " ", "ada", "ada@", "@example.com", "ada@example", "ada@@example.com", "a b@example.com", "ada@exam ple.com",
      "ada@example.com\r\nBcc: eve@example.com", "ada\n@example.com", "ada@example.com\0", "ada\0@example.com",
      "ada@example.com,eve@example.com", "ada@example.com;eve@example.com", "Ada <ada@example.com>", "\"ada\"@example.com",
      "ada(x)@example.com", ".ada@example.com", "ada.@example.com", "a..da@example.com", "ada@-example.com", "ada@example-.com",
      "ada@example..com", "ada@.example.com", "ada@example.com.", "ada@[127.0.0.1]", "ada@127.0.0.1", "ada\u200b@example.com",
      "ada\u202e@example.com", "\ud800@example.com", "ada\\@example.com", `ada@${"b".repeat(64)}.com`, null, 1, ["ada@example.com"]
    ]
    for (const one of bad) assert.isTrue(Result.isFailure(decode(one)), JSON.stringify(one))
    for (const one of ["example.com", "@example.com"]) assert.isDefined(emailFault(one), one)
  })

  it("holds at most 254 characters", () => {
    const domain = "@example.com"
    assert.isDefined(decoded("a".repeat(254 - domain.length) + domain))
    assert.isUndefined(decoded("a".repeat(255 - domain.length) + domain))
  })

  it("says what is wrong in words", () => {
    assert.match(String(Result.isFailure(decode("ada")) && decode("ada")), /This is not an email address\./)
  })

  it("the normal form is its own normal form, and no fault depends on case", () => {
    const part = fc.string({ unit: fc.constantFrom(..."aAzßİΣé\u0301.+-_ 1"), minLength: 1, maxLength: 8 })
    const near = fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}.com`)
    fc.assert(fc.property(fc.oneof(near, fc.string({ unit: "binary", maxLength: 40 })), (given) => {
      const normal = normaliseEmail(given)
      assert.strictEqual(normaliseEmail(normal), normal)
      const found = decoded(given)
      if (found === undefined) return
      assert.strictEqual(found, normal)
      assert.strictEqual(decoded(found), found)
      assert.isFalse(/[\s\p{Cc}\p{Cf}<>,;:"()[\]\\]/u.test(found))
      assert.isUndefined(emailFault(found))
    }))
  })
})
