/** Builds what runs on project hosts: hashed file names, a manifest, and each file compressed at build time. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { defineConfig } from "vite"
import type { Plugin } from "vite"
import { compressed } from "./compressed.ts"

const root = import.meta.dirname

const pdfjs = join(root, "../node_modules/pdfjs-dist")
const { version } = JSON.parse(readFileSync(join(pdfjs, "package.json"), "utf8"))

/**
 * What a PDF may need: pdf.js's worker, the fonts that PDFs take for granted, Asian character encodings, and decoders
 * of rare image formats. pdf.js asks for them by their own names, so the folder's name carries the version.
 */
const pdfParts: Plugin = {
  name: "pdf-parts",
  buildStart() {
    const within = (folder: string, wanted: RegExp) =>
      readdirSync(join(pdfjs, folder)).filter((name) => wanted.test(name)).map((name) => join(pdfjs, folder, name))
    const files = [
      join(pdfjs, "legacy/build/pdf.worker.min.mjs"),
      ...within("standard_fonts", /\.(?:ttf|pfb)$/),
      ...within("cmaps", /\.bcmap$/),
      ...within("wasm", /^(?:jbig2|openjpeg|qcms_bg)\.wasm$/),
      ...within("iccs", /\.icc$/),
      ...within("web/images", /^annotation-.*\.svg$/)
    ]
    for (const file of files) {
      const name = basename(file).replace(/\.mjs$/, ".js")
      this.emitFile({ type: "asset", name, originalFileName: `pdfjs/${name}`, fileName: `pdfjs-${version}/${name}`, source: readFileSync(file) })
    }
  }
}

export default defineConfig({
  root,
  base: "/_svc/assets/",
  publicDir: false,
  plugins: [pdfParts, compressed],
  build: {
    outDir: join(root, "../dist/web"),
    emptyOutDir: true,
    assetsDir: "",
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    // No data: URLs: our pages' policy (CSP) allows only files.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Somebody who starts the service for the first time need not read how long each plugin took.
      checks: { pluginTimings: false },
      input: ["shell", "bridge", "early", "viewer", "versions"].map((entry) => join(root, "viewer", `${entry}.ts`))
    }
  }
})
