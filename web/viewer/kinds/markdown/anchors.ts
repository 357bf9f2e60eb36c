/** What a reader has selected in a document, by its words and the heading they stand under, and where those are now. */
import { listeners } from "../../listeners.ts"
import { selectedIn } from "../../selected.ts"
import type { Selected } from "../../selected.ts"
import type { Anchor, Place, Stage } from "../../stage.ts"
import { findQuoted, quoted, quotedIn } from "../../text-anchor.ts"
import type { Span } from "../../text-anchor.ts"
import { textNodes } from "../../text-nodes.ts"
import { reveal } from "./reveal.ts"
import { unmarked } from "./unmarked.ts"

const HEADINGS = "h1[id],h2[id],h3[id],h4[id],h5[id],h6[id]"
const LONGEST_SELECTOR = 1_000

/** What a heading may be called in the page, where every id of the document has a prefix, by its name as links from elsewhere and anchors written by hand have it. */
export const idsOf = (name: string): ReadonlyArray<string> => [name, `md-${name}`, `md-${name.toLowerCase()}`]

const idOf = (selector: string | undefined): string | undefined => /^#(.+)$/.exec(selector ?? "")?.[1]?.replace(/\\(.)/g, "$1")

/** The diagram before whose source they stand, where that is folded. */
const foldedBy = ({ startContainer }: Range): Element | undefined => startContainer.parentElement?.closest(".diagram > pre[hidden]")?.parentElement ?? undefined

export const documentStage = (sheet: HTMLElement): Stage => {
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const moved = listeners<[]>()
  // A document no longer changes once its script has run.
  const words = textNodes(sheet)
  const headings = [...sheet.querySelectorAll(HEADINGS)]
  const begins = headings.map((heading) => words.offset(heading, 0) ?? 0)

  /** From a heading to the next one; the part before the first is a section too. */
  const section = (index: number): Span => [index < 0 ? 0 : begins[index]!, begins[index + 1] ?? words.text.length]

  const selected = (): Selected | undefined => selectedIn(words.text, words.offset)

  const anchorOf = (found: Selected | undefined): Anchor | undefined => {
    if (found === undefined) return undefined
    const [, span] = found
    const heading = headings[begins.findLastIndex((begin) => begin <= span[0])]
    const selector = heading === undefined ? "" : `#${CSS.escape(heading.id)}`
    return { path: "/", ...quoted(words.text, span), ...(selector !== "" && selector.length <= LONGEST_SELECTOR && { selector }) }
  }

  document.addEventListener("selectionchange", () => {
    const found = selected()
    captured.tell(anchorOf(found), found?.[0].getBoundingClientRect())
  })

  const placed = (range: Range): Place => ({
    top: () => (foldedBy(range) ?? range).getBoundingClientRect().top,
    focus: () => {
      const { parentElement: element } = range.startContainer
      if (element !== null) reveal(element, "center")
      CSS.highlights?.set("anchored", new Highlight(range))
    },
    clear: () => void CSS.highlights?.delete("anchored"),
    // What is folded has a place still, over the words that follow.
    range: () => foldedBy(range) === undefined ? range : undefined,
    point: (on) => void range.startContainer.parentElement?.closest(".diagram")?.classList.toggle("pointed", on)
  })

  const find = (anchor: Anchor): Place | undefined => {
    const id = idOf(anchor.selector)
    const index = (id === undefined ? [] : idsOf(id)).map((one) => headings.findIndex((heading) => heading.id === one)).find((at) => at >= 0) ?? -1
    const known = id === undefined || index >= 0
    const wanted = quotedIn(anchor)
    if (wanted === undefined) return index < 0 ? undefined : placed(words.range(section(index)))
    const here = section(index)
    const at = known ? here[0] : 0
    const said = (quote: string): Span | undefined => findQuoted(words.text, { ...wanted, quote }, { at })
    // Maybe quoted from the file itself, with its marks.
    const span = said(wanted.quote) ?? said(unmarked(wanted.quote)) ?? findQuoted(words.text, wanted, known ? { at, section: here } : {})
    return span && placed(words.range(span))
  }

  // Images arrive, notes are opened, the window changes its width.
  new ResizeObserver(() => moved.tell()).observe(sheet)

  return { capture: () => anchorOf(selected()), onCapture: captured.add, find, onLayout: moved.add }
}
