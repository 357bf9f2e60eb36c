/** The words of an HTML page without scripts and styles, one line per block, in a single pass over its characters. */
import { decodeHTML } from "entities"
import { behind, elementEnd, NAME, tagEnd } from "./html-tags.ts"

/** Characters of one block; more are never shown. */
const LONGEST = 1_000

/** Elements that are not read: scripts, drawings, form fields, and navigation, which is the same on every page. */
const PASSED_OVER = new Set(["iframe", "nav", "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "title"])

const BLOCKS = new Set(
  "address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol option p pre section summary table tr ul".split(" ")
)

/** Inline elements that separate words. An opening tag right after a closing one separates words, too. */
const APART = new Set(["button", "img", "input", "label", "td", "th", "video"])

/** `onMain`: called before the lines of the page's main part, or of its first heading. */
export function* linesOfHtml(html: string, onMain: () => void): Generator<string> {
  let line = ""
  let at = 0
  let closed = -1
  while (at < html.length) {
    const open = html.indexOf("<", at)
    const end = open === -1 ? html.length : open
    if (end > at && line.length < LONGEST) line += decodeHTML(html.slice(at, end).replaceAll(/\s+/g, " ").slice(0, LONGEST))
    if (end === html.length) break
    const closing = html[end + 1] === "/"
    NAME.lastIndex = end + (closing ? 2 : 1)
    const name = NAME.exec(html)?.[0].toLowerCase()
    if (name === undefined) {
      const next = html[end + 1]
      at = html.startsWith("<!--", end) ? behind(html, "-->", end + 2) : next === "!" || next === "?" || closing ? behind(html, ">", end) : end + 1
      if (at === end + 1) line += "<"
      continue
    }
    at = tagEnd(html, NAME.lastIndex)
    if (APART.has(name) || (!closing && closed === end)) line += " "
    if (closing) closed = at
    if (BLOCKS.has(name) || name === "main") {
      yield line
      line = ""
    }
    if ((name === "main" || name === "h1") && !closing) onMain()
    // Of the skipped elements, only `svg` may be self-closing.
    if (!closing && PASSED_OVER.has(name) && !(name === "svg" && html[at - 2] === "/")) at = elementEnd(html, name, at)
  }
  yield line
}
