/**
 * Formulas are found as GitHub finds them: between two lines of `$$`, in a line, `$x_1$`, and over lines, `$$\begin{aligned}`. As
 * Markdown they would lose their lines, stars and backslashes. Of lines only those of one paragraph count, so that a stray `$$`
 * changes nothing, and no price is ever one. Here they become code, as those of brackets.ts do; mathml.ts draws them.
 */
import type { Extension as FromMarkdown } from "mdast-util-from-markdown"
import type { Code as Sign, Construct, Effects, Extension, State } from "micromark-util-types"
import type { Plugin } from "unified"
import type { Code, Nodes, Paragraph, PhrasingContent, Root } from "mdast"
import { everyParent } from "./markdown-tree.ts"

const DOLLARS = /^[ \t]*\$\$[ \t]*$/

/** The formulas of a paragraph as they stand in the source; what its list or quote puts before each line is left out. */
const written = ({ position }: Paragraph, source: string): ReadonlyArray<string> => {
  const { end, start } = position!
  const text = source.slice(start.offset, end.offset)
  if (!text.includes("$$")) return []
  const before = new RegExp(`^[ \\t>]{0,${start.column - 1}}`)
  const lines = text.split(/\r?\n/).map((line, at) => at === 0 ? line : line.replace(before, ""))
  const dollars = [...lines.keys()].filter((at) => DOLLARS.test(lines[at]!))
  return dollars.length % 2 === 1 ? [] : dollars.flatMap((from, at) => at % 2 === 0 ? [lines.slice(from, dollars[at + 1]! + 1).join("\n")] : [])
}

/** A paragraph's words and formulas by turns; undefined unless each of its formulas is found among its words. */
const parted = (paragraph: Paragraph, formulas: ReadonlyArray<string>): ReadonlyArray<Paragraph | Code> | undefined => {
  const parts: Array<Array<PhrasingContent>> = [[]]
  for (const child of paragraph.children) {
    if (child.type !== "text") parts.at(-1)!.push(child)
    else {
      child.value.split(/(?:^|\r?\n)\$\$(?=\r?\n|$)/).forEach((value, at) => {
        if (at > 0) parts.push([])
        const words = at > 0 ? value.replace(/^\r?\n/, "") : value
        if (words !== "") parts.at(-1)!.push({ type: "text", value: words })
      })
    }
  }
  if (parts.length !== 2 * formulas.length + 1) return undefined
  return parts.flatMap((children, at): ReadonlyArray<Paragraph | Code> =>
    at % 2 === 1 ? [{ type: "code", lang: "math", value: formulas[(at - 1) / 2]! }] : children.length === 0 ? [] : [{ type: "paragraph", children }])
}

export const keepFormulas = (root: Root, source: string): void => {
  everyParent(root, (parent) => {
    const children = (parent.children as ReadonlyArray<Nodes>).flatMap((child): ReadonlyArray<Nodes> => {
      const formulas = child.type === "paragraph" ? written(child, source) : []
      return child.type === "paragraph" && formulas.length > 0 ? parted(child, formulas) ?? [child] : [child]
    })
    parent.children = children as never
  })
}

export const BACKSLASH = "\\".charCodeAt(0)
const [DOLLAR, TICK, STAR, LESS, SLASH, CLOSED, OPENED] = [..."$`*</]("].map((sign) => sign.charCodeAt(0))

/** Characters of a formula in a line, and of one that has lines. */
const MOST = 500
const MOST_IN_LINES = 4_000

const isGap = (sign: Sign): boolean => sign === null || sign <= 32
const isWord = (sign: Sign): boolean => sign === DOLLAR || (sign !== null && sign > 0 && /[\p{L}\p{N}]/u.test(String.fromCodePoint(sign)))

/** What begins or ends other markup: a formula that would reach over it is none. */
export const isMarkup = (last: Sign, sign: Sign): boolean =>
  sign === TICK || (last === CLOSED && sign === OPENED) || (last === STAR && sign === STAR) || (last === LESS && sign === SLASH)

declare module "micromark-util-types" {
  interface TokenTypeMap {
    readonly formula: "formula"
    /** A line of a formula with several: the parser asks that every line of a paragraph begins something. */
    readonly formulaLine: "formulaLine"
  }
}

/** From a line of a formula to its next one, by the sign between them. */
export const nextLine = (effects: Effects, sign: Sign): void => {
  effects.exit("formulaLine")
  effects.enter("lineEnding")
  effects.consume(sign)
  effects.exit("lineEnding")
  effects.enter("formulaLine")
}

/** Between two dollars each side, a formula may have lines of its own where it has a command, as in `$$\begin{aligned}`. */
const inLine: Construct = {
  name: "formula",
  tokenize(effects, ok, nok) {
    const { previous } = this
    let [opened, closed, length] = [0, 0, 0]
    let [hasCommand, hasLines, isBetweenLines, isLineBegun] = [false, false, false, false]
    let last: Sign = null
    const inside: State = (sign) => {
      if (sign === null || ++length > (hasLines ? MOST_IN_LINES : MOST) || isMarkup(last, sign)) return nok(sign)
      if (sign < -2) return line(sign)
      // Between two lines of dollars it is the paragraph's, above.
      if (sign === DOLLAR) return (opened === 1 ? isGap(last) : isBetweenLines && !isLineBegun) ? nok(sign) : close(sign)
      isLineBegun ||= !isGap(sign)
      effects.consume(sign)
      last = sign
      return sign === BACKSLASH ? escaped : inside
    }
    const line: State = (sign) => {
      if (opened === 1) return nok(sign)
      isBetweenLines ||= last === null
      hasLines = true
      isLineBegun = false
      nextLine(effects, sign)
      last = sign
      return inside
    }
    const escaped: State = (sign) => {
      if (sign === null) return nok(sign)
      if (sign < -2) return line(sign)
      hasCommand ||= sign > 0 && /[a-z]/i.test(String.fromCodePoint(sign))
      effects.consume(sign)
      last = sign
      return inside
    }
    const close: State = (sign) => {
      if (closed < opened) {
        if (sign !== DOLLAR) return nok(sign)
        closed++
        effects.consume(sign)
        return close
      }
      if (isWord(sign) || (hasLines && !hasCommand)) return nok(sign)
      effects.exit("formulaLine")
      effects.exit("formula")
      return ok(sign)
    }
    const open: State = (sign) => {
      if (sign === DOLLAR && opened < 2) {
        opened++
        effects.consume(sign)
        return open
      }
      return sign === DOLLAR || (opened === 1 && isGap(sign)) ? nok(sign) : inside(sign)
    }
    return (sign) => {
      if (isWord(previous)) return nok(sign)
      effects.enter("formula")
      effects.enter("formulaLine")
      return open(sign)
    }
  }
}

const formulas: Extension = { text: { [DOLLAR!]: inLine } }

/** The class of a formula in a line, its dollars or brackets included. */
export const FORMULA = "language-formula"

const asCode: FromMarkdown = {
  enter: {
    formula(token) {
      // Without what its list or quote puts before each line.
      const written = this.sliceSerialize(token).replaceAll(/\r?\n[ \t>]*/g, "\n")
      // In a table only an escaped bar is one.
      const value = this.data.inTable === true ? written.replaceAll("\\|", "|") : written
      this.enter({ type: "inlineCode", value, data: { hProperties: { className: [FORMULA] } } }, token)
    }
  },
  exit: {
    formula(token) {
      this.exit(token)
    }
  }
}

export const formulasInLines: Plugin = function() {
  const data = this.data()
  data.micromarkExtensions = [...data.micromarkExtensions ?? [], formulas]
  data.fromMarkdownExtensions = [...data.fromMarkdownExtensions ?? [], asCode]
}
