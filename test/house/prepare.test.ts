/** What npm runs before each script: nothing counts as installed that npm did not finish. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A checkout without dependencies that is started twice, and what comes of it where npm is this script. */
const startedWith = (npm: string) => {
  const root = mkdtempSync(join(tmpdir(), "svc-prepare-"))
  try {
    for (const one of ["scripts", "package.json", "package-lock.json"]) cpSync(one, join(root, one), { recursive: true })
    mkdirSync(join(root, "npm"))
    writeFileSync(join(root, "npm", "npm-cli.js"), `import fs from "node:fs"; fs.rmSync("node_modules", { recursive: true, force: true }); ${npm}`)
    const start = () => spawnSync(process.execPath, ["scripts/prepare.mjs"], {
      cwd: root, encoding: "utf8", env: { ...process.env, npm_execpath: join(root, "npm", "npm-cli.js") }
    })
    const starts = [start(), start()]
    return { statuses: starts.map(({ status }) => status), said: starts.map(({ stderr }) => stderr) }
  } finally {
    rmSync(root, { recursive: true })
  }
}

it.each([
  ["ends without a word in the middle of it", `fs.mkdirSync("node_modules/effect", { recursive: true })`],
  ["fails", `fs.mkdirSync("node_modules"); process.exitCode = 1`]
])("an installation that %s is none: it is said, and the next start begins it anew", (_, npm) => {
  const { said, statuses } = startedWith(npm)
  assert.deepStrictEqual(statuses, [1, 1])
  for (const one of said) assert.match(one, /Installing the dependencies \(npm ci\) …\nThe dependencies could not be installed; see npm's message above and start again\.\n$/)
})

it("one that npm recorded to its end is not made again", () => {
  const { said } = startedWith(`fs.mkdirSync("node_modules/.bin", { recursive: true }); fs.writeFileSync("node_modules/.package-lock.json", "{}")`)
  assert.deepStrictEqual(said.map((one) => one.includes("Installing the dependencies")), [true, false], said.join("\n"))
})
