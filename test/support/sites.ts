/** The sites that tests publish: their sources are in sites/, and the React app is built as its author would build it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import react from "@vitejs/plugin-react"
import { build } from "vite"

const folder = (name: string): string => join(import.meta.dirname, "sites", name)

const filesIn = (root: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(root, path), readFileSync(path)]
    })
  )

export const docsSite = () => filesIn(folder("docs"))
export const hostileSite = () => filesIn(folder("hostile"))

/** All links root-absolute, with a font of its own. */
export const rootedSite = () => {
  const face = createRequire(import.meta.url).resolve("@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2")
  return { ...filesIn(folder("rooted")), "assets/face.woff2": readFileSync(face) }
}

export const reactSite = async () => {
  const outDir = mkdtempSync(join(tmpdir(), "svc-vite-"))
  try {
    await build({ root: folder("react"), logLevel: "silent", configFile: false, plugins: [react()], build: { outDir, emptyOutDir: true } })
    return filesIn(outDir)
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}
