/** The oldest browsers that README names (Chrome 123, Firefox 128, Safari 17.5), as far as a current one can play them: without what came later. */
import { readFile } from "node:fs/promises"
import type { BrowserContext } from "playwright-core"

/** Runs in a page or a worker before anything else does. */
const forget = (): void => {
  const without = (owner: object, ...names: ReadonlyArray<string>): void => names.forEach((name) => Reflect.deleteProperty(owner, name))
  without(globalThis, "Iterator", "Float16Array")
  without(Promise, "try")
  without(Math, "sumPrecise", "f16round")
  without(URL, "parse")
  without(Array, "fromAsync")
  without(RegExp, "escape")
  without(Error, "isError")
  without(Intl, "DurationFormat")
  without(JSON, "rawJSON", "isRawJSON")
  without(Uint8Array, "fromBase64", "fromHex")
  without(Uint8Array.prototype, "toBase64", "toHex", "setFromBase64", "setFromHex")
  for (const kept of [Map, WeakMap]) without(kept.prototype, "getOrInsert", "getOrInsertComputed")
  without(Set.prototype, "union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom")
  without(Object.getPrototypeOf(Object.getPrototypeOf([].values())), "map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find")
  if (typeof document === "undefined") return
  without(Document.prototype, "caretPositionFromPoint", "startViewTransition")
  without(Element.prototype, "moveBefore")
  without(HTMLDialogElement.prototype, "requestClose")
}

/** For every page of the reader. */
export const aged = async (context: BrowserContext): Promise<BrowserContext> => {
  await context.addInitScript(forget)
  return context
}

/** For its workers too, whose scripts pass through here for that: nothing of what the reader fetches is cached then. */
export const agedWithWorkers = (context: BrowserContext): Promise<unknown> =>
  context.route(/\/_svc\/assets\/.*worker[^/]*\.js$/, async (route) => {
    const script = await readFile(`dist/web/${route.request().url().split("/_svc/assets/")[1]}`, "utf8")
    await route.fulfill({ contentType: "text/javascript", body: `(${forget})();${script}` })
  })
