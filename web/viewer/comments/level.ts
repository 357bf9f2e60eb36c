/** Where cards go so that each is level with what it is about and none lies over another. Pure. */

export interface Wanted {
  /** Where it would begin, from the top of the list. */
  readonly top: number
  readonly height: number
}

const GAP = 12

/** How far each begins below the end of the one before. */
export const spaced = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<number> => {
  let end = 0
  return wanted.map(({ height, top }, index) => {
    const least = index === 0 ? 0 : GAP
    const space = Math.max(least, top - end)
    end += space + height
    return space
  })
}

/** In the order of a document that does not say where things are: its pages, then rows, lines or times, then spots. */
export const inOrder = (
  a: { readonly page?: number; readonly row?: number; readonly line?: number; readonly time?: number; readonly y?: number },
  b: typeof a
): number => {
  const key = ({ line, page, row, time, y }: typeof a) => [page ?? 0, row ?? line ?? time ?? 0, y ?? 0]
  const [one, other] = [key(a), key(b)]
  const at = one.findIndex((value, index) => value !== other[index])
  return at === -1 ? 0 : one[at]! - other[at]!
}
