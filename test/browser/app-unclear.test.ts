/** What the web app does with unclear answers: cut off, a proxy's own page, late, refused or lost; nothing is done twice, and no fact is made up. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Route } from "playwright-core"
import { dropped, signedInPage } from "../support/app.ts"
import { executable, hasChromium } from "../support/browser.ts"
import { mailTo } from "../support/mail.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

const PORTAL = { status: 200, contentType: "text/html", body: "<html>Accept our terms" }
const UNREADABLE = "The service gave no readable answer. Try again in a moment."

describe.skipIf(!hasChromium)(`answers that say nothing clear (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("a proxy’s page in place of an answer: said as that, and tried again under the same key", () =>
      Effect.gen(function*() {
        const { account: { bearer }, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/notes", { method: "PUT", body: "# Notes", headers: { ...bearer, "content-type": "text/markdown" } })
        const sent: Array<string | undefined> = []
        const folder = mkdtempSync(join(tmpdir(), "chosen-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
        const file = join(folder, "draft.md")
        page.on("request", (request) => {
          if (request.method() === "POST" && new URL(request.url()).pathname === "/v1/projects") sent.push(request.headers()["idempotency-key"])
        })
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByRole("heading", { name: "Notes" }).waitFor()
          // Matches nothing, and keeps the browser asking: while routes come and go, a request would slip through now and then.
          await page.route("**/none", (route) => route.continue())
          await page.route("**/v1/projects", (route) => route.fulfill(PORTAL), { times: 1 })
          await dropped(page, [["once.md", "text/markdown", "# Once"]])
          const arrivals = page.getByRole("list", { name: "Publishing" })
          await arrivals.getByRole("alert").getByText(UNREADABLE).waitFor()
          await arrivals.getByRole("button", { name: "Try again" }).click()
          await arrivals.getByText("Once is live").waitFor()
          assert.lengthOf(sent, 2)
          assert.isDefined(sent[0])
          assert.strictEqual(sent[0], sent[1])
          // A file that was changed since it was chosen is not what was chosen: the browser does not send it again.
          await page.route("**/v1/projects", (route) => route.abort(), { times: 1 })
          writeFileSync(file, "# Draft")
          await page.getByLabel("Files to publish").setInputFiles(file)
          await arrivals.getByRole("alert").getByText("svc cannot be reached").waitFor()
          writeFileSync(file, "# Draft, and more")
          // By the second, as browsers compare it.
          utimesSync(file, 1, 1)
          await arrivals.getByRole("button", { name: "Try again" }).click()
          await arrivals.getByRole("alert").getByText("It was changed after you chose it. Choose it again.").waitFor()
          assert.strictEqual(await arrivals.getByRole("button", { name: "Try again" }).count(), 0)

          // A version that waits for another try follows its project to another address.
          await open("/projects/notes")
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()
          await page.route("**/v1/projects/notes", (route) => route.abort(), { times: 1 })
          await dropped(page, [["notes.md", "text/markdown", "# Notes, again"]])
          await arrivals.getByRole("alert").getByText("svc cannot be reached").waitFor()
          const moves = async (to: string) => {
            await page.getByLabel("Name in the address").fill(to)
            await page.getByRole("button", { name: "Change address" }).click()
            await page.waitForURL(`**/projects/${to}/settings`)
          }
          await page.getByRole("link", { name: "Settings" }).click()
          await moves("notes-anew")
          await arrivals.getByRole("button", { name: "Try again" }).click()
          await arrivals.getByText("Version 2 is live").waitFor()
          const shown = () => arrivals.getByRole("listitem").last().getByRole("link", { name: /^http/ }).innerText()
          assert.match(await shown(), /notes-anew/)

          // So does one that is being sent, whether it arrived before its project was renamed or after that.
          for (const [version, from, to] of [[3, "notes-anew", "notes-third"], [4, "notes-third", "notes"]] as const) {
            const go = Promise.withResolvers<void>()
            const came = Promise.withResolvers<void>()
            const held = async (route: Route) => {
              if (route.request().method() !== "PUT") return route.continue()
              const put = service.ask(`/v1/projects/${from}`, { method: "PUT", body: `# Notes, version ${version}`, headers: { ...bearer, "content-type": "text/markdown" } })
              const json = version === 3 ? (await Effect.runPromise(put)).json : undefined
              came.resolve()
              await go.promise
              await (json === undefined ? route.continue() : route.fulfill({ json }))
            }
            await page.route(`**/v1/projects/${from}`, held)
            await dropped(page, [["notes.md", "text/markdown", `# Notes, version ${version}`]])
            await came.promise
            await moves(to)
            go.resolve()
            await arrivals.getByText(`Version ${version} is live`).waitFor()
            assert.match(await shown(), new RegExp(`//${to}\\.`))
            await page.unroute(`**/v1/projects/${from}`, held)
          }
          await open("/")

          await page.route("**/v1/projects/notes?*", (route) => route.fulfill(PORTAL))
          await page.getByRole("heading", { name: "Notes" }).getByRole("link").click()
          await page.getByRole("alert").getByText(UNREADABLE).waitFor()
          await page.unroute("**/v1/projects/notes?*")
          await page.getByRole("button", { name: "Try again" }).click()
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()

          await page.getByTitle("Rename").click()
          await page.getByRole("textbox", { name: "Title" }).fill("Minutes")
          await page.route("**/v1/projects/notes", (route) => route.fulfill({ status: 200, contentType: "application/json", body: "{\"slug\":\"no" }), { times: 1 })
          await page.keyboard.press("Enter")
          await page.getByText(UNREADABLE).first().waitFor()
          const told = await page.getByRole("textbox", { name: "Title" }).getAttribute("aria-describedby")
          assert.strictEqual(await page.locator(`[id="${told}"]`).textContent(), UNREADABLE)
          await settled()
        })
      }))

    it.effect("what is under way is not called off by leaving its dialog: it stays until the outcome is known, and what is shown once is shown", () =>
      Effect.gen(function*() {
        const { account: { bearer, workspaceId }, open, page } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/led", { method: "PUT", body: "# Led", headers: { ...bearer, "content-type": "text/markdown" } })
        /** Holds the requests of this method to there until they are let go. */
        const holding = async (method: string, where: string) => {
          const go = Promise.withResolvers<void>()
          const came = Promise.withResolvers<void>()
          const gone = Promise.withResolvers<void>()
          await page.route(where, async (route) => {
            if (route.request().method() !== method) return route.fallback()
            came.resolve()
            await go.promise
            await route.continue()
            gone.resolve()
          })
          return {
            came: came.promise,
            go: async () => {
              go.resolve()
              await gone.promise
              await page.unroute(where)
            }
          }
        }
        const stays = async (dialog: ReturnType<typeof page.getByRole>, way: string) => {
          // The request may be here before the button is drawn as busy.
          await dialog.getByRole("button", { name: way, exact: true, disabled: true }).click({ force: true })
          await page.keyboard.press("Escape")
          await dialog.getByRole("button", { name: "Close", exact: true }).first().click({ force: true })
          await page.waitForTimeout(200)
          assert.isTrue(await dialog.isVisible(), way)
        }
        yield* Effect.promise(async () => {
          const dialog = page.getByRole("dialog")
          // A link's address is shown this once.
          await open("/projects/led/share")
          const links = await holding("POST", "**/v1/projects/led/share-links")
          await dialog.getByRole("button", { name: "Add link" }).click()
          await dialog.getByLabel("Who is it for?").fill("Dana")
          await dialog.getByRole("button", { name: "Create link" }).click()
          await links.came
          await stays(dialog, "Cancel")
          await links.go()
          await dialog.getByText("The link for Dana is ready.").waitFor()
          // Another one would take its place; one that is revoked opens nothing, and is not there to be copied.
          assert.strictEqual(await dialog.getByRole("button", { name: "Add link" }).count(), 0)
          await dialog.getByRole("button", { name: "Revoke the link for Dana" }).click()
          await page.getByRole("alertdialog").getByRole("button", { name: "Revoke link" }).click()
          await dialog.getByText("The link for Dana is ready.").waitFor({ state: "detached" })
          await dialog.getByRole("button", { name: "Add link" }).waitFor()

          await open(`/workspace/members?workspace=${workspaceId}`)
          const invites = await holding("POST", "**/v1/workspace/invites?*")
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          await dialog.getByLabel("Email").fill("one@example.com")
          await dialog.getByRole("button", { name: "Send invitation" }).click()
          await invites.came
          await stays(dialog, "Cancel")
          await invites.go()
          await dialog.waitFor({ state: "detached" })

          // Nor is a title that nobody asked to save yet, or one that is refused after its field was left.
          await open("/projects/led")
          let renames = 0
          page.on("request", (request) => { if (request.method() === "PATCH") renames++ })
          await page.getByTitle("Rename").click()
          const field = page.getByRole("textbox", { name: "Title" })
          await field.fill("Half a ti")
          // As when somebody looks into another window.
          await field.evaluate((input) => input.dispatchEvent(new FocusEvent("focusout", { bubbles: true })))
          await page.waitForTimeout(300)
          assert.strictEqual(renames, 0)
          await page.route("**/v1/projects/led", (route) => route.request().method() === "PATCH" ? route.abort() : route.fallback())
          await page.getByRole("link", { name: "Library" }).first().click()
          await page.getByText("Led was not renamed. svc cannot be reached").first().waitFor()
          // Nor does whoever has left the dialog believe that a document is closed.
          await open("/projects/led/share")
          const left = Promise.withResolvers<void>()
          await page.route("**/v1/projects/led", (route) => route.request().method() === "PATCH" ? left.promise.then(() => route.abort()) : route.fallback())
          await dialog.getByRole("radio", { name: "Only people you choose" }).click()
          await page.keyboard.press("Escape")
          await dialog.waitFor({ state: "detached" })
          left.resolve()
          await page.getByText("Who can open Led was not changed. svc cannot be reached").first().waitFor()
          await page.getByText("Public", { exact: true }).waitFor()
          await page.unroute("**/v1/projects/led")

          // The folder that it is in is no change.
          await open("/projects/led/settings")
          await page.getByRole("button", { name: /^Folder: / }).waitFor()
          renames = 0
          await page.getByRole("button", { name: /^Folder: / }).click()
          await page.getByRole("menuitemradio", { checked: true }).click()
          await page.waitForTimeout(300)
          assert.strictEqual(renames, 0)

          await open("/account/delete")
          const deletes = await holding("DELETE", "**/v1/me")
          await page.getByRole("button", { name: "Delete account" }).click()
          await dialog.getByLabel("Your password").fill(PASSWORD)
          await dialog.getByRole("button", { name: "Delete account", exact: true }).click()
          await deletes.came
          await stays(dialog, "Keep it")
          await deletes.go()
          await dialog.waitFor({ state: "detached" })
          await page.getByText(/^Your account is deleted\. On .+ it is erased for good/).waitFor()
        })
        assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 401)
      }))

    it.effect("what is made, sent or restored and whose answer is lost: sent again it is done once, and what no toast says is announced", () =>
      Effect.gen(function*() {
        const { account: { bearer, email, workspaceId }, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        const call = (method: string, path: string, json?: unknown) => service.ask(path, { method, json, headers: bearer })
        for (const body of ["# Said", "# Said again"]) yield* service.ask("/v1/projects/said", { method: "PUT", body, headers: { ...bearer, "content-type": "text/markdown" } })
        yield* call("PATCH", "/v1/projects/said", { comments_enabled: true })
        const field = page.getByRole("textbox")
        yield* Effect.promise(async () => {
          // Each first request arrives, and its answer is lost.
          await page.addInitScript(() => {
            const { fetch } = globalThis
            const lost = new Set<string>()
            globalThis.fetch = async (input, init) => {
              const request = new Request(input, init)
              const { pathname } = new URL(request.url)
              const isMade = request.method === "POST" && /\/(?:comments|replies|resolve|folders|restore|invites|export|workspaces)$/.test(pathname)
              const answer = await fetch(request)
              if (!isMade || lost.has(pathname)) return answer
              lost.add(pathname)
              await answer.text()
              throw new TypeError("Failed to fetch")
            }
          })
          const twice = async (name: string) => {
            const button = page.locator("form").getByRole("button", { name, exact: true })
            await button.click()
            await page.getByRole("alert").getByText("svc cannot be reached").waitFor()
            // A form takes no second press before the next frame.
            await page.evaluate(() => new Promise(requestAnimationFrame))
            await button.click()
            await page.locator("form").filter({ has: page.getByRole("button", { name, exact: true }) }).waitFor({ state: "detached" })
            await settled()
          }
          await open("/projects/said/comments")
          await page.getByRole("button", { name: "Comment", exact: true }).click()
          await field.fill("Said once")
          await twice("Post comment")
          await page.getByText("Comment posted").waitFor({ state: "attached" })
          await page.getByRole("button", { name: "Reply to" }).first().click()
          await field.fill("Answered once")
          await twice("Reply")
          await page.getByText("Reply posted").waitFor({ state: "attached" })
          // What was done although its answer was lost is shown; once it was undone, the same press does it again.
          const shows = (name: string) => page.getByRole("radio", { name }).click()
          const resolve = page.getByRole("button", { name: "Resolve" })
          await resolve.click()
          await resolve.waitFor({ state: "detached" })
          await shows("Resolved")
          await page.getByRole("button", { name: "Reopen" }).click()
          await page.getByRole("button", { name: "Reopen" }).waitFor({ state: "detached" })
          await shows("Open")
          await resolve.click()
          await page.getByText("Resolved.", { exact: true }).first().waitFor()
          await open("/")
          await page.getByRole("button", { name: "New folder" }).click()
          await page.getByLabel("Name").fill("Plans")
          await twice("Make folder")

          await open("/projects/said/versions")
          // As long as the page shows what it showed, the same press is the same try.
          const restore = (version: number) => page.getByRole("button", { name: `Restore version ${version}`, exact: true }).click()
          await page.route("**/v1/projects/said?*", (route) => route.abort())
          await restore(1)
          await page.getByText("svc cannot be reached").first().waitFor()
          await settled()
          await page.unroute("**/v1/projects/said?*")
          await restore(1)
          await page.getByText("Version 1 is live again, as version 3.").first().waitFor()
          await restore(2)
          await page.getByRole("row", { name: /^4\s*Live/ }).waitFor()
          await restore(2)
          await page.getByText("Version 2 is live again, as version 5.").first().waitFor()
          await Effect.runPromise(service.ask("/v1/projects/said", { method: "PUT", body: "# Said at last", headers: { ...bearer, "content-type": "text/markdown" } }))
          await page.getByRole("button", { name: "Undo" }).last().click()
          await page.getByText("Version 6 is live by now, so nothing was undone.").first().waitFor()
          await open(`/workspace/members?workspace=${workspaceId}`)
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          await page.getByLabel("Email").fill("guest@example.com")
          await twice("Send invitation")
          await open(`/workspace/export?workspace=${workspaceId}`)
          await page.getByRole("button", { name: "Take an export" }).click()
          await page.getByLabel("Your password").fill(PASSWORD)
          await twice("Take the export")
          await page.getByRole("button", { name: /^Workspace:/ }).first().click()
          await page.getByRole("menuitem", { name: "New workspace" }).click()
          await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Acme")
          await twice("Create workspace")
        })
        const { json: { comments } } = yield* call("GET", "/v1/projects/said/comments")
        assert.deepStrictEqual(comments.map((one: any) => [one.body, ...one.replies.map((reply: any) => reply.body)]), [["Said once", "Answered once"]])
        assert.deepStrictEqual((yield* call("GET", "/v1/folders")).json.folders.map((one: any) => one.name), ["Plans"])
        assert.strictEqual(comments[0].status, "resolved")
        assert.strictEqual((yield* call("GET", "/v1/projects/said")).json.version, 6)
        assert.deepStrictEqual((yield* call("GET", "/v1/me")).json.workspaces.map((one: any) => one.name), ["Home", "Acme"])
        // The export's mail comes last: by then that to the guest has come.
        yield* mailTo(service, email)
        assert.lengthOf(yield* mailTo(service, "guest@example.com"), 1)
      }))

    it.effect("a confirmed action that is under way cannot be cancelled any more, and a refusal is not shown again the next time", () =>
      Effect.gen(function*() {
        const { open, page } = yield* signedInPage()
        yield* Effect.promise(async () => {
          let answer = () => {}
          const error = { code: "internal_error", message: "It did not go.", field: null, details: {} }
          await page.route("**/v1/tokens/*", async (route) => {
            await new Promise<void>((resolve) => answer = resolve)
            await route.fulfill({ status: 500, json: { error } })
          })
          await open("/account/tokens")
          const dialog = page.getByRole("alertdialog")
          const keep = dialog.getByRole("button", { name: "Keep it" })
          await page.getByRole("button", { name: "Revoke test" }).click()
          await dialog.getByRole("button", { name: "Revoke token" }).click()
          await dialog.locator("[aria-busy=true]").waitFor()
          assert.strictEqual(await keep.getAttribute("aria-disabled"), "true")
          await page.keyboard.press("Escape")
          await keep.click({ force: true })
          await page.mouse.click(5, 5)
          assert.isTrue(await keep.isVisible())
          answer()
          await dialog.getByRole("alert").getByText("It did not go.").waitFor()
          await keep.click()
          await dialog.waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Revoke test" }).click()
          await keep.waitFor()
          assert.strictEqual(await dialog.getByRole("alert").count(), 0)

          await open("/account/delete")
          const asked = page.getByRole("dialog")
          const ask = page.getByRole("button", { name: "Delete account" })
          await ask.click()
          await asked.getByLabel("Your password").fill("not the one")
          await asked.getByRole("button", { name: "Delete account", exact: true }).click()
          await asked.getByRole("alert").waitFor()
          await asked.getByRole("button", { name: "Keep it" }).click()
          await asked.waitFor({ state: "detached" })
          await ask.click()
          await asked.getByLabel("Your password").waitFor()
          assert.strictEqual(await asked.getByRole("alert").count(), 0)
        })
      }))

    it.effect("folders and lists that do not arrive are reported, with a way to retry, and no project is shown as being in no folder", () =>
      Effect.gen(function*() {
        const { account: { bearer, workspaceId }, open, page } = yield* signedInPage()
        const service = yield* Service
        const call = (method: string, path: string, json?: unknown) => service.ask(path, { method, json, headers: bearer })
        yield* service.ask("/v1/projects/kept", { method: "PUT", body: "# Kept", headers: { ...bearer, "content-type": "text/markdown" } })
        const folder = (yield* call("POST", "/v1/folders", { name: "Plans" })).json
        yield* call("PATCH", "/v1/projects/kept", { folder_id: folder.id, comments_enabled: true })
        let away = true
        const refuse = { status: 503, json: { error: { code: "unavailable", message: "The service is not available right now.", field: null, details: {} } } }
        const missing = page.getByRole("alert").getByText("The folders did not arrive.")
        const comes = async () => {
          away = false
          await page.getByRole("button", { name: "Try again" }).click()
          await missing.waitFor({ state: "detached" })
        }
        yield* Effect.promise(async () => {
          for (const path of ["**/v1/folders?*", "**/comment-allowlist"]) await page.route(path, (route) => away ? route.fulfill(refuse) : route.continue())
          await open("/")
          await missing.waitFor()
          await page.getByRole("heading", { name: "Kept" }).waitFor()
          await page.getByRole("button", { name: "More about Kept" }).click()
          await page.getByRole("menuitem", { name: /Move/ }).click()
          await page.getByRole("dialog").getByText("The folders did not arrive.").waitFor()
          assert.strictEqual(await page.getByText("There is no folder").count(), 0)
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await comes()
          away = true
          await page.getByRole("list", { name: "Folders" }).getByText("Plans").click()
          await page.getByRole("button", { name: "Folder Plans" }).click()
          await page.getByRole("menuitem", { name: "Who can comment" }).click()
          const people = page.getByRole("dialog", { name: "Who can comment in Plans" })
          await people.getByText("The list did not arrive.").waitFor()
          away = false
          await people.getByRole("button", { name: "Try again" }).click()
          await people.getByLabel("Add people by email").waitFor()

          away = true
          await open("/projects/kept")
          await missing.waitFor()
          assert.strictEqual(await page.getByText("None", { exact: true }).count(), 0)
          await comes()
          assert.match((await page.getByRole("link", { name: "Plans" }).getAttribute("href"))!, new RegExp(`workspace=${workspaceId}`))

          away = true
          await open("/projects/kept/settings")
          await missing.waitFor()
          await page.getByRole("alert").getByText("The list did not arrive.").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: /^Folder: / }).count(), 0)
          away = false
          for (const what of ["folders", "list"]) await page.getByText(`The ${what} did not arrive.`).locator("..").getByRole("button", { name: "Try again" }).click()
          await page.getByRole("button", { name: "Folder: Plans" }).waitFor()
          await page.getByLabel("Add people by email").waitFor()
        })
      }))
  })
})
