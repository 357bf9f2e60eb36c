/**
 * The files of its own project that a page loads or links to, or that a Markdown shows, each found in one pass over the text. What
 * scripts and styles name is not looked for.
 */
import { decodeHTML } from "entities"
import { pathFault } from "../file-paths.ts"
import { attributesIn, behind, elementEnd, NAME, tagEnd } from "./html-tags.ts"
import { blockFrom, frontMatterOf } from "./titles.ts"

interface Name {
  readonly address: string
  /** A link is followed only on purpose. */
  readonly isLink: boolean
}

/** Where elements name files. */
const NAMING: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries({
  a: "href", area: "href", audio: "src", embed: "src", iframe: "src", img: "src srcset", input: "src", link: "href", object: "data",
  script: "src", source: "src srcset", track: "src", video: "poster src"
}).map(([tag, names]) => [tag, new Set(names.split(" "))]))

/** Elements whose content is text to browsers that run scripts. */
const TEXT = new Set(["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"])

/** Links to what a page needs; others, such as icons and canonical addresses, change nothing that a reader sees. */
const LOADS = /(?:^|\s)(?:stylesheet|modulepreload)(?:\s|$)/i

/** A set of pictures names each with a width or a density behind it. */
const inSet = (set: string): ReadonlyArray<string> => set.split(/,\s/).map((one) => one.trim().split(/\s/, 1)[0]!)

function* namesOfTag(tag: string, attributes: string): Generator<Name> {
  const found = [...attributesIn(attributes)]
  if (tag === "link" && !found.some(([name, value]) => name === "rel" && LOADS.test(value))) return
  for (const [name, value] of found) {
    if (NAMING.get(tag)?.has(name) !== true || value.startsWith("data:")) continue
    for (const address of name === "srcset" ? inSet(value) : [value]) yield { address: decodeHTML(address), isLink: tag === "a" || tag === "area" }
  }
}

/** Each tag that names files, and that of a base address. */
function* tagsOf(html: string): Generator<readonly [tag: string, attributes: string]> {
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    NAME.lastIndex = at + 1
    const tag = NAME.exec(html)?.[0].toLowerCase()
    if (tag === undefined) {
      at = html.startsWith("<!--", at) ? behind(html, "-->", at + 2) : at + 1
      continue
    }
    const end = tagEnd(html, NAME.lastIndex)
    if (tag === "base" || NAMING.has(tag)) yield [tag, html.slice(NAME.lastIndex, end)]
    at = TEXT.has(tag) ? elementEnd(html, tag, end) : end
  }
}

/** How far the end of a code span is looked for: backticks may stand alone. */
const SPAN = 1_000

/** A Markdown without its front matter, code and comments. */
const prose = (document: string): string => {
  const text = document.replaceAll(/\r\n?/g, "\n")
  let end: RegExp | undefined
  const lines: Array<string> = []
  for (const line of text.slice(frontMatterOf(text)?.length ?? 0).split("\n")) {
    if (end !== undefined) {
      if (end.test(line)) end = undefined
      continue
    }
    end = blockFrom(line)
    if (end === undefined) lines.push(line)
  }
  const all = lines.join("\n")
  let kept = ""
  let at = 0
  for (const { 0: ticks, index } of all.matchAll(/`+/g)) {
    if (index < at) continue
    const from = index + ticks.length
    const close = all.slice(from, from + SPAN).search(new RegExp(`(?<!\`)${ticks}(?!\`)`))
    if (close === -1) continue
    kept += all.slice(at, index)
    at = from + close + ticks.length
  }
  return kept + all.slice(at)
}

/** A name that is given to an address, at the beginning of a line. */
const DEFINED = /^ {0,3}\[([^[\]\n]{1,500})\]:[ \t]*(?:<([^<>\n]*)>|(\S+))/gm
const BRACKET = /\\[^]|!\[|[[\]]/g
/** What follows the words of a picture: where it lies, or the name of that. Neither reads over a bracket, so nothing is read twice. */
const PLACE = /\([ \t\n]*(?:<([^<>\n]*)>|([^\s<>[\]]+))/y
const REFERENCE = /\[([^[\]\n]*)\]/y
const LABEL = 500

/** Without what stands behind its last parenthesis. */
const balanced = (place: string): string => {
  let depth = 0
  for (let at = 0; at < place.length; at++) {
    if (place[at] === "(") depth++
    else if (place[at] === ")" && --depth < 0) return place.slice(0, at)
  }
  return place
}

function* picturesOf(text: string): Generator<string> {
  const defined = new Map([...text.matchAll(DEFINED)].toReversed().map(([, label, quoted, plain]) => [label!.trim().toLowerCase(), quoted ?? plain!]))
  const open: Array<{ readonly isPicture: boolean; readonly from: number }> = []
  for (const { 0: sign, index } of text.matchAll(BRACKET)) {
    const next = index + sign.length
    if (sign === "[" || sign === "![") open.push({ isPicture: sign === "![", from: next })
    const words = sign === "]" ? open.pop() : undefined
    if (words?.isPicture !== true) continue
    PLACE.lastIndex = REFERENCE.lastIndex = next
    const [place, quoted, plain] = PLACE.exec(text) ?? []
    if (place !== undefined) yield quoted ?? balanced(plain!)
    else if (defined.size > 0 && index - words.from <= LABEL) {
      const address = defined.get((REFERENCE.exec(text)?.[1] || text.slice(words.from, index)).trim().toLowerCase())
      if (address !== undefined) yield address
    }
  }
}

/** Addresses that are looked at: one element may name tens of thousands. */
const MOST = 5_000
/** Every address is read behind its base: so many characters of that, over and over. */
const READ_AGAIN = 500_000

/** What a page's base address says, and what it names. */
const inPage = (html: string): { readonly base: string | undefined; readonly names: ReadonlyArray<Name> } => {
  let base: string | undefined
  const names = tagsOf(html).flatMap(([tag, attributes]) => {
    if (tag !== "base") return namesOfTag(tag, attributes)
    base ??= attributesIn(attributes).find(([name]) => name === "href")?.[1]
    return []
  }).take(MOST).toArray()
  return { base: base && decodeHTML(base), names }
}

const inMarkdown = (document: string): ReadonlyArray<Name> => {
  const text = prose(document)
  const addresses = picturesOf(text).take(MOST).map((address) => decodeHTML(address.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")))
  const tags = tagsOf(text).filter(([tag]) => tag === "img").flatMap(([tag, attributes]) => namesOfTag(tag, attributes)).take(MOST)
  return [...addresses.map((address) => ({ address, isLink: false })), ...tags]
}

/** Stands for the project's own host, which no address can name. */
const HERE = "https://project.invalid/"

const urlOf = (address: string, base?: string) => URL.canParse(address, base) ? new URL(address, base) : undefined

/** What templates leave for scripts to fill in. */
const FILLED_IN = /[{}]|<%/

/** A link without an ending may be answered by the page's own script. */
const NAMES_FILE = /\.[a-z0-9]{1,8}(?:[?#]|$)/i

/** Undefined where it leads elsewhere, or nowhere. What lies on the author's own disk stays as it is. */
const pathOf = ({ address, isLink }: Name, base: string): string | undefined => {
  const url = FILLED_IN.test(address) || isLink && !NAMES_FILE.test(address) ? undefined : urlOf(address, base)
  if (url === undefined) return undefined
  if (url.protocol === "file:" || /^[a-z]:$/.test(url.protocol)) return address
  if (!url.href.startsWith(HERE)) return undefined
  try {
    const path = decodeURIComponent(url.pathname.slice(1)).normalize("NFC")
    return pathFault(path) === undefined ? path : undefined
  } catch {
    return undefined
  }
}

/** The paths that a document names, in the order in which it does. `from`: its own. */
export const pathsNamed = (kind: "markdown" | "site", text: string, from: string): ReadonlySet<string> => {
  const own = HERE + from.split("/").map(encodeURIComponent).join("/")
  const { base = "", names } = kind === "site" ? inPage(text) : { names: inMarkdown(text) }
  const to = urlOf(base, own)?.href ?? own
  const addresses = new Map(names.map((name) => [name.address, name]))
  const paths = new Set(addresses.values().take(Math.ceil(READ_AGAIN / to.length)).map((name) => pathOf(name, to)).filter((path) => path !== undefined))
  paths.delete(from)
  return paths
}
