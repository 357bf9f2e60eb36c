/** The PDF viewer: pages one below the other, drawn as they come into view; zoom, search, contents, places for comments. */
import "./pdf.css"
import { sizeText } from "../../../src/http/contract/sizes.ts"
import { Newer } from "../ranges.ts"
import { unshown } from "../stage.ts"
import type { OpenKind, Stage } from "../stage.ts"
import { makeBar } from "./pdf/bar.ts"

/** The engine is large: it loads after the page is shown. */
const parts = () =>
  Promise.all([
    import("./pdf/engine.ts"), import("./pdf/opening.ts"), import("./pdf/finder.ts"), import("./pdf/outline.ts"), import("./pdf/address.ts"), import("./pdf/anchors.ts")
  ])

/** Nothing can be filled in here (engine.ts). */
const isFillable = ({ editable, type }: { readonly editable?: boolean; readonly type?: string }): boolean =>
  editable === true && type !== "button" && type !== "signature"

export const open: OpenKind = async (frame) => {
  const { facts, newer, notice, say, stage } = frame
  const bare = document.getElementById("bare")
  const coming = Object.assign(document.createElement("span"), { className: "coming", textContent: `Loading: ${sizeText(facts.bytes)}` })
  bare?.prepend(coming)
  const [{ engine, load, watchZoom }, { NotArrived, opened, whyNot }, { finder }, { addOutline }, { followAddress }, { pdfStage }] = await parts()

  const table = Object.assign(document.createElement("div"), { className: "table pdf" })
  const container = Object.assign(document.createElement("div"), { className: "pages", tabIndex: 0 })
  container.setAttribute("role", "region")
  container.setAttribute("aria-label", "Pages")
  container.append(Object.assign(document.createElement("div"), { className: "pdfViewer" }))
  table.append(container)

  const given = (words: string): Stage => {
    const link = bare?.querySelector("a")
    if (link) Object.assign(link, { href: `${facts.src}?download`, textContent: "Download the PDF" })
    if (bare !== null) bare.hidden = false
    notice(words)
    return unshown
  }

  const lost = Promise.withResolvers<never>()
  const task = load(facts, (error) => lost.reject(error instanceof Newer ? error : new NotArrived()))
  const pdf = await Promise.race([opened(task, stage, bare, say), lost.promise]).catch(async (error: unknown) => {
    await task.destroy()
    return error instanceof Newer ? error : whyNot(error)
  })
  coming.remove()
  if (pdf instanceof Newer) {
    newer()
    return unshown
  }
  if (typeof pdf === "string") return given(pdf)
  // A part fails to arrive later, in the middle of reading.
  lost.promise.catch((error: unknown) => error instanceof Newer ? newer() : notice("Some pages did not arrive. Reload the page to try again."))
  stage.append(table)
  if (bare !== null) bare.hidden = true

  const shown = engine(pdf, container, !matchMedia("(max-width: 719px)").matches)
  const { events, viewer } = shown
  const find = finder(frame.tools, shown, container, say)
  makeBar(frame, shown, container, find)
  watchZoom(container, viewer)
  const ready = await new Promise<boolean>((resolve) => {
    events.on("pagesinit", () => resolve(true))
    // Fails where the file names pages that it does not have.
    pdf.getPage(1).catch(() => resolve(false))
  })
  if (!ready) {
    table.remove()
    frame.tools.replaceChildren()
    return given("This file is damaged: its pages do not read. Another program may still open it.")
  }
  viewer.currentScaleValue = "auto"
  // A fitted size stays fitted when the window changes.
  new ResizeObserver(() => {
    // pdf.js sets a size about the place it noted last: without the update, a reader who has just gone elsewhere would be brought back.
    viewer.update()
    const { currentScaleValue } = viewer
    if (Number.isNaN(Number(currentScaleValue))) viewer.currentScaleValue = currentScaleValue
    viewer.update()
  }).observe(container)
  followAddress(shown)
  void addOutline(frame, shown, table, container, say)
  void pdf.getFieldObjects().then((fields) => {
    if (![...fields?.values() ?? []].flat().some(isFillable)) return
    document.querySelector(".facts")?.append(Object.assign(document.createElement("span"), { textContent: "To fill in its form, download it" }))
  }, () => {})
  return pdfStage(shown, container, say)
}
