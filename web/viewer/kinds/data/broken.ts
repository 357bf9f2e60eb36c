/** A file named JSON that is not JSON: shows where it stops being so, above its text as it is. */
import type { Frame, Stage } from "../../stage.ts"
import { made } from "./dom.ts"
import type { Opened } from "./protocol.ts"

export const showBroken = async (root: HTMLElement, { column, line, text, whole, why }: Extract<Opened, { is: "broken" }>, frame: Frame): Promise<Stage> => {
  // Here before anything changes, so that the notice and the lines come at once and nothing moves.
  const { open } = await import("../text.ts")
  frame.notice(`This is not whole JSON: line ${line.toLocaleString()}, column ${column.toLocaleString()}. ${why}.`)
  const sheet = made("div", "sheet text", { id: "text", "data-digits": "5", lang: "", tabindex: "0", role: "document", "aria-label": frame.facts.name }, made("pre", "", {}, text))
  root.replaceWith(sheet, ...(whole ? [] : [made("p", "note", {}, "This is the beginning. Download the file to see all of it.")]))
  if (location.hash === "") history.replaceState(history.state, "", `#L${line}`)
  return open(frame)
}
