/** The table that a run ends with. */
import { median } from "../bench/pairs.ts"

export interface Row {
  readonly course: string
  /** The fault, and how often it was made. */
  readonly fault: string
  /** What went on meanwhile, and how it was answered. */
  readonly meanwhile: string
  /** Whatever was acknowledged and is gone, was torn, was done twice, hung, or was answered wrongly: one line each. */
  readonly wrong: ReadonlyArray<string>
  /** Milliseconds from the end of each fault until everything worked again. */
  readonly back: ReadonlyArray<number>
}

const seconds = (ms: number): string => ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`

const backAfter = (back: ReadonlyArray<number>): string =>
  back.length === 0 ? "–" : back.length === 1 ? seconds(back[0]!) : `${seconds(median(back))}, at most ${seconds(Math.max(...back))}`

const HEAD = ["course", "what was done", "meanwhile", "wrong", "went on after"] as const

export const table = (rows: ReadonlyArray<Row>): string => {
  const cells = rows.map(({ back, course, fault, meanwhile, wrong }) => [course, fault, meanwhile, wrong.length === 0 ? "nothing" : `${wrong.length}`, backAfter(back)])
  return [HEAD, HEAD.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n")
}
