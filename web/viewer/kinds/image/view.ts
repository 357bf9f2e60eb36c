/** Where an image lies in its window: its scale and its corner. Pure. */
import { part } from "../../spots.ts"
import type { Spot } from "../../spots.ts"

export interface Size {
  readonly width: number
  readonly height: number
}

export interface View extends Spot {
  readonly scale: number
}

const MARGIN = 16
/** Up to this many times its own size, so that single pixels can be looked at. */
const LARGEST = 32
const SMALLEST = 0.02
/** More than this many times as high as it is wide, and below this scale: a strip. */
const TALL = 3
const READABLE = 0.25

/** Centred where it fits; otherwise kept from leaving more room on one side than it needs. */
export const placed = ({ scale, x, y }: View, image: Size, window: Size): View => {
  const along = (at: number, length: number, room: number): number =>
    length <= room - 2 * MARGIN ? (room - length) / 2 : Math.min(MARGIN, Math.max(room - length - MARGIN, at))
  return { scale, x: along(x, image.width * scale, window.width), y: along(y, image.height * scale, window.height) }
}

/** All of it, centred. An image of pixels is not enlarged; a drawing may be (`grows`). */
export const fitted = (image: Size, window: Size, grows: boolean): View => {
  const scale = Math.min((window.width - 2 * MARGIN) / image.width, (window.height - 2 * MARGIN) / image.height, grows ? Infinity : 1)
  return placed({ scale: Math.max(SMALLEST, scale), x: 0, y: 0 }, image, window)
}

/** As wide as the window, from its top. */
export const fittedWide = (image: Size, window: Size, grows: boolean): View =>
  placed({ scale: Math.max(SMALLEST, Math.min((window.width - 2 * MARGIN) / image.width, grows ? Infinity : 1)), x: 0, y: MARGIN }, image, window)

/** How an image is fitted into its window. */
export type Fit = "window" | "width"

/** How it opens: by its width where nobody could read all of it at once, as a long page taken as one picture. */
export const opening = (image: Size, window: Size): Fit =>
  image.height > TALL * image.width && fitted(image, window, false).scale < READABLE ? "width" : "window"

/** A spot of the window, in fractions of the image. */
export const partsAt = (view: View, image: Size, { x, y }: Spot): Spot => ({
  x: part((x - view.x) / (image.width * view.scale)), y: part((y - view.y) / (image.height * view.scale))
})

export interface Box extends Spot, Size {}

/** The box with these two corners. */
export const between = (one: Spot, other: Spot): Box => ({
  x: part(Math.min(one.x, other.x)), y: part(Math.min(one.y, other.y)), width: part(Math.abs(one.x - other.x)), height: part(Math.abs(one.y - other.y))
})

/** Keeps what is under this spot of the window in place. */
export const zoomed = (view: View, factor: number, spot: Spot): View => {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor))
  const by = scale / view.scale
  return { scale, x: spot.x - (spot.x - view.x) * by, y: spot.y - (spot.y - view.y) * by }
}
