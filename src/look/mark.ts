/** The mark: a sheet standing on a desk, drawn in one line; and the favicon made from it. */
import { html, trusted } from "./html.ts"
import type { Html } from "./html.ts"
import { dark, light } from "./tokens.ts"

/** The sheet with its folded corner, the desk's edge, and one written line, in a 24 by 24 box. */
const strokes = (accent: string): string =>
  `<path d="M5.5 20V4.5a2 2 0 0 1 2-2h5.8l5.2 5.2V20M13.3 2.5v5.2h5.2M2 20.2h20"/><path d="M9.2 14h5.6" ${accent}/>`

const pen = `fill="none" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"`

export const mark = (size: number): Html =>
  html`<svg class="mark" width="${size}" height="${size}" viewBox="0 0 24 24" stroke="currentColor" ${trusted(pen)} aria-hidden="true">${
    trusted(strokes(`class="accent-stroke"`))
  }</svg>`

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${pen}><style>svg{stroke:${light.ink}}.a{stroke:${light.accent}}`
  + `@media (prefers-color-scheme:dark){svg{stroke:${dark.ink}}.a{stroke:${dark.accent}}}</style>${strokes(`class="a"`)}</svg>`

/** A data: address, so that no page requests `/favicon.ico` from a project's host, where that path belongs to the author. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(icon)}`
