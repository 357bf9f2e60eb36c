/** Builds dist/service: the service in some fifty files. It starts in half the time that its eleven hundred modules take to load. */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { defineConfig } from "vite"

const root = join(import.meta.dirname, "..")
const outDir = join(root, "dist", "service")

const DAY_MS = 86_400_000

/** A service that an upgrade has not stopped yet may load the files of its own build: they are kept for a day. */
const cleared = {
  name: "cleared",
  writeBundle(_, bundle) {
    for (const name of readdirSync(outDir).filter((name) => name.endsWith(".js") && !(name in bundle))) {
      const file = join(outDir, name)
      if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file)
    }
  }
}

/** A module that names a file beside it (a thread, a sample, openapi.json) finds it where the module was written, in src. */
const addresses = {
  name: "addresses",
  transform: {
    filter: { id: /\/src\//, code: "import.meta.url" },
    handler: (code, id) => code.replaceAll("import.meta.url", `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url).href`)
  }
}

export default defineConfig({
  root,
  publicDir: false,
  plugins: [addresses, cleared],
  // Effect is most of the modules. Other packages stay what they are: some bring binaries, and the large ones are loaded when they are wanted.
  ssr: { noExternal: /^(?:effect|@effect\/)/, target: "node" },
  build: {
    ssr: join(root, "src", "main.ts"),
    target: "node24",
    outDir,
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { format: "es", entryFileNames: "main.js", chunkFileNames: "[name]-[hash].js" } }
  }
})
