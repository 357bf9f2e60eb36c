/** A spot on a page, in fractions of the unturned page and of the page as it is turned now. Pure. */
import { part } from "../../spots.ts"
import type { Marked, Spot } from "../../spots.ts"

export interface Pinned extends Spot {
  readonly page: number
}

/** Clockwise, in quarter turns. */
export const turned = ({ x, y }: Spot, degrees: number): Spot => {
  const quarters = ((degrees / 90) % 4 + 4) % 4
  const [one, other] = ([[x, y], [1 - y, x], [1 - x, 1 - y], [y, 1 - x]] as const)[quarters as 0 | 1 | 2 | 3]
  return { x: part(one), y: part(other) }
}

/** A box on its page as turned: another of its corners may become the top left one. */
export const boxTurned = ({ height = 0, width = 0, x, y }: Marked, degrees: number): Required<Marked> => {
  const [one, other] = [turned({ x, y }, degrees), turned({ x: x + width, y: y + height }, degrees)]
  return { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y), width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) }
}
