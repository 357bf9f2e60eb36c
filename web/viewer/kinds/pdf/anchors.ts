/** What a reader points at in a PDF, by page and words or spot, and where that is in the pages shown now. */
import { listeners } from "../../listeners.ts"
import { selectedRange } from "../../selected.ts"
import type { Marked } from "../../spots.ts"
import type { Anchor, Place, Stage } from "../../stage.ts"
import { quoted, quotedIn } from "../../text-anchor.ts"
import type { Quoted } from "../../text-anchor.ts"
import type { Engine } from "./engine.ts"
import { layerOf, pageDiv, pageRect, pageWith, spanIn, texts, wordsOf } from "./page-words.ts"
import { pageAim } from "./aim.ts"
import { boxTurned, turned } from "./spots.ts"
import type { Pinned } from "./spots.ts"

const closest = (node: Node, selector: string): HTMLElement | null =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(selector) ?? null

const pageOf = (element: HTMLElement): number => Number(element.closest<HTMLElement>(".page")?.dataset["pageNumber"] ?? 0)

export const pdfStage = (engine: Engine, container: HTMLElement, say: (text: string) => void): Stage => {
  const { events, viewer } = engine
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const moved = listeners<[]>()
  const textOf = texts(engine)
  const pin = Object.assign(document.createElement("div"), { className: "pin" })
  let pointing = false
  let pinned: Pinned | undefined
  /** The marked words, drawn again whenever their page is. */
  let marked: { readonly page: number; readonly wanted: Quoted } | undefined
  let turn = 0

  const rectOf = ({ page, ...marked }: Marked & Pinned): DOMRect | undefined => {
    const rect = pageRect(engine, page)
    const { height, width, x, y } = boxTurned(marked, viewer.pagesRotation)
    return rect && new DOMRect(rect.left + x * rect.width, rect.top + y * rect.height, width * rect.width, height * rect.height)
  }

  const drawPin = (): void => {
    const div = pinned === undefined ? undefined : pageDiv(engine, pinned.page)
    if (pinned === undefined || div === undefined) return pin.remove()
    const { x, y } = turned(pinned, viewer.pagesRotation)
    pin.style.left = `${x * 100}%`
    pin.style.top = `${y * 100}%`
    div.append(pin)
  }
  const pinTo = (where: Pinned | undefined): void => {
    pinned = where
    drawPin()
  }

  const selected = (): readonly [Range, Anchor] | undefined => {
    const range = selectedRange()
    const layer = range && closest(range.startContainer, ".page")?.querySelector<HTMLElement>(".textLayer:not([hidden])")
    if (!range || !layer || !container.contains(layer)) return undefined
    const words = wordsOf(layer)
    const whole = document.createRange()
    whole.selectNodeContents(layer)
    // In a margin, Firefox has an end of the selection beside the layer. One across pages is quoted up to the end of its first page.
    const within = (node: Node, at: number): number => words.offset(node, at) ?? (whole.comparePoint(node, at) < 0 ? 0 : words.text.length)
    const start = within(range.startContainer, range.startOffset)
    const end = within(range.endContainer, range.endOffset)
    if (words.text.slice(start, end).trim() === "") return undefined
    return [range, { path: "/", page: pageOf(layer), ...quoted(words.text, [start, end]) }]
  }

  const pinAnchor = (): Anchor | undefined => pinned && { path: "/", ...pinned }
  const capture = (): Anchor | undefined => selected()?.[1] ?? (pointing ? pinAnchor() : undefined)

  document.addEventListener("selectionchange", () => {
    const found = selected()
    // A reader who begins to write about a spot loses the selection: the pin stays.
    if (found === undefined && pinned !== undefined) return
    pinTo(undefined)
    captured.tell(found?.[1], found?.[0].getBoundingClientRect())
  })
  container.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null
    const page = target?.closest<HTMLElement>(".page")
    if (!pointing || !page || target?.closest("a, section, input, button") || selected() !== undefined) return
    const rect = page.getBoundingClientRect()
    const spot = turned({ x: (event.clientX - rect.left) / rect.width, y: (event.clientY - rect.top) / rect.height }, -viewer.pagesRotation)
    pinTo({ page: pageOf(page), ...spot })
    captured.tell(capture(), rectOf(pinned!))
  })

  const rangeIn = (layer: Element, wanted: Quoted): Range | undefined => {
    const words = wordsOf(layer)
    const span = spanIn(words.text, wanted, true)
    return span && words.range(span)
  }
  const mark = (): void => {
    const layer = marked && layerOf(engine, marked.page)
    const range = marked && layer && rangeIn(layer, marked.wanted)
    if (range === undefined) CSS.highlights?.delete("anchored")
    else CSS.highlights?.set("anchored", new Highlight(range))
  }

  const drawn = (page: number): Promise<HTMLElement> =>
    new Promise((resolve) => {
      const there = layerOf(engine, page)
      if (there !== undefined) return resolve(there)
      const listen = ({ pageNumber }: { readonly pageNumber: number }): void => {
        const layer = pageNumber === page ? layerOf(engine, page) : undefined
        if (layer === undefined) return
        events.off("textlayerrendered", listen)
        resolve(layer)
      }
      events.on("textlayerrendered", listen)
    })

  const revealWords = async (page: number, wanted: Quoted): Promise<void> => {
    const mine = ++turn
    viewer.scrollPageIntoView({ pageNumber: page })
    const layer = await drawn(page)
    if (mine !== turn) return
    marked = { page, wanted }
    mark()
    rangeIn(layer, wanted)?.startContainer.parentElement?.scrollIntoView({ block: "center", inline: "nearest" })
  }
  const revealSpot = (spot: Pinned): void => {
    turn++
    viewer.scrollPageIntoView({ pageNumber: spot.page })
    pinTo(spot)
    pin.scrollIntoView({ block: "center", inline: "nearest" })
  }
  const clear = (): void => {
    turn++
    marked = undefined
    pinTo(undefined)
    mark()
  }

  const spotPlace = (page: number, { height = 0, width = 0, x, y }: Anchor): Place => {
    if (x === undefined || y === undefined) return { top: () => pageRect(engine, page)?.top, focus: () => viewer.scrollPageIntoView({ pageNumber: page }), clear }
    const spot = () => rectOf({ page, x, y, width, height })
    return {
      top: () => spot()?.top, spot, focus: () => revealSpot({ page, x, y }), clear,
      // Posted or given up: from now on the comment's own mark stands there, or none.
      forget: () => pinned?.page === page && pinned.x === x && pinned.y === y && pinTo(undefined)
    }
  }
  const wordsPlace = (page: number, wanted: Quoted): Place => {
    let [layer, words]: [HTMLElement | undefined, Range | undefined] = [undefined, undefined]
    const range = (): Range | undefined => {
      const now = layerOf(engine, page)
      // A search takes the text nodes of a page apart, and puts them together again.
      if (now !== layer || words?.collapsed) [layer, words] = [now, now && rangeIn(now, wanted)]
      return words
    }
    return { top: () => (range()?.getBoundingClientRect() ?? pageRect(engine, page))?.top, range, focus: () => void revealWords(page, wanted), clear }
  }

  /** Looked for in vain: lost places are asked for again after each scroll, and the file does not change. */
  const missed = new WeakSet<Anchor>()
  const find = async (anchor: Anchor): Promise<Place | undefined> => {
    if (missed.has(anchor)) return undefined
    const { page } = anchor
    const wanted = quotedIn(anchor)
    const last = viewer.pagesCount
    if (wanted === undefined) return (page ?? 1) > last ? undefined : spotPlace(page ?? 1, anchor)
    const found = await pageWith(textOf, wanted, page && Math.min(page, last), last)
    if (found !== undefined) return wordsPlace(found, wanted)
    // Whoever looks at a scan quotes what its page has as no words; and a spot is one whatever its words are.
    const isByHand = wanted.prefix === undefined && wanted.suffix === undefined
    const isScan = isByHand && page !== undefined && page <= last && (await textOf(page)).trim() === ""
    if (isScan || (anchor.x !== undefined && (page ?? 1) <= last)) return spotPlace(page ?? 1, anchor)
    missed.add(anchor)
    return undefined
  }

  events.on("pagerendered", drawPin)
  events.on("rotationchanging", drawPin)
  events.on("textlayerrendered", mark)
  for (const name of ["updateviewarea", "scalechanging", "rotationchanging", "textlayerrendered"]) events.on(name, moved.tell)

  return {
    capture,
    hint: "Select some words or pick a spot to comment on it, or write below.",
    onCapture: captured.add,
    find,
    onLayout: moved.add,
    scrolled: () => container.scrollTop,
    aim: async () => {
      pinTo(undefined)
      pinTo(await pageAim(engine, container, say))
      return pinAnchor()
    },
    pointing: (on) => {
      pointing = on
      container.classList.toggle("pointing", on)
      if (on) return
      pinTo(undefined)
      captured.tell(capture(), undefined)
    }
  }
}
