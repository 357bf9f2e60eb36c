/** A spot on a page, in parts of the page as it lies unturned, and as it is turned now. Pure. */

export interface Spot {
  readonly x: number
  readonly y: number
}

const part = (amount: number): number => Math.min(1, Math.max(0, Math.round(amount * 10_000) / 10_000))

/** Clockwise, by quarter turns. */
export const turned = ({ x, y }: Spot, degrees: number): Spot => {
  const quarters = ((degrees / 90) % 4 + 4) % 4
  const [one, other] = ([[x, y], [1 - y, x], [1 - x, 1 - y], [y, 1 - x]] as const)[quarters as 0 | 1 | 2 | 3]
  return { x: part(one), y: part(other) }
}
