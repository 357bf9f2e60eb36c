/** A crosshair that arrow keys move over an image or a page, for readers who cannot point by mouse or finger. */

const [STEP, LEAP] = [8, 64]
const QUIET_MS = 250

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]
}

export interface Aim {
  /** What it moves over; gets the focus back afterwards. */
  readonly room: HTMLElement
  /** In pixels of the window. */
  readonly move: (x: number, y: number) => void
  /** Where it is, in words. */
  readonly where: () => string
  readonly say: (text: string) => void
  /** Starts a box at the current spot. Absent where only spots can be marked. */
  readonly corner?: () => void
}

/** The caller places the element. Resolves with whether the spot was marked. */
export const aimed = (place: (crosshair: HTMLElement) => void, { corner, move, room, say, where }: Aim): Promise<boolean> =>
  new Promise((resolve) => {
    const element = Object.assign(document.createElement("div"), { className: "crosshair", tabIndex: -1 })
    const ways = corner === undefined ? "Enter to comment here" : "Space to begin a box, Enter to comment"
    // With another role, screen readers keep the arrow keys for themselves.
    element.setAttribute("role", "application")
    element.setAttribute("aria-roledescription", "crosshair")
    element.setAttribute("aria-label", `Arrows move, with Shift farther. ${ways}, Escape to leave. ${where()}`)
    let waiting: ReturnType<typeof setTimeout> | undefined
    let done = false
    const end = (marked: boolean): void => {
      if (done) return
      done = true
      clearTimeout(waiting)
      const had = document.activeElement === element
      element.remove()
      if (had) room.focus({ preventScroll: true })
      resolve(marked)
    }
    const tell = (): void => {
      clearTimeout(waiting)
      waiting = setTimeout(() => say(where()), QUIET_MS)
    }
    element.addEventListener("keydown", (event) => {
      const { altKey, ctrlKey, key, metaKey, shiftKey } = event
      if (altKey || ctrlKey || metaKey) return
      const way = Object.hasOwn(ARROWS, key) ? ARROWS[key] : undefined
      if (way !== undefined) {
        const by = shiftKey ? LEAP : STEP
        move(way[0] * by, way[1] * by)
        tell()
      } else if (key === "Enter") end(true)
      else if (key === "Escape") end(false)
      else if (key === " " && corner !== undefined) {
        corner()
        say("A box begins here")
      } else return
      event.preventDefault()
    })
    // When only the window loses focus, this is still the active element: the reader has not left.
    element.addEventListener("blur", () => document.activeElement !== element && end(false))
    place(element)
    element.focus({ preventScroll: true })
  })

/** A fraction of the whole, kept inside it. */
export const within = (at: number): number => Math.min(1, Math.max(0, at))

/** Fractions of the whole as words: "40 % from the left, 30 % from the top". */
export const inWords = (x: number, y: number): string => `${Math.round(x * 100)} % from the left, ${Math.round(y * 100)} % from the top`
