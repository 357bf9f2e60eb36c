/** A text as it is: whole up to half a megabyte, beyond that its beginning; the script then fetches the rest. */
import { withoutCodes } from "../../../domain/projects/documents/terminal-codes.ts"
import { decoded } from "../../../domain/projects/documents/text-encodings.ts"
import { html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

const INLINE = 512 * 1024
const BEGINNING = 64 * 1024

/** Whose lines are words: those of code run from the left, whatever they say. */
const PROSE = /^[^.]*$|\.te?xt$/i

const upToLine = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1) || text

export const textBody: KindViewer["body"] = async ({ bytes, name, raw, type }, read) => {
  const whole = bytes <= INLINE
  const written = decoded(await read(whole ? bytes : BEGINNING), type, { stream: true })
  // Without script there is nothing to draw their colours.
  const text = withoutCodes(written)
  if (whole && text.trim() === "") return html``
  const shown = whole ? text : upToLine(text)
  const digits = whole ? String(shown.split("\n").length).length : 6
  // The parser drops the first line break after <pre>.
  return html`<div id="text" class="sheet text" data-digits="${Math.max(2, digits)}"${whole ? null : html` data-beginning`}${text === written ? null : html` data-coloured`}${PROSE.test(name) ? html` data-prose` : null} lang="" tabindex="0" role="document" aria-label="${name}"><pre>
${shown}</pre></div>${
    whole ? null : html`<p class="note" id="rest">This is the beginning. <a href="${raw(name)}">Open the whole text</a></p>`
  }`
}
