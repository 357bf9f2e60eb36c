/** Every row of docs/threats.md names tests, and each of these exists in its file under that title. */
import { existsSync, readFileSync } from "node:fs"
import { assert, it } from "vitest"

const document = readFileSync("docs/threats.md", "utf8")
const rows = document.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:Tried|Happens) \|/.test(line))
const named = rows.map((row) => [...row.matchAll(/`(test\/[\w/.-]+\.test\.ts)`: "([^"]+)"/g)].map(([, file = "", title = ""]) => ({ file, title })))

/** The first argument of every `it`, however it is called, as written in the source. */
const titlesOf = (file: string): ReadonlySet<string> =>
  new Set([...readFileSync(file, "utf8").matchAll(/\b(?:it|test)(?:\.\w+)*(?:\([^"`\n]*\))?\(\s*(?:"((?:[^"\\]|\\.)+)"|`((?:[^`\\]|\\.)+)`)/g)].map(([, plain, template]) => plain ?? template ?? ""))

it("every threat has a test, and every test that is named is there", () => {
  assert.isAtLeast(rows.length, 60)
  for (const [index, tests] of named.entries()) assert.isNotEmpty(tests, rows[index])
  const files = new Map([...new Set(named.flat().map(({ file }) => file))].map((file) => [file, existsSync(file) ? titlesOf(file) : new Set<string>()]))
  assert.deepStrictEqual(named.flat().filter(({ file, title }) => !files.get(file)!.has(title)), [])
})

it("every other file that it names is there", () => {
  const paths = [...document.matchAll(/`((?:docs|faults|src|test)\/[\w/.-]+\.\w+)`/g)].map(([, path = ""]) => path)
  assert.deepStrictEqual(paths.filter((path) => !existsSync(path)), [])
})
