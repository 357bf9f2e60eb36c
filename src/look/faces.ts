/** The two typefaces, self-hosted: read once at start, served on every host under `/_svc/assets/`. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { BuiltFile } from "./built.ts"

export const assetsPath = "/_svc/assets/"

const require = createRequire(import.meta.url)

/** The name contains its hash, as those of built files do, so an answer may be cached for ever. */
const face = (family: string): { readonly name: string; readonly file: BuiltFile } => {
  const identity = readFileSync(require.resolve(`@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`))
  const hash = createHash("sha256").update(identity).digest("hex")
  return { name: `${family}-${hash.slice(0, 10)}.woff2`, file: { bytes: { identity }, type: "font/woff2", etag: `"${hash.slice(0, 32)}"` } }
}

const ui = face("instrument-sans")
const mono = face("geist-mono")

export const faces: ReadonlyMap<string, BuiltFile> = new Map([[ui.name, ui.file], [mono.name, mono.file]])

export const uiFaceUrl = assetsPath + ui.name

const latin = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD"

/** The fallback fonts get the metrics of the typefaces (widths and heights relative to Arial's, DejaVu's where that is all there is, and Courier New's), so nothing jumps. */
export const facesCss = [
  `@font-face{font-family:"Svc Sans";src:url(${uiFaceUrl}) format("woff2");font-weight:400 700;font-display:swap;unicode-range:${latin}}`,
  `@font-face{font-family:"Svc Mono";src:url(${assetsPath}${mono.name}) format("woff2");font-weight:100 900;font-display:swap;unicode-range:${latin}}`,
  `@font-face{font-family:"Svc Sans Fallback";src:local("Arial"),local("Liberation Sans"),local("Helvetica");size-adjust:103.9%;ascent-override:93.4%;descent-override:24.1%;line-gap-override:0%}`,
  `@font-face{font-family:"Svc Sans Fallback Wide";src:local("DejaVu Sans"),local("Bitstream Vera Sans");size-adjust:90.2%;ascent-override:107.6%;descent-override:27.8%;line-gap-override:0%}`,
  `@font-face{font-family:"Svc Mono Fallback";src:local("Courier New"),local("Liberation Mono"),local("Cousine"),local("DejaVu Sans Mono");ascent-override:100.5%;descent-override:29.5%;line-gap-override:0%}`,
  `:root{--ui:"Svc Sans","Svc Sans Fallback","Svc Sans Fallback Wide",system-ui,sans-serif;--mono:"Svc Mono","Svc Mono Fallback",ui-monospace,monospace}`
].join("")
