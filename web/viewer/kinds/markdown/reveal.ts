/** Scrolls to what is far away in a long document: the parts in between get their real height only as they are reached. */

const FRAMES = 12
const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"] as const

/** Keeps scrolling to it for some frames, unless the reader takes over. */
export const reveal = (element: Element, block: ScrollLogicalPosition): void => {
  for (let at: Element | null = element; at !== null; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true
  // Of a diagram, what has words is its source.
  element.closest(".diagram > pre[hidden]")?.parentElement?.querySelector<HTMLElement>(".source")?.click()
  let left = FRAMES
  const stop = (): void => void (left = 0)
  for (const hand of HANDS) addEventListener(hand, stop, { once: true, passive: true, capture: true })
  const again = (): void => {
    if (left-- <= 0) return HANDS.forEach((hand) => removeEventListener(hand, stop, { capture: true }))
    element.scrollIntoView({ block })
    requestAnimationFrame(again)
  }
  again()
}
