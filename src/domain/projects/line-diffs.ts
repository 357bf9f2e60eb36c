/**
 * What changed between two texts, line by line, as the hunks of a unified diff. The search is bounded in edits, not in
 * time, so that the same two texts always get the same answer; it lets others run between its steps.
 */
import { diffWordsWithSpace, structuredPatch } from "diff"
import { Effect } from "effect"

export interface DiffLine {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
  /** On the last line of a text that ends without a line break. */
  readonly noNewlineAtEnd?: true
}

/** Lines are counted from 1; a side without lines here says the line before, as unified diffs do. */
export interface Hunk {
  readonly fromLine: number
  readonly fromLines: number
  readonly toLine: number
  readonly toLines: number
  readonly lines: ReadonlyArray<DiffLine>
}

/** Lines that stay around those that changed. */
export const CONTEXT = 3

/** What JSON puts around a line. */
const WRAPPING = 32

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { " ": "same", "-": "removed", "+": "added" }

const linesOf = (marked: ReadonlyArray<string>): ReadonlyArray<DiffLine> =>
  marked.flatMap((line, at) => {
    const kind = KINDS[line.charAt(0)]
    if (kind === undefined) return []
    const text = line.slice(1)
    return [marked[at + 1]?.startsWith("\\") === true ? { kind, text, noNewlineAtEnd: true } : { kind, text }]
  })

/** Bytes of the hunks’ text, with what wraps each line. */
export const sizeOf = (hunks: ReadonlyArray<Hunk>): number =>
  hunks.reduce((sum, { lines }) => lines.reduce((size, { text }) => size + Buffer.byteLength(text) + WRAPPING, sum), 0)

/** Lines that went or came. */
export const editsOf = (hunks: ReadonlyArray<Hunk>): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== "same").length, 0)

/** Undefined where more than `maxEdits` lines went or came. */
export const lineDiff = (before: string, after: string, maxEdits: number, context = CONTEXT): Effect.Effect<ReadonlyArray<Hunk> | undefined> =>
  Effect.callback((resume) => {
    structuredPatch("", "", before, after, undefined, undefined, {
      context,
      maxEditLength: maxEdits,
      callback: (patch) =>
        resume(Effect.succeed(patch?.hunks.map(({ lines, newLines, newStart, oldLines, oldStart }) => ({
          fromLine: oldLines === 0 ? oldStart - 1 : oldStart,
          fromLines: oldLines,
          toLine: newLines === 0 ? newStart - 1 : newStart,
          toLines: newLines,
          lines: linesOf(lines)
        }))))
    })
  })

/** A stretch of a line, and whether it is in this line alone. */
export interface Stretch {
  readonly text: string
  readonly own: boolean
}

/** Longer lines, and such with more changes, are only shown as changed. */
const LINE = 1_000
const WORDS = 60

/** What two versions of one line differ in, word by word; undefined where they have too little in common to say so. */
export const wordDiff = (before: string, after: string): readonly [before: ReadonlyArray<Stretch>, after: ReadonlyArray<Stretch>] | undefined => {
  if (before.length > LINE || after.length > LINE) return undefined
  const found = diffWordsWithSpace(before, after, { maxEditLength: WORDS })
  if (found === undefined) return undefined
  const kept = found.reduce((sum, { added, removed, value }) => added || removed ? sum : sum + value.trim().length, 0)
  if (kept * 3 < Math.min(before.trim().length, after.trim().length)) return undefined
  const of = (side: "added" | "removed"): ReadonlyArray<Stretch> =>
    found.filter((part) => part[side] || (!part.added && !part.removed)).map((part) => ({ text: part.value, own: part[side] }))
  return [of("removed"), of("added")]
}
