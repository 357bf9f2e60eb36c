/** The syntax of slugs and doorcodes, and the ones the service makes up. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { doorcodeFrom, WORDS } from "../../../../src/domain/projects/doorcodes.ts"
import { isReserved } from "../../../../src/domain/projects/slugs/reserved-slugs.ts"
import { ADJECTIVES, NOUNS } from "../../../../src/domain/projects/slugs/slug-words.ts"
import { Doorcode, readableSlug, Slug, slugFault } from "../../../../src/domain/projects/slugs/slugs.ts"

const isSlug = Schema.is(Slug)
const isDoorcode = Schema.is(Doorcode)

/** CONTRACT §8, stated a second time in another way. */
const LAW = /^(?!..--)(?!svc--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

describe("slugs", () => {
  it("3–63 of a–z, 0–9 and hyphens, to the character", () => {
    for (const good of ["abc", "a-b", "123", "a".repeat(63), "a--b", "abc--d", "svc-x", "svcx--y", "quiet-harbor-4821"]) {
      assert.isUndefined(slugFault(good), good)
    }
    const bad = [
      "", "a", "ab", "a".repeat(64), "Abc", "ABC", "a_b", "a.b", "a b", " abc", "abc ", "-abc", "abc-", "---", "xn--abc", "ab--c",
      "svc--abc", "svc--", "ünï", "abc\n", "\u0430bc", "a\u200bbc", "abc\0"
    ]
    for (const one of bad) assert.isDefined(slugFault(one), JSON.stringify(one))
  })

  it("say what is wrong, and are refused rather than folded", () => {
    const refused = Schema.decodeUnknownResult(Slug)("My-Site")
    assert.match(String(refused), /a–z, 0–9 and hyphens/)
    assert.isTrue(Result.isSuccess(Schema.decodeUnknownResult(Slug)("my-site")))
  })

  it("the function, the schema and the published pattern agree on every string", () => {
    const near = fc.string({ unit: fc.constantFrom(..."abcsvxn019---A_.é "), maxLength: 66 })
    fc.assert(
      fc.property(fc.oneof(near, fc.string(), fc.constantFrom("svc--a", "xn--a").chain((head) => near.map((tail) => head + tail))), (one) => {
        assert.strictEqual(slugFault(one) === undefined, LAW.test(one))
        assert.strictEqual(isSlug(one), LAW.test(one))
      }),
      { numRuns: 2000 }
    )
  })

  it("made-up ones are valid, readable, and never held back", () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (random) => {
      const slug = readableSlug(random)
      assert.match(slug, /^[a-z]+-[a-z]+-[0-9]{5}$/)
      assert.isUndefined(slugFault(slug))
      assert.isFalse(isReserved(slug), slug)
    }))
    for (const word of [...ADJECTIVES, ...NOUNS]) assert.isFalse(isReserved(`${word}-x1`), word)
    assert.strictEqual(new Set(ADJECTIVES).size, ADJECTIVES.length)
    assert.strictEqual(new Set(NOUNS).size, NOUNS.length)
    assert.isAbove(Math.log2(ADJECTIVES.length * NOUNS.length * 90_000), 31)
  })

  it("draw from a window of a larger buffer as from bytes of their own", () => {
    const pool = Uint8Array.from({ length: 64 }, (_, index) => index * 7)
    assert.strictEqual(readableSlug(pool.subarray(20, 36)), readableSlug(pool.slice(20, 36)))
    assert.strictEqual(doorcodeFrom(pool.subarray(20, 36)), doorcodeFrom(pool.slice(20, 36)))
  })
})

describe("doorcodes", () => {
  it("are four words of at least 40 bits", () => {
    assert.isAtLeast(4 * Math.log2(new Set(WORDS).size), 40)
    fc.assert(fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (random) => {
      const doorcode = doorcodeFrom(random)
      assert.match(doorcode, /^[a-z]{3,8}(-[a-z]{3,8}){3}$/)
      assert.isTrue(isDoorcode(doorcode))
    }))
    const seen = new Set(Array.from({ length: 2000 }, () => doorcodeFrom(crypto.getRandomValues(new Uint8Array(16)))))
    assert.strictEqual(seen.size, 2000)
  })

  it("supplied ones have 6–128 characters on one line", () => {
    for (const good of ["123456", "open sesame", "x".repeat(128), "ệ".repeat(128).normalize("NFD"), "öffne dich", "🚪🚪🚪🚪🚪🚪"]) assert.isTrue(isDoorcode(good), good)
    for (const bad of ["\u200b".repeat(6), "sesame\u202e", "ệệ".normalize("NFD"), "12345", "x".repeat(129), "abc\ndef", "abcdef\0", " abcdef", "abcdef ", "🚪🚪🚪", "\ud800abcdef"]) {
      assert.isFalse(isDoorcode(bad), JSON.stringify(bad))
    }
  })
})
