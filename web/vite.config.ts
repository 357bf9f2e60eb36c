/** Builds what runs on project hosts: hashed file names, a manifest, and each file compressed at build time. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { defineConfig } from "vite"
import type { Plugin } from "vite"
import { compressed } from "./compressed.ts"

const root = import.meta.dirname

const pdfjs = join(root, "../node_modules/pdfjs-dist")
const mermaid = join(root, "../node_modules/mermaid")
const versionOf = (folder: string): string => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version

/** The files of a folder of a package. */
const within = (folder: string, wanted: RegExp): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => wanted.test(name)).map((name) => join(folder, name))

/**
 * What a PDF may need: pdf.js's worker, the fonts that PDFs take for granted, Asian character encodings, and decoders
 * of rare image formats. pdf.js asks for them by their own names, so the folder's name carries the version.
 */
const pdfParts: Plugin = {
  name: "pdf-parts",
  buildStart() {
    const version = versionOf(pdfjs)
    const files = [
      join(pdfjs, "legacy/build/pdf.worker.min.mjs"),
      ...within(join(pdfjs, "standard_fonts"), /\.(?:ttf|pfb)$/),
      ...within(join(pdfjs, "cmaps"), /\.bcmap$/),
      ...within(join(pdfjs, "wasm"), /^(?:jbig2|openjpeg|qcms_bg)\.wasm$/),
      ...within(join(pdfjs, "iccs"), /\.icc$/),
      ...within(join(pdfjs, "web/images"), /^annotation-.*\.svg$/)
    ]
    for (const file of files) {
      const name = basename(file).replace(/\.mjs$/, ".js")
      this.emitFile({ type: "asset", name, originalFileName: `pdfjs/${name}`, fileName: `pdfjs-${version}/${name}`, source: readFileSync(file) })
    }
  }
}

/** What draws diagrams, as its package ships it: it is minified, in parts that name each other, and building it anew takes longer than all the rest. */
const diagramParts: Plugin = {
  name: "diagram-parts",
  buildStart() {
    const dist = join(mermaid, "dist")
    const folder = `mermaid-${versionOf(mermaid)}`
    for (const file of [join(dist, "mermaid.esm.min.mjs"), ...within(join(dist, "chunks/mermaid.esm.min"), /\.mjs$/)]) {
      this.emitFile({ type: "asset", name: basename(file), originalFileName: `mermaid/${basename(file)}`, fileName: `${folder}/${relative(dist, file)}`, source: readFileSync(file) })
    }
  }
}

/**
 * Small parts that several pages need, in few files. What the bridge needs, which comes with every page of an author's, is in none with
 * what it does not need; so is what the shell needs.
 */
const together = [
  { name: "browser-keys", test: /\/viewer\/browser-keys\.ts$/ },
  { name: "words", test: /\/viewer\/text-(?:anchor|nodes)\.ts$/ },
  { name: "frame", test: /\/viewer\/(?:listeners|notices|pages)\.ts$|preload-helper/ },
  { name: "page", test: /\/viewer\/(?:clipboard|kept-open|keys|selected|stage|text-size|theme|tools)\.ts$|\/look\/icons\.ts$|\/ui\/apart\.ts$/ }
]

export default defineConfig({
  root,
  base: "/_svc/assets/",
  publicDir: false,
  plugins: [pdfParts, diagramParts, compressed],
  build: {
    outDir: join(root, "../dist/web"),
    emptyOutDir: true,
    assetsDir: "",
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    // No data: URLs: our pages' policy (CSP) allows only files.
    assetsInlineLimit: 0,
    // A grammar is as long as it is.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ moduleIds }) => moduleIds.some((id) => id.includes("/@shikijs/langs/")) ? "grammars/[name]-[hash].js" : "[name]-[hash].js",
        codeSplitting: { groups: together.map((group, index) => ({ ...group, priority: together.length - index })) }
      },
      // Somebody who starts the service for the first time need not read how long each plugin took.
      checks: { pluginTimings: false },
      input: ["shell", "bridge", "early", "viewer", "versions", "diagrams"].map((entry) => join(root, "viewer", `${entry}.ts`))
    }
  }
})
