/** A row of bars, one per day, in eight heights; a day without views shows as a line at the bottom. */

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const

/** Each number as a bar in proportion to the highest. Any number above zero stands higher than zero. */
export const bars = (numbers: ReadonlyArray<number>): string => {
  const top = Math.max(1, ...numbers)
  return numbers.map((number) => number === 0 ? BARS[0] : BARS[Math.max(1, Math.round((number / top) * (BARS.length - 1)))]).join("")
}

interface Day {
  readonly date: string
  readonly views: number
}

/** The last days, as many as there is room for, with their dates below. */
export const chart = (series: ReadonlyArray<Day>, wide: number): readonly [bars: string, days: string] => {
  const drawn = series.slice(-wide)
  return [bars(drawn.map(({ views }) => views)), `${drawn[0]?.date ?? ""} to ${drawn.at(-1)?.date ?? ""}`]
}
