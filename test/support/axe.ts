/** What axe finds on a page, a line a finding. */
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"

/** In legacy mode it opens no tab of its own, and stays out of frames: where no script runs it would wait for ever. A page that has it already is spared another half a megabyte. */
const of = async (page: Page) => {
  const there = await page.evaluate(() => "axe" in window)
  return new AxeBuilder(there ? { page, axeSource: "axe" } : { page }).options({ resultTypes: ["violations"] }).setLegacyMode(true)
}

const findings = async (builder: AxeBuilder): Promise<ReadonlyArray<string>> =>
  (await builder.analyze()).violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ html, target }) => `${target.join(" ")} ${html.slice(0, 200)}`).join(", ")}`)

export const axe = async (page: Page) => findings(await of(page))

/** The page that was looked at once, in its other theme and width: what they decide, and nothing over again. */
export const axeAgain = async (page: Page, colorScheme: "dark" | "light", width: number): Promise<ReadonlyArray<string>> => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 844 })
  return findings((await of(page)).withRules(["color-contrast", "link-in-text-block", "scrollable-region-focusable"]))
}
