/** Every text colour has a contrast of 4.5:1 or better, on the desk and on a sheet, light and dark; the app's letters are as large as the pages'. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dark, light, tokensCss } from "../../src/look/tokens.ts"
import type { Colour } from "../../src/look/tokens.ts"

/** WCAG 2.2, relative luminance. */
const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const texts: ReadonlyArray<Colour> = ["ink", "muted", "accent", "good", "warn", "bad"]

describe.each([["light", light], ["dark", dark]] as const)("%s", (_, palette) => {
  it.each(texts.flatMap((text) => [[text, "desk"], [text, "sheet"]] as const))("%s on %s", (text, ground) => {
    assert.isAtLeast(contrast(palette[text], palette[ground]), 4.5)
  })

  it("the filled button's label", () => {
    assert.isAtLeast(contrast(palette.sheet, palette.ink), 4.5)
  })
})

it("the app's letters and corners are those of the pages", () => {
  const sizes = (css: string) => new Map([...css.matchAll(/--((?:text|radius)-[a-z]+):\s*([\d.]+(?:rem|px));/g)].map(([, name, size]) => [name!, size!]))
  const [pages, app] = [sizes(tokensCss), sizes(readFileSync("web/app/styles.css", "utf8"))]
  const shared = [...app.keys()].filter((name) => pages.has(name))
  assert.includeMembers(shared, ["text-body", "text-control", "text-title", "radius-sheet"])
  for (const name of shared) assert.strictEqual(app.get(name), pages.get(name), name)
})
