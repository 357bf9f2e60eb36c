/** The service as a person uses it: a site built with Vite is published and opened, changed, renamed; the API's reference documents. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "vite"
import { executable, hasChromium, reader } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

const SOURCE: Readonly<Record<string, string>> = {
  "index.html": `<!doctype html><html lang="en"><head><title>Built</title></head><body><main id="app"></main><a href="/about/">About</a><script type="module" src="/main.js"></script></body></html>`,
  "about/index.html": `<!doctype html><html lang="en"><head><title>About</title></head><body><p id="about">About us</p></body></html>`,
  "main.js": `import "./style.css"; import data from "./data.json"; import("./lazy.js").then(({ text }) => { document.querySelector("#app").textContent = text + data.word })`,
  "lazy.js": `export const text = "Hello, "`,
  "data.json": `{"word":"world"}`,
  "style.css": "main { color: rgb(1, 2, 3) }"
}

/** A real build: hashed names, module scripts, a lazy chunk, two pages. */
const builtSite = Effect.promise(async () => {
  const root = mkdtempSync(join(tmpdir(), "svc-vite-"))
  try {
    for (const [path, content] of Object.entries(SOURCE)) {
      mkdirSync(join(root, path, ".."), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    const input = [join(root, "index.html"), join(root, "about/index.html")]
    await build({ root, logLevel: "silent", configFile: false, build: { rollupOptions: { input } } })
    const files = readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return await zipOf(Object.fromEntries(files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(join(root, "dist").length + 1), readFileSync(path)]
    })))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

describe.skipIf(!hasChromium)(`the service in a browser (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("opens a published Vite build, shows the next version on reload, and is gone from its old address at once", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const { errors, page, strangers } = yield* reader
        const put = (body: string | Buffer, type: string) =>
          service.ask("/v1/projects/built", { method: "PUT", body, headers: { ...account.bearer, "content-type": type } })
        const published = yield* put(yield* builtSite, "application/zip")
        assert.strictEqual(published.status, 201, published.text)
        const { url } = published.json

        yield* Effect.promise(() => page.goto(url))
        yield* Effect.promise(() => page.getByText("Hello, world").waitFor())
        assert.strictEqual(yield* Effect.promise(() => page.locator("main").evaluate((main) => getComputedStyle(main).color)), "rgb(1, 2, 3)")
        yield* Effect.promise(() => page.getByRole("link", { name: "About" }).click())
        yield* Effect.promise(() => page.getByText("About us").waitFor())
        assert.deepStrictEqual([errors, strangers], [[], []])

        assert.strictEqual((yield* put("<!doctype html><title>Two</title><p>Version two</p>", "text/html")).json.version, 2)
        yield* Effect.promise(() => page.goto(url))
        yield* Effect.promise(() => page.getByText("Version two").waitFor())

        yield* service.ask("/v1/projects/built", { method: "PATCH", json: { slug: "rebuilt" }, headers: account.bearer })
        yield* Effect.promise(() => page.reload())
        yield* Effect.promise(() => page.getByText("Nothing is at this address").waitFor())
        yield* Effect.promise(() => page.goto(url.replace("built", "rebuilt")))
        yield* Effect.promise(() => page.getByText("Version two").waitFor())
      }))

    it.effect("reads the API's documents without asking another host", () =>
      Effect.gen(function*() {
        const { port } = yield* Service
        const { errors, page, strangers } = yield* reader
        yield* Effect.promise(() => page.setViewportSize({ width: 390, height: 844 }))
        yield* Effect.promise(() => page.emulateMedia({ colorScheme: "dark" }))
        yield* Effect.promise(() => page.goto(`http://svc.localhost:${port}/docs`))
        yield* Effect.promise(() => page.getByText("Is a slug free?").first().waitFor())
        const phone = yield* Effect.promise(() => page.evaluate(() => ({
          ground: getComputedStyle(document.querySelector(".swagger-ui")!).backgroundColor,
          narrowest: Math.min(...[...document.querySelectorAll(".opblock-tag small")].map(({ clientWidth }) => clientWidth)),
          over: document.documentElement.scrollWidth - innerWidth
        })))
        assert.deepInclude(phone, { ground: "rgb(29, 28, 26)", over: 0 })
        assert.isAbove(phone.narrowest, 300)
        yield* Effect.promise(() => page.goto(`http://svc.localhost:${port}/redoc`))
        yield* Effect.promise(() => page.getByRole("heading", { name: "Publish one file" }).first().waitFor())
        assert.deepStrictEqual(
          yield* Effect.promise(() => page.evaluate(() => [document.body, document.querySelector("h1")!].map((part) => getComputedStyle(part)).map(({ backgroundColor, color, fontFamily }, index) => index === 0 ? backgroundColor : [color, fontFamily.split(",")[0]]))),
          ["rgb(29, 28, 26)", ["rgb(237, 234, 227)", "\"Svc Sans\""]]
        )
        assert.deepStrictEqual([errors, strangers], [[], []])
      }))
  })
})
