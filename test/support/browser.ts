/** Chromium as a reader has it; every request to another host and every console error is recorded. */
import { existsSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { Context, Effect, Layer } from "effect"
import { chromium } from "playwright-core"
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core"
import { assert } from "vitest"
import { aged } from "./oldest-browser.ts"
import { slowed } from "./slow-pages.ts"

/** Prefers Chromium's headless shell: the same engine at a third of the cost per reader. */
const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const

export const executable = process.env["CHROMIUM"] ?? PLACES.find((place) => existsSync(place)) ?? PLACES[1]

export const hasChromium = existsSync(executable)

/** The pages of the address bar's popup: nobody sees them here, and loading them doubles the work of each window. */
const UNSEEN = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]
/** The features that Playwright disables: of two such flags Chromium reads only the last. */
const PLAYWRIGHTS = [
  "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter",
  "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"
]

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
  `--disable-features=${[...PLAYWRIGHTS, ...UNSEEN].join(",")}`,
  // No spare renderers: every reader's pages would start three processes instead of the one that they need.
  "--renderer-process-limit=1"
]

export interface Reader {
  readonly page: Page
  /** Requests that left the machine's own hosts. */
  readonly strangers: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
  /** Resolves once everything that the page has requested from the API is answered: a change shown at once is saved by then. */
  readonly settled: () => Promise<void>
}

/** Short for the test that waits, long for whatever shares the machine. */
const BETWEEN_LOOKS_MS = 20

/** Less than a test has, so that what never came is named. */
const HANGS_MS = 240_000

/** Polls until the value is the wanted one, since a page is as slow as the machine is busy. */
export const comesTo = async <A>(look: () => Promise<A>, wanted: A): Promise<void> => {
  const ends = Date.now() + HANGS_MS
  for (let seen = await look(); !isDeepStrictEqual(seen, wanted); seen = await look()) {
    if (Date.now() > ends) return assert.deepStrictEqual(seen, wanted)
    await pause(BETWEEN_LOOKS_MS)
  }
}

export const comesTrue = (holds: () => Promise<boolean>): Promise<void> => comesTo(holds, true)

/** Waits until it has the focus. */
export const focused = (one: Locator): Promise<void> => comesTrue(() => one.evaluate((element) => element === document.activeElement))

/** Whether text that begins in Hebrew and ends in a full stop runs from the right: the stop is left of it. */
export const runsFromRight = (words: Locator): Promise<boolean> =>
  words.evaluate((shown) => {
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
    const text = walker.nextNode() as Text
    const leftOf = (at: number) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    }
    return leftOf(text.data.trimEnd().length - 1) < leftOf(0)
  })

/** Where the picture is that takes comments, once it rests in the middle of the space that the panel leaves: a mouse does not follow what moves. */
export const pictureBox = async (page: Page) => {
  await page.locator("#table.pointing").waitFor()
  await page.waitForFunction(() => {
    const [room, picture] = ["#table", "#image"].map((one) => document.querySelector(one)!.getBoundingClientRect())
    return Math.abs(room!.left + room!.right - picture!.left - picture!.right) < 1
  })
  return (await page.locator("#image").boundingBox())!
}

/** How much the page has moved without its reader's doing. */
export const moved = (page: Page): Promise<number> => page.evaluate(() => new Promise<number>((resolve) => {
  new PerformanceObserver((list) => resolve((list.getEntries() as unknown as ReadonlyArray<PerformanceEntry & { readonly value: number }>).reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: "layout-shift", buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
}))

/** What is waited for in a page comes as late as the machine is busy: half a minute of Playwright's own is not for whatever hangs. */
const patient = (browser: Browser): Browser => {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(HANGS_MS)
    return context
  }
  return browser
}

let launched: Promise<Browser> | undefined

/** One for all test files of a worker, since they share their modules; it ends with the worker. */
export const sharedChromium = async (): Promise<Browser> => {
  const browser = await (launched ??= chromium.launch({ executablePath: executable, args: FLAGS }).then(slowed).then(patient))
  if (browser.isConnected()) return browser
  launched = undefined
  return sharedChromium()
}

/** Records from now on what should never happen. */
export const noted = (page: Page): Pick<Reader, "strangers" | "errors"> & { readonly forget: () => void } => {
  const strangers: Array<string> = []
  const errors: Array<string> = []
  page.on("request", (request) => {
    if (!/^(?:https?:\/\/[^/]*localhost[:/]|data:|blob:)/.test(request.url())) strangers.push(request.url())
  })
  page.on("console", (message) => {
    // Chromium requests one from every host, whether or not its author has one.
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) errors.push(message.text())
  })
  page.on("pageerror", (error) => errors.push(error.message))
  return { strangers, errors, forget: () => void (strangers.length = errors.length = 0) }
}

const settling = (page: Page): Reader["settled"] => {
  const asked = new Set<Request>()
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/v1/") && request.resourceType() !== "eventsource") asked.add(request)
  })
  page.on("requestfinished", (request) => asked.delete(request))
  page.on("requestfailed", (request) => asked.delete(request))
  return async () => {
    // One turn of the page's event loop, so that the requests that a click causes have begun.
    do await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))).catch(() => page.waitForLoadState())
    while (asked.size > 0)
  }
}

/** Another person on the same machine, with cookies and storage of their own, closed when the test ends; without fades, which are expensive to draw. */
export const readerIn = (browser: Browser, options: BrowserContextOptions = {}) =>
  Effect.gen(function*() {
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => browser.newContext({ reducedMotion: "reduce", ...options }).then(aged)),
      (context) => Effect.promise(() => context.close())
    )
    const page = yield* Effect.promise(() => context.newPage())
    const { errors, strangers } = noted(page)
    const seen: Reader = { page, strangers, errors, settled: settling(page) }
    return seen
  })

interface Lent {
  readonly page: Page
  readonly options: BrowserContextOptions
}

/** Windows that the tests of a file share, each alone in its own: a new window costs as much as a short test. `furnish` is called once for each. */
export const windows = (furnish: (page: Page) => unknown) => {
  const free: Array<Lent> = []
  const lent: Array<Lent> = []
  const alike = (one: BrowserContextOptions, other: BrowserContextOptions) => JSON.stringify(one) === JSON.stringify(other)

  const lend = async (options: BrowserContextOptions): Promise<Page> => {
    const at = free.findIndex((one) => alike(one.options, options))
    const found = free.splice(at, at === -1 ? 0 : 1)[0] ?? { options, page: await (await (await sharedChromium()).newContext(options).then(aged)).newPage() }
    if (at === -1) await furnish(found.page)
    lent.push(found)
    return found.page
  }

  /** Clears what its last page stored, and what a test had it be told. */
  const takeBack = async () => {
    for (const one of lent.splice(0)) {
      const { options: { colorScheme = "light", viewport }, page } = one
      if (page.url() !== "about:blank") await page.evaluate(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()))
      await page.goto("about:blank")
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await page.emulateMedia({ colorScheme, media: null })
      if (viewport) await page.setViewportSize(viewport)
      await page.context().clearCookies()
      free.push(one)
    }
  }

  const close = () => Promise.all([...free, ...lent].map(({ page }) => page.context().close()))

  return { lend, takeBack, close }
}

export class Chromium extends Context.Service<Chromium, Browser>()("test/Chromium") {
  static readonly layer = Layer.effect(this, Effect.promise(sharedChromium))
}

export const reader = Effect.flatMap(Effect.promise(sharedChromium), (browser) => readerIn(browser))
