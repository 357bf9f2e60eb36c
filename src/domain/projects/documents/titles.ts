/** The title of a document: the one that its first bytes contain, else its file's name. */
import { decodeHTML } from "entities"
import { labelIn } from "../../labels/model.ts"
import { mayBeWord } from "./markdown-tags.ts"
import type { Kind } from "../model.ts"
import { decoded, encodingOfPage } from "./text-encodings.ts"

const LONGEST = 200
/** Characters read of a heading: more would cost time and be cut off. */
const READ = 1_000
/** Levels of nested markup that are removed, innermost first: emphasis in a link, a picture in a link. */
const DEEP = 4

const inHtml = (text: string): string | undefined => {
  const seen = text.replaceAll(/<(script|style)\b[^]*?(?:<\/\1|$)/gi, "").replaceAll(/<!--(?:-?>|[^]*?(?:-->|$))/g, "")
  const open = /<title(?:\s[^<>]*)?>/i.exec(seen)
  const rest = open === null ? "" : seen.slice(open.index + open[0].length)
  const end = rest.search(/<\/title/i)
  return end === -1 ? undefined : decodeHTML(rest.slice(0, end))
}

/** The `title` of a document's front matter; undefined if it has none. */
export const frontMatterTitle = (matter: string): string | undefined => {
  const said = /^title[ \t]*[:=][ \t]*(.+)$/m.exec(matter)?.[1]?.trim() ?? ""
  // The text of a YAML block scalar is on the following lines.
  const title = (/^(["'])(.*)\1$/.exec(said)?.[2] ?? said).trim()
  return title === "" || /^[|>]/.test(title) ? undefined : title
}

/** What follows the opening `#`s of a heading, without closing ones. */
export const headingIn = (rest = ""): string => rest.replace(/(?:^|[ \t])#+[ \t]*$/, "")

/** The beginning of a text, without a tag or link that would be cut in two. */
export const begun = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/<[^<>]*$/, "").replace(/!?\[[^[\]]*(?:\]\([^()]*)?$/, "")

/** The words of a heading without its markup; code and escaped characters are kept literally. */
export const words = (heading: string): string => {
  const kept: Array<string> = []
  const keep = (text: string) => `\0${kept.push(text) - 1}\0`
  let text = begun(heading, READ).replaceAll("\0", "")
    .replaceAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])/g, (_, __, code: string | undefined, sign: string) => keep(code === undefined ? sign : code.trim()))
    .replaceAll(/<([a-z][a-z0-9+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/gi, (_, address: string) => keep(address))
    .replaceAll(/\[\^[^[\]]*\]/g, "")
    .replaceAll(/<(script|style)\b[^<>]*>[^]*?<\/\1\s*>/gi, "")
  const ended = new Set([...text.matchAll(/<\/([a-z][^\s/<>]*)/gi)].map(([, name]) => name!.toLowerCase()))
  text = text.replaceAll(/<(\/?)([a-z][^\s/<>]*)([^<>]*)>/gi, (tag: string, slash: string, name: string, rest: string) =>
    slash === "" && !ended.has(name.toLowerCase()) && mayBeWord(name.toLowerCase(), rest) ? keep(tag) : "")
  for (let turn = 0; turn < DEEP; turn++) {
    text = text
      .replaceAll(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g, "$1")
      .replaceAll(/(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1/g, "$2")
      .replaceAll(/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu, "$2")
      .replaceAll(/~~(?=[^\s~])([^~]*[^\s~])~~/g, "$1")
  }
  return decodeHTML(text).replaceAll(/\0(\d+)\0/g, (_, at: string) => kept[Number(at)] ?? "")
}

/** Code, or words in brackets that may be a link by themselves. */
const SHORTCUT = /(`+)(?!`).*?(?<!`)\1(?!`)|(?<![!\\\]])\[((?:[^[\]`]|`[^`]*`)+)\](?![[(])/g
const DEFINED = /^ {0,3}\[([^\]^\n][^\]\n]{0,200})\]:/gm

/** Frees the links of a document that are named by their own words, which it defines elsewhere, of their brackets. */
export const unbracketed = (document: string): (text: string) => string => {
  const defined = new Set([...document.matchAll(DEFINED)].map(([, label]) => label!.toLowerCase()))
  return (text) => text.replaceAll(SHORTCUT, (all, _, label: string | undefined) => label !== undefined && defined.has(label.toLowerCase()) ? label : all)
}

/** The pattern that ends the code block, comment or raw HTML block that this line begins; undefined if it begins none. */
export const blockFrom = (line: string): RegExp | undefined => {
  const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)
  if (fence !== null) return new RegExp(`^ {0,3}${fence[1] ?? fence[2]}[\`~]*\\s*$`)
  const tag = /^ {0,3}<(!--|(?:script|pre|style|textarea)(?=[\s>]|$))/i.exec(line)?.[1]
  const end = tag === undefined ? undefined : tag === "!--" ? /-->/ : new RegExp(`</${tag}>`, "i")
  return end?.test(line) === true ? undefined : end
}

/** YAML may also end with dots. */
const BETWEEN_MARKS = /^(?:---[ \t]*(?:\r\n?|\n)(?:([^]*?)(?:\r\n?|\n))??(?:---|\.\.\.)|\+\+\+[ \t]*(?:\r\n?|\n)(?:([^]*?)(?:\r\n?|\n))??\+\+\+)[ \t]*(?:\r\n?|\n|$)/

/** A line of YAML that says something by a name, also where the space behind the colon is forgotten; or a whole of its own. */
const ENTRY = /^[ \t]*(?:[{%]|(?:"[^"]+"|'[^']+'|[\p{L}_$@](?:[^:#*`[\]|]|:(?=\S)){0,60}?)[ \t]*:(?:[ \t]|$)|[\p{L}_$@][\p{L}\p{N}_-]{0,40}:(?!\/\/))/u

/** `Note: this is a draft.` */
const SENTENCE = /^\p{Lu}.*[.!?]\s*$/u

/**
 * A document may as well begin with a rule and go on to another one: what begins with a heading, or with words that name nothing, is its
 * own, and so is what goes on in lines that name nothing, or is one sentence. A comment of YAML stands right behind the mark.
 */
const isYaml = (between: string): boolean => {
  const lines = between.split(/\r\n?|\n/)
  const isApart = lines[0]!.trim() === ""
  const said = lines.filter((line) => line.trim() !== "" && (isApart || !line.startsWith("#")))
  const [first = ""] = said
  const outer = said.filter((line) => /^[^\s#\])}-]/.test(line))
  const isOwn = outer.filter((line) => !ENTRY.test(line)).length * 2 >= Math.max(1, outer.length) || (said.length === 1 && SENTENCE.test(first))
  return between.trim() === "" || (ENTRY.test(first) && !isOwn)
}

export interface FrontMatter {
  readonly said: string
  /** With its marks: where the document's own text begins. */
  readonly length: number
}

/** What a Markdown document says of itself before its text. Programs put blank lines before it. */
export const frontMatterOf = (document: string): FrontMatter | undefined => {
  const from = Math.max(0, document.search(/\S/))
  if (from > 0 && !/[\r\n\ufeff]/.test(document[from - 1]!)) return undefined
  const [all, yaml = "", toml] = BETWEEN_MARKS.exec(document.slice(from)) ?? []
  return all === undefined || (toml === undefined && !isYaml(yaml)) ? undefined : { said: toml ?? yaml, length: from + all.length }
}

/** What stands in the `<h1>` that this text begins with, or its picture's words; nothing if its end is too far. */
const headingInHtml = (text: string): string => {
  const inside = /^[^>]*>([^]*?)<\/h1/i.exec(text)?.[1]?.replaceAll(/\s+/g, " ") ?? ""
  return words(inside).trim() === "" ? /<img\s[^<>]*\balt="([^"<>]*)"/i.exec(inside)?.[1] ?? "" : inside
}

const inMarkdown = (document: string): string | undefined => {
  const text = document.replaceAll(/\r\n?/g, "\n")
  const matter = frontMatterOf(text)
  const said = frontMatterTitle(matter?.said ?? "")
  if (said !== undefined) return said
  const linked = unbracketed(text)
  let end: RegExp | undefined
  let paragraph: Array<string> = []
  let isHtml = false
  let banner: string | undefined
  let next = matter?.length ?? 0
  for (const line of text.slice(next).split("\n")) {
    const at = next
    next += line.length + 1
    if (end !== undefined) {
      if (end.test(line)) end = undefined
      continue
    }
    end = blockFrom(line)
    isHtml = line.trim() !== "" && (isHtml || /^ {0,3}<[a-z/]/i.test(line))
    const own = /^ {0,3}#(?:[ \t]+(.*))?$/.exec(line)
    // HTML right above a heading is a banner, the same above many documents.
    if (banner !== undefined && own === null && line.trim() !== "") return banner
    const tag = isHtml ? line.search(/<h1[\s>]/i) : -1
    let heading = ""
    if (own !== null) heading = headingIn(own[1])
    else if (tag !== -1) heading = headingInHtml(text.slice(at + tag, at + tag + READ))
    else if (/^ {0,3}=+[ \t]*$/.test(line)) heading = paragraph.join(" ")
    const title = heading.trim() === "" ? "" : labelIn(words(linked(heading.trim())), LONGEST)
    if (title !== "" && tag === -1) return title
    if (title !== "") banner = title
    // A setext heading does not begin with a list, a quote or another heading; indented lines are code.
    const breaks = line.trim() === "" || end !== undefined || own !== null || /^ {0,3}(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|(?:[-_*][ \t]*){3,}$|<!--)/.test(line)
    if (breaks) paragraph = []
    else if (paragraph.length > 0 || !/^(?: {4}| {0,3}\t)/.test(line)) paragraph.push(line.trim())
  }
  return banner
}

/** Decodes the beginning of a document; a page may name its encoding in its head. `type`: the Content-Type. */
export const textOf = (kind: Kind, head: Uint8Array, type: string, beginning = head): string =>
  decoded(beginning, type, { stream: true, otherwise: kind === "site" ? encodingOfPage(head) : undefined })

/** `type`: the Content-Type. */
export const titleIn = (kind: Kind, head: Uint8Array, type: string): string | undefined => {
  if (kind !== "site" && kind !== "markdown") return undefined
  const text = textOf(kind, head, type)
  const title = labelIn((kind === "site" ? inHtml(text) : inMarkdown(text)) ?? "", LONGEST)
  return title === "" ? undefined : title
}

/** Names that programs and we ourselves give, and that say nothing of the content. */
const SAYS_NOTHING = /^(?:index|readme|document|file|text|data|image|video|pasted|untitled|stdin|download|site)$/i

/** `path`: the file's; undefined if its name says nothing. */
export const titleOfName = (path: string): string | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[a-z0-9]{1,10}$/i, "")
  const title = labelIn(name, LONGEST)
  return title === "" || SAYS_NOTHING.test(title) ? undefined : title
}
