/**
 * What changed in a text as HTML: blocks of lines, each with its number and its sign. On wide screens they stand side by side,
 * on narrow ones removed lines above added ones. Long unchanged stretches are folded; those between hunks are only counted.
 */
import { wordDiff } from "../../../domain/projects/line-diffs.ts"
import { withoutCodes } from "../../../domain/projects/documents/terminal-codes.ts"
import type { DiffLine, Hunk, Stretch } from "../../../domain/projects/line-diffs.ts"
import { countText } from "../../../domain/words.ts"
import { html } from "../../../look/html.ts"
import type { Html } from "../../../look/html.ts"

/** How many unchanged lines stay visible beside a change, and how many more are worth folding. */
const AROUND = 3
const WORTH = 4

/** How many more pairs of lines one page may compare word by word: that blocks other requests. */
export interface Marks {
  pairs: number
}
export const marksOfAPage = (): Marks => ({ pairs: 100 })

interface Line extends DiffLine {
  /** Its line number before, and after. */
  readonly from: number
  readonly to: number
}

const stayed = (count: number): string => countText(count, "unchanged line")

const firstOf = ({ fromLine, fromLines, toLine, toLines }: Hunk) =>
  ({ from: fromLines === 0 ? fromLine + 1 : fromLine, to: toLines === 0 ? toLine + 1 : toLine })

const numbered = (hunk: Hunk): ReadonlyArray<Line> => {
  let { from, to } = firstOf(hunk)
  return hunk.lines.map((line) => ({ ...line, text: withoutCodes(line.text), from: line.kind === "added" ? from : from++, to: line.kind === "removed" ? to : to++ }))
}

/** Consecutive lines in groups: unchanged ones, or removed and added ones. */
const runsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
  const runs: Array<Array<Line>> = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last !== undefined && (last[0]!.kind === "same") === (line.kind === "same")) last.push(line)
    else runs.push([line])
  }
  return runs
}

const unseen = ({ noNewlineAtEnd, text }: DiffLine): Html | null =>
  noNewlineAtEnd === true ? html`<small>no line break at the end</small>` : text.endsWith("\r") ? html`<small>CRLF</small>` : null

const words = (line: DiffLine, stretches: ReadonlyArray<Stretch> | undefined) =>
  stretches === undefined ? line.text : stretches.map(({ own, text }) => own ? html`<mark>${text}</mark>` : text)

const changed = (lines: ReadonlyArray<Line>, marks: Marks): Html => {
  const [gone, come] = [lines.filter(({ kind }) => kind === "removed"), lines.filter(({ kind }) => kind === "added")]
  const paired = gone.length === come.length && marks.pairs >= gone.length
  if (paired) marks.pairs -= gone.length
  const told = gone.map((line, at) => paired ? wordDiff(line.text, come[at]!.text) : undefined)
  return html`<div class="b">${
    gone.map((line, at) => html`<del><b>${line.from}</b><i>−</i><span>${words(line, told[at]?.[0])}${unseen(line)}</span></del>`)
  }${come.map((line, at) => html`<ins><b>${line.to}</b><i>+</i><span>${words(line, told[at]?.[1])}${unseen(line)}</span></ins>`)}</div>
`
}

/** Written twice, for two columns; screen readers and single-column layouts get it once. */
const same = (lines: ReadonlyArray<Line>): Html | null =>
  lines.length === 0 ? null : html`<div class="b same"><div class="twin" aria-hidden="true">${
    lines.map(({ from, text }) => html`<p><b>${from}</b><i></i><span>${text}</span></p>`)
  }</div><div>${lines.map(({ text, to }) => html`<p><b>${to}</b><i></i><span>${text}</span></p>`)}</div></div>
`

const folded = (lines: ReadonlyArray<Line>, before: boolean, after: boolean): Html => {
  const [top, end] = [before ? AROUND : 0, lines.length - (after ? AROUND : 0)]
  if (end - top < WORTH) return html`${same(lines)}`
  return html`${same(lines.slice(0, top))}<details class="fold"><summary>${stayed(end - top)}</summary>${same(lines.slice(top, end))}</details>${
    same(lines.slice(end))
  }`
}

export const linesHtml = (hunks: ReadonlyArray<Hunk>, marks: Marks): Html => {
  let next = 1
  const parts = hunks.map((hunk) => {
    const first = firstOf(hunk).from
    const gap = first - next
    next = first + hunk.fromLines
    const runs = runsOf(numbered(hunk))
    return html`${gap > 0 && html`<p class="gap">${stayed(gap)}</p>`}${
      runs.map((run, at) => run[0]!.kind === "same" ? folded(run, at > 0, at < runs.length - 1) : changed(run, marks))
    }`
  })
  return html`<div class="lines">${parts}</div>`
}

const countsOf = (hunks: ReadonlyArray<Hunk>): { readonly added: number; readonly removed: number } => {
  const count = (kind: DiffLine["kind"]) => hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0)
  return { added: count("added"), removed: count("removed") }
}

/** How many lines came and went, in words. */
export const countsText = (hunks: ReadonlyArray<Hunk>): string => {
  const { added, removed } = countsOf(hunks)
  if (added === 0) return `${countText(removed, "line")} removed`
  return `${countText(added, "line")} added${removed === 0 ? "" : `, ${removed.toLocaleString("en")} removed`}`
}
