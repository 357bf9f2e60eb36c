/** What the comments' panel computes: links in plain words, times, and where cards go. */
import { assert, it } from "@effect/vitest"
import { inOrder, spaced } from "../../web/viewer/comments/level.ts"
import { ago, isGeneral, pieces } from "../../web/viewer/comments/words.ts"

const links = (body: string) => pieces(body).flatMap(({ href }) => href ?? [])

it("only addresses of the web are links, and all words stay as they are", () => {
  const body = `See https://a.example/x(y), (http://b.example). javascript:alert(1) data:text/html,x ftp://c.example HTTPS://D.example/"onclick=x http:// https://`
  assert.deepStrictEqual(links(body), ["https://a.example/x(y)", "http://b.example/", "https://d.example/"])
  assert.strictEqual(pieces(body).map(({ text }) => text).join(""), body)
  assert.deepStrictEqual(pieces("a\nb"), [{ text: "a\nb" }])
})

it("times are words that fit", () => {
  const now = Date.parse("2026-03-14T12:00:00Z")
  assert.strictEqual(ago(now + 5_000, now), "just now")
  assert.strictEqual(ago(now - 44_999, now), "just now")
  assert.match(ago(now - 180_000, now), /3/)
  assert.match(ago(now - 26 * 3_600_000, now), /yesterday|1/)
  assert.notStrictEqual(ago(now - 3e11, now), "")
})

it("cards are level with their places, and never over one another", () => {
  const wanted = [{ top: 100, height: 50 }, { top: 120, height: 80 }, { top: 900, height: 10 }]
  assert.deepStrictEqual(spaced(wanted), [100, 12, 658])
  assert.deepStrictEqual(spaced([{ top: -5, height: 10 }]), [0])
  assert.isBelow(inOrder({ page: 2, y: 0.9 }, { page: 3, y: 0.1 }), 0)
  assert.isAbove(inOrder({ row: 12 }, { row: 2 }), 0)
})

it("a comment on no place in particular is about the whole", () => {
  assert.isTrue(isGeneral(null) && isGeneral({ path: "/" }) && !isGeneral({ path: "/", x: 0, y: 0 }))
})
