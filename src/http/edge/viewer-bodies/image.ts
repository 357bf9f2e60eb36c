/** An image, as an `<img>`: script inside an SVG never runs there. */
import { html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

export const imageBody: KindViewer["body"] = ({ shown, title }) =>
  html`<div id="table" class="table"><img id="image" src="${shown}" alt="${title}" draggable="false"></div>`
