/** Chromium as a reader has it, with every request to another host and every console error written down. */
import { existsSync } from "node:fs"
import { Effect } from "effect"
import { chromium } from "playwright-core"
import type { Page } from "playwright-core"

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

export const reader = Effect.gen(function*() {
  const browser = yield* Effect.acquireRelease(
    Effect.promise(() => chromium.launch({ executablePath: executable, args: FLAGS })),
    (browser) => Effect.promise(() => browser.close())
  )
  const page = yield* Effect.promise(() => browser.newPage())
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
