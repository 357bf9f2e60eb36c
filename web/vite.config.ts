/** The build of what runs on the hosts of projects: hashed names, a manifest, and each file compressed once, here. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { defineConfig } from "vite"
import type { Plugin } from "vite"
import { compressed } from "./compressed.ts"

const root = import.meta.dirname

const pdfjs = join(root, "../node_modules/pdfjs-dist")
const { version } = JSON.parse(readFileSync(join(pdfjs, "package.json"), "utf8"))

/**
 * What a PDF may turn out to need: the reader itself, the fonts that PDFs take for granted, characters of Asian encodings,
 * and decoders of rare images. Asked for by their own names, so it is the folder's name that tells one version from another.
 */
const pdfParts: Plugin = {
  name: "pdf-parts",
  buildStart() {
    const within = (folder: string, wanted: RegExp) =>
      readdirSync(join(pdfjs, folder)).filter((name) => wanted.test(name)).map((name) => join(pdfjs, folder, name))
    const files = [
      join(pdfjs, "build/pdf.worker.min.mjs"),
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
    // No data: addresses: our pages' policy names files alone.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ["shell", "bridge", "early", "viewer", "versions"].map((entry) => join(root, "viewer", `${entry}.ts`))
    }
  }
})
