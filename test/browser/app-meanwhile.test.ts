/** What the web app does about changes made elsewhere while it was open: projects that are gone, sessions that ended, somebody else who signed in. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dropped, looksAgain, signedInPage } from "../support/app.ts"
import { browserCookies, cookiesOf } from "../support/ask.ts"
import { comesTo, executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"
import { joins, member } from "../support/team.ts"

describe.skipIf(!hasChromium)(`the web app, and what happened meanwhile (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("a project renamed elsewhere: a new version of it is refused, and nothing is made at the old address", () =>
      Effect.gen(function*() {
        const { account: { bearer }, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        const call = (method: string, path: string, json?: unknown) => service.ask(path, { method, json, headers: bearer })
        const put = (slug: string, body: string) => service.ask(`/v1/projects/${slug}?visibility=private`, { method: "PUT", body, headers: { ...bearer, "content-type": "text/markdown" } })
        yield* put("secret", "# Secret")
        yield* Effect.promise(async () => {
          await open("/projects/secret")
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()
        })
        yield* call("PATCH", "/v1/projects/secret", { slug: "hidden" })
        const arrivals = page.getByRole("list", { name: "Publishing" })
        yield* Effect.promise(async () => {
          await dropped(page, [["secret.md", "text/markdown", "# More secret"]])
          await arrivals.getByRole("alert").getByText("The project is no longer at this address").waitFor()
          // The rest of the project disappears too, and the chosen file stays in sight.
          await page.getByRole("heading", { name: "There is no such project any more" }).waitFor()
          await settled()
        })
        const { json } = yield* call("GET", "/v1/projects")
        assert.deepStrictEqual(json.projects.map((one: any) => [one.slug, one.version, one.visibility]), [["hidden", 1, "private"]])
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Go to the library" }).click()
          await page.getByRole("heading", { name: "Secret" }).waitFor()
          await arrivals.getByText("secret.md could not be published").waitFor()
        })
        // Whatever is asked about a project first finds out that it was deleted elsewhere.
        yield* put("short-lived", "# Short")
        yield* Effect.promise(async () => {
          await open("/projects/short-lived")
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()
          await settled()
        })
        yield* call("DELETE", "/v1/projects/short-lived")
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Share" }).click()
          await page.getByRole("heading", { name: "There is no such project any more" }).waitFor()
        })
        // So does whoever gives it another address.
        yield* put("moved-on", "# Moved")
        yield* Effect.promise(async () => {
          await open("/projects/moved-on/settings")
          await page.getByLabel("Name in the address").fill("moved-here")
        })
        yield* call("PATCH", "/v1/projects/moved-on", { slug: "moved-there" })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Change address" }).click()
          await page.getByRole("heading", { name: "There is no such project any more" }).waitFor()
          await open("/projects/moved-there/settings")
          await page.getByRole("button", { name: "Delete project" }).click()
        })
        // And whoever deletes it.
        yield* call("DELETE", "/v1/projects/moved-there")
        yield* Effect.promise(async () => {
          await page.getByRole("alertdialog").getByRole("button", { name: "Delete project" }).click()
          await page.getByRole("heading", { name: "There is no such project any more" }).waitFor()
        })
        // So it is where its versions are compared.
        yield* put("compared", "# One")
        yield* put("compared", "# Two")
        yield* Effect.promise(async () => {
          await open("/projects/compared/versions?from=1&to=2")
          await page.getByText("1 file changed").waitFor()
        })
        yield* call("DELETE", "/v1/projects/compared")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "From: Version 1" }).click()
          await page.getByRole("menuitemradio", { name: "Version 2, live" }).click()
          await page.getByRole("heading", { name: "There is no such project any more" }).waitFor()
        })
        // A later project at the same address is another one, whose versions begin anew.
        yield* put("again", "# Trip\n\n![](map.png)")
        const lacks = page.getByText("It names a file that is not there")
        yield* Effect.promise(async () => {
          await open("/projects/again")
          await lacks.waitFor()
        })
        yield* call("DELETE", "/v1/projects/again")
        yield* put("again", "# Trip, without a map")
        yield* Effect.promise(async () => {
          await looksAgain(page)
          await page.getByRole("heading", { name: "Trip, without a map" }).waitFor()
          await lacks.waitFor({ state: "detached" })
        })
      }))

    it.effect("a draft survives a reload, another name of its project and the end of the session, what stands in a field the latter; signing out forgets both", () =>
      Effect.gen(function*() {
        const { account, base, open, page } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/talked", { method: "PUT", body: "# Talk", headers: { ...account.bearer, "content-type": "text/markdown" } })
        yield* service.ask("/v1/projects/talked", { method: "PATCH", json: { comments_enabled: true }, headers: account.bearer })
        const field = page.getByRole("textbox", { name: "A comment about the whole document" })
        yield* Effect.promise(async () => {
          await open("/projects/talked/comments")
          await page.getByRole("button", { name: "Comment", exact: true }).click()
          await field.fill("Half an hour of thoughts")
          await page.reload()
          await field.waitFor()
          assert.strictEqual(await field.inputValue(), "Half an hour of thoughts")

          // What no draft keeps stays too, as long as it stands there: signing in again in another tab is enough.
          const cookies = await page.context().cookies()
          await open("/account")
          const name = page.getByLabel("Name", { exact: true })
          await name.fill("Half a name")
          await page.context().clearCookies()
          await looksAgain(page)
          const out = page.getByRole("status").filter({ hasText: "You were signed out." })
          await out.waitFor()
          const href = await out.getByRole("link", { name: "Sign in" }).getAttribute("href")
          assert.strictEqual(href, "/login?next=%2Faccount")
          await page.context().addCookies(cookies)
          await page.evaluate(() => dispatchEvent(new Event("focus")))
          await out.waitFor({ state: "detached" })
          assert.strictEqual(await name.inputValue(), "Half a name")
          // So it is where the window never lost the focus. Otherwise going on leads to the sign-in, and whoever is asked first may stay.
          const endsWhileTyping = async () => {
            await page.context().clearCookies()
            await looksAgain(page)
            await out.waitFor()
          }
          const signingIn = page.getByRole("link", { name: "Signing in" })
          await endsWhileTyping()
          await page.context().addCookies(cookies)
          await signingIn.click()
          await page.getByRole("button", { name: "Sign out everywhere" }).waitFor()
          assert.strictEqual(await out.count(), 0)
          await page.goBack()
          await name.fill("Half a name")
          await page.evaluate(() => addEventListener("beforeunload", (event) => event.preventDefault()))
          await endsWhileTyping()
          await Promise.all([page.waitForEvent("dialog").then((dialog) => dialog.dismiss()), signingIn.click()])
          assert.strictEqual(await name.inputValue(), "Half a name")
          await page.waitForTimeout(1100)
          await Promise.all([page.waitForEvent("dialog").then((dialog) => dialog.accept()), signingIn.click()])
          await page.waitForURL("**/login?next=%2Faccount%2Fsign-in")
          // So does looking again once nothing is typed that was not sent.
          await page.context().addCookies(cookies)
          await open("/account")
          await name.fill("Whole name")
          await page.getByRole("button", { name: "Save" }).click()
          await page.locator("[type=submit][aria-disabled=true][aria-busy=false]").waitFor()
          await page.context().clearCookies()
          await looksAgain(page)
          await page.waitForURL("**/login?next=%2Faccount")

          await page.context().addCookies(cookies)
          await open("/projects/talked/comments")
          await field.waitFor()
          await Effect.runPromise(service.ask("/v1/projects/talked", { method: "PATCH", json: { slug: "talked-anew" }, headers: account.bearer }))
          await page.getByRole("button", { name: "Post comment" }).click()
          await page.waitForURL("**/projects/talked-anew/comments")
          await page.getByText("This project is at talked-anew now.").first().waitFor()
          assert.strictEqual(await field.inputValue(), "Half an hour of thoughts")
          assert.strictEqual(await page.getByText("There is no such project").count(), 0)

          await page.context().clearCookies()
          await page.reload()
          await page.getByLabel("Email").fill(account.email)
          await page.getByLabel("Password").fill(account.password)
          await page.getByRole("button", { name: "Sign in" }).click()
          await field.waitFor()
          assert.strictEqual(await field.inputValue(), "Half an hour of thoughts")

          // Whoever signs out in one tab leaves nothing in the others, whatever is typed there.
          const other = await page.context().newPage()
          await other.goto(`${base}/account`)
          await other.getByLabel("Name", { exact: true }).fill("Half a name")
          // As a page that is sending files: it is asked about before they sign out, and by nobody after.
          await page.evaluate(() => addEventListener("beforeunload", (event) => event.preventDefault()))
          const signOut = async (answer: string) => {
            await page.getByRole("button", { name: /^Account: / }).click()
            await page.getByRole("menuitem", { name: "Sign out" }).click()
            await page.getByRole("alertdialog", { name: "Sign out now?" }).getByRole("button", { name: answer }).click()
          }
          await signOut("Stay signed in")
          await signOut("Sign out")
          await page.waitForURL((url) => url.href.startsWith(base) && !url.pathname.startsWith("/projects"))
          assert.isFalse(await page.evaluate(() => Object.values(sessionStorage).some((kept) => String(kept).includes("thoughts"))))
          await looksAgain(other)
          await other.waitForURL("**/login?next=%2Faccount")
        })
      }))

    it.effect("after somebody else signed in in another tab, nothing is approved or made in their name before they see that", () =>
      Effect.gen(function*() {
        const { account, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        const other = yield* service.account()
        const device = (yield* service.ask("/v1/auth/device", { method: "POST" })).json
        const login = yield* service.ask("/v1/auth/login", { json: { email: other.email, password: other.password } })
        const first = yield* Effect.promise(() => page.context().cookies())
        const grants = (bearer: Record<string, string>) => Effect.map(service.ask("/v1/me/grants", { headers: bearer }), ({ json }) => json.length)
        yield* Effect.promise(async () => {
          await open(`/device?user_code=${device.user_code}`)
          await page.getByRole("button", { name: "Let it in" }).waitFor()
          await page.getByText(account.email).first().waitFor()
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          await page.getByRole("button", { name: "Let it in" }).click()
          await page.getByRole("alert").getByText("This browser is now signed in to another account").waitFor()
          await page.getByText("Signed in as").getByText(other.email).waitFor()
          assert.strictEqual(await page.getByText(account.email).count(), 0)
        })
        assert.deepStrictEqual([yield* grants(account.bearer), yield* grants(other.bearer)], [0, 0])
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Let it in" }).click()
          await page.getByRole("heading", { name: "The device is let in" }).waitFor()
        })
        assert.deepStrictEqual([yield* grants(account.bearer), yield* grants(other.bearer)], [0, 1])

        // Nor is their own account changed. First the page is not told of it: only the cookies are others.
        const turned = page.getByText(/^This browser is now signed in to another account/).first()
        const name = page.getByLabel("Name", { exact: true })
        yield* Effect.promise(async () => {
          await open("/account")
          await name.fill("Mallory")
          await page.context().addCookies(first)
          await page.getByRole("button", { name: "Save" }).click()
          await turned.getByText("Nothing was done.").waitFor()
          await page.getByRole("main").getByText(account.email).first().waitFor()
          assert.notStrictEqual(await name.inputValue(), "Mallory")
          await page.getByRole("link", { name: "Signing in" }).click()
          await page.getByRole("button", { name: "Sign out everywhere" }).click()
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click()
          await page.getByRole("main").getByText(other.email).first().waitFor()
          await page.getByRole("alertdialog").waitFor({ state: "detached" })
        })
        for (const cookie of [first.map(({ name, value }) => `${name}=${value}`).join("; "), cookiesOf(login)]) {
          const { json, status } = yield* service.ask("/v1/me", { headers: { cookie } })
          assert.deepStrictEqual([status, json.user?.name === "Mallory"], [200, false])
        }
        // Another tab in which somebody signs in is heard at once.
        yield* Effect.promise(async () => {
          await page.context().addCookies(first)
          await open("/account")
          await name.fill("Half a name")
          await page.context().clearCookies()
          await looksAgain(page)
          const out = page.getByText("You were signed out.")
          await out.waitFor()
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          const tab = await page.context().newPage()
          await tab.goto(page.url())
          await page.getByRole("main").getByText(other.email).first().waitFor()
          await page.getByText("Look again before you go on.").first().waitFor()
          assert.strictEqual(await out.count(), 0)
        })

        // So is whom the screen finds by looking again itself, before any tab tells of them.
        yield* Effect.promise(async () => {
          await page.context().addCookies(first)
          await open("/account")
          await page.getByRole("main").getByText(account.email).first().waitFor()
          assert.strictEqual(await turned.count(), 0)
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          await looksAgain(page)
          await turned.waitFor()
          await page.getByRole("main").getByText(other.email).first().waitFor()
          assert.strictEqual(await page.getByText(account.email).count(), 0)
        })

        // What one person is publishing is neither published in the next one's name nor shown as theirs.
        yield* joins(account, other, "member")
        const arrivals = page.getByRole("list", { name: "Publishing" })
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await dropped(page, [["mine.md", "text/markdown", "# Mine"]])
          await arrivals.getByText("Mine is live").waitFor()
          const go = Promise.withResolvers<void>()
          let held = 0
          await page.route("**/v1/projects", async (route) => {
            if (route.request().method() === "POST" && held++ < 3) await go.promise
            await route.continue().catch(() => undefined)
          })
          await dropped(page, ["one", "two", "three", "four", "five"].map((name) => [`${name}.md`, "text/markdown", `# ${name}`] as const))
          await comesTo(async () => held, 3)
          await page.context().addCookies(first)
          const tab = await page.context().newPage()
          await tab.goto(page.url())
          await turned.waitFor()
          go.resolve()
          await page.getByRole("heading", { name: "Library" }).waitFor()
          await settled()
        })
        const { json } = yield* service.ask("/v1/projects", { headers: other.bearer })
        assert.deepStrictEqual(json.projects.filter((one: any) => one.owner.id === account.id), [])
        assert.strictEqual(yield* Effect.promise(() => arrivals.count()), 0)

        // Nor is what they did taken back in the next one's name.
        yield* service.ask("/v1/projects/called", { method: "PUT", body: "# Called", headers: { ...account.bearer, "content-type": "text/markdown" } })
        yield* Effect.promise(async () => {
          await open("/projects/called/settings")
          await page.getByLabel("Name in the address").fill("called-anew")
          await page.getByRole("button", { name: "Change address" }).click()
          const undo = page.getByRole("button", { name: "Undo", exact: true })
          await undo.waitFor()
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          const tab = await page.context().newPage()
          await tab.goto(page.url())
          await turned.waitFor()
          assert.strictEqual(await undo.count(), 0)

          // Nor is it offered once an answer comes that was on its way meanwhile.
          await page.context().addCookies(first)
          await open("/projects/called-anew/settings")
          const go = Promise.withResolvers<void>()
          const came = Promise.withResolvers<void>()
          await page.route("**/v1/projects/called-anew", async (route) => {
            if (route.request().method() !== "PATCH") return route.continue()
            came.resolve()
            await go.promise
            await route.fulfill({ json: { slug: "called-thrice", url: "http://called-thrice.localhost", title: "Called" } })
          })
          await page.getByLabel("Name in the address").fill("called-thrice")
          await page.getByRole("button", { name: "Change address" }).click()
          await came.promise
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          await tab.goto(page.url())
          await turned.waitFor()
          go.resolve()
          await settled()
          await page.waitForTimeout(300)
          assert.strictEqual(await undo.count(), 0)
        })

        // Nor are they told what was refused to the former.
        const [go, came] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        yield* service.ask(`/v1/projects/ours?workspace=${other.workspaceId}`, { method: "PUT", body: "# Ours", headers: { ...account.bearer, "content-type": "text/markdown" } })
        yield* Effect.promise(async () => {
          await page.unrouteAll()
          await page.context().addCookies(first)
          await open("/projects/ours/settings")
          await page.route("**/v1/projects/ours", async (route) => {
            if (route.request().method() === "GET") return route.continue()
            came.resolve()
            await go.promise
            await route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "That was not yours.", field: null, details: {} } } })
          })
          await page.getByRole("switch", { name: "Search engines may list it" }).click()
          await came.promise
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          const tab = await page.context().newPage()
          await tab.goto(page.url())
          await turned.waitFor()
          go.resolve()
          await page.waitForTimeout(500)
          assert.strictEqual(await page.getByText("That was not yours.").count(), 0)
        })

        // Nor is anything of a project: not what is chosen, asked for in a dialog or published, before any tab tells of them.
        const asFormer = (path: string) => Effect.promise(async () => {
          await page.unrouteAll()
          await page.context().addCookies(first)
          await open(path)
          await page.getByText(account.email).first().waitFor()
          assert.strictEqual(await turned.count(), 0)
        })
        const toldOfOther = () => Effect.promise(async () => {
          await turned.getByText("Nothing was done.").waitFor()
          await page.getByRole("alertdialog").waitFor({ state: "detached" })
          await settled()
        })
        const becomesOther = () => page.context().addCookies(browserCookies(cookiesOf(login)))
        yield* asFormer("/projects/ours/settings")
        yield* Effect.promise(async () => {
          const listed = page.getByRole("switch", { name: "Search engines may list it" })
          await listed.waitFor()
          await becomesOther()
          await listed.click()
        })
        yield* toldOfOther()
        yield* asFormer("/projects/ours/settings")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Delete project" }).click()
          const sure = page.getByRole("alertdialog").getByRole("button", { name: "Delete project" })
          await sure.waitFor()
          await becomesOther()
          await sure.click()
        })
        yield* toldOfOther()
        yield* asFormer(`/?workspace=${other.workspaceId}`)
        yield* Effect.promise(async () => {
          await page.getByRole("heading", { name: "Ours" }).waitFor()
          await becomesOther()
          await dropped(page, [["smuggled.md", "text/markdown", "# Smuggled"]])
        })
        yield* toldOfOther()
        const { json: left } = yield* service.ask(`/v1/projects?workspace=${other.workspaceId}`, { headers: other.bearer })
        assert.deepStrictEqual(left.projects.map((one: any) => [one.title, one.indexable]), [["Ours", false], ["Mine", false]])
      }))
  })

  // An address may sign in five times a minute.
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("whoever is an admin no more sees that once refused; whoever was removed from the workspace on the screen goes on in their own, and is told", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const host = yield* service.account()
        const guest = yield* member(host, "member")
        yield* service.ask("/v1/projects/theirs", { method: "PUT", body: "# Theirs", headers: { ...host.bearer, "content-type": "text/markdown" } })
        const { errors, open, page } = yield* signedInPage(guest)
        // Whoever is an admin no more is refused, and the screen is a member's by then.
        const becomes = (role: string) => service.ask(`/v1/workspace/members/${guest.id}?workspace=${host.workspaceId}`, { method: "PATCH", json: { role }, headers: host.bearer })
        yield* becomes("admin")
        yield* Effect.promise(async () => {
          await open(`/workspace/members?workspace=${host.workspaceId}`)
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          await page.getByLabel("Email").fill("late@example.com")
        })
        yield* becomes("member")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Send invitation" }).click()
          await page.getByText("You are a member", { exact: true }).waitFor()
          await page.getByText("Only the admins of this workspace may do this.").first().waitFor()
          assert.strictEqual(await page.getByText("You are the only admin").count(), 0)
          await open(`/connect?workspace=${host.workspaceId}`)
          await page.getByRole("heading", { name: "Connect" }).waitFor()
        })
        yield* service.ask(`/v1/workspace/members/${guest.id}?workspace=${host.workspaceId}`, { method: "DELETE", headers: host.bearer })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Library", exact: true }).first().click()
          await page.getByText(/^You are no longer in .+\.$/).first().waitFor()
          await page.getByRole("heading", { name: "Library" }).waitFor()
          await page.getByText("Drop a document here").waitFor()
        })
        assert.deepStrictEqual(errors.filter((error) => !/40[34]/.test(error)), [])
      }))

    it.effect("a folder deleted elsewhere is said to be gone, and not to be empty", () =>
      Effect.gen(function*() {
        const { account: { bearer }, errors, open, page } = yield* signedInPage()
        const service = yield* Service
        const { json: folder } = yield* service.ask("/v1/folders", { method: "POST", json: { name: "Quarter" }, headers: bearer })
        yield* Effect.promise(() => open(`/?folder=${folder.id}`))
        yield* Effect.promise(() => page.getByText("This folder is empty").waitFor())
        yield* service.ask(`/v1/folders/${folder.id}`, { method: "DELETE", headers: bearer })
        yield* Effect.promise(async () => {
          await dropped(page, [["late.md", "text/markdown", "# Late"]])
          await page.getByRole("heading", { name: "There is no such folder any more" }).waitFor()
          assert.strictEqual(await page.getByText("This folder is empty").count(), 0)
          await page.getByRole("list", { name: "Publishing" }).getByText("late.md could not be published").waitFor()
          await page.getByRole("link", { name: "Go to the library" }).click()
          await page.getByRole("heading", { name: "Library" }).waitFor()
        })
        assert.deepStrictEqual(errors.filter((error) => !/404/.test(error)), [])
      }))

    it.effect("a recipient's link revoked elsewhere while it is edited: it goes, and that is said", () =>
      Effect.gen(function*() {
        const { account: { bearer }, open, page } = yield* signedInPage()
        const service = yield* Service
        yield* service.ask("/v1/projects/shown", { method: "PUT", body: "x", headers: { ...bearer, "content-type": "text/plain" } })
        const { json: link } = yield* service.ask("/v1/projects/shown/share-links", { method: "POST", json: { label: "Dana" }, headers: bearer })
        yield* Effect.promise(async () => {
          await open("/projects/shown/share")
          await page.getByRole("button", { name: "Change the link for Dana" }).click()
          await page.getByLabel("Who is it for?").fill("Dana at Northwind")
        })
        yield* service.ask(`/v1/share-links/${link.id}`, { method: "DELETE", headers: bearer })
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("The link for Dana was revoked meanwhile, so nothing was changed.").first().waitFor()
          await page.getByText("No links so far").waitFor()
        })
      }))

    it.effect("whoever signed in again is not said to be signed out, whichever answer from before that arrives after it", () =>
      Effect.gen(function*() {
        const { open, page } = yield* signedInPage()
        const service = yield* Service
        const out = page.getByRole("status").filter({ hasText: "You were signed out." })
        const label = page.getByLabel("What it is for")
        const refused = yield* service.ask("/v1/me")
        /** The first one is refused at once, and hears of it late, unless none is. */
        const late = async (path: string, isFirst = true) => {
          const go = Promise.withResolvers<void>()
          let asked = 0
          await page.route(`**${path}`, async (route) => {
            if (asked++ > 0 || !isFirst) return route.continue()
            await go.promise
            await route.fulfill({ status: refused.status, json: refused.json }).catch(() => undefined)
          })
          return { asked: () => asked, go: go.resolve }
        }
        yield* Effect.promise(async () => {
          await open("/account/tokens")
          await label.fill("Half a label")
          await page.getByRole("table", { name: "API tokens" }).waitFor()
          const cookies = await page.context().cookies()
          const ends = async () => {
            await page.context().clearCookies()
            await looksAgain(page)
            await out.waitFor()
          }
          const signsInAgain = async () => {
            await page.context().addCookies(cookies)
            await page.evaluate(() => dispatchEvent(new Event("focus")))
          }
          const me = await late("/v1/me")
          await ends()
          await signsInAgain()
          me.go()
          await out.waitFor({ state: "detached" })
          await page.unrouteAll()

          const list = await late("/v1/tokens")
          await ends()
          await signsInAgain()
          await out.waitFor({ state: "detached" })
          const again = await late("/v1/me", false)
          list.go()
          await comesTo(async () => again.asked() > 0, true)
          await out.waitFor({ state: "detached" })
          assert.strictEqual(await label.inputValue(), "Half a label")
        })
      }))
  })
})
