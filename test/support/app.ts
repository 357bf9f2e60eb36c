/** The web app with somebody signed in: a browser with the cookies of a session. */
import { Effect } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import { ask, browserCookies, cookiesOf } from "./ask.ts"
import { readerIn, sharedChromium } from "./browser.ts"
import { PASSWORD, Service } from "./service.ts"
import type { Account, AccountOptions } from "./service.ts"

/** `open("/projects/x")` goes to a path of the app; `account` is the person signed in, a new one unless given. */
export const signedInPage = Effect.fnUntraced(function*(given?: Account, options?: AccountOptions, window?: BrowserContextOptions) {
  const service = yield* Service
  const account = given ?? (yield* service.account(options))
  const seen = yield* readerIn(yield* Effect.promise(sharedChromium), window)
  const base = `http://svc.localhost:${service.port}`
  const login = yield* Effect.promise(() => ask(service.port, "/v1/auth/login", { json: { email: account.email, password: PASSWORD } }))
  yield* Effect.promise(() => seen.page.context().addCookies(browserCookies(cookiesOf(login))))
  return { ...seen, account, base, open: (path: string) => seen.page.goto(base + path) }
})

/** Files as if dropped onto the page. */
export const dropped = (page: Page, files: ReadonlyArray<readonly [name: string, type: string, text: string]>) =>
  page.evaluate((given) => {
    const dataTransfer = new DataTransfer()
    for (const [name, type, text] of given) dataTransfer.items.add(new File([text], name, { type }))
    dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))
  }, files)

/** A file of this machine as a person carries it: the browser itself does what nobody prevents. */
export const carried = async (page: Page, path: string) => {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ["dragEnter", "dragOver", "drop"] as const) await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data })
  await session.detach()
}

/** As when somebody comes back to the tab after a while: what it shows is read again. */
export const looksAgain = async (page: Page) => {
  await page.clock.setSystemTime(await page.evaluate(() => Date.now() + 120_000))
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")))
}
