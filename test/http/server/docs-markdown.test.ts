/** /docs.md as an agent follows it: every command in it runs unchanged against the service that wrote it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PLANS } from "../../../src/domain/workspaces/rules.ts"
import { cookiesOf } from "../../support/ask.ts"
import { register, signIn } from "../../support/oauth.ts"
import { mailTo, tokenIn } from "../../support/mail.ts"
import { Service, serviceWith } from "../../support/service.ts"
import { zipOf } from "../../support/zips.ts"

interface Block {
  readonly section: string
  readonly commands: string
}

/** The placeholder of an id in the examples. */
const NOBODY = "01900000-0000-7000-8000-000000000000"

/** The commands, each block under its heading. */
const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  markdown.slice(0, markdown.indexOf("\n## Conventions")).split(/^## /m).slice(1).flatMap((section) =>
    [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => ({ section: section.split("\n", 1)[0]!, commands: commands! }))
  )

/** Runs them as written until one is refused; returns the answers in order. */
const run = (folder: string, commands: string, env: Readonly<Record<string, string>>) =>
  Effect.promise(() =>
    new Promise<ReadonlyArray<any>>((resolve, reject) => { // oxlint-disable-line typescript/no-explicit-any -- answers of every shape
      const script = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body --max-time 20 "$@"; }\n${commands.replace(/^(curl .*)$/gm, "$1; echo")}`
      execFile("bash", ["--norc", "-c", script], { cwd: folder, env: { PATH: process.env["PATH"], ...env } }, (error, stdout, stderr) => {
        if (error !== null) return reject(new Error(`${commands}\n${stdout}\n${stderr}`))
        return resolve(stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)))
      })
    })
  )

layer(serviceWith(), { excludeTestServices: true })("/docs.md", (it) => {
  it.effect("leads from nothing to a shared and discussed page, command by command", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-docs-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      writeFileSync(join(folder, "report.html"), "<title>Report</title><p>Profit is up")
      writeFileSync(join(folder, "index.html"), "<title>Hand made</title><link rel=stylesheet href=css/style.css>")
      writeFileSync(join(folder, "style.css"), "p{}")
      writeFileSync(join(folder, "site.zip"), yield* Effect.promise(() => zipOf({ "index.html": "<title>Docs</title>hello" })))

      const { text } = yield* service.ask("/docs.md")
      const blocks = [...blocksOf(text)]
      const given: Record<string, string> = {}
      const next = (section: string) => {
        const block = blocks.shift() ?? assert.fail(`no block of ${section} is left`)
        assert.strictEqual(block.section, section)
        return run(folder, block.commands, given)
      }
      const get = (path: string) => Effect.map(service.ask(path, { headers: { authorization: `Bearer ${given["TOKEN"]}` } }), ({ json }) => json)
      const page = (slug: string, path = "/", cookie = "") => service.ask(path, { host: `${slug}.svc.localhost`, headers: { "user-agent": "Mozilla/5.0 Firefox/140.0", cookie } })

      assert.deepStrictEqual(yield* next("Start"), [{ status: "ok" }])
      const [mail] = yield* mailTo(service, "you@example.com")
      assert.strictEqual((yield* service.ask("/v1/auth/verify-email/confirm", { json: { token: tokenIn(mail!.links) } })).status, 200)
      const [made] = yield* next("Start")
      given["TOKEN"] = made.token
      assert.strictEqual((yield* get("/v1/me")).user.email, "you@example.com")

      const [codes] = yield* next("Sign a program in")
      const login = yield* service.ask("/v1/auth/login", { json: { email: "you@example.com", password: "a long phrase" } })
      yield* service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token } })
      given["DEVICE_CODE"] = codes.device_code
      const [polled] = yield* next("Sign a program in")
      assert.strictEqual(polled.status, "approved")
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${polled.token}` } })).status, 200)

      const [published] = yield* next("Publish")
      assert.deepInclude(published, { slug: "my-report", kind: "site", version: 1, visibility: "public", url: `http://my-report.svc.localhost:${service.port}` })
      assert.include((yield* page("my-report")).text, "Profit is up")
      assert.hasAllKeys(published, Object.keys(JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(text)![1]!)))
      const [zipped, formed, changed] = yield* next("Publish")
      assert.deepInclude(zipped, { slug: "handbook", visibility: "password" })
      assert.strictEqual((yield* page("handbook")).status, 401)
      assert.deepInclude(formed, { slug: "hand-made", version: 1, file_count: 2 })
      assert.deepInclude(changed, { version: 2, file_count: 1 })
      assert.strictEqual((yield* page("hand-made", "/css/style.css")).status, 404)
      const repeated = blocks[0]!.commands
      const [once] = yield* next("Publish")
      assert.deepStrictEqual(yield* run(folder, repeated, given), [once])
      assert.strictEqual((yield* get("/v1/projects/my-report")).version, 2)

      const [listed, one, renamed, restored, gone] = yield* next("Find, change, undo")
      assert.deepStrictEqual([listed.projects.length, typeof listed.next_cursor], [2, "string"])
      assert.deepStrictEqual(one.versions.map(({ version }: { version: number }) => version), [2, 1])
      assert.strictEqual(renamed.title, "Week 47")
      assert.strictEqual(restored.version, 3)
      assert.strictEqual(readFileSync(join(folder, "my-report.zip")).subarray(0, 2).toString(), "PK")
      assert.deepStrictEqual(gone, { status: "ok" })
      assert.strictEqual((yield* page("hand-made")).status, 404)

      const [shut, link] = yield* next("Share")
      assert.strictEqual(shut.visibility, "private")
      assert.notStrictEqual((yield* page("my-report")).status, 200)
      const way = new URL(link.share_url)
      const pass = cookiesOf(yield* page("my-report", way.pathname + way.search))
      const withPass = page("my-report", "/", pass)
      assert.include((yield* withPass).text, "Profit is up")
      given["SHARE_LINK_ID"] = link.id
      const [links, revoked, seen] = yield* next("Share")
      assert.deepStrictEqual([links.map(({ label }: { label: string }) => label), revoked, seen.window.days], [["Acme"], { status: "ok" }, 7])
      assert.notStrictEqual((yield* withPass).status, 200)

      const [opened, comment, threads] = yield* next("Comments")
      assert.strictEqual(opened.comments_enabled, true)
      assert.deepStrictEqual(threads.comments.map(({ id }: { id: string }) => id), [comment.id])
      given["COMMENT_ID"] = comment.id
      const [reply, settled] = yield* next("Comments")
      assert.deepStrictEqual([reply.parent_id, settled.status], [comment.id, "resolved"])
      assert.deepStrictEqual((yield* get("/v1/projects/my-report/comments?status=open")).comments, [])
      assert.deepStrictEqual(blocks, [])
    }))

  it.effect("shows requests that are well-formed, for every operation that takes no file", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const session = yield* signIn(service, account.email)
      const { text } = yield* service.ask("/docs.md")
      const operations = text.slice(text.indexOf("\n## Errors")).split(/^### /m).slice(1)
      const examples = operations.flatMap((operation) => {
        const [, command] = /^- Example: `(curl .*)`$/m.exec(operation) ?? []
        return command === undefined ? [] : [{ operation: operation.split("\n", 1)[0]!, command }]
      })
      assert.isAtLeast(examples.length, operations.length - 5)
      const { client_id } = (yield* register(service, { redirect_uris: ["https://agent.example/callback"] })).json as { client_id: string }
      const unfit: Array<string> = []
      const ends = /logout|DELETE \/v1\/(me|workspace)$|password\/change/
      for (const { command, operation } of examples.toSorted((a, b) => Number(ends.test(a.operation)) - Number(ends.test(b.operation)))) {
        const [method = "", path = ""] = operation.split(" ")
        const url = new URL(/(http\S+?)"?$/.exec(command.replaceAll(NOBODY, path.startsWith("/v1/oauth/") ? client_id : NOBODY))![1]!)
        assert.match(url.pathname, new RegExp(`^${path.replaceAll(/\{[a-z_]+\}/g, "[^/]+")}$`))
        const json = /--json '(.*?)' ?(?:-|"?http)/.exec(command)?.[1]
        const answer = yield* service.ask(url.pathname + url.search, {
          method,
          headers: { "x-forwarded-for": "10.9.8.7", ...(command.includes("Bearer") ? account.bearer : command.includes("-b jar") ? session : {}) },
          ...(json === undefined ? {} : { json: JSON.parse(json.replace(`"client_id":"${NOBODY}"`, `"client_id":"${client_id}"`)) })
        })
        const code = answer.json?.error?.code
        if (["validation_error", "method_not_allowed", "internal_error"].includes(code)) unfit.push(`${answer.status} ${command} ${answer.text}`)
      }
      // A refusal is about the thing named, never about the form of the request.
      assert.deepStrictEqual(unfit, [])
    }))

  it.effect("names every code with its status, every plan, and each operation once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { text } = yield* service.ask("/docs.md")
      const document = (yield* service.ask("/openapi.json")).json
      const codes = new Set([...JSON.stringify(document).matchAll(/"code":\{[^}]*"enum":\["([a-z_]+)"\]/g)].map(([, code]) => code!))
      assert.isAbove(codes.size, 10)
      for (const code of codes) assert.match(text, new RegExp(`^\\| \`${code}\` \\| \\d{3}(, \\d{3})* \\| .{10,}\\|$`, "m"))
      for (const plan of Object.keys(PLANS)) assert.match(text, new RegExp(`^\\| ${plan} \\| \\d`, "m"))
      // Every limit that answers 429, by its figures and whom it counts.
      for (const row of ["5 in 1 minute | account", "10 in 1 minute | account", "10 in 1 minute | address", "100 in 1 hour | account", "300 in 1 hour | workspace", "5 in 1 hour | workspace"]) {
        assert.include(text, ` | ${row} |\n`)
      }
      for (const [path, item] of Object.entries(document.paths)) {
        for (const method of Object.keys(item as object)) {
          assert.strictEqual(text.split(`\n### ${method.toUpperCase()} ${path}\n`).length, 2, `${method} ${path}`)
        }
      }
    }))
})
