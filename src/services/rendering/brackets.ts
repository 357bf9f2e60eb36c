/**
 * Formulas in TeX's own brackets, `\(x_1\)` and `\[E = mc^2\]`, as language models write them. To Markdown those are brackets
 * that are no markup, so they stay brackets unless what they enclose reads as TeX. A single letter or number between them is a
 * formula where the document has another one that can be nothing else.
 */
import type { Code as Sign, Construct, Extension, State } from "micromark-util-types"
import type { InlineCode, Nodes, Root } from "mdast"
import type { Plugin } from "unified"
import { BACKSLASH, isMarkup, nextLine } from "./formulas.ts"
import { everyParent } from "./markdown-tree.ts"

const [ROUND, SQUARE, POWERED] = [..."([^"].map((sign) => sign.charCodeAt(0))
const ENDS: Readonly<Record<number, number>> = { [ROUND!]: ")".charCodeAt(0), [SQUARE!]: "]".charCodeAt(0) }

/** Characters of one formula: those between square brackets have lines of their own. */
const MOST: Readonly<Record<number, number>> = { [ROUND!]: 500, [SQUARE!]: 4_000 }

/** A power, and an index of one letter. Words between underscores are emphasis. */
const POWER = /(?:^|[\p{L}\p{M}\p{N}\p{Sm})\]}'])(?:\^| \^ )[\p{L}\p{N}\p{Sm}{(*-]/u
const INDEX = /(?<![\p{L}\p{N}]{2})(?<=[\p{L}\p{M}\p{N}\p{Sm})\]}'])_[\p{L}\p{N}\p{Sm}{(*-]/u

/** A command, a power or an index, but no address and nobody who is cited. What a backslash keeps from being markup, as converters write `\_` and `\\`, is none of them. */
const isTex = (tex: string): boolean => {
  const bare = tex.trim().replaceAll(/\\[^a-z]/gi, ")")
  return /\\/.test(bare) || ((POWER.test(bare) || INDEX.test(bare)) && !/:\/\/|@/.test(bare))
}

/** A relation between letters. */
const isRelation = (tex: string): boolean => /(?<!\\)[=<>]/.test(tex) && !/\p{L}{2}|[#%&~]|\*[^*]+\*/u.test(tex)

/** With lines of its own between brackets that stand alone: no converter breaks a line there. */
const isSetApart = (tex: string): boolean => /^\s*?\n[^]*\n\s*$/.test(tex) && /[=<>]/.test(tex)

/** What may be an aside as well, `\(a\)`: without a word in it, nor anything that Markdown would read. */
const isPerhapsTex = (tex: string): boolean => /^[\p{L}\p{N} ,.()'+\-/|!]+$/u.test(tex) && /[\p{L}\p{N}]/u.test(tex) && !/\p{L}{2}/u.test(tex)

/** The `s` of `file\(s\)` is none of it. */
const isLetter = (sign: Sign): boolean => sign !== null && sign > 0 && /\p{L}/u.test(String.fromCodePoint(sign))

const bracketed: Construct = {
  name: "bracketed formula",
  tokenize(effects, ok, nok) {
    const { events, previous } = this
    /** Whether it begins a line, as what has lines of its own does. */
    const isFirst = previous === null || events.at(-1)?.[1].type.startsWith("line") === true
    let [opened, length] = [0, 0]
    let last: Sign = null
    let tex = ""
    const inside: State = (sign) => {
      if (sign === null || ++length > MOST[opened]! || isMarkup(last, sign)) return nok(sign)
      // A footnote whose brackets are no markup.
      if (opened === SQUARE && last === null && sign === POWERED) return nok(sign)
      if (sign < -2) return line(sign)
      effects.consume(sign)
      last = sign
      if (sign === BACKSLASH) return escaped
      tex += sign < 0 ? " " : String.fromCodePoint(sign)
      return inside
    }
    const line: State = (sign) => {
      if (opened === ROUND) return nok(sign)
      nextLine(effects, sign)
      last = sign
      tex += "\n"
      return inside
    }
    const escaped: State = (sign) => {
      if (sign === ENDS[opened]) return end(sign)
      if (sign === null || sign < -2 || sign === ROUND || sign === SQUARE) return nok(sign)
      effects.consume(sign)
      last = sign
      tex += `\\${sign < 0 ? " " : String.fromCodePoint(sign)}`
      return inside
    }
    const end: State = (sign) => {
      const inRound = () => isRelation(tex) || (isPerhapsTex(tex) && !isLetter(previous))
      const inSquare = () => isFirst && (isSetApart(tex) || (isRelation(tex) && !/^[=<>]/.test(tex.trim())))
      if (!isTex(tex) && !(opened === ROUND ? inRound() : inSquare())) return nok(sign)
      effects.consume(sign)
      return closed
    }
    // A link's words whose brackets are no markup.
    const closed: State = (sign) => {
      if (opened === SQUARE && sign === ROUND) return nok(sign)
      effects.exit("formulaLine")
      effects.exit("formula")
      return ok(sign)
    }
    const open: State = (sign) => {
      if (sign !== ROUND && sign !== SQUARE) return nok(sign)
      opened = sign
      effects.consume(sign)
      return inside
    }
    return (sign) => {
      effects.enter("formula")
      effects.enter("formulaLine")
      effects.consume(sign)
      return open
    }
  }
}

const brackets: Extension = { text: { [BACKSLASH]: bracketed } }

/** Beside `formulasInLines`, which makes code of what this finds. */
export const formulasInBrackets: Plugin = function() {
  const data = this.data()
  data.micromarkExtensions = [...data.micromarkExtensions ?? [], brackets]
}

/** A formula as formulas.ts keeps it; code that an author marked as such has no data. */
const isFormula = (node: Nodes | undefined): node is InlineCode => node?.type === "inlineCode" && node.data !== undefined

const isPerhaps = ({ value }: InlineCode): boolean => value.startsWith("\\(") && isPerhapsTex(value.slice(2, -2))

/** What may be no formula is words again if no other one in the document must be; one in square brackets that is alone has lines of its own. */
export const settleBrackets = (root: Root): void => {
  const perhaps: Array<InlineCode> = []
  let isSure = false
  everyParent(root, (parent) => {
    for (const [at, child] of parent.children.entries()) {
      const alone = child.type === "paragraph" && child.children.length === 1 ? child.children[0] : undefined
      if (isFormula(alone) && alone.value.startsWith("\\[")) parent.children[at] = { type: "code", lang: "math", value: alone.value }
      else if (!isFormula(child) && !(child.type === "code" && child.lang === "math")) continue
      else if (isFormula(child) && isPerhaps(child)) {
        perhaps.push(child)
        continue
      }
      isSure = true
    }
  })
  if (!isSure) for (const one of perhaps) Object.assign(one, { type: "text", value: `(${one.value.slice(2, -2)})`, data: undefined })
}
