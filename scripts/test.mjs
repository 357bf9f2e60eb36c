/** Types, lint and every test, ended by one line that counts them all. Arguments go to vitest. */
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { availableMemory } from "node:process"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, "node_modules", ".bin")

const PREFIX = "svc-tests-"
const MEMORY = "/dev/shm"
/** The tests use one GB at most; the rest is for other processes. */
const ROOM = 8 * 1024 ** 3

/** A run that was killed leaves its folder. */
const clearKilled = (place) => {
  for (const name of readdirSync(place).filter((entry) => entry.startsWith(PREFIX))) {
    try {
      process.kill(Number(name.split("-")[2]), 0)
    } catch ({ code }) {
      if (code === "ESRCH") rmSync(join(place, name), { recursive: true, force: true })
    }
  }
}

/** In memory if there is plenty: two hundred databases are made and dropped, and that costs the system half as much as on a disk. */
const place = () => {
  clearKilled(tmpdir())
  if (process.env.TMPDIR !== undefined) return tmpdir()
  try {
    clearKilled(MEMORY)
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, availableMemory()) >= ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

const scratch = mkdtempSync(join(place(), `${PREFIX}${process.pid}-`))
// The mode of every temporary folder: some tests run as another user.
chmodSync(scratch, 0o1777)
const tallyFile = join(scratch, "tally.json")
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, TMPDIR: scratch, SVC_TALLY: tallyFile }

const running = new Set()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => running.forEach((child) => child.kill(signal)))
}

const run = (program, args, stdio) =>
  new Promise((resolve) => {
    const child = spawn(join(bin, program), args, { cwd: root, env, stdio })
    running.add(child)
    let output = ""
    child.stdout?.on("data", (chunk) => (output += chunk))
    child.stderr?.on("data", (chunk) => (output += chunk))
    child.once("error", (error) => resolve({ code: 1, output: error.message }))
    child.once("close", (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })

const total = { passed: 0, failed: 0, skipped: [] }

const check = async (name, program, args) => {
  const { code, output } = await run(program, args, ["ignore", "pipe", "pipe"])
  console.log(code === 0 ? `${name}: fine` : `${name}: failed\n${output}`)
  if (code === 0) total.passed++
  else total.failed++
}

const vitest = async (args) => {
  const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "tally.mjs")}`]
  const { code } = await run("vitest", ["run", ...reporters, ...args], "inherit")
  const before = total.failed
  try {
    const tally = JSON.parse(readFileSync(tallyFile, "utf8"))
    total.passed += tally.passed
    total.failed += tally.failed
    total.skipped.push(...tally.skipped)
  } catch {
    console.log("vitest ended without a report")
  }
  if (code !== 0 && total.failed === before) total.failed++
}

const args = process.argv.slice(2)
await Promise.all([
  // One thread each: a second thread would infer the same types again.
  check("types", "tsc", ["--noEmit", "--singleThreaded"]),
  check("types of web", "tsc", ["--noEmit", "--singleThreaded", "-p", "web"]),
  check("lint", "oxlint", []),
  // At the same time: its first files wait for programs to start.
  vitest(args)
])
rmSync(scratch, { recursive: true, force: true })

for (const { name, why } of total.skipped) console.log(`skipped: ${name}${why === undefined ? "" : ` (${why})`}`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
process.exitCode = total.failed === 0 ? 0 : 1
