/**
 * What changed between two texts, line by line, as the hunks of a unified diff. The search is bounded in edits, not in
 * time, so that the same two texts always get the same answer; it yields to the event loop between its steps.
 */
import { diffWordsWithSpace, structuredPatch } from "diff"
import { Effect } from "effect"

export interface DiffLine {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
  /** Set on the last line of a text that ends without a line break. */
  readonly noNewlineAtEnd?: true
}

/** Lines count from 1. A side without lines in the hunk names the line before it, as in unified diffs. */
export interface Hunk {
  readonly fromLine: number
  readonly fromLines: number
  readonly toLine: number
  readonly toLines: number
  readonly lines: ReadonlyArray<DiffLine>
}

/** Unchanged lines shown around changed ones. */
export const CONTEXT = 3

/** Bytes that JSON adds to each line. */
const WRAPPING = 32

/** Lines of a text that is searched at all: they are divided in one step, which blocks other requests. */
const LINES = 50_000

/** Lines times edits: a search may pass every line again for each edit. */
const WORK = 10_000_000

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { " ": "same", "-": "removed", "+": "added" }

const linesOf = (marked: ReadonlyArray<string>): ReadonlyArray<DiffLine> =>
  marked.flatMap((line, at) => {
    const kind = KINDS[line.charAt(0)]
    if (kind === undefined) return []
    const text = line.slice(1)
    return [marked[at + 1]?.startsWith("\\") === true ? { kind, text, noNewlineAtEnd: true } : { kind, text }]
  })

/** Bytes of the hunks' text and of the JSON around each line. */
export const sizeOf = (hunks: ReadonlyArray<Hunk>): number =>
  hunks.reduce((sum, { lines }) => lines.reduce((size, { text }) => size + Buffer.byteLength(text) + WRAPPING, sum), 0)

/** The number of added and removed lines. */
export const editsOf = (hunks: ReadonlyArray<Hunk>): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== "same").length, 0)

const countLines = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf("\n"); at !== -1 && lines <= LINES; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/**
 * Undefined if more than `maxEdits` lines were added or removed, or fewer in a text of very many lines. The search cannot be stopped:
 * whoever leaves waits for its end, or they would give up a turn whose work goes on.
 */
export const lineDiff = (before: string, after: string, maxEdits: number, context = CONTEXT): Effect.Effect<ReadonlyArray<Hunk> | undefined> => {
  const lines = Math.max(countLines(before), countLines(after))
  if (lines > LINES) return Effect.succeed(undefined)
  return Effect.uninterruptible(Effect.callback((resume) => {
    structuredPatch("", "", before, after, undefined, undefined, {
      context,
      maxEditLength: Math.min(maxEdits, Math.floor(WORK / lines)),
      callback: (patch) =>
        resume(Effect.succeed(patch?.hunks.map(({ lines, newLines, newStart, oldLines, oldStart }) => ({
          fromLine: oldLines === 0 ? oldStart - 1 : oldStart,
          fromLines: oldLines,
          toLine: newLines === 0 ? newStart - 1 : newStart,
          toLines: newLines,
          lines: linesOf(lines)
        }))))
    })
  }))
}

/** A part of a line, and whether it occurs only in this version of the line. */
export interface Stretch {
  readonly text: string
  readonly own: boolean
}

/** Longer lines, and lines with more changed words, are only shown as changed. */
const LINE = 1_000
const WORDS = 60

/** How two versions of one line differ, word by word; undefined if they have too little in common. */
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
