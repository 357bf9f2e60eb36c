/** The foot of the panel: a field for what is said about all of it, else the way in, or why this reader only reads. */
import type { Anchor, Stage } from "../stage.ts"
import { composer } from "./composer.ts"
import { make } from "./elements.ts"
import type { Reader } from "./reader.ts"

export const panelFoot = (stage: Stage, who: Reader, post: (body: string, anchor: Anchor | undefined) => Promise<void>) => {
  const element = make("div", { className: "panel-foot" })
  let drawn = ""

  const content = (isDrafting: boolean): HTMLElement | undefined => {
    if (who.state() === "unknown" && who.fault() === undefined) return undefined
    // Whoever has begun a comment has the way in there.
    if (who.state() !== "somebody") return isDrafting ? undefined : who.wayIn()
    if (who.onlyReads()) {
      return make("p", { className: "note", textContent: "You can read these comments. To add some, ask whoever sent you the link to put your address on the list, and confirm your address if you are new." })
    }
    return composer({
      key: "general", label: stage.path === undefined ? "Comment on the whole document" : "Comment on this page", action: "Comment",
      send: (body) => post(body, stage.path === undefined ? undefined : { path: stage.path() }),
      wayOn: who.wayOn
    }).element
  }
  const update = (isDrafting: boolean): void => {
    // What is being written or sent here stays while another one is begun.
    const isSomebody = who.state() === "somebody"
    const state = `${who.state()} ${who.mayComment()} ${!isSomebody && isDrafting} ${isSomebody ? "" : who.fault() ?? ""}`
    // Words whose session is over stay in their field, which has the way in beside it.
    if (state === drawn || (!isSomebody && element.querySelector(".composer.written") !== null)) return
    drawn = state
    const next = content(isDrafting)
    const hadFocus = element.contains(document.activeElement)
    element.replaceChildren(...next === undefined ? [] : [next])
    if (hadFocus) element.querySelector<HTMLElement>("textarea,a,button")?.focus({ preventScroll: true })
  }
  return { element, update }
}
