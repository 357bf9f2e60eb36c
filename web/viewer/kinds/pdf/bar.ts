/** The bar under the pages and its keys: page number, size, rotation, printing, and search. */
import { isCommand } from "../../browser-keys.ts"
import type { Frame } from "../../stage.ts"
import { reading, tool } from "../../tools.ts"
import type { Engine } from "./engine.ts"
import type { Finder } from "./finder.ts"

const PERCENT = new Intl.NumberFormat(undefined, { style: "percent" })
const LINE = 56
/** Fraction of the window; a little of the last view stays. */
const SCREEN = 0.9

/** Hidden on phones, which have neither the room nor the need; `pinched`, what fingers do, and `turned` only where their one row is short. Keys do it all the same. */
const spare = (why: "roomy" | "pinched" | "turned") => <E extends HTMLElement>(element: E): E => {
  element.classList.add(why)
  return element
}
const [roomy, pinched, turned] = [spare("roomy"), spare("pinched"), spare("turned")]
const apart = () => Object.assign(document.createElement("span"), { className: "apart roomy" })

/** A field with the page's number, which leads to the page typed. */
const pageBox = ({ events, viewer }: Engine, back: HTMLElement, say: (text: string) => void) => {
  const form = Object.assign(document.createElement("form"), { className: "page-box" })
  const field = Object.assign(document.createElement("input"), { type: "text", inputMode: "numeric", autocomplete: "off", value: "1" })
  const total = document.createElement("span")
  field.setAttribute("aria-label", "Page")
  const show = (): void => void (field.value = String(viewer.currentPageNumber))
  const go = (): void => {
    const page = Number.parseInt(field.value, 10)
    if (page >= 1 && page <= viewer.pagesCount) {
      viewer.currentPageNumber = page
      say(`Page ${page} of ${viewer.pagesCount}`)
    } else say(`There is no such page. The last is ${viewer.pagesCount}.`)
    show()
  }
  events.on("pagechanging", () => document.activeElement === field || show())
  events.on("pagesinit", () => {
    total.textContent = `/ ${viewer.pagesCount}`
    field.style.width = `${String(viewer.pagesCount).length + 3}ch`
  })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    go()
    back.focus({ preventScroll: true })
  })
  field.addEventListener("focus", () => field.select())
  field.addEventListener("blur", show)
  form.append(field, total)
  return { form, open: () => field.focus() }
}

export const makeBar = ({ facts, keys, say, tools }: Frame, engine: Engine, container: HTMLElement, find: Finder): void => {
  const { events, viewer } = engine
  const box = pageBox(engine, container, say)
  const percent = roomy(reading())
  const fit = (value: string) => () => void (viewer.currentScaleValue = value)
  const scroll = (by: number) => () => container.scrollBy({ top: by })
  const turnPage = (by: number) => (): void => {
    viewer.currentPageNumber = Math.max(1, Math.min(viewer.pagesCount, viewer.currentPageNumber + by))
  }
  const rotate = (): void => {
    viewer.pagesRotation += 90
    say("Turned by a quarter")
  }
  // Only the browser's own PDF viewer prints a file as it is.
  const print = (): void => void open(facts.src, "_blank", "noopener,noreferrer")
  const larger = (): void => viewer.increaseScale()
  const smaller = (): void => viewer.decreaseScale()

  const width = tool({ icon: "width", label: "Fit the width", key: "w", pressed: false, run: fit("page-width") })
  const page = roomy(tool({ icon: "fit", label: "Fit the page", key: "f", pressed: false, run: fit("page-fit") }))
  events.on("scalechanging", ({ presetValue, scale }: { readonly presetValue?: string; readonly scale: number }) => {
    percent.textContent = PERCENT.format(scale)
    width.setAttribute("aria-pressed", String(presetValue === "page-width"))
    page.setAttribute("aria-pressed", String(presetValue === "page-fit"))
  })

  tools.append(
    box.form,
    apart(),
    pinched(tool({ icon: "minus", label: "Zoom out", key: "-", run: smaller })),
    percent,
    pinched(tool({ icon: "plus", label: "Zoom in", key: "+", run: larger })),
    width,
    page,
    roomy(Object.assign(tool({ icon: "fit", label: "Actual size", key: "1", run: fit("page-actual") }), { textContent: "1:1" })),
    apart(),
    turned(tool({ icon: "rotate", label: "Turn", key: "r", run: rotate })),
    tool({ icon: "find", label: "Find", key: "/", run: find.open }),
    roomy(tool({ icon: "print", label: "Print from the original, in a tab of its own", key: "p", run: print }))
  )
  keys(
    { keys: ["/"], label: "Find", run: find.open },
    { keys: ["g"], label: "Go to a page", run: box.open },
    { keys: ["ArrowRight", "n"], label: "Next page", run: turnPage(1) },
    { keys: ["ArrowLeft"], label: "Previous page", run: turnPage(-1) },
    { keys: ["j", "ArrowDown"], label: "Down", run: scroll(LINE) },
    { keys: ["k", "ArrowUp"], label: "Up", run: scroll(-LINE) },
    { keys: ["PageDown", " "], label: "A screen down", run: () => scroll(container.clientHeight * SCREEN)() },
    { keys: ["PageUp"], label: "A screen up", run: () => scroll(-container.clientHeight * SCREEN)() },
    { keys: ["Home"], label: "First page", run: () => void (viewer.currentPageNumber = 1) },
    { keys: ["End"], label: "Last page", run: () => void (viewer.currentPageNumber = viewer.pagesCount) },
    { keys: ["+", "="], label: "Zoom in", run: larger },
    { keys: ["-"], label: "Zoom out", run: smaller },
    { keys: ["0"], label: "The size that it opened at", run: fit("auto") },
    { keys: ["1"], label: "Actual size", run: fit("page-actual") },
    { keys: ["w"], label: "Fit the width", run: fit("page-width") },
    { keys: ["f"], label: "Fit the page", run: fit("page-fit") },
    { keys: ["r"], label: "Turn by a quarter", run: rotate },
    { keys: ["p"], label: "Print from the original", run: print }
  )
  // The browser's own search and print know only the pages drawn so far. Ctrl+F in our field opens the browser's search after all.
  addEventListener("keydown", (event) => {
    if (event.altKey) return
    if (isCommand(event, "p")) print()
    else if (isCommand(event, "f") && !find.has(document.activeElement)) find.open()
    else return
    event.preventDefault()
  })
}
