/** Every route of the web app, read from its router: axe finds nothing in either theme at either width, nothing moves when data and fonts come late, and nothing is preloaded in vain. */
import { readFileSync } from "node:fs"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Page, Route } from "playwright-core"
import { signedInPage } from "../support/app.ts"
import { form } from "../support/ask.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { executable, hasChromium, reader } from "../support/browser.ts"
import { pkce, REDIRECT, register } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"

/** What `router.tsx` declares: each route's own step, and its parent by name. */
const declared = new Map(
  [...readFileSync("web/app/router.tsx", "utf8").matchAll(/^const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(path|id): "([^"]+)"/gm)]
    .map(([, name = "", parent = "", kind, step = ""]) => [name, { parent, step: kind === "path" ? step : "" }] as const)
)

const pathOf = (name: string): string => {
  const { parent, step } = declared.get(name) ?? { parent: "", step: "" }
  return parent === "" ? step : `${pathOf(parent)}/${step}`.replace(/\/+/g, "/").replace(/(.)\/$/, "$1")
}

/** Lighthouse gives full marks up to 0.04; nobody notices less. */
const STILL = 0.03

const parents = new Set([...declared.values()].map(({ parent }) => parent))
const routes = [...declared.keys()].filter((name) => !parents.has(name)).map(pathOf)

/** One or more addresses of each route, and the words that show that it is there. */
const shown: Readonly<Record<string, ReadonlyArray<readonly [address: string, words: string]>>> = {
  "/": [["/", "Quarterly report"], ["/?view=list", "Quarterly report"], ["/?folder=none", "There is no such folder"], ["/?q=nothing-like-it", "Nothing"]],
  "/projects/$slug": [["/projects/report", "Published by"], ["/projects/dark", "Taken down by whoever runs this service"], ["/projects/over", "It went down on"], ["/projects/none", "There is no such page"]],
  "/projects/$slug/share": [["/projects/report/share", "Anyone with the doorcode"]],
  "/projects/$slug/versions": [["/projects/report/versions", "Live"], ["/projects/report/versions?from=1&to=2", "Another line"]],
  "/projects/$slug/comments": [["/projects/report/comments", "Reads well"]],
  "/projects/$slug/analytics": [["/projects/report/analytics", "Views"]],
  "/projects/$slug/settings": [["/projects/report/settings", "Delete project"]],
  "/workspace": [["/workspace", "Delete"]],
  "/workspace/members": [["/workspace/members", "seats free"]],
  "/workspace/billing": [["/workspace/billing", "Starter"]],
  "/workspace/audit": [["/workspace/audit", "Ada Example"]],
  "/workspace/export": [["/workspace/export", "Export"]],
  "/account": [["/account", "Your name"]],
  "/account/sign-in": [["/account/sign-in", "Sign out everywhere"]],
  "/account/tokens": [["/account/tokens", "test"]],
  "/account/connections": [["/account/connections", "Nothing"]],
  "/account/delete": [["/account/delete", "Delete"]],
  "/settings": [["/settings", "Your name"]],
  "/connect": [["/connect", "An agent"]],
  "/device": [["/device", "Sign a device in"], ["/device?user_code=XXXXX-XXXX", "code"]],
  "/oauth/authorize": [["/oauth/authorize?client_id=none", "This does not work"], ["consent", "Let it in"]],
  "/login": [["/login?next=/account", "Forgot your password?"]],
  "/signup": [["/signup", "Sign up"]],
  "/magic-link": [["/magic-link", "link"], ["/magic-link?token=none", "Sign in"]],
  "/forgot-password": [["/forgot-password", "Email"]],
  "/reset-password": [["/reset-password?token=none", "password"]],
  "/verify-email": [["/verify-email?token=none", "Confirm"]],
  "/invite": [["/invite?token=none", "invitation"]]
}

/** How long each answer is delayed, so that the loading state is seen: two frames, or more where drawing is slow. */
const LATE_MS = 40

/** Opens it with its data late, and its fonts delayed until then; returns by how much things moved. */
const moved = async (page: Page, url: string, words: string): Promise<typeof shifts> => {
  const held: Array<Route> = []
  await page.route("**/v1/**", (route) => void setTimeout(() => void route.continue().catch(() => undefined), LATE_MS))
  await page.route("**/*.woff2", (route) => void held.push(route))
  await page.goto(url, { waitUntil: "commit" })
  await page.locator("main").getByText(words).or(page.getByRole("dialog").getByText(words)).filter({ visible: true }).first().waitFor()
  await page.waitForFunction(() => document.querySelector(".breathe") === null)
  await Promise.all(held.map((route) => route.continue()))
  await page.unrouteAll({ behavior: "ignoreErrors" })
  return page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return globalThis.shifts
  })
}

/** What the server had the page preload, and nothing used. */
const unused = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => [...document.querySelectorAll<HTMLLinkElement>("link[rel=preload][as=fetch]")].map(({ href }) => href).filter((href) => !asked.includes(href)))

/** As the Layout Instability API reports it. */
interface Shift {
  readonly value: number
  readonly sources: ReadonlyArray<{ readonly node: Node | null }>
}

declare global {
  /** Installed before the page begins: records by how much things moved, each time, and which. */
  var shifts: Array<{ readonly by: number; readonly what: string }>
  /** The addresses that scripts requested. */
  var asked: Array<string>
}

const watched = () => {
  globalThis.shifts = []
  globalThis.asked = []
  const send = globalThis.fetch
  globalThis.fetch = (input, init) => {
    asked.push(input instanceof Request ? input.url : new URL(input, location.href).href)
    return send(input, init)
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as ReadonlyArray<Shift>) {
      shifts.push({ by: entry.value, what: entry.sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? "?").join(" | ") })
    }
  }).observe({ type: "layout-shift", buffered: true })
}

const areas = Object.groupBy(Object.entries(shown).flatMap(([route, rows]) => rows.map((row) => ({ route, row }))), ({ route }) =>
  /^\/(?:$|projects)/.test(route) ? "the library and a project" : /^\/(?:workspace|account|settings|connect)/.test(route) ? "workspace and account" : "the ways in")

/** What the page offers as its next step. */
const filled = (page: Page) =>
  page.locator("main :is(a, button)").evaluateAll((all) => all.filter((one) => getComputedStyle(one).backgroundColor === getComputedStyle(document.body).color).map((one) => one.textContent))

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft and everything that it did ".repeat(2).slice(0, 200).trim()

/** Somebody signed in who has a project with everything that a page can show, one that was taken down, and one with a long title that has expired. */
const furnish = Effect.gen(function*() {
  const service = yield* Service
  const reader = yield* signedInPage()
  const { bearer } = reader.account
  const put = (slug: string, body: string) => service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": "text/markdown" } })
  const change = (method: string, path: string, json: unknown) => service.ask(path, { method, json, headers: bearer })
  yield* put("report", "# Quarterly report\n\nIt went well.")
  yield* put("report", "# Quarterly report\n\nIt went well.\n\nAnother line.")
  yield* put("dark", "# Off the web")
  const begun = form({ name: "slug", value: "begun" })
  yield* service.ask("/v1/projects", { ...begun, headers: { ...begun.headers, ...bearer } })
  yield* put("over", `# ${LONG}`)
  yield* change("PATCH", "/v1/projects/report", { comments_enabled: true, visibility: "password", expires_at: new Date(Date.now() + 86_400_000).toISOString() })
  yield* change("POST", "/v1/projects/report/comments", { body: "Reads well", anchor: { path: "/", quote: LONG } })
  yield* change("POST", "/v1/folders", { name: "Clients", sharing: "team" })
  yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE projects SET taken_down_at = now() WHERE slug = 'dark'`)))
  yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE projects SET expires_at = now() - interval '1 day' WHERE slug = 'over'`)))
  const client = (yield* register(service)).json.client_id as string
  const consent = new URLSearchParams({ client_id: client, redirect_uri: REDIRECT, response_type: "code", code_challenge: pkce().challenge, code_challenge_method: "S256", state: "s" })
  yield* Effect.promise(() => reader.page.addInitScript(watched))
  return { ...reader, addressOf: (row: string) => reader.base + (row === "consent" ? `/oauth/authorize?${consent}` : row) }
})

class Furnished extends Context.Service<Furnished, Effect.Success<typeof furnish>>()("test/Furnished") {
  static readonly layer = Layer.effect(this, furnish)
}

describe.skipIf(!hasChromium)(`every route of the web app (${executable})`, () => {
  it("has a row here for each of its routes", () => {
    assert.isAtLeast(routes.length, 25)
    assert.deepStrictEqual(routes.toSorted(), Object.keys(shown).toSorted(), "a route without a row here, or a row without a route")
  })

  it.effect("would be told what is wrong: an image without words, and in the dark alone what can hardly be read", () =>
    Effect.gen(function*() {
      const { page } = yield* reader
      yield* Effect.promise(async () => {
        await page.setContent(`<html lang="en" style="color-scheme: light dark; background: Canvas"><title>Faults</title><main><h1>Faults</h1><img src="data:,"><p style="color: #333">Words</p></main>`)
        assert.deepStrictEqual((await axe(page)).map((fault) => fault.split(": ")[0]), ["image-alt"])
        const [dim, ...more] = await axeAgain(page, "dark", 390)
        assert.match(dim!, /^color-contrast: p </)
        assert.deepStrictEqual(more, [])
      })
    }))

  layer(Furnished.layer.pipe(Layer.provide(serviceWith())), { excludeTestServices: true })((it) => {
    for (const [area, rows = []] of Object.entries(areas)) {
      it.effect(`is clean in both themes, holds still, and takes what was asked for ahead: ${area}`, () =>
        Effect.gen(function*() {
          const { addressOf, errors, page, strangers } = yield* Furnished
          yield* Effect.promise(async () => {
            const faults: Array<string> = []
            for (const [index, { row: [address, words] }] of rows.entries()) {
              const sides = [["light", 1440], ["dark", 390]] as const
              const [[first, width], [then, other]] = index % 2 === 0 ? [sides[0], sides[1]] : [sides[1], sides[0]]
              await page.emulateMedia({ colorScheme: first, reducedMotion: "reduce" })
              await page.setViewportSize({ width, height: 844 })
              const shifts = await moved(page, addressOf(address), words)
              if (shifts.reduce((sum, { by }) => sum + by, 0) > STILL) faults.push(`${address}: ${width} px moves: ${JSON.stringify(shifts)}`)
              for (const url of await unused(page)) faults.push(`${address}: ${url} was asked for ahead, and nobody took it`)
              for (const found of [...await axe(page), ...await axeAgain(page, then, other)]) faults.push(`${address}: ${found}`)
              await page.setViewportSize({ width: 390, height: 844 })
              const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
              if (wide > 0) faults.push(`${address}: ${wide} px too wide`)
            }
            assert.deepStrictEqual(faults, [])
          })
          assert.deepStrictEqual([errors.filter((error) => !/40[014]|422/.test(error)), strangers], [[], []])
        }))
    }

    it.effect("takes nothing more for a project that was taken down", () =>
      Effect.gen(function*() {
        const { base, page } = yield* Furnished
        yield* Effect.promise(async () => {
          await page.goto(`${base}/projects/dark`)
          await page.getByText("nothing can be published here").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: /Publish|Choose a file/ }).count(), 0)
          assert.deepStrictEqual(await filled(page), [])
          await page.goto(`${base}/projects/begun`)
          await page.getByText("Nothing is published yet").waitFor()
          assert.deepStrictEqual(await filled(page), ["Choose a file"])
          await page.goto(`${base}/`)
          await page.getByRole("list", { name: "Projects" }).getByRole("listitem").filter({ hasText: "Off the web" }).getByText("Taken down").waitFor()
        })
      }))

    it.effect("leads from a project whose time is over to where it is put back up", () =>
      Effect.gen(function*() {
        const { base, page } = yield* Furnished
        yield* Effect.promise(async () => {
          await page.goto(`${base}/projects/over`)
          await page.getByText("Nobody can open it.").waitFor()
          assert.strictEqual(await page.getByText("In a new tab").count(), 0)
          assert.deepStrictEqual(await filled(page), ["Put it back up"])
          // A long title is truncated, and takes no space from the actions.
          for (const [width, lines] of [[390, 2], [900, 3], [1280, 3]] as const) {
            await page.setViewportSize({ width, height: 844 })
            const heading = page.getByRole("heading", { level: 1 })
            const title = heading.getByTitle(LONG)
            assert.isAtMost(await title.evaluate((shown) => Math.round(shown.clientHeight / parseFloat(getComputedStyle(shown).lineHeight))), lines)
            const [above, share] = [await heading.boundingBox(), await page.getByRole("link", { name: "Share" }).boundingBox()]
            assert.strictEqual(above!.y + above!.height <= share!.y, width < 1024)
          }
          await page.getByRole("link", { name: "Put it back up" }).click()
          await page.getByRole("heading", { name: "How long it is up" }).waitFor()
        })
      }))
  })
})
