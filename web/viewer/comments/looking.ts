/** What the reader looks at: the place last gone to, and the thread whose mark stands out. */
import type { Place } from "../stage.ts"
import type { Marks } from "./marks.ts"

const smoothly = (run: () => void): void => {
  const { style } = document.documentElement
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) style.scrollBehavior = "smooth"
  run()
  // Some kinds scroll once more when the content in between has got its height.
  requestAnimationFrame(() => requestAnimationFrame(() => (style.scrollBehavior = "")))
}

export const looking = (signs: Marks) => {
  let focused: Place | undefined
  /** The thread last looked at: its mark stays highlighted, though scrolling to it moves it away from the pointer. */
  let held: string | undefined

  const hold = (id: string | undefined): void => {
    held = id
    signs.point(id)
  }
  const go = (place: Place | undefined): void => {
    focused?.clear()
    focused = place
    if (place !== undefined) smoothly(place.focus)
  }
  return {
    hold,
    hover: (id: string | undefined): void => signs.point(id ?? held),
    goTo: (id: string, place: Place | undefined): void => {
      go(place)
      hold(id)
    },
    away: (): void => {
      go(undefined)
      hold(undefined)
    }
  }
}

export type Looking = ReturnType<typeof looking>
