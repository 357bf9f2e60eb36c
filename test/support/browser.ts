/** Chromium as a reader has it, with every request to another host and every console error written down. */
import { existsSync } from "node:fs"
import { Context, Effect, Layer } from "effect"
import { chromium } from "playwright-core"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"

export const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

export const hasChromium = existsSync(executable)

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
  // None in advance: every reader's pages would start three processes in place of the one that they need.
  "--renderer-process-limit=1"
]

export interface Reader {
  readonly page: Page
  /** Requests that left the machine's own hosts. */
  readonly strangers: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

let launched: Promise<Browser> | undefined

/** One for all the test files that a worker runs, since they share their modules; it ends with the worker. */
export const sharedChromium = async (): Promise<Browser> => {
  const browser = await (launched ??= chromium.launch({ executablePath: executable, args: FLAGS }))
  if (browser.isConnected()) return browser
  launched = undefined
  return sharedChromium()
}

/** Somebody else at the same machine: with cookies and storage of their own, who leaves when the test is over. */
export const readerIn = (browser: Browser, options: BrowserContextOptions = {}) =>
  Effect.gen(function*() {
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => browser.newContext(options)),
      (context) => Effect.promise(() => context.close())
    )
    const page = yield* Effect.promise(() => context.newPage())
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

export class Chromium extends Context.Service<Chromium, Browser>()("test/Chromium") {
  static readonly layer = Layer.effect(this, Effect.promise(sharedChromium))
}

export const reader = Effect.flatMap(Effect.promise(sharedChromium), (browser) => readerIn(browser))
