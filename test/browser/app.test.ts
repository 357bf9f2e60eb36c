/** The web app in a browser: an empty library, a drop, a card, the project behind it; both themes pass axe, and no other host is requested. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { carried, dropped, signedInPage } from "../support/app.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { comesTrue, executable, hasChromium, reader, runsFromRight } from "../support/browser.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { Service, serviceWith } from "../support/service.ts"

describe.skipIf(!hasChromium)(`the web app in a browser (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("publishes what is dropped, shows its address, and opens its project", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, errors, open, page, strangers } = yield* signedInPage()
        const put = (slug: string, type: string, body: string) =>
          Effect.runPromise(service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...account.bearer, "content-type": type } }))
        const folder = yield* Effect.acquireRelease(Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-carried-"))), (made) => Effect.sync(() => rmSync(made, { recursive: true })))
        const sheets = page.locator("svg[aria-hidden=true] foreignObject")
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await page.waitForFunction(() => document.title === "Library · svc")
          assert.deepStrictEqual(await axe(page), [])

          const report = join(folder, "quarterly-report.md")
          writeFileSync(report, "# Quarterly report\n\nIt went well.")
          await open("/account")
          await page.getByRole("heading", { name: "Your name" }).waitFor()
          // Nothing there takes files, and a browser would open them in place of the app.
          await page.evaluate(() => addEventListener("dragover", ({ dataTransfer, defaultPrevented }) => (document.title = `${defaultPrevented} ${dataTransfer?.dropEffect}`)))
          await carried(page, report)
          assert.strictEqual(await page.title(), "true none")
          await page.getByRole("link", { name: "Library" }).first().click()
          await page.getByText("Drop a document here").waitFor()
          await carried(page, report)
          await page.getByText("is live").first().waitFor()
          const address = await page.getByRole("list", { name: "Publishing" }).getByRole("link").first().getAttribute("href")
          const card = page.getByRole("list", { name: "Projects" }).getByRole("heading").first()
          await card.waitFor()
          await sheets.getByText("It went well.").waitFor()
          assert.deepStrictEqual(await axe(page), [])
          assert.deepStrictEqual(await axeAgain(page, "dark", 390), [])

          await card.getByRole("link").click()
          await page.getByText("Published by").waitFor()
          assert.include(await page.getByRole("main").innerText(), address ?? "none")
          await page.waitForFunction(() => document.activeElement?.tagName === "H1")
          assert.deepStrictEqual(await axe(page), [])
          await sheets.getByText("It went well.").waitFor()
          assert.deepStrictEqual(await axeAgain(page, "light", 1440), [])

          await put("from-right", "text/markdown", "# שלום\n\nטקסט ארוך בעברית.")
          await put("rows", "text/csv", "name,amount\nAda,12\n<img src=x onerror=alert(1)>,7\n")
          await put("only-a-picture", "text/markdown", "![one](a.png)")
          await open("/")
          for (const cell of ["amount", "12", "<img src=x onerror="]) await sheets.getByText(cell).waitFor()
          assert.isTrue(await runsFromRight(sheets.getByText("טקסט ארוך בעברית.")))
          const ends = await sheets.getByText("שלום").evaluate((line) => {
            const range = document.createRange()
            range.selectNodeContents(line)
            return [range.getBoundingClientRect().right, line.getBoundingClientRect().right].map(Math.round)
          })
          assert.strictEqual(ends[0], ends[1])
          const [drawn, written] = ["only-a-picture", "rows"].map((title) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) }))
          assert.deepStrictEqual([await drawn?.locator("foreignObject").count(), await written?.locator("foreignObject").count()], [0, 1])
          assert.deepStrictEqual(await axe(page), [])
        })
        assert.deepStrictEqual([errors, strangers], [[], []])
      }))

    it.effect("finds a project and a command by Ctrl K, and keeps the chosen theme before anything is painted", () =>
      Effect.gen(function*() {
        const { account, errors, open, page } = yield* signedInPage()
        yield* (yield* Service).ask("/v1/projects/about-me?title=R%C3%A9sum%C3%A9", { method: "PUT", body: "me", headers: { ...account.bearer, "content-type": "text/plain" } })
        yield* Effect.promise(async () => {
          await open("/connect")
          await page.getByRole("heading", { name: "An agent" }).waitFor()
          await page.getByRole("button", { name: "Copy MCP address" }).waitFor()
          // An effect sets the title, and an effect installs the keys: the one shows that the other has run.
          await page.waitForFunction(() => document.title === "Connect · svc")
          // At the height of a desktop magnified fourfold, what has the focus is not behind the bar at the foot.
          await page.setViewportSize({ width: 390, height: 420 })
          const bar = page.getByRole("navigation", { name: "Main" }).filter({ visible: true })
          const top = (await bar.boundingBox())!.y
          const last = page.getByRole("link", { name: "Agents, as plain text" })
          for (let stops = 0; stops < 60 && !await last.evaluate((one) => one === document.activeElement); stops++) {
            await page.keyboard.press("Tab")
            const foot = await page.evaluate(() => document.activeElement?.closest("main") == null ? 0 : document.activeElement.getBoundingClientRect().bottom)
            assert.isAtMost(foot, top)
          }
          assert.isTrue(await last.evaluate((one) => one === document.activeElement))
          await page.setViewportSize({ width: 1280, height: 844 })
          // The button that makes a token goes, and the focus is where the token is copied.
          await page.getByRole("button", { name: "Make a token for it" }).press("Enter")
          await comesTrue(() => page.getByRole("button", { name: "Copy token" }).evaluate((one) => one === document.activeElement))

          await page.keyboard.press("Control+k")
          const answered = Promise.withResolvers<void>()
          const asked: Array<string> = []
          await page.route("**/v1/projects?*query=*", (route) => (asked.push(new URL(route.request().url()).search), answered.promise.then(() => route.continue())))
          // By timers of the page, so that a busy machine delays the keys and the pause alike.
          await page.getByRole("combobox").evaluate(async (field: HTMLInputElement) => {
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!
            for (const typed of ["z", "zz", "zzz", "zzz ", "zzz q", "zzz qqq"]) {
              set.call(field, typed)
              field.dispatchEvent(new Event("input", { bubbles: true }))
              await new Promise((resolve) => setTimeout(resolve, 5))
            }
          })
          await page.getByText("Looking…").waitFor()
          answered.resolve()
          await page.getByText("Nothing is called that.").waitFor()
          assert.lengthOf(asked, 1)
          assert.match(asked[0]!, /[?&]limit=25&/)
          assert.notInclude(asked[0]!, "include")
          // Its letters stand in "Export the workspace", which nobody means by it.
          const sought = page.waitForResponse("**/v1/projects?*query=report*")
          await page.getByRole("combobox").fill("report")
          await sought
          await page.getByText("Nothing is called that.").waitFor()
          await page.getByRole("combobox").fill("resume")
          await page.getByRole("option", { name: "Résumé" }).waitFor()
          // What arrives late and stands on top is chosen, unless the reader has chosen by then.
          const chosen = page.getByRole("option", { selected: true })
          const late = Promise.withResolvers<void>()
          await page.route("**/v1/projects?*query=light*theme*", (route) => late.promise.then(() => route.fulfill({
            json: { projects: [{ slug: "park", title: "Light theme park", kind: "markdown" }], next_cursor: null }
          })))
          const isAsked = page.waitForRequest("**/v1/projects?*query=light*theme*")
          await page.getByRole("combobox").fill("light theme")
          await chosen.filter({ hasText: "Use the light theme" }).waitFor()
          await isAsked
          late.resolve()
          await page.getByRole("option").first().filter({ hasText: "park" }).waitFor()
          await chosen.filter({ hasText: "park" }).waitFor()
          await page.getByRole("combobox").fill("dark theme")
          await page.getByRole("option", { name: "Use the dark theme", selected: true }).waitFor()
          await page.keyboard.press("Enter")
          await page.waitForFunction(() => document.documentElement.dataset["theme"] === "dark")
          await page.route("**/{index,first}-*.js", (route) => route.abort())
          await page.reload({ waitUntil: "commit" })
          await page.waitForFunction(() => document.documentElement.dataset["theme"] === "dark")
        })
        assert.deepStrictEqual(errors.filter((error) => !error.includes("ERR_FAILED")), [])
      }))

    it.effect("leads whoever is signed out to the sign-in, and back", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { email, password } = yield* service.account()
        const { page } = yield* reader
        yield* Effect.promise(async () => {
          // Never to another site, whatever a link to the sign-in says.
          for (const elsewhere of ["//evil.example/", "https://evil.example/", "javascript:alert(1)"]) {
            await page.goto(`http://svc.localhost:${service.port}/login?next=${encodeURIComponent(elsewhere)}`)
            assert.strictEqual(await page.getByRole("link", { name: "Sign up" }).getAttribute("href"), "/signup")
          }
          await page.goto(`http://svc.localhost:${service.port}/account`)
          await page.getByText("Sign in to go on.").waitFor()
          await page.getByLabel("Email").fill(email)
          await page.getByLabel("Password").fill("not the one")
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByText("The email or the password is wrong.").waitFor()
          // The email typed once is kept on the way to the other form and back.
          await page.getByRole("link", { name: "Forgot your password?" }).click()
          await page.getByRole("button", { name: "Mail me a link" }).waitFor()
          assert.strictEqual(await page.getByLabel("Email").inputValue(), email)
          await page.getByRole("link", { name: "Back to signing in" }).click()
          await page.getByLabel("Password").fill(password)
          assert.strictEqual(await page.getByLabel("Email").inputValue(), email)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("heading", { name: "Your name" }).waitFor()
        })
      }))

    it.effect("says that publishing waits for the address, mails the link again, and publishes what waits once it is confirmed", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, errors, open, page, strangers } = yield* signedInPage(undefined, { verified: false })
        const banner = page.getByText("Publishing begins once your address is confirmed")
        const arrivals = page.getByRole("list", { name: "Publishing" })
        const sent: Array<string | undefined> = []
        page.on("request", (request) => {
          if (request.method() === "POST" && new URL(request.url()).pathname === "/v1/projects") sent.push(request.headers()["idempotency-key"])
        })
        yield* Effect.promise(async () => {
          await open("/")
          await banner.waitFor()
          assert.deepStrictEqual(await axe(page), [])
          await page.getByRole("button", { name: "Mail it again" }).click()
          await page.getByText("A new link is on its way to you.").first().waitFor()
          await dropped(page, [["first.md", "text/markdown", "# The first one"]])
          await arrivals.getByText("Confirm your address, and it is published from here.").waitFor()
          // Too early is refused once more, under the same key, and still waits.
          await arrivals.getByRole("button", { name: "Try again" }).click()
          await arrivals.getByText("Confirm your address, and it is published from here.").waitFor()
        })
        const { links } = (yield* mailTo(service, account.email))[0]!
        assert.strictEqual((yield* service.ask("/v1/auth/verify-email/confirm", { json: { token: tokenIn(links) } })).status, 200)
        yield* Effect.promise(async () => {
          await page.evaluate(() => dispatchEvent(new Event("visibilitychange")))
          await banner.waitFor({ state: "detached" })
          await arrivals.getByText("The first one is live").waitFor()
        })
        assert.lengthOf(sent, 3)
        assert.lengthOf(new Set(sent), 1, "one key")
        assert.deepStrictEqual([errors.filter((error) => !error.includes("403")), strangers], [[], []])
      }))
  })
})
