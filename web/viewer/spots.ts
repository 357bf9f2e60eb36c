/** A spot, or a box by its corner: of an image or a page in fractions of the whole, of a window in px. Pure. */

export interface Spot {
  readonly x: number
  readonly y: number
}

export type Marked = Spot & { readonly width?: number; readonly height?: number }

/** Rounded: nobody can point more exactly than a ten-thousandth of the whole. */
export const part = (amount: number): number => Math.min(1, Math.max(0, Math.round(amount * 10_000) / 10_000))
