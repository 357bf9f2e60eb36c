/** Builds dist/service: the service in some fifty files. It starts in half the time that its eleven hundred modules take to load. */
import { readdirSync, rmSync, statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { defineConfig } from "vite"

const root = join(import.meta.dirname, "..")
const outDir = join(root, "dist", "service")

const EFFECT = /^(?:effect|@effect\/|@oxc-project\/)/
const RENDERING = /\/src\/services\/rendering\//
/** Hundreds, of which a document wants a few. */
const GRAMMARS = "shiki/langs"

const packageOf = (file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(file)?.[1]

/** Effect and what renders documents are built in: they are most of the modules. Other packages are loaded from where they are: some bring binaries, others are large and seldom wanted. */
const stays = (id, importer) => {
  if (/^[./\0]|\.json$/.test(id) || EFFECT.test(id)) return false
  if (id === GRAMMARS || importer === undefined) return true
  const from = packageOf(importer)
  // A package that is neither Effect's nor left outside is one that renders.
  return from === undefined ? !RENDERING.test(importer) : EFFECT.test(from)
}

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

const THREAD = 'new URL("./thread.ts", import.meta.url)'

/** The thread that renders documents is a second entry: by itself it loads in a third of the time. */
const thread = {
  name: "thread",
  enforce: "pre",
  transform: {
    filter: { id: /\/src\/services\/rendering\/markdown\.ts$/ },
    handler(code, id) {
      if (!code.includes(THREAD)) this.error("It starts no thread: if that is elsewhere now, name that file here")
      const chunk = this.emitFile({ type: "chunk", id: join(dirname(id), "thread.ts"), name: "rendering" })
      return code.replace(THREAD, `import.meta.ROLLUP_FILE_URL_${chunk}`)
    }
  },
  resolveFileUrl: ({ fileName }) => `new URL("./${fileName}", import.meta.url)`
}

/** A module that names another file beside it (the other thread, a sample, openapi.json) finds it where the module was written, in src. */
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
  plugins: [thread, addresses, cleared],
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: join(root, "src", "main.ts"),
    target: "node24",
    outDir,
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { external: stays, output: { format: "es", entryFileNames: "main.js", chunkFileNames: "[name]-[hash].js" } }
  }
})
