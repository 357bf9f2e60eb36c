/** Whatever `next` a gate is given, the reader ends up on a page of the author's on the same host. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { nextOf } from "../../../src/http/edge/next.ts"

const HOST = "https://plan.svc.example"

/** Parts that have been used in open redirects elsewhere, among harmless ones. */
const pieces = fc.constantFrom(
  "/", "//", "\\", "/\\", "%2f", "%5C", "%2e", ".", "..", "/..", "/_svc/", "_svc", "%5fsvc", "/_SVC", "?", "#", "@", ":", "http:", "https://",
  "javascript:", "data:", "evil.example", "evil.example/", "\t", "\n", "\r", "\0", " ", "%00", "%0d%0a", "%", "é", "а", "a", "page", "1=2", "&"
)
const addresses = fc.oneof(fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("")), fc.webUrl(), fc.string(), fc.string({ unit: "binary" }))

describe("next", () => {
  it("stays on the project, away from our own paths, and holds nothing that ends a header's line", () =>
    fc.assert(fc.property(addresses.chain((text) => fc.constantFrom(text, `/${text}`)), (given) => {
      const next = nextOf(given)
      const led = new URL(next, HOST)
      assert.strictEqual(led.origin, HOST)
      assert.isTrue(next === "/" || next === given)
      assert.match(next, /^\/(?![/\\])[\x21-\x7e]*$/)
      assert.notMatch(decodeURIComponent(led.pathname), /^\/+_svc(?:\/|$)/i)
      assert.notMatch(decodeURIComponent(led.pathname), /\/\/|\\/)
    }), { numRuns: 3_000 }))

  it("keeps what an author's pages are called", () => {
    for (const kept of ["/", "/a", "/a/b.html?x=1&y=%20#top", "/%C3%A9t%C3%A9/", "/_svcs", "/a/_svc/b", "/?next=//evil.example", "/a[1]~!$&'()*+,;=:@"]) {
      assert.strictEqual(nextOf(kept), kept)
    }
    const longest = `/${"%E4%B8%AD".repeat(341)}`
    for (const kept of ["/page?re=\\d", "/x?\\evil.example", "/x?\\\\evil.example", "/x?/\\evil.example", "/?\\..\\_svc", longest, `${longest}?q=${"a".repeat(2_000)}`, `/a?${"a".repeat(4_000)}`]) {
      assert.strictEqual(nextOf(kept), kept)
      assert.strictEqual(new URL(nextOf(kept), HOST).origin, HOST)
    }
    for (const refused of [
      undefined, "", "a", "//evil.example", "/\\evil.example", "/_svc", "/_svc/gate/share?t=x", "/%5fsvc/x", "/x/../_svc/raw/a", "/a//b", "/a%2f%2fb",
      "/a b", "/é", "/%", "/a\r\nSet-Cookie: x=1", "https://evil.example/", `/${"a".repeat(8_000)}`,
      "/\\evil", "\\\\evil", "/%5cevil", "/a\\b", "/a\\?b", "/a#\\", "/\t/evil", "/\n/evil", "/a?\tb", "/a?b\n", "/a?é", `/a?${"&".repeat(3_000)}`, `/a?${"~".repeat(4_000)}`
    ]) assert.strictEqual(nextOf(refused), "/", refused)
  })
})
