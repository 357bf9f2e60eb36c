/** The words of a Markdown document without its markup, one line per heading, paragraph and item; a lazy generator. */
import { begun, blockFrom, frontMatterOf, headingIn, unbracketed, words } from "./titles.ts"

/** Characters of one line, and of one paragraph; more are never shown. */
const LONGEST = 1_000
/** Lines that are looked at: a document may have nothing else than empty headings. */
const MOST = 4_000

/** The address may lack its closing bracket: a `data:` picture is longer than the part of the line that is read. */
const PICTURE = /!\[[^[\]]*\](?:\([^()]*(?:\)|$)|\[[^[\]]*\])?/g

/** One that stands apart: without TeX between them, two dollars are words. */
const FORMULA = /\$\$(?=[^$]*[\\^_{}=])[^$]+\$\$|\\\[[^]*?\\\]/g

const wordsIn = (text: string): string => {
  const seen = words(text.replaceAll(PICTURE, "").replaceAll(FORMULA, "…"))
  return seen.trim() === "…" ? "" : seen
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/
const ITEM = /^[ \t]*(?:[-+*]|(\d{1,9}[.)]))[ \t]+(?:\[[ xX]\][ \t]+)?/
/** The line under a heading or a table's header, or a thematic break. */
const RULE = /^ {0,3}(?:=+|(?:[-_*][ \t]*){2,}|\|?[ \t]*:?-[-:| \t]*)$/
/** The definition of a link or a footnote. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/
/** The line of a quote that makes it an alert on GitHub. */
export const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*$/i

/** A line without any words. */
const TAGS_ALONE = /^\s*(?:<\/?(?!pre\b|script\b|style\b|textarea\b)[a-z][^<>]*>\s*)+$/i

const cells = (row: string): string => row.trim().replace(/^\|/, "").replace(/\|$/, "").split("|").map((cell) => cell.trim()).filter((cell) => cell !== "").join(" · ")

/** Whether a paragraph of HTML ends within a tag, which the next line continues. */
const endsInTag = (paragraph: string): boolean => {
  const open = paragraph.lastIndexOf("<")
  return paragraph.trimStart().startsWith("<") && open > paragraph.lastIndexOf(">") && /^<\/?[a-z]/i.test(paragraph.slice(open, open + 3))
}

export function* linesOfMarkdown(document: string): Generator<string> {
  const text = document.replaceAll(/\r\n?/g, "\n")
  const linked = unbracketed(text)
  const proseIn = (prose: string): string => wordsIn(linked(prose))
  let end: RegExp | undefined
  let paragraph = ""
  let quoted = false
  let table = false
  let at = frontMatterOf(text)?.length ?? 0
  for (let lines = 0; at < text.length && lines < MOST; lines++) {
    const next = text.indexOf("\n", at)
    // A backslash at the end breaks the line.
    const line = begun(text.slice(at, Math.min(next === -1 ? text.length : next, at + 2 * LONGEST)), LONGEST).trimEnd().replace(/(?<!\\)\\$/, "")
    at = next === -1 ? text.length : next + 1
    if (end !== undefined) {
      if (end.test(line.trimStart())) end = undefined
      continue
    }
    if (line !== "" && endsInTag(paragraph)) {
      if (paragraph.length < LONGEST) paragraph += ` ${line.trim()}`
      continue
    }
    if (TAGS_ALONE.test(line)) continue
    // In a list, code is indented.
    end = blockFrom(line.trimStart())
    const prose = line.replace(/^[ \t]*(?:>[ \t]?)+/, "")
    const heading = HEADING.exec(prose)
    const item = ITEM.exec(prose)
    // The line under a table's header shows that it is one: rows need no pipe at their ends.
    const header = RULE.test(prose) && prose.includes("|") && quoted === (prose !== line)
    if (header && paragraph.includes("|")) paragraph = cells(paragraph)
    table = header || (table && quoted === (prose !== line))
    const row = /^\s*\|/.test(prose) || table
    const silent = end !== undefined || prose === "" || /^[ \t]*(?:```|~~~|<!--)/.test(line) || RULE.test(prose) || DEFINITION.test(prose) || (prose !== line && ALERT.test(prose))
    if (silent || heading !== null || item !== null || row || quoted !== (prose !== line)) {
      if (paragraph !== "") yield proseIn(paragraph)
      paragraph = ""
    }
    quoted = prose !== line
    table &&= header || (!silent && heading === null && item === null)
    if (silent) continue
    if (heading !== null) yield proseIn(headingIn(heading[1]))
    else if (row && item === null) yield proseIn(cells(prose))
    else if (item !== null) paragraph = `${item[1] ?? "•"} ${prose.slice(item[0].length)}`
    else if (paragraph.length < LONGEST) paragraph += ` ${prose}`
  }
  yield proseIn(paragraph)
}
