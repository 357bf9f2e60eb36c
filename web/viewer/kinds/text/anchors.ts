/** What a reader has selected in a text, by line and words, and where those are in the text shown now. */
import { withoutCodes } from "../../../../src/domain/projects/documents/terminal-codes.ts"
import { listeners } from "../../listeners.ts"
import { selectedIn } from "../../selected.ts"
import type { Selected } from "../../selected.ts"
import type { Anchor, Place, Stage } from "../../stage.ts"
import { agreement, exact, findQuoted, quoted, quotedIn } from "../../text-anchor.ts"
import type { Quoted, Span } from "../../text-anchor.ts"
import { lineAt, offsetOf, wordsOf } from "./lines.ts"
import type { Sheet } from "./sheet.ts"

/** Within this many characters of its line a quote is looked for first, and a changed one only there; one that stands unchanged elsewhere is preferred, unless less around it is the same. */
const AROUND = 20_000

/** In longer texts, words that are spaced or written otherwise are looked for only around their line. */
const LONGEST = 3_000_000

/** Whoever quotes a terminal's output from the file itself may quote its codes too. */
const inWords = ({ prefix, quote, suffix }: Quoted): Quoted => ({
  quote: withoutCodes(quote), ...(prefix !== undefined && { prefix: withoutCodes(prefix) }), ...(suffix !== undefined && { suffix: withoutCodes(suffix) })
})

export const located = (text: string, said: Quoted, near: number): Span | undefined => {
  const wanted = inWords(said)
  const from = Math.max(0, near - AROUND)
  const about = text.slice(from, near + AROUND)
  const within = (span: Span | undefined): Span | undefined => span && [span[0] + from, span[1] + from]
  const same = within(exact(about, wanted, near - from))
  if (same !== undefined) return same
  const changed = within(findQuoted(about, wanted, { at: near - from, section: [0, about.length] }))
  const away = text.length > LONGEST ? exact(text, wanted, near) : findQuoted(text, wanted, { at: near })
  if (changed === undefined || away === undefined) return changed ?? away
  const agrees = ([start, end]: Span): number => agreement(text.slice(0, start), text.slice(end), wanted)
  return agrees(changed) > agrees(away) ? changed : away
}

/** `rest`: resolves once the whole text is here, undefined from then on; rejects where it will not be. */
export const textStage = (sheet: Sheet, rest: () => Promise<void> | undefined): Stage => {
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()

  const selected = (): Selected | undefined => selectedIn(sheet.text(), sheet.offset)

  const anchorOf = (found: Selected | undefined): Anchor | undefined => {
    if (found === undefined) return undefined
    const [, span] = found
    const text = sheet.text()
    return { path: "/", line: lineAt(text, sheet.blocks(), span[0]), ...quoted(text, span) }
  }

  document.addEventListener("selectionchange", () => {
    const found = selected()
    captured.tell(anchorOf(found), found?.[0].getBoundingClientRect())
  })

  // Copied without line numbers, and with the text's own line breaks only.
  sheet.element.addEventListener("copy", (event) => {
    const found = selected()
    if (found === undefined) return
    event.preventDefault()
    event.clipboardData?.setData("text/plain", sheet.text().slice(...found[1]))
  })

  /** The text in which a place was looked for in vain: it is asked for again after each scroll, and may be long. */
  const missed = new WeakMap<Anchor, string>()
  const placeOf = (anchor: Anchor): Place | undefined => {
    const { line } = anchor
    const wanted = quotedIn(anchor)
    const text = sheet.text()
    if (missed.get(anchor) === text) return undefined
    const near = line === undefined ? 0 : offsetOf(text, sheet.blocks(), line)
    const span: Span | undefined = wanted !== undefined
      ? located(text, wanted, near)
      : line === undefined ? undefined : wordsOf(text, sheet.blocks(), line)
    if (span === undefined) {
      missed.set(anchor, text)
      return undefined
    }
    return {
      top: () => sheet.range(...span).getBoundingClientRect().top,
      focus: () => {
        sheet.reveal(span[0])
        CSS.highlights?.set("anchored", new Highlight(sheet.range(...span)))
      },
      clear: () => void CSS.highlights?.delete("anchored"),
      range: () => sheet.range(...span)
    }
  }

  /** What lies beyond the beginning that is here would be found at other words like it. */
  const find = (anchor: Anchor): Place | undefined | Promise<Place | undefined> => {
    const waiting = rest()
    const isHere = () => anchor.line !== undefined && anchor.line < lineAt(sheet.text(), sheet.blocks(), sheet.text().length)
    if (waiting === undefined || isHere()) return placeOf(anchor)
    return waiting.then(() => placeOf(anchor), (missing) => {
      const place = anchor.line === undefined || isHere() ? placeOf(anchor) : undefined
      if (place === undefined) throw missing
      return place
    })
  }

  return { capture: () => anchorOf(selected()), onCapture: captured.add, find, onLayout: sheet.onLayout }
}
