/** In a framed page: finds and tints the words that are commented on, and tells the shell where they are as they move. */
import { isTyping } from "./browser-keys.ts"
import type { FromBridge, FromShell, Selected } from "./messages.ts"
import { isSimple } from "./selectors.ts"
import { findQuoted } from "./text-anchor.ts"
import type { Span } from "./text-anchor.ts"
import { textNodes } from "./text-nodes.ts"

/** The comments' own keys, as the shell knows them. */
const KEYS = new Set(["c", "C", "[", "]", "Escape"])
/** The shell reads at most this many places of a message. */
const MOST = 1_000
/** Longer texts are not searched: the page is the author's and must stay fast. */
const LONGEST = 3_000_000
/** How long the page must stand still before words are looked for, or has not done so. */
const QUIET_MS = 400
const LATEST_MS = 2_000
/** Words that are not there are looked for again after twice as long each time: a clock or a carousel changes the page for ever. */
const AGAIN_MS = 250
const SELDOM_MS = 60_000

const style = "::highlight(svc-commented), ::highlight(svc-comment-pointed) { background: color-mix(in srgb, #E2AE57 32%, transparent) }"

/** All of it; what has no words, such as a picture, is held itself. */
const around = (element: Element): Range => {
  const range = document.createRange()
  if ((element.textContent ?? "").trim() === "") range.selectNode(element)
  else range.selectNodeContents(element)
  return range
}

/** Where a range begins. */
const beginOf = ({ startContainer: node, startOffset }: Range): Element | null => {
  const child = node instanceof Element ? node.childNodes[startOffset] : undefined
  return child instanceof Element ? child : node instanceof Element ? node : node.parentElement
}

const elementAt = (selector: string): Element | null => {
  try {
    return isSimple(selector) ? document.querySelector(selector) : null
  } catch {
    return null
  }
}

interface Wanted {
  readonly selected: Selected
  range: Range | undefined
  /** What the range holds; where it holds something else by now, it is looked for again. */
  words: string
  misses: number
  /** Not looked for before this time, nor while the page is as it was. */
  again: number
  seen: number
}

/** An element may say something else by now. */
const isHeld = ({ range, selected, words }: Wanted): boolean => range?.collapsed === false && (selected.quote === "" || range.toString() === words)

/** The words' box; where they are folded away, that of the nearest element around them that is shown. */
const boxOf = (range: Range): DOMRect | undefined => {
  let at: Range | Element | null = range
  for (let out = beginOf(range); at !== null && at.getClientRects().length === 0; out = out?.parentElement ?? null) at = out
  return at?.getBoundingClientRect()
}

const isEnough = ({ id, selected }: Extract<FromShell, { svc: "find" }>): boolean =>
  typeof id === "string" && [selected?.quote, selected?.prefix, selected?.suffix, selected?.selector].every((one) => typeof one === "string" && one.length <= 2_000)

export const watchMarks = (shell: string, say: (message: FromBridge) => void): void => {
  const marks = new Map<string, Wanted>()
  let pointed: string | undefined
  let styled = false
  let waiting: ReturnType<typeof setTimeout> | undefined
  let due: number | undefined
  /** How often the page has changed. */
  let changes = 0
  let telling = false

  const tint = (): void => {
    if (!styled) {
      styled = true
      // An adopted sheet adds no element to the author's document and is not subject to its policy (CSP).
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(style)
      document.adoptedStyleSheets.push(sheet)
    }
    const ranges = [...marks.values()].flatMap(({ range }) => range ?? [])
    CSS.highlights?.set("svc-commented", new Highlight(...ranges))
    const range = pointed === undefined ? undefined : marks.get(pointed)?.range
    CSS.highlights?.set("svc-comment-pointed", new Highlight(...(range === undefined ? [] : [range])))
  }
  /** Ids of marks that have not been looked for yet. */
  const fresh = new Set<string>()
  const tell = (): void => {
    if (telling || (marks.size === 0 && getSelection()?.isCollapsed !== false)) return
    telling = true
    requestAnimationFrame(() => {
      telling = false
      say({
        svc: "places", scrolled: scrollY,
        // Words just taken out of the page (their range collapsed) are looked for again before their place is reported.
        places: [...marks].filter(([id, { range }]) => !fresh.has(id) && range?.collapsed !== true).map(([id, { range }]) => {
          const { left, top } = (range && boxOf(range)) ?? { left: 0, top: null }
          return [id, top, left] as const
        })
      })
    })
  }
  /** Searches the whole page, preferring the element they were in if it still exists. */
  const locate = (ids: Iterable<string>): void => {
    const whole = textNodes(document.body)
    for (const id of ids) {
      const mark = marks.get(id)
      if (mark === undefined) continue
      const { quote, selector } = mark.selected
      const home = elementAt(selector)
      const start = home === null || home === document.documentElement ? undefined : whole.offset(home, 0)
      const section: Span | undefined = start === undefined ? undefined : [start, start + (home!.textContent ?? "").length]
      if (quote === "") {
        // Whoever writes an anchor by hand may name an element and quote nothing.
        mark.range = home !== null && document.body.contains(home) ? around(home) : undefined
      } else {
        const found = whole.text.length > LONGEST ? undefined : findQuoted(whole.text, mark.selected, section === undefined ? {} : { at: section[0], section })
        mark.range = found && whole.range(found)
      }
      mark.words = mark.range?.toString() ?? ""
      mark.misses = mark.range === undefined ? mark.misses + 1 : 0
      mark.again = mark.range === undefined ? performance.now() + Math.min(SELDOM_MS, AGAIN_MS * 2 ** mark.misses) : 0
      mark.seen = changes
    }
    tint()
    tell()
  }

  /** After changes of the page: for what they took away, and for what they may have brought. */
  const look = (): void => {
    due = undefined
    const now = performance.now()
    const lost = [...marks].filter(([, mark]) => mark.seen !== changes && !isHeld(mark))
    const [soon, later] = [lost.filter(([, { again }]) => again <= now), lost.filter(([, { again }]) => again > now)]
    if (soon.length > 0) locate(soon.map(([id]) => id))
    else tell()
    if (later.length > 0) waiting = setTimeout(look, Math.min(...later.map(([, { again }]) => again)) - now)
  }

  const find = (message: Extract<FromShell, { svc: "find" }>): void => {
    if (!isEnough(message) || marks.size >= MOST) return
    const { id, selected } = message
    marks.set(id, { selected, range: undefined, words: "", misses: 0, again: 0, seen: changes })
    fresh.add(id)
    if (fresh.size === 1) {
      setTimeout(() => {
        locate(fresh)
        fresh.clear()
      })
    }
  }
  const focus = (id: string): void => {
    const range = marks.get(id)?.range
    const element = range && beginOf(range)
    for (let at = element; at != null; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    element?.scrollIntoView({ block: "center", behavior: still ? "instant" : "smooth" })
  }

  addEventListener("message", ({ data, origin, source }: MessageEvent<FromShell | null>) => {
    if (source !== window.parent || origin !== shell || data === null) return
    if (data.svc === "find") find(data)
    else if (data.svc === "forget") {
      marks.delete(data.id)
      tint()
    } else if (data.svc === "focus") focus(data.id)
    else if (data.svc === "point") {
      pointed = data.on ? data.id : pointed === data.id ? undefined : pointed
      tint()
    }
  })

  addEventListener("scroll", tell, { capture: true, passive: true })
  addEventListener("resize", tell)
  // Content that loads late or is folded away moves the words below it.
  new ResizeObserver(tell).observe(document.body)
  new MutationObserver(() => {
    changes++
    if (marks.size === 0) return
    const now = performance.now()
    due ??= now + LATEST_MS
    clearTimeout(waiting)
    waiting = setTimeout(look, Math.max(0, Math.min(QUIET_MS, due - now)))
  }).observe(document.body, { childList: true, characterData: true, subtree: true })

  addEventListener("click", ({ clientX: x, clientY: y, defaultPrevented, target }) => {
    if (defaultPrevented || getSelection()?.isCollapsed === false || (target instanceof Element && target.closest("a,button,input,select,textarea,summary") !== null)) return
    const hit = [...marks].filter(([, { range }]) => range !== undefined && [...range.getClientRects()].some(({ bottom, left, right, top }) => x >= left && x <= right && y >= top && y <= bottom))
      .sort((a, b) => a[1].words.length - b[1].words.length)[0]
    if (hit !== undefined) say({ svc: "pick", id: hit[0] })
  })
  // Leaves alone the keys that the author's own handlers have handled.
  addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, defaultPrevented, key, metaKey } = event
    if (!event.isTrusted || defaultPrevented || altKey || ctrlKey || metaKey || isTyping(event) || !KEYS.has(key)) return
    say({ svc: "key", key })
  })
}
