/** What npm runs before each script: nothing counts as installed that npm did not finish. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A checkout without dependencies, and what its start says where npm is this script. */
const startedWith = (npm: string) => {
  const root = mkdtempSync(join(tmpdir(), "svc-prepare-"))
  try {
    for (const one of ["scripts", "package.json", "package-lock.json"]) cpSync(one, join(root, one), { recursive: true })
    mkdirSync(join(root, "npm"))
    writeFileSync(join(root, "npm", "npm-cli.js"), `import fs from "node:fs"; ${npm}`)
    const { status, stderr } = spawnSync(process.execPath, ["scripts/prepare.mjs"], {
      cwd: root, encoding: "utf8", env: { ...process.env, npm_execpath: join(root, "npm", "npm-cli.js") }
    })
    return { status, stderr, isStamped: existsSync(join(root, "node_modules", ".installed")) }
  } finally {
    rmSync(root, { recursive: true })
  }
}

it.each([
  ["ends without a word in the middle of it", `fs.mkdirSync("node_modules/effect", { recursive: true })`],
  ["fails", `fs.mkdirSync("node_modules"); process.exitCode = 1`]
])("an installation that %s is none: it is said, and the next start begins it anew", (_, npm) => {
  const { isStamped, status, stderr } = startedWith(npm)
  assert.deepStrictEqual([status, isStamped], [1, false], stderr)
  assert.match(stderr, /The dependencies could not be installed; see npm's message above and start again\.\n$/)
})

it("one that npm recorded to its end is noted, and not made again", () => {
  const { isStamped, stderr } = startedWith(`fs.mkdirSync("node_modules/.bin", { recursive: true }); fs.writeFileSync("node_modules/.package-lock.json", "{}")`)
  assert.isTrue(isStamped, stderr)
})
