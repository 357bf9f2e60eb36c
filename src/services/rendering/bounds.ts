/**
 * Limits how deep a document nests, and how many delimiters of one paragraph may pair up; those beyond are plain characters.
 * The parser has no such limits, and its time grows with the square of their number.
 */
import { blockQuote, list } from "micromark-core-commonmark"
import type { Construct, Effects, Extension, TokenizeContext } from "micromark-util-types"
import type { Plugin } from "unified"

/** No quote and no list item begins beyond this column, which limits how deep they nest. */
const COLUMN = 100

const IN_PARAGRAPH = 2_000

/** Replaces the construct, also where it continues itself on the next line. */
const shallow = (construct: Construct): Construct => {
  const own: Construct = {
    ...construct,
    name: `shallow ${construct.name}`,
    tokenize(effects, ok, nok) {
      return this.now().column > COLUMN ? nok : construct.tokenize.call(this, effects, ok, nok)
    },
    continuation: {
      tokenize(effects, ok, nok) {
        const attempt: Effects["attempt"] = (next, ...ways) => effects.attempt(next === construct ? own : next, ...ways)
        return construct.continuation!.tokenize.call(this, { ...effects, attempt }, ok, nok)
      }
    }
  }
  return own
}

const met = new WeakMap<TokenizeContext, number>()

/** Takes the character before any other construct does. */
const literal: Construct = {
  name: "literal",
  tokenize(effects, ok, nok) {
    return (sign) => {
      const count = (met.get(this) ?? 0) + 1
      met.set(this, count)
      if (count <= IN_PARAGRAPH) return nok(sign)
      effects.enter("data")
      effects.consume(sign)
      effects.exit("data")
      return ok
    }
  }
}

const each = (signs: string, construct: Construct) => Object.fromEntries([...signs].map((sign) => [sign.charCodeAt(0), construct]))

const bounds: Extension = {
  disable: { null: [blockQuote.name!, list.name!] },
  document: { ...each("*+-0123456789", shallow(list)), ...each(">", shallow(blockQuote)) },
  text: each("*_~[]!<", literal)
}

/** Must be added after all other extensions, so that it is asked first. */
export const bounded: Plugin = function() {
  const data = this.data()
  data.micromarkExtensions = [...data.micromarkExtensions ?? [], bounds]
}
