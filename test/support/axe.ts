/** axe's findings on a page, one per line. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type Axe from "axe-core"
import type { Page } from "playwright-core"

declare global {
  var axe: typeof Axe
}

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Injected once into each page, and not into frames: in a frame without script it would wait for ever. */
const findings = async (page: Page, rules?: Array<string>): Promise<ReadonlyArray<string>> => {
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(source)
  return page.evaluate(async (rules) => {
    const { violations } = await globalThis.axe.run({ resultTypes: ["violations"], iframes: false, ...rules && { runOnly: rules } })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target.join(" ")} ${html.slice(0, 200)}`).join(", ")}`)
  }, rules)
}

export const axe = (page: Page) => findings(page)

/** Checks the same page again in another theme and width, but only the rules that depend on these. */
export const axeAgain = async (page: Page, colorScheme: "dark" | "light", width: number): Promise<ReadonlyArray<string>> => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 844 })
  return findings(page, ["color-contrast", "link-in-text-block", "scrollable-region-focusable"])
}
