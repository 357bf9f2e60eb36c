/** The web app's build, into dist/app: one page, hashed files beneath /assets, a chunk for each route. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import type { Plugin, Rolldown } from "vite"
import { favicon } from "../../src/look/mark.ts"
import { themesCss, tokensCss } from "../../src/look/tokens.ts"
import { compressed } from "../compressed.ts"

const root = import.meta.dirname

const LOOK = "virtual:look.css"

/** Colours and sizes come from src/look/, their one source. */
const look: Plugin = {
  name: "look",
  resolveId: (id) => id === LOOK ? `\0${LOOK}` : null,
  load: (id) => id === `\0${LOOK}` ? tokensCss + themesCss : null
}

const early = readFileSync(join(root, "early.js"), "utf8")
const earlyFile = `assets/early-${createHash("sha256").update(early).digest("hex").slice(0, 8)}.js`

/** What the page requests before anything else: a plain script, which sets the chosen theme so that nothing flashes and says so where the app's own script does not arrive; the face; the mark. */
const head: Plugin = {
  name: "head",
  buildStart() {
    this.emitFile({ type: "asset", fileName: earlyFile, source: early })
  },
  transformIndexHtml: {
    order: "post",
    handler: () => {
      return [
        { tag: "link", attrs: { rel: "icon", href: favicon }, injectTo: "head" },
        { tag: "script", attrs: { src: `/${earlyFile}` }, injectTo: "head-prepend" }
      ]
    }
  }
}

type GetModule = (id: string) => Pick<Rolldown.ModuleInfo, "dynamicImporters" | "importedIds"> | null

const within = (file: string) => join(root, file)

/** What a first visit waits for is bundled into few files: each holds what the modules named here import, except what an earlier file holds. */
const together: Readonly<Record<string, ReadonlyArray<string>>> = {
  first: ["main.tsx", "ui/field.tsx", "ui/form.tsx", "ui/parts.tsx", "ui/tabs.tsx"],
  entry: ["entry/forms.tsx"],
  document: ["library/project-card.tsx", "library/drop-zone.tsx", "library/arrivals.tsx", "ui/missing.tsx", "ui/select.tsx", "ui/show-more.tsx", "ui/typed.ts"],
  choices: ["ui/choices.tsx"]
}

const fileOf = (() => {
  const named = new Map<string, string>()
  return (id: string, get: GetModule): string | null => {
    const own = get(id)
    // Screens are files of their own already.
    if (own === null || own.dynamicImporters.length > 0) return null
    if (named.size === 0) {
      for (const [name, files] of Object.entries(together)) {
        const left = files.map(within)
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          if (named.has(next)) continue
          named.set(next, name)
          left.push(...(get(next)?.importedIds ?? []))
        }
      }
    }
    return named.get(id) ?? null
  }
})()

export default defineConfig({
  root,
  base: "/",
  publicDir: false,
  resolve: { alias: { "react-style-singleton": join(root, "ui/run-time-styles.ts") } },
  plugins: [look, head, react(), tailwindcss(), compressed],
  build: {
    outDir: join(root, "../../dist/app"),
    emptyOutDir: true,
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Somebody who starts the service for the first time need not read how long each plugin took.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: Object.keys(together).map((name, index, { length }) => ({
            name: (id: string, context: Rolldown.ChunkingContext) => fileOf(id, (one) => context.getModuleInfo(one)) === name ? name : null,
            debugName: name,
            priority: length - index
          }))
        }
      }
    },
    // No data: URLs: the page's policy (CSP) allows only files.
    assetsInlineLimit: 0
  }
})
