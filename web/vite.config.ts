/** One build of all that runs in a browser: hashed names, a manifest, and each file compressed once, here. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { defineConfig } from "vite"
import type { Plugin } from "vite"

const root = import.meta.dirname

/** Smaller files fit one packet either way. */
const SMALLEST = 860

const compressed: Plugin = {
  name: "compressed",
  writeBundle: ({ dir = root }) => {
    for (const name of readdirSync(dir).filter((file) => /\.(?:js|css|svg|wasm)$/.test(file))) {
      const bytes = readFileSync(join(dir, name))
      if (bytes.length < SMALLEST) continue
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  }
}

export default defineConfig({
  root,
  base: "/_svc/assets/",
  publicDir: false,
  plugins: [compressed],
  build: {
    outDir: join(root, "../dist/web"),
    emptyOutDir: true,
    assetsDir: "",
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    // No data: addresses: our pages' policy names files alone.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ["shell", "bridge", "early", "viewer"].map((entry) => join(root, "viewer", `${entry}.ts`))
    }
  }
})
