/** The panel: a column beside the document; on a phone a sheet over its lower part, which can be dragged up and down. */
import { iconButton, make } from "./elements.ts"

/** As in comments.css. */
const NARROW = matchMedia("(max-width: 719px)")
/** Fractions of the window's height. */
const HEIGHTS = [0.5, 0.9] as const
const LEAST = 0.25

export interface DrawerOptions {
  readonly button: HTMLElement
  readonly aside: HTMLElement
  readonly turned: (open: boolean) => void
}

export const drawer = ({ aside, button, turned }: DrawerOptions) => {
  const heading = make("h2", { textContent: "Comments", tabIndex: -1 })
  const isOpen = (): boolean => !aside.hidden
  /** `byKeys`: the reader's next Tab starts in the panel, which is far from its button. */
  const set = (open: boolean, byKeys = false): void => {
    if (open === isOpen()) return
    aside.hidden = !open
    raise(HEIGHTS[0])
    button.setAttribute("aria-expanded", String(open))
    document.body.classList.toggle("talking", open)
    turned(open)
    if (!open) button.focus({ preventScroll: true })
    else if (byKeys) heading.focus({ preventScroll: true })
  }

  const handle = make("button", { type: "button", className: "handle" })
  let height: number = HEIGHTS[0]
  const raise = (to: number): void => {
    height = to
    // Set on the body, since what lies over the document uses it too.
    document.body.style.setProperty("--sheet-height", `${Math.round(to * 100)}dvh`)
    handle.setAttribute("aria-label", to < HEIGHTS[1] ? "Make the comments taller" : "Make the comments shorter")
  }
  raise(height)
  let from: { readonly y: number, readonly height: number } | undefined
  let dragged = false
  handle.addEventListener("pointerdown", ({ clientY: y, pointerId }) => {
    handle.setPointerCapture(pointerId)
    from = { y, height }
    dragged = false
  })
  handle.addEventListener("pointermove", ({ clientY }) => {
    if (from === undefined || (!dragged && Math.abs(clientY - from.y) < 6)) return
    dragged = true
    raise(Math.max(0.1, Math.min(0.95, from.height + (from.y - clientY) / innerHeight)))
  })
  const drop = (): void => {
    from = undefined
    if (!dragged) return
    if (height < LEAST) set(false)
    else raise(height)
  }
  handle.addEventListener("pointerup", drop)
  handle.addEventListener("pointercancel", drop)
  handle.addEventListener("click", () => {
    if (!dragged) raise(height < HEIGHTS[1] ? HEIGHTS[1] : HEIGHTS[0])
    dragged = false
  })

  button.hidden = false
  // A click without a pointer counts no clicks.
  button.addEventListener("click", ({ detail }) => set(!isOpen(), detail === 0))
  return {
    isOpen,
    isNarrow: () => NARROW.matches,
    open: () => set(true),
    close: () => set(false),
    toggleByKeys: () => set(!isOpen(), true),
    heading,
    handle,
    closer: iconButton("close", "Close the comments", () => set(false))
  }
}
