/** `node bench/compare.ts <first>.json <second>.json`: two runs side by side as Markdown, and which rows are more than 15 % apart. */
import { readFileSync } from "node:fs"
import type { Row } from "./report.ts"

interface Result {
  readonly rows: ReadonlyArray<Row & { readonly ratio: number }>
}

/** Ratios this close count as equal. */
const WITHIN = 0.15

const paths = process.argv.slice(2)
if (paths.length !== 2) {
  process.stderr.write("compare: give two files of bench/results.\n")
  process.exit(2)
}

const [first, second] = paths.map((path) => (JSON.parse(readFileSync(path, "utf8")) as Result).rows) as [Result["rows"], Result["rows"]]

const short = (value: number): string => String(Number(value.toPrecision(3)))
/** The peer's name without its own figure. */
const beside = (peer: string): string => peer.replace(/ [\d.]+k?(?:\/s| ms| µs| s| MB)$/, "").replace(/^[\d.]+ MB /, "")

const lines = first.flatMap((row) => {
  const again = second.find(({ bench, peer, what }) => bench === row.bench && what === row.what && beside(peer) === beside(row.peer))
  if (again === undefined) return []
  const apart = 1 - Math.min(row.ratio, again.ratio) / Math.max(row.ratio, again.ratio)
  return [{ row, again, apart, isRatio: row.unit === undefined }]
})

process.stdout.write("| Bench | What / beside what | First | Second | Goal | |\n|---|---|---|---|---|---|\n")
for (const { again, apart, isRatio, row } of lines) {
  const goal = row.goal === undefined ? "–" : `${row.goal.op} ${row.goal.value}`
  const note = !isRatio ? row.unit : apart > WITHIN ? `${Math.round(apart * 100)} % apart` : ""
  process.stdout.write(`| ${row.bench} | ${row.what} / ${beside(row.peer)} | ${short(row.ratio)} | ${short(again.ratio)} | ${goal} | ${note} |\n`)
}
const compared = lines.filter(({ isRatio }) => isRatio)
process.stdout.write(`\n${compared.filter(({ apart }) => apart <= WITHIN).length} of ${compared.length} ratios agree within ${WITHIN * 100} %.\n`)
