/** The words of a page as one text: from its text layer once that is drawn, before that from the document. Both read the same. */
import { agreement, findQuoted, isReplaced } from "../../text-anchor.ts"
import type { Quoted, Span } from "../../text-anchor.ts"
import { textNodes } from "../../text-nodes.ts"
import type { TextNodes } from "../../text-nodes.ts"
import type { Engine } from "./engine.ts"

/** Pages on either side of its own that are searched for words no longer on it. */
const ABOUT = 12

export const pageDiv = ({ viewer }: Engine, page: number): HTMLElement | undefined => viewer.getPageView(page - 1)?.div

export const pageRect = (engine: Engine, page: number): DOMRect | undefined => pageDiv(engine, page)?.getBoundingClientRect()

export const layerOf = (engine: Engine, page: number): HTMLElement | undefined =>
  pageDiv(engine, page)?.querySelector<HTMLElement>(".textLayer:not([hidden])") ?? undefined

export const wordsOf = (layer: Element): TextNodes => textNodes(layer, true)

/** On its own page the quote may have changed a little; elsewhere it must be the same. */
export const spanIn = (text: string, wanted: Quoted, own: boolean): Span | undefined =>
  findQuoted(text, wanted, own ? { section: [0, text.length] } : {})

export type TextOf = (page: number) => Promise<string>

/** Reads each page once. */
export const texts = ({ pdf }: Engine): TextOf => {
  const kept = new Map<number, Promise<string>>()
  const read = async (page: number): Promise<string> => {
    const { items } = await (await pdf.getPage(page)).getTextContent({ disableNormalization: true })
    return items.map((item) => "str" in item ? item.str + (item.hasEOL ? "\n" : "") : "").join("")
  }
  return (page) => {
    const text = kept.get(page) ?? read(page).catch(() => "")
    kept.set(page, text)
    return text
  }
}

/** Its own page and those around it, the nearest first; all of them where it was quoted by hand, maybe with the number that is printed on the page. */
const pagesAbout = (own: number | undefined, last: number, byHand: boolean): ReadonlyArray<number> => {
  const pages = Array.from({ length: last }, (_, index) => index + 1)
  const sorted = own === undefined ? pages : pages.sort((a, b) => Math.abs(a - own) - Math.abs(b - own))
  return own === undefined || byHand ? sorted : sorted.slice(0, 2 * ABOUT + 1)
}

/**
 * Of the pages that have the words, the one where most around them is the same; of equals, the nearest. Where its own has other words in
 * their place, only one that has all of it; where nothing is known of what was around them, its own has them changed only if no page has them as they were.
 */
export const pageWith = async (textOf: TextOf, wanted: Quoted, own: number | undefined, last: number): Promise<number | undefined> => {
  const { prefix = "", suffix = "" } = wanted
  const whole = prefix.length + suffix.length
  let isOther = false
  let changed: number | undefined
  let best: { readonly page: number; readonly agrees: number; readonly isOne: boolean } | undefined
  for (const page of pagesAbout(own, last, whole === 0)) {
    const text = await textOf(page)
    const span = spanIn(text, wanted, page === own)
    if (span === undefined && page === own) isOther = isReplaced(text, wanted)
    if (span === undefined) continue
    if (whole === 0 && page === own && spanIn(text, wanted, false) === undefined) {
      changed = page
      continue
    }
    const agrees = agreement(text.slice(0, span[0]), text.slice(span[1]), wanted)
    if (agrees === whole && !isOther) return page
    if (best === undefined || agrees > best.agrees) best = { page, agrees, isOne: true }
    else if (agrees === best.agrees) best = { ...best, isOne: false }
  }
  return isOther && (best?.agrees !== whole || !best.isOne) ? undefined : best?.page ?? changed
}
