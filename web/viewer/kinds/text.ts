/** The text viewer: numbered lines with their own addresses, search, and texts as long as a browser can hold. */
import "./code.css"
import "./text.css"
import { clip } from "../clipboard.ts"
import type { OpenKind } from "../stage.ts"
import { Newer } from "../ranges.ts"
import { tool } from "../tools.ts"
import { textStage } from "./text/anchors.ts"
import { fetchText, MOST } from "./text/fetching.ts"
import { grammarOf } from "./text/grammars.ts"
import { finder } from "./text/finder.ts"
import { lineAt, normal, offsetOf } from "./text/lines.ts"
import { makeSheet } from "./text/sheet.ts"

/** Characters of code in colours: of more, each takes too long to be worth it. */
const COLOURED = 500_000

/** `#L12` and `#L12-L20`. */
const linked = (): readonly [number, number] => {
  const [, first = "0", last = first] = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(location.hash) ?? []
  return Number(first) <= Number(last) ? [Number(first), Number(last)] : [Number(last), Number(first)]
}

export const open: OpenKind = ({ facts, keys, newer, say, tell, tools }) => {
  const element = document.getElementById("text")!
  const rest = document.getElementById("rest")
  /** The server left the colours of a terminal out. */
  const coloured = element.dataset["coloured"] !== undefined
  const sheet = makeSheet(element)

  const followLink = (): void => {
    const [first, last] = linked()
    sheet.mark(first, last)
    if (first > 0) sheet.reveal(offsetOf(sheet.text(), sheet.blocks(), first))
  }
  const goTo = (wanted: number): void => {
    const last = missing === undefined ? lineAt(sheet.text(), sheet.blocks(), sheet.text().length) : wanted
    const line = Math.min(wanted, last)
    history.replaceState(history.state, "", `#L${line}`)
    followLink()
    say(line === wanted ? `Line ${line}` : `Line ${line} is the last`)
  }

  const { again, close, mark, open: find } = finder(tools, sheet, goTo, say)

  /** What of the text is not here: it is on its way, did not arrive, or is more than a browser can hold. */
  let missing: string | undefined = rest === null ? undefined : "The text is still arriving. Copy it once it is here."
  const copyAll = () => missing === undefined ? clip(tell, sheet.text(), "Copied the whole text") : tell(missing)

  const wrap = tool({ icon: "wrap", label: "Wrap long lines", key: "w", pressed: true, run: () => toggleWrap() })
  const toggleWrap = (): void => {
    const on = wrap.getAttribute("aria-pressed") !== "true"
    wrap.setAttribute("aria-pressed", String(on))
    sheet.wrap(on)
  }
  tools.append(
    tool({ icon: "find", label: "Find", key: "/", run: () => find("words") }),
    tool({ icon: "line", label: "Go to line", key: "g", run: () => find("line") }),
    wrap,
    tool({ icon: "copy", label: "Copy all", run: () => void copyAll() })
  )
  keys(
    { keys: ["/"], label: "Find", run: () => find("words") },
    { keys: ["g"], label: "Go to a line", run: () => find("line") },
    { keys: ["w"], label: "Wrap long lines, or not", run: toggleWrap }
  )
  element.addEventListener("keydown", (event) => event.key === "Escape" && close())

  sheet.show(normal(element.firstElementChild?.textContent ?? ""))

  /** In the colours of its language, as those arrive; it is read without them just as well. */
  const colour = (): void => {
    const grammar = coloured || sheet.text().length > COLOURED ? undefined : grammarOf(facts.name)
    if (grammar !== undefined) void import("./text/code.ts").then(({ colourCode }) => colourCode(sheet, grammar, mark)).catch(() => undefined)
  }

  // Clicks count only in the gutter left of a line, where its number is.
  let from = 0
  element.addEventListener("click", (event) => {
    const line = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".line.first") : null
    if (line === null || event.clientX - line.getBoundingClientRect().left > parseFloat(getComputedStyle(line).paddingLeft) - 8) return
    const number = Number(line.dataset["line"])
    const [first, last] = event.shiftKey && from > 0 ? [Math.min(from, number), Math.max(from, number)] : [number, number]
    if (!event.shiftKey) from = number
    history.replaceState(history.state, "", first === last ? `#L${first}` : `#L${first}-L${last}`)
    sheet.mark(first, last)
  })
  addEventListener("hashchange", followLink)

  if (rest === null) {
    followLink()
    colour()
  }
  let arriving: Promise<void> | undefined
  if (rest !== null || coloured) {
    const tell = (words: string): void => void (rest !== null && (rest.firstChild!.textContent = words))
    arriving = fetchText(facts.pinned, facts.type, facts.bytes, (progress) => tell(`${progress}. `)).then((text) => {
      const [before, top] = [sheet.element.getBoundingClientRect().top + scrollY, scrollY]
      sheet.show(text)
      // Whoever has read on meanwhile stays there.
      if (top === 0) followLink()
      else {
        sheet.mark(...linked())
        scrollTo({ top: top + sheet.element.getBoundingClientRect().top + scrollY - before, behavior: "instant" })
      }
      again()
      missing = facts.bytes <= MOST ? undefined : "Only the first 64 MB are here, so not all of it can be copied. Download it instead."
      if (missing === undefined) {
        rest?.remove()
        colour()
      } else tell("Only the first 64 MB are shown. ")
    }, (error) => {
      // Where it is its colours that did not arrive, all words are here.
      if (rest !== null) missing = "The rest did not arrive, so not all of it can be copied. Reload the page to try again."
      tell("The rest did not arrive. Reload the page to try again. ")
      if (error instanceof Newer) newer()
    }).then(() => {
      if (missing !== undefined) throw new Error(missing)
      arriving = undefined
    })
    arriving.catch(() => undefined)
  }

  return textStage(sheet, () => arriving)
}
