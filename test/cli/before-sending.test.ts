/** What a command refuses before it sends anything. */
import { rmSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { environment, newFolder, within } from "../support/cli.ts"

/** Whoever sends something would find nobody there. */
const env = environment({ SVC_BASE_URL: "http://127.0.0.1:9", SVC_TOKEN: `svc_${"x".repeat(43)}` })

it.live("plans no publish that the service would refuse, and shows names as they are", () =>
  Effect.gen(function*() {
    const site = newFolder({ "index.html": "1", "draft\u200b.txt": "a", "out\n.log": "b", ".svcignore": "*.log\n" })
    const { lines } = yield* within(env, "publish", site, "--dry-run")
    for (const shown of ["draft\\u200b.txt", "out\\u000a.log"]) assert.include(lines.join("\n"), shown)
    assert.include((yield* within(env, "publish", newFolder({ "index.html": "1", "_svc/x.js": "x" }), "--dry-run")).refusal, { exit: 1, code: "file_name" })
  }))

it.live("says what to do in a folder that is gone", () =>
  Effect.gen(function*() {
    const cwd = newFolder()
    const { refusal } = yield* Effect.acquireUseRelease(
      Effect.sync(() => {
        const before = process.cwd()
        process.chdir(cwd)
        rmSync(cwd, { recursive: true })
        return before
      }),
      () => within(env, "publish", "."),
      (before) => Effect.sync(() => process.chdir(before))
    )
    assert.include(refusal, { exit: 1, message: "The folder that you are in is gone." })
  }))

it.live("refuses what is not said, and what contradicts itself", () =>
  Effect.gen(function*() {
    const cases: ReadonlyArray<readonly [says: string, ...args: ReadonlyArray<string>]> = [
      ["Say what to publish.", "publish", ""],
      ["--name needs a name.", "publish", "-", "--name", ""],
      ["\".\" is no project.", "info", "."],
      ["\"..\" is no project.", "share", "list", ".."],
      ["\"\" is no project.", "delete", "", "--yes"],
      ["--visibility public and --doorcode contradict each other.", "set", "one", "--visibility", "public", "--doorcode"]
    ]
    for (const [says, ...args] of cases) {
      const { answers, refusal } = yield* within(env, ...args)
      assert.include(refusal, { exit: 2, message: says }, args.join(" "))
      assert.isDefined(refusal?.next, says)
      assert.isEmpty(answers)
    }
  }))
