/** The image viewer: all of it or its own size, closer by wheel, pinch, buttons and keys; spots on it for comments. */
import "./image.css"
import { listeners } from "../listeners.ts"
import type { Anchor, OpenKind, Place, Stage } from "../stage.ts"
import { reading, tool } from "../tools.ts"
import { watchHands } from "./image/hands.ts"
import { fitted, placed, zoomed } from "./image/view.ts"
import type { Spot, View } from "./image/view.ts"

const STEP = 1.25
const PAN = 60
const PERCENT = new Intl.NumberFormat(undefined, { style: "percent" })
/** The tools' own room at the foot. */
const FOOT = 56
/** From here on single pixels are meant to be seen. */
const SHARP = 3

const arrived = (image: HTMLImageElement): Promise<unknown> =>
  image.complete && image.naturalWidth > 0 ? Promise.resolve() : image.decode().catch(() => {})

const nothing: Stage = { capture: () => undefined, onCapture: () => () => {}, find: () => undefined, onLayout: () => () => {} }

const part = (amount: number): number => Math.min(1, Math.max(0, Math.round(amount * 10_000) / 10_000))

export const open: OpenKind = async ({ facts, keys, notice, tools }) => {
  const table = document.getElementById("table")!
  const image = document.getElementById("image") as HTMLImageElement
  const drawing = facts.type.startsWith("image/svg")
  await arrived(image)
  // A drawing without a size of its own has none to tell.
  if (image.naturalWidth === 0 && !drawing) {
    image.hidden = true
    notice("This browser cannot show the image. Download it instead.")
    return nothing
  }
  const size = { width: image.naturalWidth || 300, height: image.naturalHeight || 150 }
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const moved = listeners<[]>()
  const percent = reading()
  const pin = Object.assign(document.createElement("div"), { className: "pin", hidden: true })
  let [view, follows, pointing]: [View, boolean, boolean] = [{ scale: 1, x: 0, y: 0 }, true, false]
  let spot: Spot | undefined

  if (!drawing) {
    document.querySelector(".facts")?.append(Object.assign(document.createElement("span"), { textContent: `${size.width} × ${size.height}` }))
  }

  const room = () => ({ width: table.clientWidth, height: table.clientHeight })
  const rectOf = ({ x, y }: Spot): DOMRect => {
    const { left, top } = table.getBoundingClientRect()
    return new DOMRect(left + view.x + x * size.width * view.scale, top + view.y + y * size.height * view.scale, 0, 0)
  }

  const draw = (next: View): void => {
    view = next
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    image.style.imageRendering = view.scale >= SHARP && !drawing ? "pixelated" : ""
    image.style.setProperty("--square", `${16 / view.scale}px`)
    percent.textContent = PERCENT.format(view.scale)
    if (spot !== undefined) pin.style.transform = `translate(${view.x + spot.x * size.width * view.scale}px, ${view.y + spot.y * size.height * view.scale}px)`
    moved.tell()
  }
  const fit = (): void => {
    follows = true
    draw(fitted(size, { width: table.clientWidth, height: table.clientHeight - FOOT }, drawing))
  }
  const zoom = (factor: number, at: Spot = { x: table.clientWidth / 2, y: table.clientHeight / 2 }): void => {
    follows = false
    draw(placed(zoomed(view, factor, at), size, room()))
  }
  const actual = (at?: Spot): void => zoom(1 / view.scale, at)
  const pan = (x: number, y: number): void => {
    if (x === 0 && y === 0) return
    follows = false
    draw(placed({ scale: view.scale, x: view.x + x, y: view.y + y }, size, room()))
  }
  const pinTo = (where: Spot | undefined): void => {
    spot = where
    pin.hidden = where === undefined
    if (where !== undefined) draw(view)
  }

  const anchor = (): Anchor | undefined => spot && { path: "/", x: spot.x, y: spot.y }

  image.style.width = `${size.width}px`
  image.style.height = `${size.height}px`
  table.classList.add("live")
  table.tabIndex = 0
  table.setAttribute("role", "group")
  table.setAttribute("aria-label", "Image. Plus and minus zoom, arrows move.")
  table.append(pin)
  new ResizeObserver(() => follows ? fit() : draw(placed(view, size, room()))).observe(table)
  fit()

  watchHands(table, {
    move: pan,
    zoom: (factor, at) => zoom(factor, at),
    twice: (at) => pointing || (follows ? actual(at) : fit()),
    click: ({ x, y }) => {
      if (!pointing) return
      pinTo({ x: part((x - view.x) / (size.width * view.scale)), y: part((y - view.y) / (size.height * view.scale)) })
      captured.tell(anchor(), rectOf(spot!))
    }
  })

  tools.append(
    tool({ icon: "minus", label: "Zoom out", key: "-", run: () => zoom(1 / STEP) }),
    percent,
    tool({ icon: "plus", label: "Zoom in", key: "+", run: () => zoom(STEP) }),
    Object.assign(document.createElement("span"), { className: "apart" }),
    tool({ icon: "fit", label: "Fit the window", key: "0", run: fit }),
    Object.assign(tool({ icon: "fit", label: "Actual size", key: "1", run: () => actual() }), { textContent: "1:1" })
  )
  keys(
    { keys: ["+", "="], label: "Zoom in", run: () => zoom(STEP) },
    { keys: ["-"], label: "Zoom out", run: () => zoom(1 / STEP) },
    { keys: ["0"], label: "Fit the window", run: fit },
    { keys: ["1"], label: "Actual size", run: () => actual() },
    {
      keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
      label: "Move",
      run: ({ key }) => pan(key === "ArrowLeft" ? PAN : key === "ArrowRight" ? -PAN : 0, key === "ArrowUp" ? PAN : key === "ArrowDown" ? -PAN : 0)
    }
  )

  return {
    capture: anchor,
    hint: "Click a spot to comment on it, or write below.",
    onCapture: captured.add,
    onLayout: moved.add,
    find: ({ x, y }): Place | undefined => {
      if (x === undefined || y === undefined) return undefined
      return {
        top: () => rectOf({ x, y }).top,
        focus: () => {
          pinTo({ x, y })
          const { height, width } = room()
          draw(placed({ scale: view.scale, x: width / 2 - x * size.width * view.scale, y: height / 2 - y * size.height * view.scale }, size, room()))
        },
        clear: () => pinTo(undefined),
        spot: () => rectOf({ x, y })
      }
    },
    pointing: (on) => {
      pointing = on
      table.classList.toggle("pointing", on)
      if (on) return
      pinTo(undefined)
      captured.tell(undefined, undefined)
    }
  }
}
