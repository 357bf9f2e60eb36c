/** The comments' panel beside the document, a sheet over its foot on a phone: opened, closed, and filled when first opened. */
import type { Frame, Stage } from "./stage.ts"

/** Answers how to open and close it, and how to close it if it is open. */
export const panel = (button: HTMLElement, aside: HTMLElement, frame: Frame, stage: Stage) => {
  let mounted = false
  const set = (open: boolean): void => {
    aside.hidden = !open
    button.setAttribute("aria-expanded", String(open))
    document.body.classList.toggle("talking", open)
    stage.pointing?.(open)
    if (!open) return button.focus()
    if (!mounted) {
      mounted = true
      void import("./comments.ts").then(({ mount }) => mount(aside, frame, stage))
    }
  }
  const toggle = (): void => set(aside.hidden !== false)
  button.hidden = false
  button.addEventListener("click", toggle)
  return { toggle, close: (): void => void (aside.hidden || set(false)) }
}
