/** Which cells are selected: the active one, and the rectangle from it to the corner `from`. Row -1 is the header. Pure. */

export interface Spot {
  readonly row: number
  readonly column: number
}

export interface Picked {
  readonly active: Spot
  /** The other corner of the rectangle. */
  readonly from: Spot
}

const within = (value: number, most: number, least = 0): number => Math.max(least, Math.min(most, value))

export interface Step {
  readonly key: string
  readonly shift: boolean
  readonly control: boolean
}

/** Where a key moves the selection; undefined where it does not. */
export const moved = ({ active, from }: Picked, { control, key, shift }: Step, rows: number, columns: number, page: number): Picked | undefined => {
  const [lastRow, lastColumn] = [rows - 1, columns - 1]
  const steps: Readonly<Record<string, Spot>> = {
    ArrowUp: { ...active, row: control ? 0 : active.row - 1 },
    ArrowDown: { ...active, row: control ? lastRow : active.row + 1 },
    ArrowLeft: { ...active, column: control ? 0 : active.column - 1 },
    ArrowRight: { ...active, column: control ? lastColumn : active.column + 1 },
    PageUp: { ...active, row: Math.max(0, active.row - page) },
    PageDown: { ...active, row: active.row + page },
    Home: { row: control ? 0 : active.row, column: 0 },
    End: { row: control ? lastRow : active.row, column: lastColumn }
  }
  const next = Object.hasOwn(steps, key) ? steps[key]! : undefined
  if (next === undefined) return undefined
  const spot = { row: within(next.row, lastRow, shift ? 0 : -1), column: within(next.column, lastColumn) }
  return { active: spot, from: shift && from.row >= 0 ? from : spot }
}

/** Starts and ends (exclusive). */
export const areaOf = ({ active, from }: Picked) => ({
  top: Math.min(active.row, from.row), bottom: Math.max(active.row, from.row) + 1,
  left: Math.min(active.column, from.column), right: Math.max(active.column, from.column) + 1
})
