/** A row of bars, one a day, in eight heights; a day without views shows as a line at the bottom. */

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const

/** Each number as a bar as high as its part of the highest. What is there at all stands above nothing. */
export const bars = (numbers: ReadonlyArray<number>): string => {
  const top = Math.max(1, ...numbers)
  return numbers.map((number) => number === 0 ? BARS[0] : BARS[Math.max(1, Math.round((number / top) * (BARS.length - 1)))]).join("")
}
