/** What the web app keeps while something is slow, fails or is missing: the focus, the page, typed text, the position of things. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Locator } from "playwright-core"
import { signedInPage } from "../support/app.ts"
import { axe } from "../support/axe.ts"
import { comesTo, executable, focused, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

describe.skipIf(!hasChromium)(`what the web app keeps (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("the focus on a button that waits, where the change is sent once, and what is typed on meanwhile", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, errors, open, page } = yield* signedInPage()
        yield* service.ask("/v1/projects/typed-on", { method: "PUT", headers: { ...account.bearer, "content-type": "text/plain" }, body: "x" })
        yield* Effect.promise(async () => {
          await open("/account")
          const name = page.getByLabel("Name", { exact: true })
          const save = page.getByRole("button", { name: "Save" })
          await name.fill("Ada King")
          let sent = 0
          const answered = Promise.withResolvers<void>()
          await page.route("**/v1/me", (route) => route.request().method() === "PATCH" ? (sent++, answered.promise.then(() => route.fallback())) : route.fallback())
          await save.press("Enter")
          await page.locator("button[aria-busy=true]").waitFor()
          await focused(save)
          await save.press("Enter")
          await name.press("Enter")
          await save.focus()
          answered.resolve()
          await page.locator("button[aria-busy=true]").waitFor({ state: "detached" })
          await comesTo(() => save.isDisabled(), true)
          await focused(save)
          await page.getByText("Saved", { exact: true }).waitFor({ state: "attached" })
          assert.strictEqual(sent, 1)
          await page.unroute("**/v1/me")

          const typedOn = async (field: Locator, [first, meanwhile]: readonly [string, string], path: string) => {
            const answered = Promise.withResolvers<void>()
            await page.route(path, (route) => route.request().method() === "PATCH" ? answered.promise.then(() => route.fallback()) : route.fallback())
            await field.fill(first)
            await field.press("Enter")
            await page.locator("button[aria-busy=true]").waitFor()
            await field.fill(meanwhile)
            answered.resolve()
            await page.locator("button[aria-busy=true]").waitFor({ state: "detached" })
            await page.waitForTimeout(100)
            assert.strictEqual(await field.inputValue(), meanwhile)
            await page.unroute(path)
          }
          await typedOn(name, ["Ada L.", "Ada Lovelace"], "**/v1/me")
          await open("/workspace")
          await typedOn(name, ["Works", "Workshop"], "**/v1/workspaces/*")
          await open("/projects/typed-on/settings")
          await typedOn(page.getByLabel("Up until the end of"), ["2031-01-31", "2032-02-29"], "**/v1/projects/typed-on")
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("the page, where a menu, a dialog or a screen cannot be had: that is said, with the way to try again, or to reload what stays away", () =>
      Effect.gen(function*() {
        const { errors, open, page } = yield* signedInPage()
        yield* Effect.promise(async () => {
          const notices = page.waitForResponse(/toaster/)
          await page.route(/\/connect-/, (route) => route.abort())
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await (await notices).finished()
          const again = page.getByRole("button", { name: "Try again" })
          await page.route(/menu-rows|palette|new-workspace/, (route) => route.abort())
          await page.getByRole("button", { name: /^Workspace:/ }).click()
          await page.getByText("This did not load").first().waitFor()
          await page.getByText("Drop a document here").waitFor()
          await page.unroute(/menu-rows|palette|new-workspace/)
          await again.click()
          await page.getByRole("menuitem", { name: "New workspace" }).waitFor()

          await page.route(/menu-rows|palette|new-workspace/, (route) => route.abort())
          await page.getByRole("menuitem", { name: "New workspace" }).click()
          await again.waitFor()
          await page.unroute(/menu-rows|palette|new-workspace/)
          await again.click()
          await page.getByRole("dialog").getByLabel("Name").waitFor()
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })

          await page.route(/menu-rows|palette|new-workspace/, (route) => route.abort())
          await page.keyboard.press("Control+k")
          await again.waitFor()
          await page.unroute(/menu-rows|palette|new-workspace/)
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox").waitFor()
          await page.keyboard.press("Escape")
          await page.getByText("Drop a document here").waitFor()

          // Firefox keeps that a module failed, so that it stays away until the page is loaded anew.
          const reload = page.getByRole("button", { name: "Reload" })
          await page.route(/new-workspace/, (route) => route.abort())
          await page.getByRole("link", { name: "Connect" }).first().click()
          await page.getByRole("heading", { name: "This did not load" }).waitFor()
          await page.getByRole("button", { name: /^Workspace:/ }).click()
          await page.getByRole("menuitem", { name: "New workspace" }).click()
          await again.click()
          await page.getByText("Reload the page to try again.").first().waitFor()
          await comesTo(() => reload.count(), 2)
          await page.unroute(/\/connect-/)
          await reload.last().click()
          await page.getByRole("heading", { name: "Connect", exact: true }).waitFor()

          // The script that everything else waits for.
          await page.route(/\/first-.*\.js/, (route) => route.abort())
          await page.reload()
          await page.getByRole("alert").getByText("Check your connection, then reload.").waitFor()
          assert.strictEqual(await page.locator("#waiting").count(), 0)
          assert.deepStrictEqual(await axe(page), [])
          await page.unroute(/\/first-.*\.js/)
          await page.getByRole("link", { name: "Reload" }).click()
          await page.getByRole("heading", { name: "Connect", exact: true }).waitFor()
        })
        assert.deepStrictEqual(errors.filter((error) => !/ERR_FAILED|Failed to fetch dynamically/.test(error)), [])
      }))

    it.effect("the place from which the palette was asked for, after the dialog that it opened", () =>
      Effect.gen(function*() {
        const { account: { bearer }, errors, open, page } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/one", { method: "PUT", body: "x", headers: { ...bearer, "content-type": "text/plain" } })
        yield* Effect.promise(async () => {
          await open("/")
          // A menu is opened by each key the first time as it is later.
          for (const [button, key] of [[/^Workspace:/, "ArrowDown"], ["More about one", "Enter"], ["Ada Example", "Space"]] as const) {
            for (const _ of [1, 2]) {
              await page.getByRole("button", { name: button }).first().press(key)
              const row = page.getByRole("menu").locator("[role^=menuitem]").first()
              await focused(row)
              assert.strictEqual(await row.evaluate((one) => getComputedStyle(one).outlineStyle), "solid")
              await page.keyboard.press("Escape")
              await page.getByRole("menu").waitFor({ state: "detached" })
              await focused(page.getByRole("button", { name: button }).first())
            }
          }
          const search = page.getByRole("searchbox", { name: "Search projects" })
          // Once while the dialog is loading, once when it is loaded.
          for (const _ of [1, 2]) {
            await search.focus()
            await page.keyboard.press("Control+k")
            await page.getByRole("combobox").fill("make a folder")
            await page.getByRole("option", { name: "Make a folder", selected: true }).waitFor()
            await page.keyboard.press("Enter")
            await page.getByRole("dialog").getByLabel("Name").waitFor()
            await page.keyboard.press("Escape")
            await page.getByRole("dialog").waitFor({ state: "detached" })
            await focused(search)
          }
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("a token made while the list is first loading is shown; one that no longer works is not", () =>
      Effect.gen(function*() {
        const { errors, open, page } = yield* signedInPage()
        yield* Effect.promise(async () => {
          await page.addInitScript(() => {
            const send = globalThis.fetch
            const held = Promise.withResolvers<void>()
            Object.assign(globalThis, { letIn: held.resolve })
            globalThis.fetch = async (input, init) => {
              const first = input instanceof Request && input.method === "GET" && input.url.endsWith("/v1/tokens")
              const answer = await send(input, init)
              if (first) await held.promise
              return answer
            }
          })
          await page.setViewportSize({ width: 390, height: 800 })
          await open("/account/tokens")
          await page.getByLabel("What it is for").fill("Meanwhile")
          const answered = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/v1/tokens"))
          await page.getByRole("button", { name: "Make a token" }).click()
          await (await answered).finished()
          await page.evaluate(() => (globalThis as unknown as { readonly letIn: () => void }).letIn())
          await page.getByRole("button", { name: "Revoke test" }).waitFor()
          await page.getByRole("button", { name: "Revoke Meanwhile" }).waitFor()
          await focused(page.getByRole("button", { name: "Copy token" }))
          for (const label of [`First${"x".repeat(80)}`, "Second"]) {
            await page.getByLabel("What it is for").fill(label)
            await page.getByRole("button", { name: "Make a token" }).click()
            await page.getByRole("button", { name: `Revoke ${label}` }).waitFor()
          }
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
          // Dates and heads stay in one line beside a long name.
          await page.setViewportSize({ width: 1280, height: 800 })
          const broken = await page.locator("thead th:not(:has(.sr-only)), time").evaluateAll((all) =>
            all.filter((one) => {
              const words = document.createRange()
              words.selectNodeContents(one)
              return new Set([...words.getClientRects()].map(({ top }) => top)).size > 1
            }).map((one) => one.textContent))
          assert.deepStrictEqual(broken, [])
          await page.setViewportSize({ width: 390, height: 800 })
          const made = page.getByText("Copy it now")
          await page.getByRole("button", { name: "Revoke First" }).click()
          await page.getByRole("button", { name: "Revoke token" }).click()
          await page.getByRole("button", { name: "Revoke First" }).waitFor({ state: "detached" })
          assert.isTrue(await made.isVisible())
          await page.getByRole("button", { name: "Revoke Second" }).click()
          await page.getByRole("button", { name: "Revoke token" }).click()
          await page.getByRole("button", { name: "Revoke Second" }).waitFor({ state: "detached" })
          await made.waitFor({ state: "detached" })
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("the place of each line of the audit log: it is shown once its names are here, and stays while older ones come", () =>
      Effect.gen(function*() {
        const { account: { bearer, workspaceId }, errors, open, page } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/named", { method: "PUT", body: "# Quarterly report", headers: { ...bearer, "content-type": "text/markdown" } })
        yield* service.ask("/v1/projects/named", { method: "PATCH", json: { visibility: "private" }, headers: bearer })
        for (const label of ["Dana", "Lee"]) yield* service.ask("/v1/projects/named/share-links", { method: "POST", json: { label }, headers: bearer })
        // Two more pages of older ones, with one about a project that nothing newer is about.
        yield* service.ask("/v1/projects/older", { method: "PUT", body: "# Older", headers: { ...bearer, "content-type": "text/markdown" } })
        yield* service.ask("/v1/projects/older/share-links", { method: "POST", json: { label: "Kim" }, headers: bearer })
        yield* service.inside(SqlClient.SqlClient.use((sql) => sql`
          WITH kim AS (UPDATE audit_entries e SET id = uuidv7(interval '-130 minutes') FROM share_links l WHERE l.id::text = e.target->>'id' AND l.label = 'Kim')
          INSERT INTO audit_entries (id, workspace_id, at, actor_id, action, target)
          SELECT uuidv7(make_interval(mins => -60 - n)), ${workspaceId}, now(), NULL, 'workspace.renamed', json_build_object('type', 'workspace', 'id', ${workspaceId}::text)
          FROM generate_series(1, 120) n`))
        yield* Effect.promise(async () => {
          await page.addInitScript(() => {
            const noted = new Set<string>()
            Object.assign(globalThis, { noted })
            new MutationObserver(() => {
              for (const line of document.querySelectorAll("main ol li p")) noted.add(line.textContent)
            }).observe(document, { childList: true, subtree: true, characterData: true })
          })
          const log = page.waitForResponse("**/v1/workspace/audit?*")
          const names = Promise.withResolvers<void>()
          await page.route("**/v1/folders?*", (route) => names.promise.then(() => route.continue()))
          await open("/workspace/audit")
          await (await log).finished()
          await page.getByText("Loading the audit log").waitFor({ state: "attached" })
          // Two frames: what has arrived by now is drawn.
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
          names.resolve()
          await page.getByText("made Quarterly report private").waitFor()
          for (const label of ["Dana", "Lee"]) await page.getByText(`made the link for ${label} to Quarterly report`).waitFor()
          const first = await page.getByText("made Quarterly report private").elementHandle()
          const more = page.getByRole("button", { name: "Show more" })
          await more.press("Enter")
          await page.getByText("made the link for Kim to Older").waitFor()
          assert.isTrue(await first!.evaluate((line) => line.isConnected))
          assert.isTrue(await more.evaluate((button) => button === document.activeElement))
          const noted = await page.evaluate(() => [...(globalThis as unknown as { readonly noted: Set<string> }).noted])
          assert.deepStrictEqual(noted.filter((line) => line.includes("a project") || line.includes("a link")), [])
        })
        assert.deepStrictEqual(errors, [])
      }))
  })
})
