/** Framed sites as their readers see them: ordinary builds work behind every gate; a hostile one gets nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { FrameLocator, Locator, Page } from "playwright-core"
import { Views } from "../../src/domain/analytics/views.ts"
import { browserCookies, cookiesOf } from "../support/ask.ts"
import { Chromium, comesTo, comesTrue, executable, hasChromium, readerIn } from "../support/browser.ts"
import type { Reader } from "../support/browser.ts"
import { framedSite, namedAt } from "../support/framed.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import { docsSite, hostileSite, reactSite, rootedSite } from "../support/sites.ts"

const CODE = "a long doorcode"

/** The way a reader gets in, and what opens the first page. */
const WAYS = ["public", "password", "link"] as const

interface Visit {
  readonly page: Page
  readonly frame: FrameLocator
  readonly url: string
  /** What does not depend on the gate is checked only once. */
  readonly thorough: boolean
}

const address = (page: Page, url: string) => page.waitForFunction((wanted) => location.href === wanted, url)
const title = (page: Page, text: string) => page.waitForFunction((wanted) => document.title === wanted, text)

const visits: Record<string, (visit: Visit) => Promise<void>> = {
  react: async ({ frame, page, thorough, url }) => {
    await frame.getByRole("button", { name: "Counted 0" }).click()
    await frame.getByRole("button", { name: "Counted 1" }).waitFor()
    await comesTo(() => frame.locator("main").evaluate((main) => getComputedStyle(main).color), "rgb(1, 2, 3)")
    await title(page, "Counted 1 · A react site")
    await page.reload()
    await frame.getByRole("button", { name: "Counted 1" }).waitFor()
    await frame.getByRole("link", { name: "Second" }).click()
    await frame.getByText("The second route").waitFor()
    await address(page, `${url}/#/second`)
    await page.goBack()
    await frame.getByText("The second route").waitFor({ state: "detached" })
    await address(page, `${url}/`)
    if (!thorough) return
    await page.goForward()
    await address(page, `${url}/#/second`)
    await page.reload()
    await frame.getByText("The second route").waitFor()
  },
  docs: async ({ frame, page, thorough, url }) => {
    await comesTo(() => frame.locator("h1").evaluate((one) => getComputedStyle(one).color), "rgb(4, 5, 6)")
    await frame.getByRole("link", { name: "Guide" }).click()
    await address(page, `${url}/guide/`)
    await title(page, "Guide · A docs site")
    await frame.getByRole("link", { name: "Deeper" }).click()
    await address(page, `${url}/guide/deep/page.html`)
    if (thorough) {
      // An address without its slash, as routers in scripts make it, is loaded again as it is, and Back leads to what was there before.
      await frame.locator("body").evaluate(() => history.pushState(null, "", "/guide"))
      await address(page, `${url}/guide`)
      await page.reload()
      await frame.getByText("Guide to it").waitFor()
      await address(page, `${url}/guide/`)
      await page.goBack()
      await frame.getByText("Deep down").waitFor()
      await address(page, `${url}/guide/deep/page.html`)
      await frame.getByRole("link", { name: "Jump" }).click()
      await address(page, `${url}/guide/deep/page.html#far`)
      await page.goBack()
      await address(page, `${url}/guide/deep/page.html`)
    }
    await page.goBack()
    await frame.getByText("Guide to it").waitFor()
    await address(page, `${url}/guide/`)
    await page.goForward()
    await frame.getByText("Deep down").waitFor()
    await address(page, `${url}/guide/deep/page.html`)
    // A deep link with its fragment, which no server sees.
    await page.goto(`${url}/guide/deep/page.html?from=mail#far`)
    await frame.locator("#far:target").waitFor()
    await page.waitForFunction(() => location.hash === "#far" && location.search === "?from=mail")
    await comesTrue(() => frame.locator("#far").evaluate((far) => far.getBoundingClientRect().top < innerHeight))
    if (!thorough) return
    await page.goto(`${url}/guide?from=mail#none`)
    await frame.getByText("Guide to it").waitFor()
    await address(page, `${url}/guide/?from=mail#none`)
    await page.goto(`${url}/gone`)
    await frame.getByText("The manual has no such page").waitFor()
    await page.goto(url)
    const opened = page.context().waitForEvent("page")
    await frame.getByRole("link", { name: "Apart" }).click()
    const apart = await opened
    await apart.frameLocator("iframe").getByText("Guide to it").waitFor()
    assert.strictEqual(apart.url(), `${url}/guide/`)
    await apart.close()
    // Links that lead out open beside the document; a selection reaches the shell.
    await page.context().route("https://example.com/", (route) => route.fulfill({ body: "Elsewhere" }))
    const away = page.context().waitForEvent("page")
    await frame.getByRole("link", { name: "Elsewhere" }).click()
    const elsewhere = await away
    await elsewhere.waitForURL("https://example.com/")
    assert.strictEqual(page.url(), `${url}/`)
    await elsewhere.close()
    // So do links of a drawing within the page, and forms that are sent elsewhere: in the frame, both would be lost.
    await page.context().route("https://example.com/**", (route) => route.fulfill({ body: route.request().postData() ?? "Elsewhere" }))
    await frame.locator("body").evaluate((body) => {
      body.insertAdjacentHTML("beforeend", `<svg width="40" height="20"><a href="https://example.com/drawn"><text y="15" id="drawn">Drawn</text></a></svg>
        <form action="https://example.com/sent" method="post"><input name="words" aria-label="Words"><button>Send</button></form>`)
    })
    const drawn = page.context().waitForEvent("page")
    await frame.locator("#drawn").click()
    await (await drawn).waitForURL("https://example.com/drawn")
    await (await drawn).close()
    await frame.getByLabel("Words").fill("typed")
    const sent = page.context().waitForEvent("page")
    await frame.getByRole("button", { name: "Send" }).click()
    await (await sent).getByText("words=typed").waitFor()
    assert.deepStrictEqual([await frame.getByLabel("Words").inputValue(), await frame.locator("form").getAttribute("target")], ["typed", null])
    await (await sent).close()
    // What another program opens leaves the page where it is.
    await frame.locator("body").evaluate((body) => body.insertAdjacentHTML("beforeend", `<a href="tel:+123">Call</a>`))
    await frame.getByRole("link", { name: "Call" }).click()
    await frame.getByRole("link", { name: "Plan" }).waitFor()
    // A PDF has the window to itself.
    const plan = page.waitForRequest(`${url}/plan.PDF`)
    await frame.getByRole("link", { name: "Plan" }).click()
    await plan
    await page.goto(url)
    await page.evaluate(() => addEventListener("message", ({ data }) => data.selected && Object.assign(window, { selected: data.selected })))
    await frame.locator("h1").evaluate((heading) => getSelection()!.setBaseAndExtent(heading.firstChild!, 2, heading.firstChild!, 5))
    await comesTo(() => page.evaluate(() => (window as { selected?: unknown }).selected), { quote: "nua", prefix: "Ma", suffix: "l", selector: "body>h1" })
    // Keys print the page in the frame, wherever the focus is; by a menu, the shell prints a page of it and says how to get all.
    await frame.locator("body").evaluate((body) => (window.print = () => void body.append("Printed. ")))
    for (const [focus, times] of [[page.locator("header h1"), 1], [frame.locator("h1"), 2]] as const) {
      await focus.click()
      await page.keyboard.press("Control+p")
      await comesTo(() => frame.locator("body").evaluate((body) => body.textContent!.split("Printed.").length - 1), times)
    }
    await page.emulateMedia({ media: "print" })
    await page.getByText("To print all of this page, open it and press Ctrl+P").waitFor()
    assert.isAbove((await page.locator("iframe").boundingBox())!.height, page.viewportSize()!.height * 0.9)
    await page.emulateMedia({ media: null })
    // An author's name that begins as ours do.
    await frame.locator("body").evaluate(() => history.replaceState(null, "", "/_svc-notes.html"))
    await address(page, `${url}/_svc-notes.html`)
  },
  rooted: async ({ frame, page, url }) => {
    await frame.getByText("The answer is 42, set in its face").waitFor()
    await comesTrue(() => frame.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth > 0))
    await frame.getByRole("link", { name: "More" }).click()
    await frame.getByText("More figures").waitFor()
    await address(page, `${url}/more/`)
    await frame.getByRole("link", { name: "Back to the front" }).click()
    await frame.getByText("The answer is 42").waitFor()
    await address(page, `${url}/`)
  }
}

describe.skipIf(!hasChromium)(`framed sites in a browser (${executable})`, () => {
  layer(Layer.merge(serviceWith(), Chromium.layer), { excludeTestServices: true })((it) => {
    it.effect("ordinary sites work in their frame: public, behind a doorcode, by a share link", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const chromium = yield* Chromium
        const sites = { react: yield* Effect.promise(reactSite), docs: docsSite(), rooted: rootedSite() }
        const seen: Array<Reader> = []
        const errors: Array<string> = []

        const walk = (reader: Reader, name: keyof typeof sites, way: typeof WAYS[number]) =>
          Effect.gen(function*() {
            const slug = `${name}-${way}`
            const settings = { title: `A ${name} site`, visibility: way === "link" ? "private" : way, ...(way === "password" && { password: CODE }) }
            const { url } = yield* framedSite(service, account, slug, sites[name], settings)
            const link = way !== "link" ? undefined : yield* service.ask(`/v1/projects/${slug}/share-links`, {
              json: { label: "Grace", notify_on_first_open: false }, headers: account.bearer
            })
            const { page } = reader
            yield* Effect.promise(async () => {
              await page.goto(link?.json.share_url ?? url)
              if (way === "password") {
                await page.getByLabel("Doorcode").fill(CODE)
                await page.getByRole("button", { name: "Open" }).click()
              }
              const frame = page.frameLocator("iframe")
              await frame.locator("h1, button").first().waitFor()
              // A doorcode page is a 401, which the console reports.
              const before = reader.errors.length
              await visits[name]!({ page, frame, url, thorough: way === "public" })
              errors.push(...reader.errors.slice(before))
            })
            return { frame: page.frameLocator("iframe"), page, slug, url }
          })

        // One reader per way in.
        const walked = yield* Effect.forEach(WAYS, (way) =>
          Effect.gen(function*() {
            const reader = yield* readerIn(chromium)
            seen.push(reader)
            return yield* Effect.forEach(["react", "rooted", "docs"] as const, (name) => walk(reader, name, way))
          }), { concurrency: 2 })
        // So does the one 404 that was requested.
        assert.deepStrictEqual([errors.filter((text) => !text.includes("status of 404")), seen.flatMap((one) => one.strangers)], [[], ["tel:+123"]])

        // After a change of the doorcode the very next request in the frame is refused, and leads to the gate.
        const { frame, page, slug } = walked.flat().find((one) => one.slug === "docs-password")!
        yield* service.ask(`/v1/projects/${slug}`, { method: "PATCH", json: { password: "another doorcode" }, headers: account.bearer })
        yield* Effect.promise(async () => {
          await frame.getByRole("link", { name: "Jump" }).waitFor()
          await frame.locator("body").evaluate(() => location.assign("/guide/"))
          await frame.getByRole("link", { name: "Open the document" }).click()
          await page.getByLabel("Doorcode").waitFor()
        })
        assert.isTrue(page.url().endsWith("/guide/"))
      }))

    it.effect("a deep link to a part of a page leads there past the doorcode, after a slip too", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const chromium = yield* Chromium
        for (const mode of ["framed", "raw"] as const) {
          const { url } = yield* framedSite(service, account, `deep-${mode}`, docsSite(), { html_display_mode: mode, visibility: "password", password: CODE })
          const { page } = yield* readerIn(chromium)
          const deep = `${url}/guide/deep/page.html?from=mail#far`
          yield* Effect.promise(async () => {
            await page.goto(deep)
            for (const typed of ["a wrong doorcode", CODE]) {
              await page.locator("input[name=password]:focus").fill(typed)
              await page.getByRole("button", { name: "Open" }).click()
              if (typed !== CODE) await page.getByText("That is not the doorcode.").waitFor()
            }
            const shown = mode === "raw" ? page : page.frameLocator("iframe")
            await shown.locator("#far:target").waitFor()
            await comesTrue(() => shown.locator("#far").evaluate((far) => far.getBoundingClientRect().top < innerHeight))
            await address(page, deep)
          })
        }
      }))

    it.effect("a shell whose script comes after the page in its frame is told its title, and follows a deep link to its end", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { page } = yield* readerIn(yield* Chromium)
        const { url } = yield* framedSite(service, yield* service.account(), "slow-shell", docsSite(), { title: "A docs site" })
        yield* Effect.promise(async () => {
          const frame = page.frameLocator("iframe")
          await page.route(/\/shell-[^/]*\.js$/, async (route) => {
            await frame.getByText("Deep down").waitFor()
            await route.continue()
          })
          await page.goto(`${url}/guide/deep/page.html#far`)
          await frame.locator("#far:target").waitFor()
          await page.waitForFunction(() => document.title.endsWith(" · A docs site"))
        })
      }))

    it.effect("keys scroll the page in the frame, which nobody has clicked: as it opens, on the next page, after a press on the bar; not what is beside it", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { page } = yield* readerIn(yield* Chromium)
        const long = (heading: string) => `<!doctype html><title>${heading}</title><h1>${heading}</h1><a href="/next.html">Next</a><p style="height:9000px">`
        const { url } = yield* framedSite(service, yield* service.account(), "long", { "index.html": long("First"), "next.html": long("The next") })
        yield* Effect.promise(async () => {
          const frame = page.frameLocator("iframe")
          const scrolled = () => frame.locator("body").evaluate(() => scrollY > 0)
          /** Back to the top, once what was pressed before is over. */
          const top = () => comesTrue(() => frame.locator("body").evaluate(async () => {
            scrollTo(0, 0)
            await new Promise((drawn) => setTimeout(drawn, 100))
            return scrollY === 0
          }))
          const scrolls = async (key: string) => {
            await page.waitForFunction(() => document.activeElement?.tagName === "IFRAME")
            // A page that has just taken the place of another hears of its focus a moment later.
            await comesTrue(async () => {
              await page.keyboard.press(key)
              return scrolled()
            })
            await top()
          }
          await page.goto(url)
          await frame.getByRole("heading", { name: "First" }).waitFor()
          for (const key of ["PageDown", "Space", "ArrowDown", "End"]) await scrolls(key)
          await page.keyboard.press("Tab")
          await page.keyboard.press("Enter")
          await frame.getByRole("heading", { name: "The next" }).waitFor()
          await scrolls("Space")
          await page.locator("header h1").click()
          await page.keyboard.press("PageDown")
          await scrolls("PageDown")
          await page.getByRole("button", { name: "Comments" }).click()
          await page.keyboard.press("PageDown")
          await page.keyboard.press("Space")
          await page.getByRole("button", { name: "Comments", expanded: false }).waitFor()
          assert.isFalse(await scrolled())
        })
      }))

    it.effect("a link stands in place of each PDF that a page embeds, now or later, unless the author has put something there", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { page } = yield* readerIn(yield* Chromium)
        const files = {
          "index.html": `<!doctype html><title>Maps</title><embed src="map.pdf" type="application/pdf"><iframe id="inner" src="inner.html"></iframe>
            <object data="map.pdf"><em>As the author says</em></object><embed src="https://example.com/far.pdf">`,
          "inner.html": "<!doctype html><p>Inside</p>",
          "map.pdf": "%PDF-1.4 map",
          "late.pdf": "%PDF-1.4 late"
        }
        const { url } = yield* framedSite(service, yield* service.account(), "maps", files)
        yield* Effect.promise(async () => {
          const frame = page.frameLocator("iframe")
          const links = frame.getByRole("link", { name: "Open the PDF" })
          await page.goto(url)
          await comesTo(() => links.count(), 2)
          assert.isFalse(await frame.locator("embed").first().isVisible())
          assert.isTrue(await frame.locator("#inner").isVisible())
          await frame.getByText("As the author says").waitFor()
          await frame.locator("body").evaluate((body) => {
            const later = document.createElement("iframe")
            later.src = "late.pdf"
            body.append(document.createElement("p"))
            body.lastElementChild!.append(later)
          })
          await comesTo(() => links.count(), 3)
          await frame.locator("iframe[src='late.pdf']").evaluate((later) => later.remove())
          await comesTo(() => links.count(), 2)
          const opened = page.waitForRequest((request) => request.url() === `${url}/map.pdf` && request.isNavigationRequest())
          await links.first().click()
          assert.strictEqual((await opened).frame(), page.mainFrame())
        })
      }))

    it.effect("script, forms and frames of the author's own lead to pages as they do without a frame", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { errors, page } = yield* readerIn(yield* Chromium)
        const files = {
          "index.html": `<!doctype html><title>Main</title><h1>Main</h1><button onclick="window.open('next.html').focus()">Beside</button>
            <form action="next.html" target="_top"><button>Search</button></form><iframe src="menu.html"></iframe>`,
          "menu.html": `<!doctype html><title>Menu</title><base target="_parent"><a href="next.html">On</a>
            <a href="next.html" target="_blank">Apart</a> <a href="https://example.com/" target="_top">Away</a>`,
          "next.html": "<!doctype html><title>Next</title><h1>The next page</h1>"
        }
        const { url } = yield* framedSite(service, yield* service.account(), "leads", files)
        yield* Effect.promise(async () => {
          await page.context().route("https://example.com/", (route) => route.fulfill({ body: "Elsewhere" }))
          const frame = page.frameLocator("iframe")
          const menu = frame.frameLocator("iframe")
          const opened = async (press: Locator): Promise<Page> => {
            const one = page.context().waitForEvent("page")
            await press.click()
            return one
          }
          await page.goto(url)
          await frame.getByRole("heading", { name: "Main" }).waitFor()
          for (const press of [frame.getByRole("button", { name: "Beside" }), menu.getByRole("link", { name: "Apart" })]) {
            const beside = await opened(press)
            await beside.frameLocator("iframe").getByText("The next page").waitFor()
            assert.strictEqual(beside.url(), `${url}/next.html`)
            await beside.close()
          }
          const away = await opened(menu.getByRole("link", { name: "Away" }))
          await away.getByText("Elsewhere").waitFor()
          await away.close()
          for (const press of [menu.getByRole("link", { name: "On" }), frame.getByRole("button", { name: "Search" })]) {
            await press.click()
            await frame.getByText("The next page").waitFor()
            await address(page, `${url}/next.html`)
            await page.goBack()
            await frame.getByRole("heading", { name: "Main" }).waitFor()
          }
          assert.deepStrictEqual(errors, [])
        })
      }))

    it.effect("a page with frames of its own is one view, framed or raw, and each page gone on to another", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const inner = "<iframe src='/inner.html'></iframe>"
        const files = {
          "index.html": `<!doctype html><title>First</title><a href="/next.html">Next</a>${inner}<iframe src="/inner.html?again"></iframe>`,
          "next.html": `<!doctype html><title>Next</title><h1>The next page</h1>${inner}`,
          "inner.html": "<!doctype html><title>Inner</title><p>Inside</p>"
        }
        for (const mode of ["framed", "raw"]) {
          const { page } = yield* readerIn(yield* Chromium)
          const { url } = yield* framedSite(service, account, `nested-${mode}`, files, { html_display_mode: mode })
          const views = Effect.gen(function*() {
            yield* service.inside(Views.use(({ flush }) => flush))
            return (yield* service.ask(`/v1/projects/nested-${mode}/analytics`, { headers: account.bearer })).json.totals.views
          })
          yield* Effect.promise(() => page.goto(url, { waitUntil: "load" }))
          const shown = mode === "framed" ? page.frameLocator("iframe") : page
          yield* Effect.promise(() => shown.locator("iframe").nth(1).contentFrame().getByText("Inside").waitFor())
          assert.strictEqual(yield* views, 1, mode)
          yield* Effect.promise(async () => {
            await shown.getByRole("link", { name: "Next" }).click()
            await shown.getByText("The next page").waitFor()
            await shown.locator("iframe").contentFrame().getByText("Inside").waitFor()
          })
          assert.strictEqual(yield* views, 2, mode)
        }
      }))

    it.effect("a hostile page reads nothing of its reader's, and goes nowhere", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const { page } = yield* readerIn(yield* Chromium)
        const { url } = yield* framedSite(service, account, "hostile", hostileSite(), { title: "Hostile", visibility: "password", password: CODE })
        const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: PASSWORD } })
        const base = `http://svc.localhost:${service.port}`
        yield* Effect.promise(async () => {
          // Signed in here, so that there is something to gain.
          await page.context().addCookies(cookiesOf(login).split("; ").map((pair) => {
            const [name = "", value = ""] = pair.split("=")
            return { name, value, domain: "svc.localhost", path: "/", secure: true, httpOnly: true, sameSite: "Lax" as const }
          }))
          await page.goto(`${url}/?project=${encodeURIComponent(url)}`)
          await page.getByLabel("Doorcode").fill(CODE)
          await page.getByRole("button", { name: "Open" }).click()
          const frame = page.frameLocator("iframe")
          const popup = page.context().waitForEvent("page")
          await frame.getByRole("button").click()
          await frame.locator("output:not(:empty)").waitFor()
          const { cookie, ...tries } = JSON.parse(await frame.locator("output").innerText())
          assert.strictEqual(cookie, "")
          assert.strictEqual(Object.keys(tries).length, 11)
          assert.deepStrictEqual(Object.entries(tries).filter(([, one]) => Object.hasOwn(one as object, "won")), [])
          // The popup keeps the sandbox, in which a shell does not open at all.
          await (await popup).waitForLoadState()
          assert.notInclude(await (await popup).content(), "data-origin")
          assert.strictEqual(page.url(), `${url}/?project=${encodeURIComponent(url)}`)
          assert.strictEqual(page.context().pages().length, 2)
          assert.notInclude(await page.title(), "example")
          // Only the shell itself may ask who reads.
          const me = await page.evaluate((address) => fetch(address, { credentials: "include" }).then((answer) => answer.json()), `${base}/v1/me`)
          assert.deepStrictEqual(Object.keys(me), ["user", "comment_token"])
        })
      }))

    it.effect("script that lives on from raw days cannot make itself out as the shell", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const author = yield* service.account()
        const { page } = yield* readerIn(yield* Chromium)
        const files = { "index.html": "<!doctype html><title>Raw</title><button>Open</button>", "drawing.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>document.documentElement.id = 'ran'</script></svg>" }
        const { url } = yield* framedSite(service, author, "lived", files, { html_display_mode: "raw" })
        const me = `http://svc.localhost:${service.port}/v1/me`
        const asked = (shown: Page, address: string) =>
          shown.evaluate((given) => fetch(given, { credentials: "include" }).then((answer) => answer.status, (error: Error) => error.name), address)
        yield* Effect.promise(() => page.goto(url))
        yield* service.ask("/v1/projects/lived", { method: "PATCH", json: { html_display_mode: "framed" }, headers: author.bearer })
        const login = yield* service.ask("/v1/auth/login", { json: { email: account.email, password: account.password } })
        const authors = yield* service.ask("/v1/auth/login", { json: { email: author.email, password: author.password } })
        const own = yield* service.ask("/", { host: "lived.svc.localhost", headers: { "sec-fetch-mode": "navigate", cookie: yield* namedAt(service, "lived", cookiesOf(authors)) } })
        const relayed = /data-proof="([^"]+)"/.exec(own.text)![1]!
        yield* Effect.promise(async () => {
          await page.context().addCookies(browserCookies(cookiesOf(login)))
          const shell = await page.context().newPage()
          await shell.goto(url)
          assert.strictEqual(await shell.locator("iframe").getAttribute("data-proof"), "")
          // The link to sign in leads there, which whoever is signed in only passes through.
          await shell.locator("#talk:not([hidden])").click()
          await shell.getByRole("link", { name: "Sign in to comment" }).click()
          await shell.locator(`iframe[data-proof]:not([data-proof=""])`).waitFor()
          assert.strictEqual(shell.url(), `${url}/`)
          const proof = await shell.locator("iframe").getAttribute("data-proof")
          assert.strictEqual(await asked(shell, `${me}?shell=${proof}`), 200)
          assert.strictEqual(await asked(shell, me), "TypeError")
          // The author has a proof too, for nobody but themselves.
          assert.strictEqual(await asked(page, `${me}?shell=${relayed}`), 401)

          // The raw tab has the same origin as the shell.
          assert.strictEqual(await asked(page, me), "TypeError")
          for (const cache of ["default", "force-cache", "reload"] as const) {
            assert.notInclude(await page.evaluate((mode) => fetch("/", { cache: mode }).then((answer) => answer.text()), cache), "data-proof")
          }
          const framed = await page.evaluate(() => new Promise<string>((resolve) => {
            const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { src: "/" }))
            frame.addEventListener("load", () => {
              try {
                resolve(frame.contentDocument?.documentElement.outerHTML ?? "")
              } catch (error) {
                resolve((error as Error).name)
              }
            })
          }))
          assert.notInclude(framed, "data-proof")
          const popup = page.context().waitForEvent("page")
          await page.evaluate(() => Object.assign(document.querySelector("button")!, { onclick: () => Object.assign(window, { popup: open("/") }) }))
          await page.getByRole("button").click()
          await (await popup).locator("iframe[data-proof]").waitFor({ state: "attached" })
          await page.waitForFunction(() => (window as unknown as { popup: Window }).popup.closed)

          await shell.goto(`${url}/drawing.svg`)
          assert.strictEqual(await shell.evaluate(() => document.documentElement.id), "")
        })
      }))
  })
})
