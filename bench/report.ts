/** The table that a run ends with, and its rows as JSON has them for comparing runs. */
import { median, ratios } from "./pairs.ts"

export interface Goal {
  readonly op: "≥" | "≤"
  readonly value: number
}

export interface Row {
  readonly bench: string
  readonly what: string
  readonly ours: string
  readonly peer: string
  /** One per pair; if nothing is paired, the one figure that the goal is about. */
  readonly ratios: ReadonlyArray<number>
  /** Absent if a figure is shown only for orientation. */
  readonly goal?: Goal
  /** The unit of the goal's figure, if it is not a ratio. */
  readonly unit?: string
}

export const atLeast = (value: number): Goal => ({ op: "≥", value })
export const atMost = (value: number): Goal => ({ op: "≤", value })

export const perSecond = (values: ReadonlyArray<number>): string => {
  const value = median(values)
  return value >= 10_000 ? `${(value / 1000).toFixed(1)}k/s` : `${value.toFixed(0)}/s`
}

export const milliseconds = (values: ReadonlyArray<number>): string => {
  const value = median(values)
  return value >= 100 ? `${value.toFixed(0)} ms` : `${value.toFixed(2)} ms`
}

export const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

export const paired = (
  bench: string,
  what: string,
  show: (values: ReadonlyArray<number>) => string,
  ours: ReadonlyArray<number>,
  peer: readonly [name: string, values: ReadonlyArray<number>],
  goal?: Goal
): Row => ({
  bench,
  what,
  ours: show(ours),
  peer: `${peer[0]} ${show(peer[1])}`,
  ratios: ratios(ours, peer[1]),
  ...(goal && { goal })
})

const reached = ({ goal, ratios }: Row): boolean | undefined =>
  goal && (goal.op === "≥" ? median(ratios) >= goal.value : median(ratios) <= goal.value)

const verdict = (row: Row): string => {
  const met = reached(row)
  return met === undefined ? "" : met ? "reached" : "MISSED"
}

const short = (value: number): string => value.toFixed(value < 10 ? 2 : 1)

const spread = ({ ratios, unit }: Row): string =>
  unit !== undefined
    ? `${short(median(ratios))} ${unit}`
    : `${short(median(ratios))} (${short(Math.min(...ratios))}–${short(Math.max(...ratios))}, ${ratios.length} pairs)`

export const table = (rows: ReadonlyArray<Row>): string => {
  const cells = rows.map((row) => [
    row.bench, row.what, row.ours, row.peer, spread(row), row.goal ? `${row.goal.op} ${row.goal.value}` : "–", verdict(row)
  ])
  const lines = [["bench", "what", "ours", "peer", "ratio: median (range)", "goal", ""], ...cells]
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n")
}

export const judged = (row: Row) => ({ ...row, ratio: median(row.ratios), reached: reached(row) })
