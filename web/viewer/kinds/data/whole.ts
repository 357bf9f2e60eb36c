/** A dialog with all of one cell or value. */
import { tool } from "../../tools.ts"
import { made } from "./dom.ts"

/** Longer texts are slow to lay out; copying takes all of it. */
const SHOWN = 50_000

export const showWhole = (title: string, text: string, copy: (text: string, told: (words: string) => void) => void): void => {
  const dialog = made("dialog", "sheet whole", { "aria-labelledby": "whole-title" })
  /** What is said of the page is not heard while the dialog is open, nor seen. */
  const told = made("p", "more", { role: "status" })
  const head = made("header", "", {}, made("h2", "", { id: "whole-title" }, title),
    tool({ icon: "copy", label: "Copy", run: () => copy(text, (words) => void (told.textContent = words)) }), tool({ icon: "close", label: "Close", key: "Esc", run: () => dialog.close() }))
  const body = made("pre", "", { tabindex: "0", lang: "" }, text === "" ? "Empty" : text.slice(0, SHOWN))
  dialog.append(head, body, told)
  if (text.length > SHOWN) dialog.append(made("p", "more", {}, `The first ${SHOWN.toLocaleString()} of ${text.length.toLocaleString()} characters. Copy takes them all.`))
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close())
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
