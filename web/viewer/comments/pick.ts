/** The small button beside what a reader has just selected or pointed at. */
import { iconText } from "../../../src/look/icons.ts"
import { selectedRange } from "../selected.ts"
import type { Anchor } from "../stage.ts"
import { make } from "./elements.ts"
import { clock } from "./words.ts"

/** Height in px of the bar at the head of the page, which grows with the reader's text. */
const barHeight = (): number => document.querySelector<HTMLElement>(".bar")!.offsetHeight

const isSame = (one: DOMRect, other: DOMRect): boolean => one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height

/** `scrolled`: how far the document is scrolled. */
export const picker = (start: (anchor: Anchor) => void, scrolled: () => number) => {
  const element = make("button", { type: "button", className: "comment-pick", hidden: true })
  document.body.append(element)
  let picked: Anchor | undefined
  let shown: { readonly at: DOMRect, readonly scrolled: number } | undefined
  /** What is selected, if that is what was picked. */
  let words: Range | undefined
  const hide = (): void => {
    picked = undefined
    element.hidden = true
  }
  // Keeps a press on it from clearing the selection before the click.
  element.addEventListener("pointerdown", (event) => event.preventDefault())
  element.addEventListener("click", () => {
    const anchor = picked
    hide()
    if (anchor !== undefined) start(anchor)
  })

  const show = (anchor: Anchor | undefined, at: DOMRect | undefined): void => {
    if (anchor === undefined || at === undefined) return hide()
    picked = anchor
    element.innerHTML = iconText("comments")
    element.append(anchor.time === undefined ? "Comment" : `Comment at ${clock(anchor.time)}`)
    shown = { at, scrolled: scrolled() }
    const range = selectedRange()
    words = range !== undefined && isSame(range.getBoundingClientRect(), at) ? range : undefined
    put(at)
  }
  const put = (at: DOMRect): void => {
    const bar = barHeight()
    // The button scrolls away with its place, and comes back with it.
    element.hidden = at.bottom < bar || at.top > innerHeight
    const { height, width } = element.getBoundingClientRect()
    const [roomX, roomY] = [document.documentElement.clientWidth, innerHeight]
    const tall = at.height > roomY / 2
    const below = tall ? Math.max(bar + 16, at.top + 8) : at.bottom + 8
    const top = below + height + 8 > roomY ? Math.max(bar + 8, at.top - height - 8) : below
    element.style.translate = `${Math.round(Math.max(8, Math.min(roomX - width - 8, at.left + at.width / 2 - width / 2)))}px ${Math.round(top)}px`
  }
  /** Something was scrolled: the document, or an element within it. */
  const follow = (isDocument: boolean): void => {
    if (picked === undefined || shown === undefined) return
    if (!isDocument) return hide()
    const { height, width, x, y } = shown.at
    put(new DOMRect(x, y - (scrolled() - shown.scrolled), width, height))
  }
  /** The document is laid out anew, as when a phone is turned: selected words have moved within it. */
  const again = (): void => {
    if (picked === undefined || words === undefined) return
    shown = { at: words.getBoundingClientRect(), scrolled: scrolled() }
    put(shown.at)
  }
  return { show, hide, follow, again, picked: () => picked }
}
