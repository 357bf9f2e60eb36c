/** The web app's build, into dist/app: one page, hashed files beneath /assets, a chunk for each route. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import type { Plugin } from "vite"
import { favicon } from "../../src/look/mark.ts"
import { themesCss, tokensCss } from "../../src/look/tokens.ts"
import { compressed } from "../compressed.ts"

const root = import.meta.dirname

const LOOK = "virtual:look.css"

/** Colours and sizes come from the house's one place for them. */
const look: Plugin = {
  name: "look",
  resolveId: (id) => id === LOOK ? `\0${LOOK}` : null,
  load: (id) => id === `\0${LOOK}` ? tokensCss + themesCss : null
}

const theme = readFileSync(join(root, "early-theme.js"), "utf8")
const themeFile = `assets/theme-${createHash("sha256").update(theme).digest("hex").slice(0, 8)}.js`

/**
 * What the page asks for before anything else: the chosen theme, as a plain script since nothing may flash; the face; the
 * mark. The script also takes over the policy's nonce, under the name by which packages that write style rules look for one.
 */
const head: Plugin = {
  name: "head",
  buildStart() {
    this.emitFile({ type: "asset", fileName: themeFile, source: theme })
  },
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle = {} }) => {
      const face = Object.keys(bundle).find((name) => name.includes("instrument-sans"))
      return [
        { tag: "link", attrs: { rel: "icon", href: favicon }, injectTo: "head" },
        { tag: "script", attrs: { src: `/${themeFile}` }, injectTo: "head-prepend" },
        ...(face === undefined ? [] : [{ tag: "link", attrs: { rel: "preload", href: `/${face}`, as: "font", type: "font/woff2", crossorigin: "" }, injectTo: "head" as const }])
      ]
    }
  }
}

export default defineConfig({
  root,
  base: "/",
  publicDir: false,
  plugins: [look, head, react(), tailwindcss(), compressed],
  build: {
    outDir: join(root, "../../dist/app"),
    emptyOutDir: true,
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    // No data: addresses: the page's policy names files alone.
    assetsInlineLimit: 0
  }
})
