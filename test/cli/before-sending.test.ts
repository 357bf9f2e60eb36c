/** What a command refuses before it sends anything. */
import { closeSync, linkSync, openSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { environment, newFolder, ran, within } from "../support/cli.ts"

/** Whoever sends something would find nobody there. */
const env = environment({ SVC_BASE_URL: "http://127.0.0.1:9", SVC_TOKEN: `svc_${"x".repeat(43)}` })

it.live("plans no publish that the service would refuse, and shows names as they are", () =>
  Effect.gen(function*() {
    const site = newFolder({ "index.html": "1", "draft\u200b.txt": "a", "out\n.log": "b", ".svcignore": "*.log\n" })
    const { lines } = yield* within(env, "publish", site, "--dry-run")
    for (const shown of ["draft\\u200b.txt", "out\\u000a.log"]) assert.include(lines.join("\n"), shown)
    assert.include((yield* within(env, "publish", newFolder({ "index.html": "1", "_svc/x.js": "x" }), "--dry-run")).refusal, { exit: 1, code: "file_name" })
  }))

it.live("says in a line which files it leaves out that may be missed", () =>
  Effect.gen(function*() {
    const refused = environment({ SVC_BASE_URL: "http://127.0.0.1:9" })
    const { aside } = yield* within(refused, "publish", newFolder({ "index.html": "1", ".config/a": "c", "docs/id_rsa": "k", ".git/HEAD": "h" }))
    assert.deepStrictEqual(aside, ["Left out: .config/ and docs/id_rsa (svc publish --dry-run lists them)."])
    const many = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`${n}/.npmrc`, "s"]))
    assert.deepStrictEqual((yield* within(refused, "publish", newFolder({ "index.html": "1", ...many }))).aside, ["Left out: 1/.npmrc, 2/.npmrc, 3/.npmrc, 4/.npmrc, 5/.npmrc and 2 more (svc publish --dry-run lists them)."])
    assert.isEmpty((yield* within(refused, "publish", newFolder({ "index.html": "1", ".git/HEAD": "h" }))).aside)
  }))

it.live("publishes nothing from where svc keeps its tokens, by whatever name it is called", () =>
  Effect.gen(function*() {
    const own = join(newFolder(), "svc", "credentials.json")
    const env = environment({ SVC_BASE_URL: "http://127.0.0.1:9", XDG_CONFIG_HOME: dirname(dirname(own)) })
    const kept = newFolder({ "kept.json": "s", "kept.json.7b9c": "s", "index.html": "x" })
    symlinkSync(newFolder({ "credentials.json.7b9c": "s", "index.html": "x" }), dirname(own))
    symlinkSync(join(kept, "kept.json"), own)
    linkSync(join(kept, "kept.json"), join(kept, "copy.json"))
    for (const path of [own, `${own}.7b9c`, dirname(own), join(kept, "copy.json"), join(kept, "kept.json"), join(kept, "kept.json.7b9c")]) {
      assert.include((yield* within(env, "publish", path, "--dry-run")).refusal, { exit: 1, message: `${path} is not published: svc keeps its tokens there.` }, path)
    }
    assert.deepInclude((yield* within(env, "publish", kept, "--dry-run")).answers[0], { fileCount: 1 })

    const page = join(newFolder({ "page.html": "x" }), "page.html")
    const opened = openSync(page, "r")
    rmSync(page)
    assert.deepInclude((yield* within(env, "publish", `/dev/fd/${opened}`, "--dry-run")).answers[0], { fileCount: 1 })
    closeSync(opened)
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
      ["--name is for one file; those of a folder say by their own names what they are.", "publish", ".", "--name", "notes.md"],
      ["--type is for one file; those of a folder say by their own names what they are.", "publish", ".", "--type", "text/plain"],
      ["/dev/null is neither a file nor a folder.", "publish", "/dev/null"],
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

it.live("says in its help what is taken where nothing is said", () =>
  Effect.gen(function*() {
    const cases = [
      ["open ones by default", "comments", "list"],
      ["30 by default", "analytics"],
      ["all by default", "admin", "jobs"],
      ["member by default", "invites", "add"]
    ] as const
    const helps = yield* Effect.forEach(cases, ([, ...command]) => ran([...command, "--help"], env))
    for (const [index, [says]] of cases.entries()) assert.include(helps[index]!.stdout, says)
  }))
