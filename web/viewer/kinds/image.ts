/** The image viewer: all of it or its own size; zoom by wheel, pinch, buttons and keys; spots on it for comments. */
import "./image.css"
import { instead } from "../instead.ts"
import { listeners } from "../listeners.ts"
import { fetchRange, lookFor } from "../ranges.ts"
import type { Marked, Spot } from "../spots.ts"
import { unshown } from "../stage.ts"
import type { Anchor, OpenKind, Place } from "../stage.ts"
import { reading, tool } from "../tools.ts"
import { watchHands } from "./image/hands.ts"
import { marking } from "./image/marking.ts"
import { between, fitted, fittedWide, opening, partsAt, placed, zoomed } from "./image/view.ts"
import type { Fit, View } from "./image/view.ts"

const STEP = 1.25
const PAN = 60
const PERCENT = new Intl.NumberFormat(undefined, { style: "percent" })
/** Height of the tools at the foot, in px. */
const FOOT = 56
/** From this scale on, single pixels are meant to be seen. */
const SHARP = 3
const BEGINNING = 4_096

/** Whether there is something to show. */
const arrived = (image: HTMLImageElement): Promise<boolean> =>
  image.complete && image.naturalWidth > 0 ? Promise.resolve(true) : image.decode().then(() => true, () => image.naturalWidth > 0)

/** Whether the service drew it, since most browsers do not show such pictures. */
const isDrawn = ({ src }: HTMLImageElement): boolean => new URL(src).searchParams.has("drawn")

/** Where what was drawn of it did not come, this browser may be one that shows the original. */
const arrivedAsItIs = (image: HTMLImageElement, src: string): Promise<boolean> => {
  if (!isDrawn(image)) return Promise.resolve(false)
  image.src = src
  return arrived(image)
}

/** An SVG without xmlns: fine inline in a page, but not as an image. */
const isUnnamed = async (src: string): Promise<boolean> => {
  const head = await fetchRange(src, 0, BEGINNING).catch(() => new Uint8Array())
  const [tag] = /<svg(?=[\s>])[^>]*>/i.exec(new TextDecoder().decode(head)) ?? []
  return tag !== undefined && !/\sxmlns\s*=/.test(tag)
}

export const open: OpenKind = async ({ facts, keys, newer, notice, say, tools }) => {
  const table = document.getElementById("table")!
  const image = document.getElementById("image") as HTMLImageElement
  const drawing = facts.type.startsWith("image/svg")
  const isThere = await arrived(image) || await arrivedAsItIs(image, facts.src)
  // An SVG without a size of its own has a natural width of 0.
  if (image.naturalWidth === 0 && !(drawing && isThere)) {
    table.replaceWith(instead("image", facts.src))
    const found = await lookFor(facts.pinned)
    if (found === "newer") newer()
    else if (found === "away") notice("The image did not arrive. Reload the page to try again.")
    else if (drawing && await isUnnamed(facts.src)) notice("No browser shows this drawing: its <svg> lacks xmlns=\"http://www.w3.org/2000/svg\". Download it instead.")
    else notice("This browser cannot show the image. Download it instead.")
    return unshown
  }
  const size = { width: image.naturalWidth || 300, height: image.naturalHeight || 150 }
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const moved = listeners<[]>()
  const percent = reading()
  let view: View = { scale: 1, x: 0, y: 0 }
  let pointing = false
  /** What it is fitted to whenever the window changes; undefined once the reader has moved or scaled it. */
  let follows: Fit | undefined

  // What was drawn of it may be smaller.
  if (!drawing && !isDrawn(image)) {
    document.querySelector(".facts")?.append(Object.assign(document.createElement("span"), { textContent: `${size.width} × ${size.height}` }))
  }

  const room = () => ({ width: table.clientWidth, height: table.clientHeight })
  const whole = () => ({ width: size.width * view.scale, height: size.height * view.scale })
  const rectOf = ({ height = 0, width = 0, x, y }: Marked): DOMRect => {
    const { left, top } = table.getBoundingClientRect()
    const all = whole()
    return new DOMRect(left + view.x + x * all.width, top + view.y + y * all.height, width * all.width, height * all.height)
  }

  const draw = (next: View): void => {
    view = next
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    image.style.imageRendering = view.scale >= SHARP && !drawing ? "pixelated" : ""
    image.style.setProperty("--square", `${16 / view.scale}px`)
    percent.textContent = PERCENT.format(view.scale)
    for (const [name, button] of Object.entries(fits)) button.setAttribute("aria-pressed", String(follows === name))
    marks.draw()
    moved.tell()
  }
  const above = () => ({ width: table.clientWidth, height: table.clientHeight - FOOT })
  const fit = (to: Fit): void => {
    follows = to
    draw((to === "width" ? fittedWide : fitted)(size, above(), drawing))
  }
  const fitWindow = (): void => fit("window")
  const fitWidth = (): void => fit("width")
  const fits: Readonly<Record<Fit, HTMLElement>> = {
    width: tool({ icon: "width", label: "Fit the width", key: "w", pressed: false, run: fitWidth }),
    window: tool({ icon: "fit", label: "Fit the window", key: "0", pressed: false, run: fitWindow })
  }
  const zoom = (factor: number, at: Spot = { x: table.clientWidth / 2, y: table.clientHeight / 2 }): void => {
    follows = undefined
    draw(placed(zoomed(view, factor, at), size, room()))
  }
  const actual = (at?: Spot): void => zoom(1 / view.scale, at)
  const pan = (x: number, y: number): void => {
    if (x === 0 && y === 0) return
    follows = undefined
    draw(placed({ scale: view.scale, x: view.x + x, y: view.y + y }, size, room()))
  }
  /** Moves it to the middle of the window; zooms out only where it does not fit. */
  const centre = (marked: Marked): void => {
    follows = undefined
    const [{ height, width }, rect] = [room(), rectOf(marked)]
    const scale = view.scale * Math.min(1, width / (rect.width * 1.2 || width), height / (rect.height * 1.2 || height))
    const along = (at: number, length: number, all: number): number => (at + length / 2) * all * scale
    draw(placed({
      scale, x: width / 2 - along(marked.x, marked.width ?? 0, size.width), y: height / 2 - along(marked.y, marked.height ?? 0, size.height)
    }, size, room()))
  }
  const marks = marking({
    table, say, rectOf, whole, pan,
    middle: () => partsAt(view, size, { x: table.clientWidth / 2, y: table.clientHeight / 2 })
  })

  const anchor = (): Anchor | undefined => {
    const marked = marks.marked()
    return marked && { path: "/", ...marked }
  }
  const tell = (): void => {
    const marked = marks.marked()
    captured.tell(anchor(), marked && rectOf(marked))
  }

  image.style.width = `${size.width}px`
  image.style.height = `${size.height}px`
  table.classList.add("live")
  table.tabIndex = 0
  table.setAttribute("role", "group")
  table.setAttribute("aria-label", "Image. Plus and minus zoom, arrows move.")
  new ResizeObserver(() => follows === undefined ? draw(placed(view, size, room())) : fit(follows)).observe(table)
  const first = opening(size, above())
  // On as many sheets of paper as it takes.
  table.classList.toggle("tall", first === "width")
  fit(first)

  watchHands(table, {
    move: pan,
    zoom: (factor, at) => zoom(factor, at),
    twice: (at) => pointing || (follows !== undefined && view.scale !== 1 ? actual(at) : fitWindow()),
    click: (at) => {
      if (!pointing) return
      marks.mark(partsAt(view, size, at))
      tell()
    },
    draws: () => pointing,
    draw: (corners, done) => {
      const box = corners && between(partsAt(view, size, corners[0]), partsAt(view, size, corners[1]))
      // Outside the image there is nothing to draw around.
      marks.mark(box === undefined || (done && box.width * box.height === 0) ? undefined : box)
      if (done) tell()
    }
  })

  tools.append(
    tool({ icon: "minus", label: "Zoom out", key: "-", run: () => zoom(1 / STEP) }),
    percent,
    tool({ icon: "plus", label: "Zoom in", key: "+", run: () => zoom(STEP) }),
    Object.assign(document.createElement("span"), { className: "apart" }),
    fits.width,
    fits.window,
    Object.assign(tool({ icon: "fit", label: "Actual size", key: "1", run: () => actual() }), { textContent: "1:1" })
  )
  keys(
    { keys: ["+", "="], label: "Zoom in", run: () => zoom(STEP) },
    { keys: ["-"], label: "Zoom out", run: () => zoom(1 / STEP) },
    { keys: ["0"], label: "Fit the window", run: fitWindow },
    { keys: ["w"], label: "Fit the width", run: fitWidth },
    { keys: ["1"], label: "Actual size", run: () => actual() },
    {
      keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
      label: "Move",
      run: ({ key }) => pan(key === "ArrowLeft" ? PAN : key === "ArrowRight" ? -PAN : 0, key === "ArrowUp" ? PAN : key === "ArrowDown" ? -PAN : 0)
    }
  )

  return {
    capture: anchor,
    hint: "Pick a spot or draw a box to comment on it, or write below. Two fingers move the image, or a drag with Shift.",
    onCapture: captured.add,
    onLayout: moved.add,
    aim: async () => {
      await marks.aim()
      return anchor()
    },
    find: ({ height, width, x, y }): Place | undefined => {
      if (x === undefined || y === undefined) return undefined
      const own: Marked = width === undefined || height === undefined ? { x, y } : { x, y, width, height }
      return {
        top: () => rectOf(own).top,
        focus: () => centre(own),
        clear: () => {},
        spot: () => rectOf(own),
        // Posted or given up: from now on the comment's own mark stands there, or none.
        forget: () => JSON.stringify(own) === JSON.stringify(marks.marked()) && marks.mark(undefined)
      }
    },
    pointing: (on) => {
      pointing = on
      table.classList.toggle("pointing", on)
      if (on) return
      marks.mark(undefined)
      tell()
    }
  }
}
