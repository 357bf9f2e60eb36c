/** What the web app's build made, read once at start: its one page, and the hashed files under `/assets/`. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { builtFile, builtFolder, manifestIn, reachedIn } from "../../look/built.ts"

const load = () => {
  const folder = builtFolder("app")
  const assets = join(folder, "assets")
  const manifest = manifestIn(folder)
  const index = readFileSync(join(folder, "index.html"), "utf8")
  const names = readdirSync(assets).filter((name) => !/\.(?:br|gz)$/.test(name))
  return {
    index,
    /** The scripts of these screens, without those that the page loads itself. */
    scripts: (screens: ReadonlyArray<string>): ReadonlyArray<string> =>
      [...reachedIn(manifest, screens)].flatMap((source) => manifest[source]?.file ?? []).filter((file) => !index.includes(file)).sort(),
    files: new Map(names.map((name) => [name, builtFile(assets, name)]))
  }
}

let loaded: ReturnType<typeof load> | undefined

export const appFiles = () => loaded ??= load()
