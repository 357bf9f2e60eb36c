/** An image, as an `<img>`: script inside an SVG never runs there. */
import { html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

export const imageBody: KindViewer["body"] = ({ name, raw, title }) =>
  html`<div id="table" class="table"><img id="image" src="${raw(name)}" alt="${title}" draggable="false"></div>`
