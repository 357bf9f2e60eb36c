/** What the web app does with answers that are lost, refused or late, and with odd states: nothing is done twice, and the user always learns what happened. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dropped, signedInPage } from "../support/app.ts"
import { comesTo, comesTrue, executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

describe.skipIf(!hasChromium)(`answers that the web app does not get (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("a publish whose answer was lost: trying again finds it, and publishes nothing twice", () =>
      Effect.gen(function*() {
        const { account: { bearer }, errors, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        const published = Effect.map(service.ask("/v1/projects", { headers: bearer }), ({ json }) => json.projects)
        yield* Effect.promise(async () => {
          // The service has answered, and the page is told that the connection broke.
          await page.addInitScript(() => {
            const listen = XMLHttpRequest.prototype.addEventListener
            let isFirst = true
            XMLHttpRequest.prototype.addEventListener = function(this: XMLHttpRequest, type: string, listener: EventListenerOrEventListenerObject) {
              const isLost = type === "load" && isFirst
              if (isLost) isFirst = false
              listen.call(this, type, isLost ? () => this.dispatchEvent(new ProgressEvent("error")) : listener)
            }
          })
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await dropped(page, [["once.md", "text/markdown", "# Once"]])
          await page.getByRole("alert").getByText("once.md could not be published").waitFor()
        })
        const [first] = yield* published
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Try again" }).click()
          await page.getByRole("list", { name: "Publishing" }).getByText(first.url).waitFor()
          await settled()
        })
        assert.deepStrictEqual((yield* published).map(({ slug, version }: { slug: string; version: number }) => [slug, version]), [[first.slug, 1]])
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("a list whose next page does not arrive stays, says so, and asks for it once; who comes back to it is where they had been", () =>
      Effect.gen(function*() {
        const { account: { bearer }, open, page } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/one", { method: "PUT", body: "x", headers: { ...bearer, "content-type": "text/plain" } })
        const { json: first } = yield* service.ask("/v1/projects", { headers: bearer })
        yield* Effect.promise(async () => {
          let asked = 0
          let away = true
          const many = { ...first, projects: Array.from({ length: 50 }, (_, index) => ({ ...first.projects[0], id: `${first.projects[0].id.slice(0, -2)}${10 + index}`, ...(index > 0 && { title: `Report ${index}` }) })) }
          await page.route("**/v1/projects?*", (route) => {
            if (!new URL(route.request().url()).searchParams.has("cursor")) return route.fulfill({ json: { ...many, next_cursor: "next" } })
            asked++
            const error = { code: "rate_limited", message: "Too many requests. Try again in 30 seconds.", field: null, details: {} }
            return away ? route.fulfill({ status: 429, json: { error } }) : route.fulfill({ json: { ...first, projects: [] } })
          })
          // When sorted, the app requests all of them, page after page.
          await open("/?sort=title")
          await page.getByRole("alert").getByText("Too many requests. Try again in 30 seconds.").waitFor()
          await page.getByRole("heading", { name: "one" }).waitFor()
          await page.waitForTimeout(300)
          assert.strictEqual(asked, 1)
          away = false
          await page.getByRole("button", { name: "Try again" }).click()
          await page.getByRole("alert").waitFor({ state: "detached" })
          assert.strictEqual(asked, 2)
          const place = () => page.evaluate(() => Math.round(scrollY))
          for (const [button, title] of [[undefined, "Report 9"], ["Show as a list", "Report 45"]] as const) {
            if (button !== undefined) await page.getByRole("button", { name: button }).click()
            const far = page.getByRole("link", { name: title, exact: true })
            await far.scrollIntoViewIfNeeded()
            const left = await place()
            await far.click()
            await page.getByRole("navigation", { name: "Project" }).waitFor()
            await page.goBack()
            await far.waitFor()
            await comesTo(place, left)
          }
        })
      }))

    it.effect("the session, if signing out does not reach the service; after signing out, going back shows nothing of the page", () =>
      Effect.gen(function*() {
        const { open, page } = yield* signedInPage()
        yield* Effect.promise(async () => {
          await open("/account/tokens")
          await page.getByRole("button", { name: "Revoke test" }).waitFor()
          const signOut = async () => {
            await page.getByRole("button", { name: /^Account: / }).click()
            await page.getByRole("menuitem", { name: "Sign out" }).click()
          }
          await page.route("**/v1/auth/logout", (route) => route.abort(), { times: 1 })
          await signOut()
          await page.getByText("You are still signed in. svc cannot be reached.").first().waitFor()
          await page.getByRole("button", { name: "Revoke test" }).waitFor()
          await page.evaluate(() => sessionStorage.setItem("svc-email", "before@example.com"))
          // As in a browser that keeps pages in its back/forward cache: left, and come back to.
          await page.route((url) => url.pathname === "/", (route) => route.fulfill({ status: 204 }))
          await signOut()
          await comesTrue(() => page.evaluate(() => sessionStorage.getItem("svc-email") === null))
          await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })))
          assert.isFalse(await page.getByRole("button", { name: "Revoke test" }).isVisible())
          const loaded = page.waitForURL("**/login?*")
          await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
          await loaded
        })
      }))

    it.effect("a reply or a change being written stays, whatever becomes of its thread elsewhere and whatever the reader looks at", () =>
      Effect.gen(function*() {
        const { account: { bearer }, errors, open, page } = yield* signedInPage()
        const service = yield* Service
        const call = (method: string, path: string, json?: unknown) => service.ask(path, { method, json, headers: bearer })
        yield* service.ask("/v1/projects/answered", { method: "PUT", body: "# Notes", headers: { ...bearer, "content-type": "text/markdown" } })
        yield* call("PATCH", "/v1/projects/answered", { comments_enabled: true })
        const said = (body: string, anchor?: object) => Effect.map(call("POST", "/v1/projects/answered/comments", { body, anchor }), ({ json }) => json.id as string)
        const [first, second, third] = [yield* said("The first"), yield* said("The second", { path: "/" }), yield* said("The third", { path: "/", quote: "Notes" })]
        const thread = (words: string) => page.getByRole("list", { name: "Comments" }).locator("> li").filter({ hasText: words })
        const answer = page.getByRole("textbox", { name: "Your reply" })
        /** The list is read again with every change that settles in it. */
        const resolved = async (words: string) => {
          await thread(words).getByRole("button", { name: "Resolve" }).click()
          await thread(words).waitFor({ state: "detached" })
        }
        yield* Effect.promise(async () => {
          await open("/projects/answered/comments")
          await thread("The first").getByRole("button", { name: "Reply" }).click()
          await answer.fill("Half an ans")
          // Only what is about a place leads to it.
          const places = page.getByRole("list", { name: "Comments" }).getByRole("link")
          assert.deepStrictEqual(await places.allInnerTexts(), ["On “Notes”"])
          assert.include(decodeURIComponent(await places.getAttribute("href") ?? ""), "#:~:text=Notes")
        })
        yield* call("POST", `/v1/comments/${first}/resolve`)
        yield* Effect.promise(async () => {
          await resolved("The second")
          assert.strictEqual(await answer.inputValue(), "Half an ans")
          await page.getByRole("radio", { name: "Resolved" }).click()
          await thread("The second").waitFor()
          assert.strictEqual(await thread("The first").getByRole("textbox").inputValue(), "Half an ans")
          await page.getByRole("link", { name: "Settings" }).last().click()
          await answer.waitFor({ state: "detached" })
          await page.goBack()
          await page.getByRole("radio", { name: "All" }).click()
          await thread("The third").waitFor()
          assert.strictEqual(await thread("The first").getByRole("textbox").inputValue(), "Half an ans")
          await answer.fill("Half an answer")
          await thread("The first").getByRole("button", { name: "Reply", exact: true }).click()
          await page.getByRole("list", { name: "Replies" }).getByText("Half an answer").waitFor()
          await answer.waitFor({ state: "detached" })

          // A cancelled reply is forgotten; a sent one is not sent again.
          await thread("The third").getByRole("button", { name: "Reply" }).click()
          await answer.fill("Never mind")
          await page.getByRole("button", { name: "Cancel" }).click()
          await thread("The third").getByRole("button", { name: "Reply" }).click()
          assert.strictEqual(await answer.inputValue(), "")
          // What is being sent is not called off: it stays until its outcome is known.
          const held = Promise.withResolvers<void>()
          await page.route("**/v1/comments/*/replies", (route) => held.promise.then(() => route.fallback()))
          await answer.fill("On its way")
          await thread("The third").getByRole("button", { name: "Reply", exact: true }).click()
          await page.getByRole("button", { name: "Cancel", disabled: true }).click({ force: true })
          await page.waitForTimeout(200)
          assert.strictEqual(await answer.inputValue(), "On its way")
          held.resolve()
          await thread("The third").getByRole("list", { name: "Replies" }).getByText("On its way").waitFor()
          await page.unroute("**/v1/comments/*/replies")
          await thread("The third").getByRole("button", { name: "Reply" }).click()
          await answer.fill("To nobody")
        })
        yield* call("DELETE", `/v1/comments/${third}`)
        yield* Effect.promise(async () => {
          await thread("The second").getByRole("button", { name: "Reopen" }).click()
          await thread("The second").getByRole("button", { name: "Resolve" }).waitFor()
          assert.strictEqual(await answer.inputValue(), "To nobody")
          await page.getByRole("button", { name: "Cancel" }).click()
          await thread("The third").waitFor({ state: "detached" })
        })
        const { json } = yield* call("GET", "/v1/projects/answered/comments")
        assert.deepStrictEqual(json.comments.map(({ body, replies }: { body: string; replies: ReadonlyArray<{ body: string }> }) => [body, ...replies.map((one) => one.body)]), [["The second"], ["The first", "Half an answer"]])

        // Of many replies the last few are shown, and the earlier ones where the focus goes on once they are asked for.
        const bodies = ["One", "Two", "Three", "Four", "Five", "Six"]
        for (const body of bodies) yield* call("POST", `/v1/comments/${second}/replies`, { body })
        yield* Effect.promise(async () => {
          await open("/projects/answered/comments")
          const replies = thread("The second").getByRole("list", { name: "Replies" }).getByRole("listitem")
          await replies.first().waitFor()
          assert.strictEqual(await replies.count(), 3)
          await replies.filter({ hasText: "Six" }).waitFor()
          await page.getByRole("button", { name: "Show 3 earlier replies" }).press("Enter")
          await replies.filter({ hasText: "One" }).and(page.locator(":focus")).waitFor()
          assert.strictEqual(await replies.count(), 6)
        })

        // A change that is being written stays like a reply, of a comment and of a reply, and goes with Cancel.
        const fourth = yield* said("The fourth")
        const fifth = yield* said("The fifth")
        const { json: reply } = yield* call("POST", `/v1/comments/${fourth}/replies`, { body: "To the fourth" })
        const change = page.getByRole("textbox", { name: "Your comment" })
        yield* Effect.promise(async () => {
          await open("/projects/answered/comments")
          for (const [at, of] of [thread("The fifth"), thread("The fourth").getByRole("list", { name: "Replies" })].entries()) {
            await of.getByRole("button", { name: /^Comment by/ }).click()
            await page.getByRole("menuitem", { name: "Edit" }).click()
            await change.nth(at).fill(`Put better ${at}`)
          }
        })
        yield* call("POST", `/v1/comments/${fifth}/resolve`)
        yield* call("DELETE", `/v1/comments/${reply.id}`)
        yield* Effect.promise(async () => {
          await resolved("The second")
          assert.deepStrictEqual(await Promise.all((await change.all()).map((one) => one.inputValue())), ["Put better 0", "Put better 1"])
          await page.getByRole("button", { name: "Cancel" }).last().click()
          await change.nth(1).waitFor({ state: "detached" })
          await page.getByText("To the fourth").waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Cancel" }).click()
          await thread("The fifth").waitFor({ state: "detached" })
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("resolved threads where comments are off, the label of a link that has expired, and a title that is being composed", () =>
      Effect.gen(function*() {
        const { account: { bearer }, errors, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        const call = (method: string, path: string, json: unknown) => service.ask(path, { method, json, headers: bearer })
        yield* service.ask("/v1/projects/notes", { method: "PUT", body: "# Notes", headers: { ...bearer, "content-type": "text/markdown" } })
        yield* call("PATCH", "/v1/projects/notes", { comments_enabled: true })
        const comment = yield* call("POST", "/v1/projects/notes/comments", { body: "That is settled" })
        yield* call("POST", `/v1/comments/${comment.json.id}/resolve`, {})
        yield* call("PATCH", "/v1/projects/notes", { comments_enabled: false })
        const link = yield* call("POST", "/v1/projects/notes/share-links", { label: "Ada", expires_at: "2030-01-01T00:00:00Z" })
        yield* service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE share_links SET expires_at = '2026-01-02T12:00:00Z' WHERE id = ${link.json.id}`))
        yield* Effect.promise(async () => {
          await open("/projects/notes/comments")
          await page.getByText("Comments are off; what was written is kept.").waitFor()
          await page.getByText("That is settled").waitFor()
          await page.getByRole("radio", { name: "Resolved" }).click()
          await page.getByText("That is settled").waitFor()

          await open("/projects/notes/share")
          await page.getByRole("button", { name: "Change the link for Ada" }).click()
          await page.getByLabel("Who is it for?").fill("Ada King")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Ada King").first().waitFor()
          await page.getByLabel("Who is it for?").waitFor({ state: "detached" })

          await open("/projects/notes")
          await page.getByTitle("Rename").click()
          const field = page.getByRole("textbox", { name: "Title" })
          await field.fill("にほん")
          await field.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true })
          await field.dispatchEvent("keydown", { key: "Escape", isComposing: true, bubbles: true })
          await field.fill("日本")
          await field.press("Enter")
          await page.getByRole("heading", { name: "日本" }).waitFor()
          await settled()
        })
        assert.strictEqual((yield* call("GET", "/v1/projects/notes", undefined)).json.title, "日本")
        yield* Effect.promise(async () => {
          await page.getByTitle("Rename").click()
          const field = page.getByRole("textbox", { name: "Title" })
          await field.fill("")
          await field.press("Enter")
          await page.getByRole("heading", { name: "Notes" }).waitFor()
          await settled()
        })
        const [links, project] = yield* Effect.all([service.ask("/v1/projects/notes/share-links", { headers: bearer }), service.ask("/v1/projects/notes", { headers: bearer })])
        assert.deepInclude(links.json[0], { label: "Ada King", expires_at: "2026-01-02T12:00:00.000Z" })
        assert.strictEqual(project.json.title, "Notes")
        assert.deepStrictEqual(errors, [])
      }))
  })
})
