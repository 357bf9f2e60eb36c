/** The house plan, enforced: which room may import what (AGENTS.md). */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import { assert, it } from "@effect/vitest"
import { built, WEB_SOURCES } from "../../scripts/builds.mjs"

/** What clients may import: models, the forms of what people type, how files are named, and for whom a project opens. */
const CLIENT_SAFE = "domain\\/(?:failures|given|host-names|ids|wire-form|words|[a-z-]+\\/(?:model|email|password|slugs\\/(?:slugs|slug-words)|opening|file-paths))"

const DOORS: ReadonlyArray<readonly [room: RegExp, mayOpen: RegExp]> = [
  [/^domain\//, /^domain\//],
  [/^look\//, /^look\//],
  [/^services\//, /^(?:domain|services|look)\//],
  [/^http\/contract\//, new RegExp(`^(?:http/contract/|${CLIENT_SAFE}\\.ts)`)],
  [/^http\/server\//, /^(?:domain\/|look\/|http\/(?:contract|server)\/)/],
  [/^http\/edge\//, /^(?:domain\/|look\/|http\/(?:contract|edge)\/)/],
  [/^workers\//, /^(?:domain|services|workers)\//],
  [/^cli\//, new RegExp(`^(?:cli/|http/contract/|${CLIENT_SAFE}\\.ts)`)]
]

/** Packages with side effects outside; the domain knows only values. */
const OUTSIDE = /^(?:node:|@aws-sdk|@effect\/(?:platform|sql)|nodemailer|argon2|effect\/(?:sql|http|cluster|workflow))/

const root = resolve("src")

const imports = globSync("src/**/*.ts").flatMap((file) => {
  const from = relative(root, file)
  return [...readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, target]) => ({ from, target: target! }))
})

it("imports follow the house plan", () => {
  const trespasses = imports
    .filter(({ target }) => target.startsWith("."))
    .map(({ from, target }) => ({ from, to: relative(root, resolve("src", dirname(from), target)) }))
    .filter(({ from, to }) => DOORS.some(([room, mayOpen]) => room.test(from) && !mayOpen.test(to)))
  assert.deepStrictEqual(trespasses, [])
})

it("the web app knows the API by its contract's types alone, and brings no runtime of the server's", () => {
  const web = resolve("web/app")
  const trespasses = globSync("web/app/**/*.{ts,tsx}").filter((file) => !file.endsWith("vite.config.ts")).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from |import |import\()"([^"]+)"/g)].map(([, target]) => target!)
      .filter((target) => target.startsWith(".") ? relative(web, resolve(dirname(file), target)).startsWith("..") : /^(?:effect|@effect|node:)/.test(target))
      .map((target) => ({ file, target })))
  assert.deepStrictEqual(trespasses, [])
})

/** What a file imports, and in which file of this checkout a relative path ends. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(/(?:from |import |import\()"([^"]+)"/g)].map(([, target]) => target!.startsWith(".") ? relative(".", resolve(dirname(file), target!)) : target!)

it("the viewer takes icons, tables and sizes from the server's rooms, and nothing that runs there; of the app, how times read, names set apart, which replies are folded, and links in what people wrote", () => {
  const MAY_OPEN = /^(?:web\/viewer\/|web\/app\/ui\/(?:apart|earlier|pieces|times)\.ts$|src\/(?:look\/icons|domain\/projects\/documents\/(?:delimited|terminal-codes)|http\/contract\/sizes)\.ts$|pdfjs-dist(?:$|\/)|mermaid$|shiki\/)/
  const trespasses = globSync("web/viewer/**/*.ts").flatMap((file) => importsOf(file).filter((target) => !MAY_OPEN.test(target)).map((target) => ({ file, target })))
  assert.deepStrictEqual(trespasses, [])
})

it("no file imports itself by way of others: what both need is a file of its own", () => {
  const named = /^(?:import|export) (?!type )(?:[^"]*? from )?"(\.[^"]+)"/gm
  const next = new Map(globSync(["src/**/*.ts", "web/**/*.{ts,tsx}"]).map((file) =>
    [file, [...readFileSync(file, "utf8").matchAll(named)].map(([, target]) => relative(".", resolve(dirname(file), target!)))] as const))
  const done = new Set<string>()
  const circles = (file: string, way: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file].join(" → ")]
    if (done.has(file)) return []
    const found = (next.get(file) ?? []).flatMap((one) => circles(one, [...way, file]))
    done.add(file)
    return found
  }
  assert.deepStrictEqual([...next.keys()].flatMap((file) => circles(file, [])), [])
})

it("what is built is built again when anything changed that is built in, or when a part of it is gone", () => {
  const isSource = (file: string) => WEB_SOURCES.some((source) => file === source || file.startsWith(`${source}/`))
  const files = WEB_SOURCES.flatMap((source) => /\.\w+$/.test(source) ? source : globSync(`${source}/**/*.{ts,tsx}`)).filter((file) => /\.tsx?$/.test(file))
  const unseen = files.flatMap((file) => importsOf(file).filter((target) => target.startsWith("src/") && !isSource(target)).map((target) => ({ file, target })))
  assert.deepStrictEqual(unseen, [])

  const root = mkdtempSync(join(tmpdir(), "svc-built-"))
  try {
    for (const name of ["web", "src", "scripts", "package-lock.json", "dist/web", "dist/app", "dist/service"]) {
      // Without the app first, then without the service.
      if (/app|service/.test(name)) assert.isFalse(built(root))
      mkdirSync(dirname(join(root, name)), { recursive: true })
      symlinkSync(resolve(name), join(root, name))
    }
    assert.isTrue(built(root))
    rmSync(join(root, "src"))
    cpSync("src", join(root, "src"), { recursive: true })
    assert.isTrue(built(root))
    writeFileSync(join(root, "src", "main.ts"), "// Changed")
    assert.isFalse(built(root))
  } finally {
    rmSync(root, { recursive: true })
  }
})

it("the domain does nothing to the outside", () => {
  assert.deepStrictEqual(imports.filter(({ from, target }) => from.startsWith("domain/") && OUTSIDE.test(target)), [])
})

it("SQL lives in services/database alone", () => {
  const users = new Set(imports.filter(({ target }) => target === "effect/sql" || target === "@effect/sql-pg").map(({ from }) => from))
  // serving.ts passes the client on, and holds no statement.
  const HANDS = /^(?:services\/database\/|serving\.ts$)/
  assert.deepStrictEqual([...users].filter((file) => !HANDS.test(file)), [])
  const statements = globSync("src/**/*.ts").filter((file) => /\bsql(?:<[^`]*>)?`/.test(readFileSync(file, "utf8")))
  assert.deepStrictEqual(statements.filter((file) => !file.startsWith("src/services/database/")), [])
})

it("every file says in its first line what it is for", () => {
  const silent = globSync(["src/**/*.ts", "web/app/**/*.{ts,tsx}"]).filter((file) => !readFileSync(file, "utf8").startsWith("/**"))
  assert.deepStrictEqual(silent, [])
})
