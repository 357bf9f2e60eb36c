/** Pure functions of the comments' panel: links in plain text, and where cards go. */
import { assert, it, vi } from "@effect/vitest"
import { pieces } from "../../web/app/ui/pieces.ts"
import { frameStage } from "../../web/viewer/frame-stage.ts"
import type { FromShell } from "../../web/viewer/messages.ts"
import { inOrder, spaced } from "../../web/viewer/comments/level.ts"
import { threads } from "../../web/viewer/comments/threads.ts"
import type { Thread } from "../../web/viewer/comments/wire.ts"
import { isSamePage } from "../../web/viewer/pages.ts"
import { growth } from "../support/growth.ts"
import { countText, isGeneral, onPage } from "../../web/viewer/comments/words.ts"

const links = (body: string) => pieces(body).flatMap(({ href }) => href ?? [])

it("only addresses of the web are links, and all words stay as they are", () => {
  const body = `See https://a.example/x(y), (http://b.example). javascript:alert(1) data:text/html,x ftp://c.example HTTPS://D.example/"onclick=x http:// https://`
  assert.deepStrictEqual(links(body), ["https://a.example/x(y)", "http://b.example/", "https://d.example/"])
  assert.strictEqual(pieces(body).map(({ text }) => text).join(""), body)
  assert.deepStrictEqual(pieces("a\nb"), [{ text: "a\nb" }])
})

it("punctuation that ends a sentence is no part of an address, however much of it there is", () => {
  assert.deepStrictEqual(pieces("(http://a.example/b).")[1], { text: "http://a.example/b", href: "http://a.example/b" })
  assert.deepStrictEqual(pieces("http://a.example/b).)!")[0], { text: "http://a.example/b", href: "http://a.example/b" })
  assert.deepStrictEqual(pieces("http://a.example/b(c)).!")[0], { text: "http://a.example/b(c))", href: "http://a.example/b(c))" })
  for (const sign of [".", ")", ".)"]) assert.isBelow(growth((size) => pieces(`http://a.example/${sign.repeat(size / sign.length)}a`), 2_500), 9, sign)
})

it("the count beside an icon says no more than two digits can", () => {
  assert.deepStrictEqual([0, 1, 99, 100, 1229].map(countText), ["", "1", "99", "99+", "99+"])
})

it("cards are level with their places, and never over one another", () => {
  const wanted = [{ top: 100, height: 50 }, { top: 120, height: 80 }, { top: 900, height: 10 }]
  assert.deepStrictEqual(spaced(wanted), { lift: 0, spaces: [100, 12, 658] })
  assert.deepStrictEqual(spaced([{ top: -5, height: 10 }]), { lift: 0, spaces: [0] })
  assert.deepStrictEqual(spaced([]), { lift: 0, spaces: [] })
  assert.isBelow(inOrder({ page: 2, y: 0.9 }, { page: 3, y: 0.1 }), 0)
  assert.isAbove(inOrder({ row: 12 }, { row: 2 }), 0)
})

it("the card that is asked for is level whatever is near it", () => {
  const close = [{ top: 20, height: 50 }, { top: 30, height: 50 }, { top: 40, height: 50 }]
  assert.deepStrictEqual(spaced(close, 0), { lift: 0, spaces: [20, 12, 12] })
  // The card at 30 stays: the first is lifted 32 above the top, and the last moves down.
  assert.deepStrictEqual(spaced(close, 1), { lift: 32, spaces: [0, 12, 12] })
  assert.deepStrictEqual(spaced([{ top: 20, height: 50 }, { top: 400, height: 50 }], 1), { lift: 0, spaces: [20, 330] })
})

it("a comment on no place in particular is about the whole", () => {
  assert.isTrue(isGeneral(null) && isGeneral({ path: "/" }) && isGeneral({ path: "/", quote: "", selector: "" }) && !isGeneral({ path: "/", x: 0, y: 0 }))
})

it("a comment on another page says which", () => {
  const where = "on “some words”"
  assert.strictEqual(onPage({ path: "/", where: "on the whole document" }), "On the front page")
  assert.strictEqual(onPage({ path: "/", quote: "some words", where }), "On the front page, on “some words”")
  assert.strictEqual(onPage({ path: "/more/", where: "on “/more/”" }), "On “/more/”")
  assert.strictEqual(onPage({ path: "/more/", quote: "some words", where: `on “/more/”, ${where}` }), "On “/more/”, on “some words”")
})

it("a page of a site is one by each of its addresses, and no other page", () => {
  for (const [one, other] of [["/", "/index.html"], ["/", "/index"], ["/about", "/about.html"], ["/docs/", "/docs/index.html"]] as const) assert.isTrue(isSamePage(one, other), other)
  for (const [one, other] of [["/docs", "/docs/"], ["/", "/about"], ["/about", "/about.htm"], ["/reindex", "/re"], ["/a/.html", "/a/"], ["/a?b", "/a"], ["/a%2Fb", "/a/b"]] as const) assert.isFalse(isSamePage(one, other), other)
  // As the address bar has it, and as an earlier comment may.
  // The service finds a page by either form of Unicode; a page made on a Mac links to the decomposed one.
  for (const [one, other] of [["/Pr%C3%A9cis.html", "/Pre%CC%81cis"], ["/Pr\u00e9cis", "/Pre%CC%81cis.html"], ["/%61bout", "/about"], ["/a%26b", "/a&b"], ["/100%25", "/100%25"]] as const) assert.isTrue(isSamePage(one, other), other)
  for (const [one, other] of [["/a%252Fb", "/a%2Fb"], ["/a%23b", "/a"], ["/%FF", "/%FE"]] as const) assert.isFalse(isSamePage(one, other), other)
  for (const path of ["/تقرير.html", "/a b", "/می\u200cخواهم", "/👩\u200d👩", "/a^b|c"]) assert.isTrue(isSamePage(path, new URL(`http://x${path}`).pathname), path)
})

it("a framed page that has not answered has lost no place, until it says so", async () => {
  vi.useFakeTimers()
  vi.stubGlobal("location", { pathname: "/" })
  try {
    const said: Array<FromShell> = []
    let layouts = 0
    const { hear, stage } = frameStage(new EventTarget() as HTMLIFrameElement, (message) => void said.push(message), () => undefined)
    stage.onLayout(() => void layouts++)
    const finding = Promise.resolve(stage.find({ path: "/", quote: "words" }))
    await vi.advanceTimersByTimeAsync(60_000)
    const place = await finding
    assert.isDefined(place)
    assert.deepStrictEqual([place?.isGone?.(), place?.top(), layouts], [false, undefined, 0])
    hear({ svc: "places", scrolled: 0, places: [["1", null, 0]] })
    assert.deepStrictEqual([place?.isGone?.(), layouts], [true, 1])
    assert.deepStrictEqual(said.map(({ svc }) => svc), ["find"])
  } finally {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

it("a list undoes nothing that came after it was asked for", () => {
  const made = (id: string, body: string): Thread => ({
    id, version: 1, body, author: { id: "1", name: "Ada" }, edited: false, created_at: "", updated_at: "", editable_until: "", anchor: null, status: "open", resolved_at: null, resolved_by: null, replies: []
  })
  const talk = threads()
  talk.reset([made("kept", "as it was"), made("gone", ""), made("changed", "before")], talk.changes())
  const since = talk.changes()
  talk.put(made("changed", "after"))
  talk.put(made("new", ""))
  talk.take("gone")
  talk.reset([made("kept", "as it is"), made("gone", ""), made("changed", "before"), made("heard of late", "")], since)
  assert.deepStrictEqual(talk.visible().map(({ body, id }) => `${id} ${body}`.trim()).toSorted(), ["changed after", "heard of late", "kept as it is", "new"])
  talk.reset([], talk.changes())
  assert.deepStrictEqual(talk.visible(), [])
  // An answer that was long on its way does not know of the reply that was heard of meanwhile.
  talk.put(made("slow", "before"))
  const asked = talk.changes()
  talk.put({ ...made("answered", "Meanwhile"), parent_id: "slow" })
  talk.put({ ...made("slow", "before"), status: "resolved" }, asked)
  assert.deepStrictEqual([talk.get("slow")?.status, talk.get("slow")?.replies.map(({ id }) => id)], ["resolved", ["answered"]])
  talk.put(made("slow", "before"), talk.changes())
  assert.deepStrictEqual(talk.get("slow")?.replies, [])
})
