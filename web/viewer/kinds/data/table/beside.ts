/** The cells beside a commented one, as its anchor keeps them, and how many of them a row still says. Pure. */
import type { Quoted } from "../../../text-anchor.ts"
import { shown } from "./source.ts"

/** How many cells on either side identify a row, and how many characters of them. */
const [BESIDE, CONTEXT] = [4, 64]

export const besideOf = (column: number, width: number, cell: (column: number) => string): { readonly prefix: string; readonly suffix: string } => {
  const joined = (from: number, to: number): string => Array.from({ length: Math.max(0, to - from) }, (_, at) => cell(from + at)).join("\t")
  return {
    prefix: joined(Math.max(0, column - BESIDE), column).slice(-CONTEXT).toWellFormed(),
    suffix: joined(column + 1, Math.min(width, column + 1 + BESIDE)).slice(0, CONTEXT).toWellFormed()
  }
}

/** What more rows or items than these say is said in another place with the same beside it by chance, too. */
export const FEW = 6

export interface Likeness {
  /** Cells that say what they said. Only as a whole: prices agree on ".00" by chance. */
  readonly alike: number
  /** Cells that said something. */
  readonly whole: number
}

/** Outwards from the commented cell. */
const outwards = (text: string, isBefore: boolean): ReadonlyArray<string> => isBefore ? text.split("\t").toReversed() : text.split("\t")

const agreeing = (wanted: string, now: ReadonlyArray<string>, isBefore: boolean): Likeness => {
  const cells = outwards(now.map(shown).join("\t"), isBefore)
  const own = outwards(wanted, isBefore)
  // The outermost cell may have been cut, in the middle of a character too.
  const cutAt = wanted.length < CONTEXT ? -1 : own.length - 1
  const isAlike = (said: string, at: number): boolean => {
    const cell = cells[at] ?? ""
    return cell === said || (at === cutAt && (isBefore ? cell.endsWith(said.replace(/^\uFFFD/, "")) : cell.startsWith(said.replace(/\uFFFD$/, ""))))
  }
  return { alike: own.filter((said, at) => said !== "" && isAlike(said, at)).length, whole: own.filter((said) => said !== "").length }
}

export const likeness = (row: ReadonlyArray<string>, column: number, { prefix = "", suffix = "" }: Quoted): Likeness => {
  const [before, after] = [agreeing(prefix, row.slice(Math.max(0, column - BESIDE), column), true), agreeing(suffix, row.slice(column + 1, column + 1 + BESIDE), false)]
  return { alike: before.alike + after.alike, whole: before.whole + after.whole }
}
