/** Excerpts: the beginning of a document in plain words, shown on its card in the library. */
import { cut, labelIn, shown } from "../../labels/model.ts"
import { dialectOf, rowsOf } from "./delimited.ts"
import { linesOfHtml } from "./html-words.ts"
import { indented } from "./indented.ts"
import { linesOfMarkdown } from "./markdown-words.ts"
import type { Kind } from "../model.ts"
import { withoutCodes } from "./terminal-codes.ts"
import { textOf } from "./titles.ts"

const LONGEST = 400
const LINES = 14
/** Characters read of one line, before the remaining room is known. */
const READ = 2 * LONGEST
/** Bytes read of a document: many pages begin with styles of this length; other kinds need less. */
export const BEGINNING = 64 * 1024
/** Bytes in which a page names its encoding. */
const NAMED = 1024
/** Characters of a line of code, and of a cell, that fit on a card. */
const WIDE = 60
const CELL = 20
const ROWS = 10
const COLUMNS = 4
/** What stands before an item of a list, or nothing. */
const MARK_ALONE = /^(?:•|\d{1,9}[.)]?)?$/

/** A line as it is written, indentation included. */
const setLine = (line: string): string =>
  shown(cut(line, READ).toWellFormed().replaceAll("\t", "  ").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "")).trimEnd()

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const next = text.indexOf("\n", at)
    yield text.slice(at, next === -1 ? text.length : next)
    at = next === -1 ? text.length : next + 1
  }
}

function* proseOf(lines: Iterable<string>): Generator<string> {
  for (const line of lines) {
    const words = labelIn(line, READ)
    if (words !== "" && words !== "•") yield words
  }
}

/** The words of a page from its first heading or its main part on, if it has one: what comes before is the same on every page. */
const wordsOfPage = (html: string): ReadonlyArray<string> => {
  const before: Array<string> = []
  const main: Array<string> = []
  let lines = before
  for (const line of proseOf(linesOfHtml(html, () => lines = main))) {
    if (lines.length < LINES) lines.push(line)
    if (main.length === LINES) break
  }
  return main.length > 0 ? main : before
}

/** Collapses blank lines into one, and drops those before the first word. */
function* setOf(lines: Iterable<string>, wide: number): Generator<string> {
  let blank = true
  for (const line of lines) {
    const set = line.trim() === "" ? "" : cut(setLine(line), wide)
    if (set !== "" || !blank) yield set
    blank = set === ""
  }
}

/** JSON in one line is indented; other JSON stays as it is. */
const jsonOf = (text: string): string => text.trimEnd().indexOf("\n") === -1 ? indented(text) : text

function* rowsIn(text: string): Generator<string> {
  const { delimiter, start } = dialectOf(text)
  for (const row of rowsOf(text.slice(start), delimiter, ROWS)) {
    const cells = row.slice(0, COLUMNS).map((cell) => cut(labelIn(cell, READ), CELL))
    if (cells.some((cell) => cell !== "")) yield cells.join("\t")
  }
}

const READERS: Partial<Record<Kind, (text: string, type: string) => Iterable<string>>> = {
  site: wordsOfPage,
  markdown: (text) => proseOf(linesOfMarkdown(text)),
  text: (text) => setOf(linesOf(withoutCodes(text)), READ),
  data: (text, type) => /csv/i.test(type) ? rowsIn(text) : setOf(linesOf(/ndjson/i.test(type) ? text : jsonOf(text)), WIDE)
}

/** `beginning`: the document's first bytes, as many as are available. `type`: its Content-Type. Null if it has no words. */
export const excerptIn = (kind: Kind, beginning: Uint8Array, type: string): string | null => {
  const read = READERS[kind]
  if (read === undefined) return null
  const bytes = beginning.subarray(0, BEGINNING)
  const lines: Array<string> = []
  let left = LONGEST
  for (const line of read(textOf(kind, bytes.subarray(0, NAMED), type, bytes), type)) {
    const part = line.length > left ? cut(line, left - 1).trimEnd() : line
    // An item of which nothing fits but its mark says nothing.
    if (part !== line && MARK_ALONE.test(part)) break
    lines.push(part === line ? line : `${part}…`)
    left -= line.length + 1
    if (left <= 1 || lines.length === LINES) break
  }
  const excerpt = lines.join("\n").trimEnd()
  return excerpt === "" ? null : excerpt
}
