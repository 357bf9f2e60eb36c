/** Comparing two versions: which files differ, which are text, and what changed in them, correctly and in bounded time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import fc from "fast-check"
import { changedFiles, comparable, isTextType } from "../../../src/domain/projects/changed-files.ts"
import { editsOf, lineDiff } from "../../../src/domain/projects/line-diffs.ts"
import type { Hunk } from "../../../src/domain/projects/line-diffs.ts"
import { makeTurns } from "../../../src/domain/turns.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const EDITS = 1000

const told = (from: string, to: string, edits = EDITS) => Effect.runPromise(lineDiff(from, to, edits))

const hunksOf = async (from: string, to: string): Promise<ReadonlyArray<Hunk>> => {
  const hunks = await told(from, to)
  assert.isDefined(hunks)
  return hunks!
}

/** As `diff -u` writes them. */
const unified = async (from: string, to: string): Promise<string> =>
  (await hunksOf(from, to)).map(({ fromLine, fromLines, lines, toLine, toLines }) =>
    [
      `@@ -${fromLine},${fromLines} +${toLine},${toLines} @@`,
      ...lines.flatMap(({ kind, noNewlineAtEnd, text }) => [
        `${{ same: " ", removed: "-", added: "+" }[kind]}${text}`,
        ...(noNewlineAtEnd === true ? ["\\ No newline at end of file"] : [])
      ])
    ].join("\n")
  ).join("\n")

/** The result of applying hunks to a text; fails if they do not fit it. */
const applied = (from: string, hunks: ReadonlyArray<Hunk>): string => {
  const lines = from.split(/(?<=\n)/)
  let result = ""
  let [at, line] = [0, 0]
  for (const hunk of hunks) {
    const start = hunk.fromLines === 0 ? hunk.fromLine : hunk.fromLine - 1
    for (; at < start; at++, line++) result += lines[at]
    assert.strictEqual(line, hunk.toLines === 0 ? hunk.toLine : hunk.toLine - 1)
    const [end, toEnd] = [at + hunk.fromLines, line + hunk.toLines]
    for (const { kind, noNewlineAtEnd, text } of hunk.lines) {
      const whole = noNewlineAtEnd === true ? text : `${text}\n`
      if (kind !== "added") assert.strictEqual(lines[at++], whole)
      if (kind !== "removed") {
        result += whole
        line++
      }
    }
    assert.deepStrictEqual([at, line], [end, toEnd])
  }
  return result + lines.slice(at).join("")
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1))
const text = (lines: ReadonlyArray<string>) => lines.map((line) => `${line}\n`).join("")

describe("line diffs", () => {
  it("stand in hunks with three lines around them, and in one where these would touch", async () => {
    const ten = numbers(10)
    assert.strictEqual(await unified(text(ten), text(ten.with(4, "five"))), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8")
    const far = numbers(20)
    const near = await unified(text(far), text(far.with(4, "a").with(11, "b")))
    assert.strictEqual(near.match(/^@@/gm)?.length, 1)
    const apart = await unified(text(far), text(far.with(4, "a").with(12, "b")))
    assert.deepStrictEqual(apart.match(/^@@.*/gm), ["@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@"])
    assert.strictEqual(await unified("a\n", "a\n"), "")
  })

  it("say where a side is empty, ends without a line break, or breaks its lines otherwise", async () => {
    assert.strictEqual(await unified("", "a\n"), "@@ -0,0 +1,1 @@\n+a")
    assert.strictEqual(await unified("a\n", ""), "@@ -1,1 +0,0 @@\n-a")
    assert.strictEqual(await unified("a", "a\n"), "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a")
    assert.strictEqual(await unified("a\nb", "a\nc"), "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file")
    assert.strictEqual(await unified("a\r\n", "a\n"), "@@ -1,1 +1,1 @@\n-a\r\n+a")
  })

  const someText = fc.array(fc.constantFrom("a", "b", "c", "}", ""), { maxLength: 30 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), text(lines)))

  it("always make the one text of the other", async () => {
    await fc.assert(fc.asyncProperty(someText, someText, async (from, to) => {
      const hunks = await hunksOf(from, to)
      assert.strictEqual(applied(from, hunks), to)
      if (from === to) assert.lengthOf(hunks, 0)
    }), { numRuns: 100 })
  })

  it("are left out beyond their bound in edits, to the line", async () => {
    const [from, to] = [text(numbers(100)), text(numbers(100).map((line) => `${line}!`))]
    assert.strictEqual(editsOf((await told(from, to, 200))!), 200)
    assert.isUndefined(await told(from, to, 199))
  })

  it("are left out of texts with too many lines for a step, or with too many for so many edits", async () => {
    const same = "a\n".repeat(49_900)
    assert.lengthOf((await told(same, `b\n${same}b`))!, 2)
    assert.isUndefined(await told(same, text(numbers(300)) + same))
    assert.isDefined(await told(same.slice(0, 20_000), text(numbers(300)) + same.slice(0, 20_000)))
    assert.isUndefined(await told(`${same}${same}`, `${same}${same}b`))
  })

  it("let others run while a pair made to be hard is looked through", async () => {
    const lines = (count: number, line: (at: number) => unknown) => Array.from({ length: count }, (_, at) => String(line(at))).join("\n")
    const long = (at: number) => `${at}`.padStart(48, "-")
    // Processor time, which pauses of the machine do not affect; a single unbounded search would take many seconds of it.
    const spent = () => process.cpuUsage().user / 1_000
    let longest = 0
    let last = spent()
    const watch = setInterval(() => {
      longest = Math.max(longest, spent() - last)
      last = spent()
    }, 1)
    await told(lines(19_999, long), lines(19_999, (at) => long((at * 7919) % 19_999)))
    clearInterval(watch)
    assert.isBelow(longest, 1_500)
  })

  it("keep their turn until they are computed, also once their caller has left", async () => {
    const [from, to] = [text(numbers(25)), text(numbers(25).map((line) => `${line}!`))]
    const took = async (work: Effect.Effect<unknown>) => {
      const began = performance.now()
      await Effect.runPromise(work)
      return performance.now() - began
    }
    const alone = Math.min(await took(lineDiff(from, to, EDITS)), await took(lineDiff(from, to, EDITS)), await took(lineDiff(from, to, EDITS)))
    const { inTurn } = makeTurns(1)
    const inTurnOf = (workspace: number, work: Effect.Effect<unknown>) =>
      inTurn({ of: WorkspaceId.make(`00000000-0000-7000-8000-00000000000${workspace}`), awaited: true }, work)
    const waited = await took(Effect.gen(function*() {
      const left = yield* Effect.forkChild(inTurnOf(1, lineDiff(from, to, EDITS)), { startImmediately: true })
      yield* Effect.forkChild(Fiber.interrupt(left), { startImmediately: true })
      yield* inTurnOf(2, Effect.void)
    }))
    assert.isAbove(waited, alone / 4)
  })
})

describe("changed files", () => {
  const asset = (hash: string) => ({ pack: "p", offset: 0, length: 1, hash, type: "text/plain" })

  it("are told by path and hash, in order, names of every object among them", () => {
    const from = { "b.txt": asset("1"), "a.txt": asset("1"), "gone": asset("2"), "constructor": asset("3"), "x": asset("4") }
    const to = { "x": asset("5"), "a.txt": asset("1"), "b.txt": asset("9"), "new": asset("2"), "toString": asset("3") }
    const { added, changed, removed, unchanged } = changedFiles(from, to)
    assert.deepStrictEqual(added.map(({ path }) => path), ["new", "toString"])
    assert.deepStrictEqual(changed.map(({ path }) => path), ["b.txt", "x"])
    assert.deepStrictEqual(removed.map(({ path }) => path), ["constructor", "gone"])
    assert.strictEqual(unchanged, 1)
  })

  it("are text by their type, in the encoding it names, when the bytes are that", () => {
    const texts = ["text/html; charset=utf-8", "text/css", "TEXT/Plain; format=flowed", "application/json; charset=utf-8", "image/svg+xml", "application/manifest+json", "application/javascript"]
    for (const type of texts) assert.isTrue(isTextType(type), type)
    for (const type of ["image/png", "application/pdf", "application/octet-stream", ""]) assert.isFalse(isTextType(type), type)
    assert.strictEqual(comparable(Buffer.from("é", "latin1"), "TEXT/Plain; format=flowed; Charset = \"ISO-8859-1\""), "é")
    assert.strictEqual(comparable(Buffer.from("\uFEFFé", "utf16le"), "text/plain; charset=utf-8"), "é")
    assert.strictEqual(comparable(Buffer.from("é", "latin1"), "text/plain; charset=iso-8859-1"), "é")
    assert.strictEqual(comparable(Buffer.from("é", "utf16le"), "text/plain; charset=utf-16le"), "é")
    assert.strictEqual(comparable(Buffer.from("gr\xc3\xbcn \xff", "latin1"), "text/plain; charset=utf-8"), "grün \uFFFD")
    assert.isUndefined(comparable(Buffer.from([0xff, 0xfe, 0xfd]), "text/plain"))
    assert.strictEqual(comparable(Buffer.from("é"), "text/plain; charset=no-such-encoding"), "é")
    assert.isUndefined(comparable(Buffer.from("é", "latin1"), "text/plain; charset=no-such-encoding"))
    // A page says so itself, or is read as browsers read one that does not.
    const cyrillic = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]
    for (const [named, bytes, words] of [["<meta charset=\"windows-1251\">", cyrillic, "Привет"], ["", [0x63, 0xe9], "cé"], ["<meta charset=utf-8>", [0x63, 0xe9], "c\uFFFD"]] as const) {
      assert.strictEqual(comparable(Buffer.concat([Buffer.from(`<!doctype html>${named}<p>`), Buffer.from(bytes)]), "text/html"), `<!doctype html>${named}<p>${words}`)
    }
  })
})
