/** The text of the pages that the server renders: each reason has its page, and no input becomes markup. */
import { assert, describe, it } from "@effect/vitest"
import { closedFailure, closedPage, closedStatus } from "../../src/http/edge/pages.ts"
import type { Shut } from "../../src/http/edge/pages.ts"
import { awayPage, homePage, notFoundPage } from "../../src/http/server/home-page.ts"
import { mailboxPage, messagePage } from "../../src/http/server/mailbox-pages.ts"

const statuses: Record<Shut, number> = {
  unknown: 404, empty: 404, "no-such-page": 404, deleted: 410, "taken-down": 410, expired: 410, down: 410, doorcode: 401, private: 403, "link-refused": 404, "entry-refused": 401, crowded: 429, unavailable: 503, internal: 500, history: 403, newer: 409
}
const facts = { requestId: "r-1", baseUrl: "http://svc.localhost:8787", slug: "plan", next: "/a?b=\"<i>" }
const nasty = `<img src=x onerror=alert(1)>"'`
const message = { id: "a/b", to: nasty, subject: nasty, html: `<!doctype html><head></head>"${nasty}`, text: nasty, links: ["javascript:alert(1)", "https://svc.example/verify-email?token=t"], at: "2026-11-21T05:42:01.120Z" }

describe("closed pages", () => {
  it.each(Object.entries(statuses) as Array<[Shut, number]>)("%s is %i", (reason, status) => {
    const shown = closedPage(reason, facts)
    assert.strictEqual(closedStatus(reason), status)
    assert.notMatch(shown, /undefined|null|\[object/)
    assert.include(shown, "<code>r-1</code>")
    assert.include(shown, `href="${facts.baseUrl}"`)
    assert.lengthOf([...shown.matchAll(/<h1>/g)], 1)
    assert.notInclude(shown, "<i>")
    assert.strictEqual(/<form|<input/.test(shown), reason === "doorcode")
    assert.isAtMost([...shown.matchAll(/class="button"/g)].length, 1)
    assert.isAbove(closedFailure(reason).message.length, 20)
  })

  it("have the same code for the same status, except 410, which has no code of its own", () => {
    assert.deepStrictEqual(Object.keys(statuses).map((reason) => closedFailure(reason as Shut)._tag), [
      "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "auth_required", "forbidden", "not_found", "invalid_token", "rate_limited", "unavailable", "internal_error", "forbidden", "conflict"
    ])
  })
})

describe("mailbox pages", () => {
  it("show mails as text, and links only where a browser fetches them", () => {
    for (const shown of [mailboxPage([message]), messagePage(message)]) {
      assert.notInclude(shown, "<img")
      assert.notInclude(shown, "javascript:")
      assert.include(shown, "href=\"https://svc.example/verify-email?token=t\"")
      assert.include(shown, ">Verify email</a>")
    }
    assert.include(mailboxPage([message]), "href=\"/_dev/mail/a%2Fb\"")
    const text = "Hello,\n\nConfirm my address:\nhttps://svc.example/verify-email?token=t\n\nThe link works once."
    for (const shown of [mailboxPage([{ ...message, text }]), messagePage({ ...message, text })]) assert.include(shown, ">Confirm my address</a>")
  })

  it("frame the mail without scripts, and open its links beside the page", () => {
    const frame = /<iframe[^>]*>/.exec(messagePage(message))?.[0] ?? ""
    assert.include(frame, "sandbox=\"allow-popups allow-popups-to-escape-sandbox\"")
    assert.include(frame, "&lt;base target=&quot;_blank&quot;&gt;")
  })

  it("an empty one says what to do, and a bad time stays as it came", () => {
    assert.include(mailboxPage([]), "href=\"/#sign-up\"")
    assert.include(mailboxPage([{ ...message, at: "later" }]), ">later</time>")
  })
})

describe("pages of the base host", () => {
  it("keep what they are given as text", () => {
    for (const shown of [notFoundPage, awayPage]) assert.notInclude(shown({ requestId: nasty }), "<img")
  })

  it("name the service's own address in every command, and the app's in every way in", () => {
    const home = { appUrl: "http://app.svc.test", baseUrl: facts.baseUrl }
    const shown = homePage({ ...home, devMailbox: false })
    for (const [, line = ""] of shown.matchAll(/<code>(curl [^\n]*)/g)) assert.include(line, facts.baseUrl)
    for (const path of ["/signup", "/login"]) assert.include(shown, `href="http://app.svc.test${path}"`)
    assert.include(homePage({ ...home, devMailbox: true }), "/_dev/mail")
    assert.notInclude(shown, "/_dev/mail")
  })
})
