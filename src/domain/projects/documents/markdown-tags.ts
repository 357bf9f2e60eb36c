/** Tags in Markdown: which elements a document is shown with, and which tags are words, as in `Array<Object>` or "the <nav> of a page". */

/** Whatever is not named here is removed from a document. */
export const SHOWN = [
  "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl",
  "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "li", "mark",
  "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table",
  "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr"
]

/** Elements without an end. */
export const VOID: ReadonlySet<string> = new Set(["area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "keygen", "link", "meta", "param", "source", "track", "wbr"])

/** Old ways to set words, whose end may stand anywhere: these tags are never words. */
const SETTING = new Set(["big", "center", "font", "nobr", "picture"])

const shown = new Set(SHOWN)

/** Whether what stands behind a tag's name is nothing. */
const isBare = (rest: string): boolean => /^\s*\/?\s*$/.test(rest)

/** Or further words, as in `<your name>` and `<T extends U>`: with values, it was meant as HTML. */
const isWords = (rest: string): boolean => /^(?:\s+[\p{L}\p{N}_:.-]+)+\s*$/u.test(rest)

/** Whether a tag among words is one of them, unless something closes it. `name`: in lower case. */
export const mayBeWord = (name: string, rest: string): boolean =>
  name === "input" ? isBare(rest) : (isBare(rest) || isWords(rest)) && !(shown.has(name) || VOID.has(name) || SETTING.has(name))
