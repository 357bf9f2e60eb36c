/**
 * Tildes of ranges, as in `5~10` and `3시~5시`. GitHub strikes through what stands between two single tildes, and so would one range
 * with all up to the next. A tilde behind a letter or digit and before a digit is one of words; two in a row are markup wherever they stand.
 */
import type { Code as Sign, Construct, Extension } from "micromark-util-types"
import type { Plugin } from "unified"

const is = (pattern: RegExp, sign: Sign): boolean => sign !== null && sign > 0 && pattern.test(String.fromCodePoint(sign))

const inRange: Construct = {
  name: "range",
  tokenize(effects, ok, nok) {
    const { previous } = this
    return (sign) => {
      if (!is(/[\p{L}\p{N}]/u, previous)) return nok(sign)
      effects.enter("data")
      effects.consume(sign)
      effects.exit("data")
      return (next) => is(/\p{N}/u, next) ? ok(next) : nok(next)
    }
  }
}

const tildes: Extension = { text: { ["~".charCodeAt(0)]: inRange } }

export const tildesOfRanges: Plugin = function() {
  const data = this.data()
  data.micromarkExtensions = [...data.micromarkExtensions ?? [], tildes]
}
