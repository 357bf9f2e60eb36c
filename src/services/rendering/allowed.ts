/**
 * What an author's HTML may contain: text and its structure. Whatever is not named is removed. As a second defence, the
 * page's policy runs nothing of the author's either.
 */
import type { Options } from "rehype-sanitize"
import { SHOWN } from "../../domain/projects/documents/markdown-tags.ts"

/** Put before every id, so that none matches a name that a script looks up, or an id of the page itself. */
export const PREFIX = "md-"

const ALIGN: [string, ...Array<string>] = ["align", "left", "center", "right"]

export const allowed: Options = {
  tagNames: [...SHOWN],
  attributes: {
    "*": ["dir", "id", "lang", "title"],
    a: ["ariaDescribedBy", "ariaLabel", "dataFootnoteBackref", "dataFootnoteRef", "href", "name", ["className", "data-footnote-backref"]],
    code: [["className", /^language-./]],
    col: ["span"],
    colgroup: ["span"],
    details: ["open"],
    div: [ALIGN],
    h1: [ALIGN],
    h2: [ALIGN, ["className", "sr-only"]],
    h3: [ALIGN],
    img: ["alt", "height", "src", "width"],
    input: [["disabled", true], ["type", "checkbox"], "checked"],
    li: ["value", ["className", "task-list-item"]],
    ol: ["reversed", "start", ["className", "contains-task-list"]],
    p: [ALIGN],
    section: ["dataFootnotes", ["className", "footnotes"]],
    td: [ALIGN, "colSpan", "rowSpan"],
    th: [ALIGN, "colSpan", "rowSpan", ["scope", "row", "col", "rowgroup", "colgroup"]],
    time: ["dateTime"],
    ul: [["className", "contains-task-list"]]
  },
  ancestors: {
    caption: ["table"], col: ["table"], colgroup: ["table"], tbody: ["table"], td: ["table"], tfoot: ["table"], th: ["table"],
    thead: ["table"], tr: ["table"], dd: ["dl"], dt: ["dl"], figcaption: ["figure"], summary: ["details"]
  },
  clobber: ["ariaDescribedBy", "id", "name"],
  clobberPrefix: PREFIX,
  // links.ts decides which `data:` addresses are pictures.
  protocols: { href: ["http", "https", "mailto", "tel"], src: ["http", "https", "data"] },
  required: { input: { disabled: true, type: "checkbox" } },
  // Removed with their contents, which are not text of the document.
  strip: [
    "applet", "audio", "canvas", "embed", "frameset", "iframe", "math", "noembed", "noframes", "noscript", "object", "script",
    "select", "style", "svg", "template", "textarea", "title", "video", "xmp"
  ]
}
