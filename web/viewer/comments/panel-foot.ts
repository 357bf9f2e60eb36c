/** The foot of the panel: a field for comments on the whole document or page, else the way to sign in, or why this reader can only read. */
import type { Anchor, Stage } from "../stage.ts"
import { composer } from "./composer.ts"
import { make } from "./elements.ts"
import type { Reader } from "./reader.ts"

const LISTED = "To add some, ask whoever sent you the link to put your address on the list, and confirm your address if you are new."

/** By who may comment: where there is no list, nobody is sent to ask for a place on it. */
const LACKS: Readonly<Record<string, string>> = {
  members: "Only members of its workspace can add some.",
  anyone: "To add some, confirm your address: open the link that we mailed you."
}

export const panelFoot = (stage: Stage, who: Reader, post: (body: string, anchor: Anchor | undefined, as: string | undefined) => Promise<void>) => {
  const element = make("div", { className: "panel-foot" })
  const label = stage.path === undefined ? "Comment on the whole document" : "Comment on this page"
  let drawn = ""
  const focus = (): void => element.querySelector<HTMLElement>("textarea,a,button")?.focus({ preventScroll: true })

  const content = (isDrafting: boolean): HTMLElement | undefined => {
    if (who.state() === "unknown" && who.fault() === undefined) return undefined
    // A comment that was begun shows the way to sign in itself.
    if (who.state() !== "somebody") return isDrafting ? undefined : who.wayIn()
    if (who.onlyReads()) {
      return make("p", { className: "note", textContent: `You can read these comments. ${LACKS[document.body.dataset["comments"] ?? ""] ?? LISTED}` })
    }
    return composer({
      key: "general", label, action: "Comment",
      send: (body, as) => post(body, stage.path === undefined ? undefined : { path: stage.path() }, as),
      who
    }).element
  }
  const update = (isDrafting: boolean, isGone: boolean): void => {
    // What is being written or sent here stays while another comment is begun.
    const isSomebody = who.state() === "somebody"
    const state = isGone ? "gone" : `${who.state()} ${who.mayComment()} ${!isSomebody && isDrafting} ${isSomebody ? "" : who.fault() ?? ""}`
    // Text stays in its field: where the session is over, that has the way to sign in beside it; whoever may not comment any more can still copy it.
    if (state === drawn || ((isGone || !who.mayComment()) && element.querySelector(".composer.written") !== null)) return
    drawn = state
    const next = isGone ? undefined : content(isDrafting)
    const hadFocus = element.contains(document.activeElement)
    element.replaceChildren(...next === undefined ? [] : [next])
    if (hadFocus) focus()
  }
  return { element, label, focus, update }
}
