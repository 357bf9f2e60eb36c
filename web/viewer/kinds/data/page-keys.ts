/** Keys that scroll, pressed while nothing has the focus: any other page scrolls by them, but a list that scrolls within its page would not hear of them. */
import { asksToScroll } from "../../browser-keys.ts"

export const takesPageKeys = (list: HTMLElement): void =>
  addEventListener("keydown", (event) => {
    if (event.target !== document.body || !asksToScroll(event) || !list.isConnected) return
    event.preventDefault()
    list.focus({ preventScroll: true })
    list.dispatchEvent(new KeyboardEvent("keydown", event))
  })
