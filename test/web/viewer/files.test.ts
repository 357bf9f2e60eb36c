/** How many files the pages of documents load, and in what order, and what comes with every page of an author's. */
import { assert, it } from "@effect/vitest"
import { webAssets } from "../../../src/http/edge/web-assets.ts"
import { builtFolder, manifestIn, reachedIn } from "../../../src/look/built.ts"

const manifest = manifestIn(builtFolder("web"))

const madeOf = (...sources: ReadonlyArray<string>) => [...reachedIn(manifest, sources)].map((source) => manifest[source]!)

const nameOf = (address: string): string => /([\w-]+)-[\w-]{8}\.\w+$/.exec(address)![1]!

it.each(["markdown", "text", "pdf", "data", "image", "video"])("%s: a document and its comments are there after at most eleven scripts", (kind) => {
  const files = madeOf("viewer/viewer.ts", `viewer/kinds/${kind}.ts`, "viewer/comments/comments.ts").map(({ file }) => file)
  assert.isAtMost(files.length, 11, files.join())
})

it("the bridge brings an author's page only what it needs, and no styles", () => {
  const made = madeOf("viewer/bridge.ts")
  assert.deepStrictEqual(made.map(({ file }) => nameOf(file)).sort(), ["bridge", "browser-keys", "words"])
  assert.isTrue(made.every(({ css = [] }) => css.length === 0))
})

it("the styles that pages share come before those of one", () => {
  assert.deepStrictEqual(webAssets().styles("viewer/versions.ts").map(nameOf), ["viewer", "versions"])
  assert.deepStrictEqual(webAssets().styles("viewer/kinds/markdown.ts").map(nameOf), ["code", "markdown"])
})
