/** The command line's wording: times, tables, bars, progress, at their boundaries. */
import { existsSync, readFileSync } from "node:fs"
import { assert, it, vi } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { browse } from "../../src/cli/browser.ts"
import { bars, chart } from "../../src/cli/chart.ts"
import { hasColours, modesOf, Output } from "../../src/cli/output.ts"
import { progress, progressLine } from "../../src/cli/publishing/progress.ts"
import { cut, facts, plain, table } from "../../src/cli/table.ts"
import { ago, asWord, span } from "../../src/cli/words.ts"
import { wireForm } from "../../src/domain/wire-form.ts"
import { newFolder } from "../support/cli.ts"
import { eventually } from "../support/program.ts"

it("says times in the largest unit that fits: what is past rounded down, what is to come to the nearest", () => {
  assert.deepStrictEqual([0, 59.9, 60, 5400, 86_400, 45 * 86_400, 800 * 86_400].map((seconds) => span(seconds)), ["0 s", "59 s", "1 min", "1 h", "1 day", "1 month", "2 years"])
  const now = DateTime.makeUnsafe("2027-01-31T12:00:00Z")
  const at = (seconds: number) => ago(DateTime.add(now, { seconds }), now)
  assert.deepStrictEqual([-9.999, -10, 9, 14 * 86_400 - 1, -14 * 86_400 + 1].map(at), ["just now", "10 s ago", "just now", "in 14 days", "13 days ago"])
})

it("lines columns up, by what is shown and not by characters, and lets one give way", () => {
  const rows = [["a", "née 日本", "5"], ["long-slug", "A title that has no room to itself", "500"]]
  const columns = [{ title: "SLUG" }, { title: "TITLE", gives: true }, { title: "N", right: true }]
  assert.deepStrictEqual(table(columns, rows, 30), [
    "SLUG       TITLE             N",
    "a          née 日本          5",
    "long-slug  A title that …  500"
  ])
  const spare = [{ title: "SLUG" }, { title: "TITLE", gives: true }, { title: "KIND", spare: true }, { title: "N", right: true, spare: true }]
  const wider = rows.map(([slug = "", title = "", size = ""]) => [slug, title, "site", size])
  assert.deepStrictEqual([30, 25, 24, 10].map((wide) => table(spare, wider, wide)[2]), ["long-slug  A title…  site  500", "long-slug  A title…  site", "long-slug  A title that…", "long-slug  A title…"])
  const late = [...columns.slice(0, 2), { title: "FOR", spare: "late" as const }, { title: "N", right: true, spare: true }]
  assert.deepStrictEqual([30, 25, 24].map((wide) => table(late, wider, wide)[2]), ["long-slug  A title…  site  500", "long-slug  A title…  site", "long-slug  A title that…"])
  assert.isTrue(table(columns, rows, Infinity).every((line) => !line.includes("…")))
  const piped = table(columns, [["a", "x".repeat(200), "5"], ["b", "y", "500"]], Infinity)
  assert.deepStrictEqual(piped, [`SLUG  TITLE${" ".repeat(55)}    N`, `a     ${"x".repeat(200)}    5`, `b     y${" ".repeat(59)}  500`])
  assert.deepStrictEqual(table([{ title: "A" }, { title: "B", gives: true }], [["1", "x".repeat(90)], ["2", ""]], Infinity), ["A  B", `1  ${"x".repeat(90)}`, "2"])
  assert.deepStrictEqual(facts([["Kind", "site"], ["Ends", undefined], ["Version", "2"]]), ["Kind     site", "Version  2"])
  assert.strictEqual(cut("日本語", 5), "日本…")
})

it("never lets what others wrote steer the terminal", () => {
  assert.strictEqual(plain("a\u001B[2Jb\nc\u0007"), "a [2Jb c ")
  assert.strictEqual(plain("pay \u202Eyna\u202C \u2066any\u2069"), "pay yna any")
  assert.notInclude(table([{ title: "T" }], [["\u001B]0;x\u0007"]], 80).join(""), "\u001B")
})

it("draws a bar a day, and something wherever anybody looked", () => {
  assert.strictEqual(bars([0, 1, 50, 100]), "▁▂▅█")
  assert.strictEqual(bars([0, 0]), "▁▁")
})

it("names the days that it draws, and draws all where there is room", () => {
  const series = Array.from({ length: 3 }, (_, day) => ({ date: `2027-01-0${day + 1}`, views: day }))
  assert.deepStrictEqual(chart(series, 2), ["▅█", "2027-01-02 to 2027-01-03"])
  for (const wide of [3, 80, Infinity]) assert.deepStrictEqual(chart(series, wide), ["▁▅█", "2027-01-01 to 2027-01-03"])
})

it("tells rate and time left once they mean something", () => {
  assert.strictEqual(progressLine(0, 2048, 5000), "Sending  0 bytes of 2 KB  0%")
  assert.strictEqual(progressLine(1024, 10_240, 100), "Sending  1 KB of 10 KB  10%")
  assert.strictEqual(progressLine(1024, 10_240, 1000), "Sending  1 KB of 10 KB  10%  1 KB/s  9 s left")
  assert.strictEqual(progressLine(0, 0, 1), "Sending  0 bytes of 0 bytes  100%")
})

it.effect("keeps the line of progress within a narrow terminal, where it would else be rewritten below itself", () =>
  Effect.gen(function*() {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true)
    const columns = Object.getOwnPropertyDescriptor(process.stderr, "columns")
    Object.defineProperty(process.stderr, "columns", { value: 20, configurable: true })
    const shown = yield* progress(100)
    shown.read(100)
    const lines = written.mock.calls.map(([line]) => line)
    written.mockRestore()
    Object.defineProperty(process.stderr, "columns", columns ?? { value: undefined, configurable: true })
    assert.deepStrictEqual(lines, ["\r\u001B[2KSending  100 bytes…"])
  }).pipe(Effect.provideService(Output, { json: false, watched: true } as typeof Output.Service)))

it("writes JSON as the API does", () => {
  const at = DateTime.makeUnsafe("2027-01-31T12:00:00Z")
  assert.deepStrictEqual(wireForm({ sizeBytes: 1, owner: { createdAt: at }, list: [{ isOwner: true }], none: null, base_version: 2, sha256Of: "", endsIn30Days: true }), {
    size_bytes: 1,
    owner: { created_at: "2027-01-31T12:00:00.000Z" },
    list: [{ is_owner: true }],
    none: null,
    base_version: 2,
    sha256_of: "",
    ends_in30_days: true
  })
  assert.deepStrictEqual(modesOf(["comments", "reply", "--", "--json"]), { json: false, verbose: false })
  assert.deepStrictEqual(modesOf(["list", "--json=true", "--verbose=yes"]), { json: true, verbose: true })
  for (const off of ["--json=false", "--no-json", "--json=0"]) assert.isFalse(modesOf(["list", "--json", off]).json, off)
})

it("colours nothing where a terminal cannot, or somebody wants none", () => {
  const terminal = { isTTY: true } as NodeJS.WriteStream
  vi.stubEnv("NO_COLOR", "").stubEnv("TERM", "xterm")
  assert.isTrue(hasColours(terminal))
  vi.stubEnv("TERM", "dumb")
  assert.isFalse(hasColours(terminal))
  vi.stubEnv("NO_COLOR", "1").stubEnv("TERM", "xterm")
  assert.isFalse(hasColours(terminal))
  vi.unstubAllEnvs()
})

it.live("opens the browser that BROWSER names, with its arguments", () =>
  Effect.gen(function*() {
    const folder = newFolder({ "open.mjs": "import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[2], process.argv[3])" })
    vi.stubEnv("SSH_CONNECTION", "here")
    vi.stubEnv("BROWSER", " ")
    assert.isFalse(yield* browse("http://svc.test/"))
    vi.stubEnv("BROWSER", `${process.execPath} ${folder}/open.mjs ${folder}/opened`)
    assert.isTrue(yield* browse("http://one.svc.test"))
    vi.unstubAllEnvs()
    yield* Effect.promise(() => eventually("a page", () => existsSync(`${folder}/opened`) && readFileSync(`${folder}/opened`, "utf8") === "http://one.svc.test"))
  }))

it("writes what a shell takes as one word", () => {
  assert.deepStrictEqual(["dist/a-b.html", "my file.html", "it's", "$HOME", ""].map(asWord), ["dist/a-b.html", "'my file.html'", "'it'\\''s'", "'$HOME'", "''"])
})
