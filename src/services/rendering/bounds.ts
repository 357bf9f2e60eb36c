/**
 * How deep a document nests, and how many signs of one paragraph may pair up: what comes beyond stands there as the sign that
 * it is. The parser has no such bounds, and takes the square of their number.
 */
import { blockQuote, list } from "micromark-core-commonmark"
import type { Construct, Effects, Extension, TokenizeContext } from "micromark-util-types"
import type { Plugin } from "unified"

/** No quote and no list item begins behind this column, so that they nest less deep. */
const COLUMN = 100

const IN_PARAGRAPH = 2_000

/** Stands for the construct, also where that one goes on with itself on the next line. */
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

/** Takes the sign before any construct does. */
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

/** Comes after every other one, so that it is asked first. */
export const bounded: Plugin = function() {
  const data = this.data()
  data.micromarkExtensions = [...data.micromarkExtensions ?? [], bounds]
}
