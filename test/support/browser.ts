/** Chromium as a reader has it, with every request to another host and every console error written down. */
import { existsSync } from "node:fs"
import { Context, Effect, Layer } from "effect"
import { chromium } from "playwright-core"
import type { Browser, Page } from "playwright-core"

export const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

export const hasChromium = existsSync(executable)

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"
]

export interface Reader {
  readonly page: Page
  /** Requests that left the machine's own hosts. */
  readonly strangers: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

const browser = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath: executable, args: FLAGS })),
  (browser) => Effect.promise(() => browser.close())
)

/** Somebody else at the same machine: with cookies and storage of their own. */
export const readerIn = (browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) =>
  Effect.gen(function*() {
    const page = yield* Effect.promise(async () => (await browser.newContext(options)).newPage())
    const strangers: Array<string> = []
    const errors: Array<string> = []
    page.on("request", (request) => {
      if (!/^(?:https?:\/\/[^/]*localhost[:/]|data:|blob:)/.test(request.url())) strangers.push(request.url())
    })
    page.on("console", (message) => {
      // Chromium asks every host for one, whether or not its author has one.
      if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) errors.push(message.text())
    })
    page.on("pageerror", (error) => errors.push(error.message))
    const seen: Reader = { page, strangers, errors }
    return seen
  })

/** One for a whole test file. */
export class Chromium extends Context.Service<Chromium, Browser>()("test/Chromium") {
  static readonly layer = Layer.effect(this, browser)
}

export const reader = Effect.flatMap(browser, (browser) => readerIn(browser))
