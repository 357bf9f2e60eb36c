/**
 * Stars beside Chinese, Japanese and Korean, which puts no spaces between words. CommonMark takes punctuation before a closing star for
 * the beginning of what follows, unless that is a space: `**注意：**这是` and `**a(b)**는` would keep their stars. Here signs of
 * these scripts count as letters, their punctuation too, and other punctuation beside them does not tell.
 */
import { attention } from "micromark-core-commonmark"
import type { Code as Sign, Construct, Extension } from "micromark-util-types"
import type { Plugin } from "unified"

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3001-\u303f\u30fb\u30fc\uff01-\uff60\uffe0-\uffee]/u

const isUnspaced = (sign: Sign): boolean => sign !== null && sign > 0 && UNSPACED.test(String.fromCodePoint(sign))

/** Ends of lines, and of the text, too. */
const isSpace = (sign: Sign): boolean => sign === null || sign < 0 || /\s/u.test(String.fromCodePoint(sign))

const stars: Construct = {
  ...attention,
  tokenize(effects, ok, nok) {
    const { previous } = this
    return attention.tokenize.call(this, effects, (sign) => {
      if (isUnspaced(previous) || isUnspaced(sign)) {
        const token = this.events.at(-1)![1]
        token._open = !isSpace(sign)
        token._close = !isSpace(previous)
      }
      return ok(sign)
    }, nok)
  }
}

const emphasis: Extension = { text: { ["*".charCodeAt(0)]: stars } }

export const emphasisWithoutSpaces: Plugin = function() {
  const data = this.data()
  data.micromarkExtensions = [...data.micromarkExtensions ?? [], emphasis]
}
