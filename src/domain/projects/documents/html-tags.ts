/** Where the tags of an HTML page begin and end, as far as reading its words and names needs it. */

/** A tag's name. */
export const NAME = /[a-z][^\s/>]*/iy

/** The position after the tag whose name ends at `from`; a `>` inside quotes does not end it. */
export const tagEnd = (html: string, from: number): number => {
  let quote = ""
  for (let at = from; at < html.length; at++) {
    const sign = html[at]!
    if (quote !== "") quote = sign === quote ? "" : quote
    else if (sign === ">") return at + 1
    else if ((sign === "\"" || sign === "'") && html[at - 1] === "=") quote = sign
  }
  return html.length
}

/** The position after `mark`; the end of the text if it is missing, as in browsers. */
export const behind = (html: string, mark: string, from: number): number => {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** The position after the closing tag. The element is skipped as a whole, so that no character is read twice. */
export const elementEnd = (html: string, name: string, from: number): number => {
  const close = new RegExp(`</${name}(?=[\\s/>])`, "gi")
  close.lastIndex = from
  const found = close.exec(html)
  return found === null ? html.length : tagEnd(html, found.index + found[0].length)
}

const APART = /[\s/]*/y
const LABEL = /[^\s/>=]+/y
const IS = /\s*=\s*/y
const BARE = /[^\s>]*/y

const sticky = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The attributes in a tag that have a value, entities as they are. `tag`: from behind its name to its end. */
export function* attributesIn(tag: string): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < tag.length;) {
    at += sticky(APART, tag, at)!.length
    const name = sticky(LABEL, tag, at)
    if (name === undefined) {
      at++
      continue
    }
    at += name.length
    const is = sticky(IS, tag, at)
    if (is === undefined) continue
    at += is.length
    const quote = tag[at]
    const isQuoted = quote === "\"" || quote === "'"
    const close = isQuoted ? tag.indexOf(quote, at + 1) : at + sticky(BARE, tag, at)!.length
    const end = close === -1 ? tag.length : close
    yield [name.toLowerCase(), tag.slice(isQuoted ? at + 1 : at, end)]
    at = isQuoted ? end + 1 : end
  }
}
