/** How many comments' places are found again in random documents after random edits, how many are given up, and how many end elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { besideOf } from "../../web/viewer/kinds/data/table/beside.ts"
import { besideOf as valuesBeside, movedTo, valueText } from "../../web/viewer/kinds/data/json/json-places.ts"
import type { Path } from "../../web/viewer/kinds/data/json/paths.ts"
import { TableView } from "../../web/viewer/kinds/data/table/table-view.ts"
import { pageWith } from "../../web/viewer/kinds/pdf/page-words.ts"
import { findQuoted, quoted } from "../../web/viewer/text-anchor.ts"

const RUNS = 100

const dice = () => {
  let seed = 7
  const random = (): number => (seed = (seed * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32
  const int = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  return { random, int, pick: <A>(all: ReadonlyArray<A>): A => all[int(0, all.length - 1)]! }
}
type Dice = ReturnType<typeof dice>

/** A place in one list of parts, looked for in another; undefined where it is gone. */
interface Sought<A> {
  readonly part: (dice: Dice) => A
  readonly look: (before: ReadonlyArray<A>, own: number, dice: Dice) => (after: ReadonlyArray<A>) => Promise<string | undefined> | string | undefined
}

/** Parts that say the same cannot be told apart. */
const isTwin = (one: unknown, other: unknown): boolean => one !== other && JSON.stringify(one) === JSON.stringify(other)

const run = async <A>({ look, part }: Sought<A>): Promise<{ readonly lost: number; readonly elsewhere: number }> => {
  const rolled = dice()
  const { int, random } = rolled
  let [lost, elsewhere] = [0, 0]
  for (let count = 0; count < RUNS; count++) {
    const before = Array.from({ length: int(8, 24) }, () => part(rolled))
    const at = int(0, before.length - 1)
    const own = before[at]!
    const find = look(before, at, rolled)
    const isDeleted = count % 2 === 1
    const after = isDeleted ? before.toSpliced(at, 1) : [...before]
    for (let edits = isDeleted ? 0 : int(1, 4); edits > 0; edits--) {
      const where = int(0, after.length - 1)
      if (random() < 0.6) after.splice(where, 0, part(rolled))
      else if (after[where] !== own) after.splice(where, 1)
    }
    if ([...before, ...after].some((one) => isTwin(one, own))) continue
    const found = await find(after)
    if (found === undefined) lost += isDeleted ? 0 : 1
    else if (found !== String(after.indexOf(own))) elsewhere++
  }
  return { lost, elsewhere }
}

const WORDS = "revenue growth market churn plan team risk cost delay budget quarter report customer product".split(" ")
const said = ({ pick }: Dice, count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(" ")

const onPage = (part: Sought<string>["part"], words: RegExp): Sought<string> => ({
  part,
  look: (before, own, { pick }) => {
    const word = pick([...before[own]!.matchAll(words)])
    const wanted = quoted(before[own]!, [word.index, word.index + word[0].length])
    return async (after) => {
      const page = await pageWith(async (number) => after[number - 1]!, wanted, Math.min(own + 1, after.length), after.length)
      return page === undefined ? undefined : String(page - 1)
    }
  }
})

const inTable = (part: Sought<ReadonlyArray<string>>["part"]): Sought<ReadonlyArray<string>> => ({
  part,
  look: (before, own, { int }) => {
    const row = before[own]!
    const column = int(0, row.length - 1)
    const wanted = { quote: row[column]!, ...besideOf(column, row.length, (at) => row[at]!) }
    return (after) => {
      const view = new TableView({
        count: () => after.length, width: () => row.length, row: (record) => after[record]!,
        each: (from, to, visit) => after.slice(from, to).forEach((cells, at) => visit(from + at, cells))
      })
      const record = view.locate(own, column, wanted)
      return record === -1 ? undefined : String(record)
    }
  }
})

const valueAt = (root: unknown) => (path: Path): unknown =>
  path.reduce<unknown>((value, key) => value === undefined || value === null ? undefined : (value as Record<string | number, unknown>)[key], root)

const inItem = (part: Sought<unknown>["part"], keys: ReadonlyArray<string>): Sought<unknown> => ({
  part,
  look: (before, own, { pick }) => {
    const path = [own, ...(keys.length === 0 ? [] : [pick(keys)])]
    const wanted = { quote: valueText(valueAt(before)(path)), ...valuesBeside(path, valueAt(before)) }
    return (after) => movedTo(path, wanted, valueAt(after))?.[0]?.toString()
  }
})

const inText: Sought<string> = {
  part: (dice) => dice.random() < 0.5 ? `${dice.pick(["Status", "Owner", "Risk"])}: ${said(dice, 1)} ${dice.int(1, 99)}` : `${said(dice, dice.int(5, 20))}.`,
  look: (before, own, { pick }) => {
    const start = before.slice(0, own).join("\n\n").length + (own === 0 ? 0 : 2)
    const word = pick([...before[own]!.matchAll(/\S+ \S+/g)])
    const text = before.join("\n\n")
    const wanted = quoted(text, [start + word.index, start + word.index + word[0].length])
    return (after) => {
      const now = after.join("\n\n")
      const span = findQuoted(now, wanted, { at: Math.min(start, now.length), section: [0, now.length] })
      return span && String(now.slice(0, span[0]).split("\n\n").length - 1)
    }
  }
}

const amount = ({ random }: Dice): string => (random() * 500).toFixed(2)
const kinds: ReadonlyArray<readonly [string, () => ReturnType<typeof run>, lost: number, elsewhere: number]> = [
  ["words in a text", () => run(inText), 1, 2],
  ["words in a PDF's prose", () => run(onPage((dice) => said(dice, dice.int(40, 80)), /\w+ \w+/g)), 0, 2],
  ["an amount on one of many forms", () => run(onPage((dice) => `Invoice ${dice.int(1_000, 9_999)}\n${said(dice, 6)}\nTotal amount due including VAT: ${amount(dice)} EUR, payable within 30 days of receipt`, /\d+\.\d\d/g)), 0, 0],
  ["a cell beside common ones", () => run(inTable((dice) => [amount(dice), dice.pick(["EUR", "EUR", "USD"]), dice.pick(["paid", "open"])])), 0, 1],
  ["an answer beside a name", () => run(inTable((dice) => [`${dice.pick(["Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"])} ${dice.pick(WORDS)}`, dice.pick(["yes", "no"])])), 0, 1],
  ["a value beside a common one", () => run(inItem((dice) => ({ title: `Feature ${dice.int(1, 1e6)}`, on: dice.pick([true, false]) }), ["title", "on"])), 0, 1],
  ["a value with nothing plain beside it", () => run(inItem((dice) => ({ meta: { a: dice.int(1, 1e6) }, kind: "row" }), ["meta", "kind"])), 0, 0],
  ["a string of a list", () => run(inItem((dice) => `item ${dice.int(1, 1e6)}`, [])), 0, 0]
]

describe(`of ${RUNS} places in random documents, edited at random`, () => {
  for (const [what, measure, lost, elsewhere] of kinds) {
    it(`${what}: at most ${lost} that are there are given up, at most ${elsewhere} are looked for elsewhere`, async () => {
      const measured = await measure()
      assert.isAtMost(measured.lost, lost)
      assert.isAtMost(measured.elsewhere, elsewhere)
    })
  }
})
