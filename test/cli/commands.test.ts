/** The command line against a running service: what it does, what it writes to which stream, and its exit codes. */
import { chmodSync, lstatSync, mkdirSync, statSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { cookiesOf, form } from "../support/ask.ts"
import { atTerminal, credentialsIn, environment, hasTerminal, newFolder, ran, start, svc, within } from "../support/cli.ts"
import type { Environment } from "../support/cli.ts"
import { HEIC } from "../support/heics.ts"
import { signIn } from "../support/oauth.ts"
import { eventually } from "../support/program.ts"
import type { Ended } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { joins, member } from "../support/team.ts"
import { filmOf } from "../support/videos.ts"
import { zipOf } from "../support/zips.ts"

type It = typeof Service.Service

const baseOf = ({ port }: It) => `http://svc.localhost:${port}`

const signedIn = (service: It, { token }: Account): Environment => environment({ SVC_BASE_URL: baseOf(service), SVC_TOKEN: token })

const run = (env: Environment, ...args: ReadonlyArray<string>) => ran(args, env)

/** Packed and in a process of its own: each command once, and what starts, streams and ends are. */
const apart = (env: Environment, ...args: ReadonlyArray<string>) => Effect.promise(() => svc(args, env))

const fed = (env: Environment, input: string, ...args: ReadonlyArray<string>) => Effect.promise(() => svc(args, env, { input }))

const lines = ({ stdout }: Ended) => stdout.trim().split("\n").map((line) => JSON.parse(line))

const json = (ended: Ended) => {
  assert.strictEqual(ended.code, 0, ended.stderr)
  const all = lines(ended)
  assert.strictEqual(all.length, 1, ended.stdout)
  return all[0]
}

/** Side by side: most of a process's time is its start. */
const together = <const T extends ReadonlyArray<Effect.Effect<unknown>>>(...programs: T) => Effect.all(programs, { concurrency: 4 })

const at = (service: It, slug: string, path = "/") => service.ask(path, { host: `${slug}.svc.localhost` })

/** In front of the service: cuts a connection once `cut` says so, given the bytes that it has carried. */
const proxy = (port: number, cut: (connection: number, up: number, down: number) => boolean) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly port: number; readonly connections: () => number; readonly close: () => void }>((resolve) => {
        let connections = 0
        const server = createServer((client) => {
          const connection = ++connections
          const behind = connect(port, "127.0.0.1")
          let [up, down] = [0, 0]
          const end = () => [client, behind].forEach((socket) => socket.destroy())
          const carry = (count: () => void, give: () => void) => {
            count()
            if (cut(connection, up, down)) end()
            else give()
          }
          client.on("data", (chunk) => carry(() => (up += chunk.length), () => behind.write(chunk)))
          behind.on("data", (chunk) => carry(() => (down += chunk.length), () => client.write(chunk)))
          for (const socket of [client, behind]) socket.on("close", end).on("error", end)
        }).listen(0, "127.0.0.1", () =>
          resolve({ port: (server.address() as AddressInfo).port, connections: () => connections, close: () => server.close() }))
      })),
    ({ close }) => Effect.sync(close)
  )

/** A service whose polls are answered so, one after the other, an answer of 0 being lost, and that cannot be asked who somebody is: records when each poll arrived. */
const answeringPolls = (...answered: ReadonlyArray<readonly [status: number, body: object]>) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly base: string; readonly polls: ReadonlyArray<number>; readonly close: () => void }>((resolve) => {
        const polls: Array<number> = []
        const codes = { device_code: "d", user_code: "ABCDE-FGHJ", verification_url: "http://x.test/device", verification_url_complete: "http://x.test/device?c", interval: 1, expires_in: 900 }
        const polled = (): readonly [number, object] => {
          polls.push(Date.now())
          return answered[polls.length - 1]!
        }
        const answers: Readonly<Record<string, () => readonly [number, object]>> = {
          "/v1/auth/device": () => [200, codes],
          "/v1/auth/device/token": polled,
          "/v1/me": () => [302, {}]
        }
        const server = createHttpServer((request, response) => {
          const [status, body] = answers[request.url ?? ""]!()
          if (status === 0) return void response.destroy()
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
        }).listen(0, "127.0.0.1", () =>
          resolve({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, polls, close: () => server.close() }))
      })),
    ({ close }) => Effect.sync(close)
  )

/** A service that is still working on the first try when the next one comes. */
const atWork = (first: "cut" | "unanswered") => Effect.acquireRelease(
  Effect.promise(() =>
    new Promise<{ readonly base: string; readonly close: () => void }>((resolve) => {
      const keys: Array<unknown> = []
      const server = createHttpServer((request, response) => {
        keys.push(request.headers["idempotency-key"])
        // Before anything of it was read, or once all of it was.
        if (keys.length === 1 && first === "cut") return void request.socket.destroy()
        const [status, body] = keys.length === 1 ? [502, {}] : keys.length === 2
          ? [409, { error: { code: "conflict", message: "A request with this key is still running.", field: "Idempotency-Key", details: {} } }]
          : [new Set(keys).size === 1 ? 201 : 422, { slug: "cli-at-work", url: "http://cli-at-work.svc.test", kind: "site", version: 1, visibility: "public", password: null }]
        request.resume().on("end", () => response.writeHead(status as number, { "content-type": "application/json" }).end(JSON.stringify(body)))
      }).listen(0, "127.0.0.1", () => resolve({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }))
    })),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ base }) => base))

layer(serviceWith({ SVC_PLATFORM_ADMINS: "root@example.com,late@example.com" }), { excludeTestServices: true })("svc", (it) => {
  it.effect("signs in by a code that is approved elsewhere, keeps the token for its owner alone, and signs out for good", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const session = yield* Effect.map(service.ask("/v1/auth/login", { json: { email: ada.email, password: PASSWORD } }), (login) => ({
        cookie: cookiesOf(login),
        "x-csrf-token": String(login.json.csrf_token)
      }))
      const answered = Effect.fnUntraced(function*(env: Environment, answer: "approve" | "deny", ...args: ReadonlyArray<string>) {
        const running = yield* Effect.promise(() => start(["login", baseOf(service), "--json", ...args], env))
        const code = yield* Effect.promise(() => eventually("a code", () => running.stdout().includes("\n") && JSON.parse(running.stdout().split("\n")[0]!)))
        assert.deepInclude(code, { event: "code", verification_url: `${baseOf(service)}/device`, interval: 5 })
        assert.notProperty(code, "device_code")
        yield* service.ask(`/v1/auth/device/${answer}`, { json: { user_code: code.user_code }, headers: session })
        return yield* Effect.promise(() => running.ended)
      })
      const home = environment()
      const other = environment()
      const former = yield* service.account()
      mkdirSync(dirname(credentialsIn(home)), { recursive: true })
      const linked = join(newFolder({ "kept.json": JSON.stringify({ services: { [baseOf(service)]: { token: former.token, email: former.email } } }) }), "kept.json")
      symlinkSync(linked, credentialsIn(home))
      const limited = [429, { error: { code: "rate_limited", message: "Too often.", field: null, details: { retry_after_seconds: 2 } } }] as const
      const spent = [401, { error: { code: "invalid_token", message: "No.", field: "device_code", details: {} } }] as const
      const busy = yield* answeringPolls(limited, [429, { a: "proxy's own" }], [200, { status: "approved", token: ada.token }])
      const losing = yield* answeringPolls([0, {}], [200, { portal: "Sign in to the network" }], spent)
      const alone = environment()
      const [approved, denied, waited, lost] = yield* together(
        answered(home, "approve"),
        answered(other, "deny"),
        apart(alone, "login", busy.base, "--no-browser"),
        apart(environment(), "login", losing.base, "--no-browser")
      )
      assert.strictEqual(waited.code, 0, waited.stderr)
      assert.isAtLeast(busy.polls[1]! - busy.polls[0]!, 2000)
      // A poll that the service did not answer is repeated, at a longer interval.
      assert.isAtLeast(busy.polls[2]! - busy.polls[1]!, 2000)
      // The token is told once: it is kept, whatever comes after.
      assert.strictEqual(JSON.parse(readFileSync(credentialsIn(alone), "utf8")).services[busy.base].token, ada.token)
      assert.include(waited.stderr, "Whose sign-in it is cannot be told just now")
      assert.deepStrictEqual([lost.code, losing.polls.length], [1, 3], lost.stderr)
      assert.include(lost.stderr, `Revoke it at ${losing.base}/account/connections, then: svc login`)
      assert.strictEqual(approved.code, 0, approved.stderr)
      assert.deepInclude(lines(approved)[1], { event: "signed_in", base: baseOf(service), email: ada.email })
      assert.include(approved.stderr, `Open   ${baseOf(service)}/device`)
      assert.deepStrictEqual([denied.code, lines(denied)[1].error.code], [1, "device_denied"])

      // Otherwise the replaced token would be forgotten and still work.
      assert.strictEqual((yield* service.ask("/v1/me", { headers: former.bearer })).status, 401)

      const path = credentialsIn(home)
      assert.deepStrictEqual([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777], [0o600, 0o700])
      assert.notInclude(approved.stdout + approved.stderr, JSON.parse(readFileSync(path, "utf8")).services[baseOf(service)].token)
      assert.strictEqual(json(yield* apart(home, "whoami", "--json")).user.email, ada.email)
      const { token } = JSON.parse(readFileSync(path, "utf8")).services[baseOf(service)]

      // After signing out of another service, commands still go to the current one.
      const [here, there] = [baseOf(service), `http://localhost:${service.port}`]
      writeFileSync(path, JSON.stringify({ current: here, services: { [here]: { token, email: ada.email }, [there]: { token: `svc_${"x".repeat(43)}`, email: ada.email } } }))
      assert.strictEqual((yield* apart({ ...home, SVC_BASE_URL: there } as Environment, "logout")).code, 0)
      const { current, services } = JSON.parse(readFileSync(path, "utf8"))
      assert.deepStrictEqual([current, Object.keys(services)], [here, [here]])
      assert.strictEqual(json(yield* apart(environment({ HOME: home.HOME }), "whoami", "--json")).user.email, ada.email)

      assert.strictEqual((yield* apart(home, "logout")).code, 0)
      assert.isTrue(lstatSync(path).isSymbolicLink())
      assert.notInclude(readFileSync(linked, "utf8"), token)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } })).status, 401)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: ada.bearer })).status, 200)
      const out = yield* apart(home, "list")
      assert.deepStrictEqual([out.code, out.stdout], [3, ""])
      assert.include(out.stderr, "→ svc login")
    }).pipe(Effect.scoped))

  it.effect("publishes a file and stdin, and writes the address alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const env = signedIn(service, yield* service.account())
      const folder = newFolder({ "report.html": "<title>Q3</title>hello <img src='data.bin'>", "data.bin": new Uint8Array(100), "notes.md": "![A chart](chart.png)", "chart.png": "x", "both.md": "![](lost.png) ![](chart.png) ![](plan.svg) ![](gone.png)", "plan.svg": "<svg/>", "mark.md": "![](Bu\u0308ro.png)", "Bu\u0308ro.png": "x" })
      const [file, made, notes, piped, locked, nothing, gone, told, both, decomposed] = yield* together(
        run(env, "publish", join(folder, "report.html"), "--slug", "cli-file"),
        run(env, "publish", join(folder, "report.html"), "--title", "Made up", "--visibility", "private", "--json"),
        run(env, "publish", join(folder, "notes.md"), "--slug", "cli-notes"),
        fed(env, "# Notes", "publish", "-", "--name", "notes.md", "--slug", "cli-piped"),
        fed(env, "a,b\n1,2\n", "publish", "-", "--type", "text/csv", "--visibility", "password"),
        run(env, "publish", join(folder, "data.bin"), "--slug", "cli-bin"),
        run(env, "publish", newFolder({ "index.html": "<img src=gone.png>", "a.css": "x" }), "--slug", "cli-lacks"),
        fed(env, "![](gone.png)", "publish", "-", "--name", "notes.md", "--json"),
        run(env, "publish", join(folder, "both.md"), "--slug", "cli-both-kinds"),
        run(env, "publish", join(folder, "mark.md"), "--slug", "cli-decomposed")
      )
      const beside = "It names data.bin, which lies beside it and was not sent. To send that too, publish the folder.\n"
      assert.deepStrictEqual(file, { code: 0, signal: null, stdout: `http://cli-file.svc.localhost:${service.port}\n`, stderr: beside })
      assert.strictEqual(notes.stderr, "It shows chart.png, which lies beside it and was not sent. To send that too, publish a folder that holds this Markdown and its images, and nothing else.\n")
      assert.strictEqual(both.stderr, "It shows lost.png and gone.png, which are missing, and chart.png and plan.svg, which lie beside it and were not sent. To send those too, publish a folder that holds this Markdown and its images, and nothing else.\n")
      assert.strictEqual(decomposed.stderr, "It shows B\u00fcro.png, which lies beside it and was not sent. To send that too, publish a folder that holds this Markdown and its images, and nothing else.\n")
      const missing = "It names a file that is not there: \"gone.png\"."
      assert.deepStrictEqual([gone.code, gone.stderr], [0, `${missing}\n`])
      assert.deepInclude(lines(told).at(-1), { event: "published", missing: { count: 1, paths: ["gone.png"], message: missing } })
      assert.include((yield* at(service, "cli-file", "/index.html")).text, "hello")
      // A page of the name that the first one came under does not take its place.
      yield* run(env, "publish", newFolder({ "index.html": "<title>Q3</title>hello", "report.html": "beside" }), "--slug", "cli-file")
      assert.include((yield* at(service, "cli-file", "/index.html")).text, "hello")
      assert.include((yield* at(service, "cli-file", "/report.html")).text, "beside")
      assert.deepInclude(lines(made).at(-1), { event: "published", kind: "site", version: 1, visibility: "private", password: null })
      assert.strictEqual(piped.stdout, `http://cli-piped.svc.localhost:${service.port}\n`)
      assert.strictEqual((yield* at(service, "cli-piped", "/_svc/raw/notes.md")).text, "# Notes")
      // A corrected file's name does not take the title's place.
      yield* fed(env, "Corrected", "publish", "-", "--name", "notes-final-2.md", "--slug", "cli-piped")
      assert.deepInclude(json(yield* run(env, "info", "cli-piped", "--json")), { version: 2, title: "Notes" })
      assert.match(locked.stderr, /^Doorcode: \S+\n$/)
      assert.strictEqual(nothing.code, 1)
      assert.strictEqual(nothing.stderr.split(" Publish")[0], "✗ svc cannot show .bin files.\n→")
      assert.strictEqual((yield* at(service, "cli-bin")).status, 404)
    }))

  it.effect("an admin changes a colleague's site with --update alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account()
      const colleague = yield* member(admin, "member")
      const site = newFolder({ "index.html": "<h1>Theirs</h1>", "a.css": "a{}" })
      yield* run(signedIn(service, colleague), "publish", site, "--slug", "cli-colleagues", "--workspace", admin.workspaceId)
      writeFileSync(join(site, "index.html"), "<h1>Ours</h1>")
      const refused = yield* run(signedIn(service, admin), "publish", site, "--slug", "cli-colleagues")
      assert.strictEqual(refused.code, 1)
      assert.strictEqual(refused.stderr, "✗ A colleague’s project has this address.\n→ Publish to it with --update, or choose another with --slug.\n")
      assert.include((yield* at(service, "cli-colleagues")).text, "Theirs")
      assert.strictEqual((yield* run(signedIn(service, admin), "publish", site, "--slug", "cli-colleagues", "--update")).code, 0)
      assert.include((yield* at(service, "cli-colleagues")).text, "Ours")
      const named = yield* run(signedIn(service, admin), "members", "role", ` ${colleague.email.toUpperCase()} `, "admin", "--json")
      assert.strictEqual(named.code, 0, named.stderr)
    }))

  it.effect("publishes a folder, then only what changed in it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const site = newFolder({ "index.html": "<h1>One</h1>", "a.css": "a{}", "old.txt": "old", "ü/page.html": "p", ".env": "SECRET", "node_modules/x.js": "x" })
      const publish = run(env, "publish", site, "--slug", "cli-site", "--json")

      const plan = json(yield* run(env, "publish", site, "--slug", "cli-site", "--dry-run", "--json"))
      assert.deepStrictEqual([plan.file_count, plan.left_out.map(({ path }: { path: string }) => path)], [4, [".env", "node_modules/"]])
      assert.strictEqual((yield* at(service, "cli-site")).status, 404)

      assert.deepInclude(lines(yield* publish).at(-1), { version: 1, sent: { files: 4, bytes: 19, removed: 0, kept: 0 } })
      assert.strictEqual((yield* at(service, "cli-site", "/.env")).status, 404)
      assert.deepInclude(lines(yield* publish).at(-1), { version: 1, sent: { files: 0, bytes: 0, removed: 0, kept: 4 } })

      writeFileSync(join(site, "index.html"), "<title>Two</title>")
      writeFileSync(join(site, "new.txt"), "new")
      rmSync(join(site, "old.txt"))
      const changed = yield* run(env, "publish", site, "--slug", "cli-site", "--json", "--visibility", "private", "--title", "cli-site")
      assert.deepInclude(lines(changed).at(-1), { version: 2, visibility: "private", sent: { files: 2, bytes: 21, removed: 1, kept: 2 } })
      // The old version is opened to nobody new until the new one has arrived.
      mkdirSync(join(site, "_svc"))
      writeFileSync(join(site, "_svc", "x.html"), "x")
      const project = Effect.map(service.ask("/v1/projects/cli-site", { headers: ada.bearer }), ({ json }) => json)
      assert.strictEqual((yield* project).title, "cli-site")
      const refused = yield* run(env, "publish", site, "--slug", "cli-site", "--visibility", "public", "--title", "Not yet")
      assert.strictEqual(refused.code, 1, refused.stderr)
      assert.deepInclude(yield* project, { visibility: "private", title: "cli-site" })
      rmSync(join(site, "_svc"), { recursive: true })
      writeFileSync(join(site, "new.txt"), "newer")
      // The questions before an upload go on by themselves too when they break off.
      const between = yield* proxy(service.port, (connection) => connection <= 3)
      const opened = yield* run({ ...env, SVC_BASE_URL: `http://localhost:${between.port}` } as Environment, "publish", site, "--slug", "cli-site", "--json", "--visibility", "public")
      assert.strictEqual(opened.code, 0, opened.stderr)
      assert.deepInclude(lines(opened).at(-1), { version: 3, visibility: "public", sent: { files: 1, bytes: 5, removed: 0, kept: 3 } })
      assert.strictEqual((yield* project).visibility, "public")
      const files = yield* service.ask("/v1/projects/cli-site/files", { headers: ada.bearer })
      assert.deepStrictEqual(files.json.files.map(({ path }: { path: string }) => path), ["a.css", "index.html", "new.txt", "ü/page.html"])
    }).pipe(Effect.scoped))

  it.effect("publishes a Markdown with its images, then only what changed, and in the place of a site", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const drawn = (colour: string) => `<svg xmlns="http://www.w3.org/2000/svg"><rect fill="${colour}"/></svg>`
      const brief = newFolder({ "brief.md": "# One", "img/a.svg": drawn("red"), "b.svg": drawn("tan") })
      const publish = (slug: string, ...rest: ReadonlyArray<string>) => run(env, "publish", brief, "--slug", slug, "--json", ...rest)

      const missing = yield* publish("cli-brief", "--update")
      assert.deepStrictEqual([missing.code, (yield* at(service, "cli-brief")).status], [1, 404], missing.stderr)
      assert.deepInclude(lines(yield* publish("cli-brief", "--visibility", "public")).at(-1), { slug: "cli-brief", kind: "markdown", version: 1, sent: { files: 3, bytes: 133, removed: 0, kept: 0 } })
      assert.deepInclude(lines(yield* publish("cli-brief")).at(-1), { version: 1, sent: { files: 0, bytes: 0, removed: 0, kept: 3 } })
      writeFileSync(join(brief, "img", "a.svg"), drawn("blue"))
      rmSync(join(brief, "b.svg"))
      assert.deepInclude(lines(yield* publish("cli-brief", "--update")).at(-1), { kind: "markdown", version: 2, sent: { files: 1, bytes: 65, removed: 1, kept: 1 } })
      assert.strictEqual((yield* at(service, "cli-brief", "/img/a.svg")).text, drawn("blue"))

      yield* run(env, "publish", newFolder({ "index.html": "<h1>Page</h1>", "img/a.svg": drawn("blue") }), "--slug", "cli-page")
      assert.deepInclude(lines(yield* publish("cli-page")).at(-1), { kind: "markdown", version: 2, sent: { files: 2, bytes: 70, removed: 1, kept: 0 } })
      yield* service.ask("/v1/projects/cli-table", { method: "PUT", body: "a,b\n1,2\n", headers: { ...ada.bearer, "content-type": "text/csv" } })
      assert.deepInclude(lines(yield* publish("cli-table")).at(-1), { kind: "markdown", version: 2, sent: { files: 2, bytes: 70, removed: 1, kept: 0 } })

      // A photograph as telephones take them, and a video with its captions.
      const beside = newFolder({ "notes.md": "![](photo.heic)", "photo.heic": HEIC })
      assert.deepInclude(lines(yield* run(env, "publish", beside, "--json")).at(-1), { kind: "markdown", sent: { files: 2, bytes: 15 + HEIC.length, removed: 0, kept: 0 } })
      const talk = newFolder({ "talk.mp4": filmOf(1), "talk.vtt": "WEBVTT\n" })
      assert.deepInclude(lines(yield* run(env, "publish", talk, "--slug", "cli-talk", "--json")).at(-1), { kind: "video", version: 1 })
      writeFileSync(join(talk, "talk.vtt"), "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
      assert.deepInclude(lines(yield* run(env, "publish", talk, "--slug", "cli-talk", "--json")).at(-1), { kind: "video", version: 2, sent: { files: 1, bytes: 38, removed: 0, kept: 1 } })

      // Two at once: the second adds to what the first one made.
      const second = apart(env, "publish", brief, "--slug", "cli-both")
      const both = yield* together(second, second)
      for (const { code, stderr } of both) assert.strictEqual(code, 0, stderr)
    }))

  it.effect("sends a name with a quotation mark as it is, and names the file that is refused", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const site = newFolder({ "index.html": "1", "a.txt": "a" })
      const publish = run(env, "publish", site, "--slug", "cli-quoted", "--json")
      yield* publish
      const name = "6\" (it's 100%).txt"
      writeFileSync(join(site, name), "six")
      assert.deepInclude(lines(yield* publish).at(-1), { version: 2, sent: { files: 1, bytes: 3, removed: 0, kept: 2 } })
      const files = yield* service.ask("/v1/projects/cli-quoted/files", { headers: ada.bearer })
      assert.sameMembers(files.json.files.map(({ path }: { path: string }) => path), ["a.txt", "index.html", name])
      assert.deepInclude(lines(yield* publish).at(-1), { version: 2, sent: { files: 0, bytes: 0, removed: 0, kept: 3 } })

      const zip = newFolder({ "bad.zip": yield* Effect.promise(() => zipOf({ "index.html": "1", "sub/bell\u0007.txt": "b" })) })
      const { code, stderr } = yield* run(env, "publish", join(zip, "bad.zip"))
      assert.strictEqual(code, 1)
      assert.strictEqual(stderr, "✗ A name in the zip has characters that no address can hold. Rename it, and pack it again.\n  sub/bell\\u0007.txt\n")
    }))

  it.effect("goes on by itself when the way there breaks, under one key: one version, whole", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      // The larger one has no room in a socket: it is not sent to its end before anybody reads.
      const file = newFolder({ "big.html": `<!doctype html>${"x".repeat(3_000_000)}`, "bigger.html": new Uint8Array(20_000_000) })
      const publish = Effect.fnUntraced(function*(slug: string, cut: (connection: number, up: number, down: number) => boolean) {
        const between = yield* proxy(service.port, cut)
        const env = environment({ SVC_BASE_URL: `http://localhost:${between.port}`, SVC_TOKEN: ada.token })
        const ended = yield* apart(env, "publish", join(file, "big.html"), "--slug", slug)
        return { ended, connections: between.connections() }
      }, Effect.scoped)
      const waitedFor = (first: "cut" | "unanswered") =>
        Effect.flatMap(atWork(first), (base) => apart(environment({ SVC_BASE_URL: base, SVC_TOKEN: ada.token }), "publish", join(file, "bigger.html"), "--slug", "cli-at-work")).pipe(Effect.scoped)
      const [sending, answering, letGo, finished, never] = yield* together(
        publish("cli-cut-up", (connection, up) => connection === 1 && up > 1_000_000),
        // The service has done it, and its answer is lost.
        publish("cli-cut-down", (connection, _, down) => connection === 1 && down > 0),
        waitedFor("cut"),
        waitedFor("unanswered"),
        apart(environment({ SVC_BASE_URL: "http://127.0.0.1:9", SVC_TOKEN: ada.token }), "list")
      )
      for (const [slug, { connections, ended }] of [["cli-cut-up", sending], ["cli-cut-down", answering]] as const) {
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(ended.stdout, `http://${slug}.svc.localhost:${service.port}\n`)
        assert.include(ended.stderr, "Trying again")
        // One request more in the case where the first try was still being worked on when the second came.
        assert.isTrue(connections === 2 || (connections === 3 && /under way|still holds/.test(ended.stderr)), ended.stderr)
        const project = yield* service.ask(`/v1/projects/${slug}`, { headers: ada.bearer })
        assert.deepInclude(project.json, { version: 1, size_bytes: 3_000_015 })
      }
      for (const [{ code, stderr, stdout }, said] of [[letGo, "The try that broke off still holds the address."], [finished, "It arrived and is under way."]] as const) {
        assert.deepStrictEqual([code, stdout], [0, "http://cli-at-work.svc.test\n"], stderr)
        assert.include(stderr, said)
      }
      assert.strictEqual(never.code, 4)
      assert.include(never.stderr, "nobody listens there")

      const between = yield* proxy(service.port, (connection, _, down) => connection === 1 && down > 0)
      const lossy = environment({ SVC_BASE_URL: `http://localhost:${between.port}`, SVC_TOKEN: ada.token })
      assert.deepInclude(yield* within(lossy, "folders", "create", "Made once"), { refusal: undefined })
      const { folders } = (yield* service.ask("/v1/folders", { headers: ada.bearer })).json
      assert.deepStrictEqual(folders.map(({ name }: { name: string }) => name), ["Made once"])
    }).pipe(Effect.scoped))

  it.effect("lists who may comment, adds and removes people one by one, and says where a list lets nobody in", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const list = "/v1/projects/cli-heard/comment-allowlist"
      yield* service.ask("/v1/projects/cli-heard", { method: "PUT", body: "<h1>x</h1>", headers: { ...ada.bearer, "content-type": "text/html" } })
      yield* service.ask("/v1/workspace/comment-allowlist", { method: "PUT", json: { emails: ["all@example.com"] }, headers: ada.bearer })
      const told = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
        const { code, stderr, stdout } = yield* run(env, "commenters", ...args)
        return [code, stdout.replaceAll(/ {2,}/g, "  ").trimEnd().split("\n").map((line) => line.trimEnd()), stderr.trimEnd()] as const
      })
      const off = "Nobody comments yet. Turn comments on: svc set cli-heard --comments on"
      assert.deepStrictEqual(yield* told("list", "cli-heard"), [0, ["ADDRESS  LISTED FOR", "all@example.com  its folder or workspace"], off])
      assert.deepStrictEqual(yield* told("add", "cli-heard", "Bob@Example.com", "all@example.com"), [0, ["✓ bob@example.com is on the list of cli-heard.", "✓ all@example.com is on the list of cli-heard."], off])
      yield* run(env, "set", "cli-heard", "--comments", "on", "--comment-access", "members")
      const idle = "The list does not count, since members may comment. Let it: svc set cli-heard --comment-access allowlist"
      assert.deepStrictEqual(yield* told("list", "cli-heard"), [0, ["ADDRESS  LISTED FOR", "bob@example.com  this project", "all@example.com  this project"], idle])
      yield* run(env, "set", "cli-heard", "--comment-access", "allowlist")
      const off2 = "all@example.com is off this project’s list, and still on that of its folder or workspace."
      assert.deepStrictEqual(yield* told("remove", "cli-heard", "bob@example.com", "all@example.com"), [0, ["✓ bob@example.com is off the list of cli-heard.", off2], ""])
      const added = yield* run(env, "commenters", "add", "cli-heard", "eve@example.com", "--json")
      assert.deepStrictEqual([json(added), added.stderr], [(yield* service.ask(list, { headers: ada.bearer })).json, ""])
      yield* service.ask("/v1/workspace/comment-allowlist", { method: "PUT", json: { emails: [] }, headers: ada.bearer })
      yield* run(env, "commenters", "remove", "cli-heard", "eve@example.com")
      assert.deepStrictEqual(yield* told("list", "cli-heard"), [0, ["Nobody is listed. List somebody: svc commenters add cli-heard <email>"], ""])
      assert.strictEqual((yield* told("add", "cli-heard", "nobody"))[0], 2)
      assert.strictEqual((yield* told("add", "cli-heard"))[0], 2)
    }))

  it.effect("shares, hears back, counts, tidies: JSON as the API has it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const put = (slug: string, query = "") => service.ask(`/v1/projects/${slug}${query}`, { method: "PUT", body: "<h1>x</h1>", headers: { ...ada.bearer, "content-type": "text/html" } })
      yield* Effect.forEach(["cli-all", "cli-gone"], (slug) => put(slug))
      yield* put("cli-all")
      // In a workspace that is not Ada's primary one, and that has folders of its own.
      const host = yield* service.account()
      yield* joins(ada, host, "member")
      const elsewhere = `?workspace=${host.workspaceId}`
      yield* put("cli-elsewhere", elsewhere)
      const [theirs, later] = yield* Effect.forEach(["Theirs", "Spa\u0308ter"], (name) => service.ask(`/v1/folders${elsewhere}`, { json: { name }, headers: ada.bearer }))
      yield* put("cli-shut", "?visibility=private&title=Shut")

      const set = json(yield* apart(env, "set", "cli-all", "--comments", "on", "--title", "All", "--expires-in-days", "30", "--json"))
      assert.deepInclude(set, { title: "All", comments_enabled: true })
      assert.isString(set.expires_at)
      const posted = yield* service.ask("/v1/projects/cli-all/comments", { json: { body: "Hm?", anchor: { path: "/plan.html", quote: `Long words ${"and more ".repeat(10)}of it` } }, headers: ada.bearer })

      const [link, reply, folder, figures, drawn, csv, kept] = yield* together(
        apart(env, "share", "add", "cli-all", "Acme", "--expires-in-days", "7", "--json"),
        apart(env, "comments", "reply", posted.json.id, "Yes.", "--json"),
        apart(env, "folders", "create", "Reports", "--json"),
        run(env, "analytics", "cli-all", "--days", "7", "--json"),
        run(env, "analytics", "cli-all", "--days", "7"),
        apart(env, "analytics", "cli-all", "--days", "7", "--csv"),
        apart(env, "versions", `http://cli-all.svc.localhost:${service.port}/some/page`, "--json")
      )
      assert.deepInclude(json(link), { label: "Acme", view_count: 0 })
      assert.strictEqual(json(reply).body, "Yes.")
      assert.strictEqual(json(folder).sharing, "team")
      assert.strictEqual(json(figures).series.length, 7)
      assert.match(drawn.stdout, /^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, in UTC$/m)
      assert.match(csv.stdout, /^date,views,unique_visitors\r?\n/)
      assert.deepStrictEqual(json(kept).versions.map(({ version }: { version: number }) => version), [2, 1])

      const { id, share_url } = json(link)
      const opened = yield* service.ask(new URL(share_url).pathname + new URL(share_url).search, { host: "cli-all.svc.localhost", headers: { "user-agent": "Mozilla/5.0" } })
      assert.strictEqual(opened.status, 303)
      yield* run(env, "share", "add", "cli-all", "Nobody yet")
      const drawnLinks = (yield* run(env, "share", "list", "cli-all")).stdout.split("\n").map((line) => line.replace(/^[\da-f-]{36} /, "").replaceAll(/ +/g, " ").trim())
      assert.deepStrictEqual(drawnLinks, ["ID FOR OPENED LAST ENDS", "Nobody yet 0 not yet never", "Acme 1 just now in 7 days", ""])
      const [links, resolved, moved, inFolder, restored, doorcode, shut] = yield* together(
        apart(env, "share", "list", "cli-all", "--json"),
        apart(env, "comments", "resolve", posted.json.id, "--json"),
        apart(env, "folders", "move", "cli-elsewhere", "Theirs", "--json"),
        run(env, "set", "cli-all", "--folder", "Reports", "--json"),
        apart(env, "restore", "cli-all", "1", "--json"),
        fed(env, "open sesame\n", "set", "cli-all", "--doorcode", "--json"),
        fed(env, "open sesame\n", "set", "cli-shut", "--doorcode", "--title", "", "--json")
      )
      assert.deepInclude(json(links).share_links[1], { id, label: "Acme", view_count: 1 })
      assert.strictEqual(json(resolved).status, "resolved")
      assert.strictEqual(json(moved).folder_id, theirs!.json.id)
      assert.strictEqual(json(inFolder).folder_id, json(folder).id)
      assert.strictEqual(json(restored).version, 3)
      assert.deepInclude(json(doorcode), { visibility: "password", password: "open sesame" })
      assert.deepInclude(json(shut), { visibility: "private", password: "open sesame", title: "cli-shut" })

      const text = join(newFolder({ "a.txt": "x" }), "a.txt")
      const published = yield* together(
        run(env, "publish", text, "--slug", "cli-filed", "--folder", "Reports"),
        run(env, "publish", text, "--slug", "cli-elsewhere", "--folder", "Spa\u0308ter ")
      )
      for (const { code, stderr } of published) assert.strictEqual(code, 0, stderr)
      assert.strictEqual((yield* service.ask("/v1/projects/cli-elsewhere", { headers: ada.bearer })).json.folder_id, later!.json.id)
      const [none, again, info, members, revoked, renamed, refused, filed] = yield* together(
        apart(env, "comments", "list", "cli-all", "--json"),
        run(env, "comments", "list", "cli-all", "--status", "all"),
        apart(env, "info", "cli-all"),
        apart(env, "members", "list", "--json"),
        apart(env, "share", "revoke", id, "--json"),
        apart(env, "rename", "cli-gone", "cli-renamed"),
        apart(env, "delete", "cli-all"),
        apart(env, "list", "--folder", "Reports", "--json")
      )
      assert.deepStrictEqual(json(none), { comments: [] })
      assert.match(again.stdout, /^\S+ {2}resolved {2}version \d+ {2}on “\/plan\.html”\n {2}“Long words (?:and more ){10}of it”\n {2}Ada Example /)
      assert.match(again.stdout, /\n {4}Ada Example (?:just now|\d+ \w+ ago)\n {6}Yes\.\n/)
      assert.include(info.stdout, "Access     Opens with the doorcode open sesame\n")
      assert.deepInclude(json(members).members[0], { email: ada.email, is_owner: true })
      assert.deepStrictEqual(json(revoked), { id, status: "revoked" })
      assert.strictEqual(renamed.stdout, `http://cli-renamed.svc.localhost:${service.port}\n`)
      assert.include(renamed.stderr, "cli-gone no longer opens anything.")
      assert.deepInclude(yield* within(env, "rename", "cli-renamed", "cli-renamed"), { refusal: undefined, aside: [] })
      assert.deepStrictEqual([refused.code, refused.stderr.includes("There is no way back. Nobody can be asked here."), refused.stderr.includes("The same with --yes")], [2, true, true])
      assert.lengthOf(json(filed).projects, 2)
      assert.strictEqual(json(yield* fed(env, "", "folders", "delete", "Reports", "--move-projects", "--yes", "--json")).status, "deleted")

      const [gone, list, doctor] = yield* together(
        apart(env, "delete", "cli-renamed", "--yes", "--json"),
        run(env, "list", "--query", "cli-all", "--json"),
        apart(env, "doctor", "--json")
      )
      assert.deepStrictEqual(json(gone), { slug: "cli-renamed", status: "deleted" })
      assert.strictEqual((yield* at(service, "cli-renamed")).status, 404)
      assert.deepInclude(json(list).projects[0], { slug: "cli-all", folder_id: null, version: 3 })
      assert.isTrue(json(doctor).ok, doctor.stdout)
    }))

  it.effect("counts days from now by the service's clock, whatever this machine's says", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account({ email: "late@example.com" })
      const late = { ...signedIn(service, ada), NODE_OPTIONS: "--import=data:text/javascript,const{now}=Date;Date.now=()=>now()-20*864e5" } as Environment
      const site = newFolder({ "index.html": "1", "a.txt": "a" })
      yield* apart(late, "publish", site, "--slug", "cli-late")
      writeFileSync(join(site, "index.html"), "2")
      const expiry = Effect.map(service.ask("/v1/projects/cli-late", { headers: ada.bearer }), ({ json }) => Math.round((Date.parse(String(json.expires_at)) - Date.now()) / 864e5))
      assert.strictEqual((yield* apart(late, "set", "cli-late", "--expires-in-days", "30")).code, 0)
      assert.strictEqual(yield* expiry, 30)
      assert.strictEqual((yield* apart(late, "publish", site, "--slug", "cli-late", "--expires-in-days", "25")).code, 0)
      assert.strictEqual(yield* expiry, 25)
      const trial = json(yield* apart(late, "admin", "extend-trial", ada.workspaceId, "40", "--json"))
      assert.strictEqual(Math.round((Date.parse(trial.trial_ends_at) - Date.now()) / 864e5), 40)
      assert.include((yield* within(late, "admin", "extend-trial", ada.workspaceId, "39")).refusal, { message: "The trial already lasts that long.", field: "days" })
      assert.isUndefined((yield* within(late, "admin", "extend-trial", ada.workspaceId, "366")).refusal)
      const [tried, trying] = yield* together(apart(late, "whoami"), run(late, "admin", "workspace", ada.workspaceId))
      yield* service.inside(Effect.orDie(SqlClient.SqlClient.use((sql) => sql`UPDATE workspaces SET subscription_status = 'active' WHERE id = ${ada.workspaceId}`)))
      assert.deepStrictEqual([tried, yield* apart(late, "whoami")].map(({ stdout }) => /Trial +until/.test(stdout)), [true, false])
      assert.deepStrictEqual([trying, yield* run(late, "admin", "workspace", "CLI-Late")].map(({ stdout }) => /^Trial ends /m.test(stdout)), [true, false])
      yield* service.ask("/v1/projects/cli-late", { method: "PATCH", json: { expires_at: new Date(Date.now() - 10 * 864e5).toISOString() }, headers: ada.bearer })
      const over = yield* together(apart(late, "info", "cli-late"), apart(late, "set", "cli-late", "--indexing", "on"), apart(late, "list"))
      assert.include(over[0].stdout, "Access     Opens for nobody: it has expired.")
      // Where nobody watches too: the address alone would say that all is well.
      const unopened = yield* apart(late, "publish", site, "--slug", "cli-late")
      assert.deepStrictEqual([unopened.code, unopened.stderr.includes("Opens for nobody: it has expired. svc set cli-late --no-expiry opens it again.")], [0, true])
      assert.include(over[1].stdout, "Opens for nobody: it has expired.")
      assert.notInclude(over[1].stdout, "It stops opening")
      assert.match(over[2].stdout, /cli-late .* nobody /)
      const [link, restored] = yield* together(apart(late, "share", "add", "cli-late", "Acme"), apart(late, "restore", "cli-late", "1"))
      assert.include(link.stderr, "Opens for nobody: it has expired. svc set cli-late --no-expiry opens it again.")
      assert.match(link.stdout, /^http\S+\n$/)
      const nothing = form({ name: "slug", value: "cli-early" })
      const empty = yield* service.ask("/v1/projects", { ...nothing, headers: { ...nothing.headers, ...ada.bearer } })
      assert.strictEqual(empty.status, 201, empty.text)
      const early = yield* apart(late, "share", "add", "cli-early", "Acme")
      assert.include(early.stderr, "It opens nothing now: nothing is published there yet.")
      assert.match(early.stdout, /^http\S+\n$/)
      // What was a moment ago lies in no future.
      const [kept, revocable] = yield* together(apart(late, "versions", "cli-late"), apart(late, "tokens", "list"))
      for (const { stdout } of [kept, revocable]) assert.match(stdout, /(?:just now|\d+ (?:s|min) ago)/)
      for (const { stdout } of [kept, revocable]) assert.notInclude(stdout, " in 20 days")
      assert.include(restored.stdout, "Version 1 is the newest again, as version 3.")
      assert.include(restored.stdout, "svc set cli-late --no-expiry opens it again.")
    }))

  it.effect("takes the address of a project here, on its own host or in the web app, and of nothing else", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      yield* service.ask("/v1/projects/cli-addressed", { method: "PUT", body: "x", headers: { ...ada.bearer, "content-type": "text/plain" } })
      const foreign = ["https://cli-addressed.example.com/x", `http://cli-addressed.svc.localhost:${service.port + 1}`, `${baseOf(service)}/workspace/members`, "cli-addressed.html"]
      const refused = yield* Effect.forEach(foreign, (address) => run(env, "delete", address, "--yes"), { concurrency: 4 })
      for (const { code, stderr, stdout } of refused) {
        assert.deepStrictEqual([code, stdout], [2, ""], stderr)
        assert.include(stderr, `is not the address of a project at ${baseOf(service)}.`)
      }
      assert.strictEqual(json(yield* run(env, "info", `${baseOf(service)}/projects/cli-addressed/versions`, "--json")).slug, "cli-addressed")
      assert.strictEqual(json(yield* run(env, "info", `cli-addressed.svc.localhost:${service.port}`, "--json")).slug, "cli-addressed")
      // As a host's name does, a slug means the same in capitals.
      assert.strictEqual(json(yield* run(env, "info", "CLI-Addressed", "--json")).slug, "cli-addressed")
      const file = join(newFolder({ "a.txt": "y" }), "a.txt")
      for (const [index, to] of ["CLI-Addressed", `http://CLI-addressed.svc.localhost:${service.port}/`, `cli-addressed.svc.localhost:${service.port}`].entries()) {
        assert.deepInclude(lines(yield* run(env, "publish", file, "--slug", to, "--json")).at(-1), { slug: "cli-addressed", version: index + 2 })
      }
      const astray = yield* run(env, "publish", file, "--slug", foreign[0]!)
      assert.deepStrictEqual([astray.code, astray.stderr.includes("is not the address of a project at")], [2, true])
      assert.strictEqual(json(yield* run(env, "delete", `http://cli-addressed.svc.localhost:${service.port}/`, "--yes", "--json")).slug, "cli-addressed")
    }))

  it.effect("an empty list says which of somebody's workspaces it is of, and how to ask for another; so does what was done in one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const alone = yield* run(env, "list")
      const second = yield* service.ask("/v1/workspaces", { method: "POST", json: { name: "Second" }, headers: ada.bearer })
      assert.strictEqual(second.status, 201, second.text)
      const { workspaces } = json(yield* run(env, "whoami", "--json"))
      const says = `This is of ${workspaces[0].name} alone. Of another workspace: svc list --workspace <id>   svc whoami shows the ids.\n`
      const [list, found, folders, chosen, told, invites, exported] = yield* together(
        run(env, "list"), run(env, "list", "-q", "x"), run(env, "folders", "list"), run(env, "list", "--workspace", second.json.id), run(env, "list", "--json"),
        run(env, "invites", "list"), run(env, "export", "status")
      )
      assert.notInclude(alone.stdout, "alone")
      assert.strictEqual(list.stdout, `Nothing is published yet. Begin with: svc publish <file or folder>\n${says}`)
      assert.strictEqual(found.stdout, `Nothing fits.\n${says}`)
      for (const [shown, command] of [[folders, "svc folders list"], [invites, "svc invites list"], [exported, "svc export status"]] as const) {
        assert.include(shown.stdout, says.replace("svc list", command))
      }
      assert.notInclude(chosen.stdout, "alone")
      assert.deepStrictEqual(json(told), { projects: [] })
      // So does what finds nobody, or nothing, of a name.
      const unfound = yield* together(
        run(env, "members", "remove", "bob@example.com", "-y"), run(env, "invites", "cancel", "bob@example.com"), run(env, "folders", "delete", "Plans", "-y"),
        run(env, "members", "remove", "bob@example.com", "-y", "--workspace", second.json.id)
      )
      assert.deepStrictEqual(unfound.map(({ stderr }) => stderr), [
        `✗ Nobody here is bob@example.com.\n→ ${says.replace("svc list", "svc members list")}`,
        `✗ There is no invitation for bob@example.com.\n→ ${says.replace("svc list", "svc invites list")}`,
        `✗ There is no folder "Plans".\n→ ${says.replace("svc list", "svc folders list")}`,
        "✗ Nobody here is bob@example.com.\n→ svc members list\n"
      ])
      // And so does what is done there.
      const done = yield* together(
        run(env, "folders", "create", "Plans"), run(env, "folders", "create", "Plans", "--workspace", second.json.id), run(env, "invites", "add", "bob@example.com"), fed(env, `${PASSWORD}\n`, "export", "request")
      )
      assert.deepStrictEqual(done.map(({ stdout }) => stdout.split("\n")[0]!.replace(/(?<=until ).*/, "…")), [
        `✓ Plans is in ${workspaces[0].name}, for the team.`,
        "✓ Plans is there, for the team.",
        `✓ A mail is on its way to bob@example.com, for a seat in ${workspaces[0].name}. Its link works until …`,
        `✓ The export of what is in ${workspaces[0].name} is being made. The link comes by mail.`
      ])
    }))

  it.effect("finds fault with credentials that others may read, where a system says so", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const env = environment({ SVC_BASE_URL: baseOf(service), HOME: join(newFolder(), "of mine") })
      mkdirSync(dirname(credentialsIn(env)), { recursive: true })
      writeFileSync(credentialsIn(env), JSON.stringify({ services: {} }))
      chmodSync(credentialsIn(env), 0o666)
      const asWindows = { ...env, NODE_OPTIONS: "--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})" }
      const [here, there] = yield* together(apart(env, "doctor", "--json"), apart(asWindows, "doctor", "--json"))
      const found = ({ code, stdout }: Ended) => [code, JSON.parse(stdout).checks[0]] as const
      assert.deepInclude(found(here)[1], { check: "Credentials", ok: false, next: `chmod 600 '${credentialsIn(env)}'` })
      assert.deepEqual(found(there)[1], { check: "Credentials", ok: true, found: credentialsIn(env) })

      // Broken credentials stop the commands that need them, and no others.
      writeFileSync(credentialsIn(env), "{")
      const ada = yield* service.account()
      const alone = environment({ HOME: env.HOME })
      const lent = { ...env, SVC_TOKEN: ada.token } as Environment
      const [doctor, lost, completion, login, listed, unlisted] = yield* together(
        run(env, "doctor", "--json"),
        run(alone, "doctor", "--json"),
        run(alone, "completion", "bash"),
        run(env, "login"),
        run(lent, "list", "--json"),
        run({ ...alone, SVC_TOKEN: ada.token } as Environment, "list")
      )
      const broken = { check: "Credentials", ok: false, found: `${credentialsIn(env)} is not as svc wrote it.`, next: "Move it away, then: svc login" }
      for (const one of [doctor, lost]) assert.deepEqual(found(one), [1, broken])
      assert.strictEqual(JSON.parse(lost.stdout).checks.length, 1)
      assert.strictEqual(completion.code, 0, completion.stderr)
      assert.deepStrictEqual(json(listed), { projects: [] })
      for (const { code, stderr } of [login, unlisted]) {
        assert.strictEqual(code, 1)
        assert.include(stderr, "→ Move it away, then: svc login")
      }
    }))

  it.effect("says that readers have no comments on a site that is shown raw", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      yield* run(env, "publish", newFolder({ "index.html": "<h1>x</h1>", "a.css": "a{}" }), "--slug", "cli-raw")
      const set = yield* run(env, "set", "cli-raw", "--comments", "on", "--display", "raw")
      assert.strictEqual((yield* at(service, "cli-raw", "/_svc/comments")).status, 404)
      const none = "on, but readers have none while it is shown raw"
      assert.include(set.stdout, `  Comments are ${none}.\n`)
      assert.match((yield* run(env, "info", "cli-raw")).stdout, new RegExp(`^Comments +${none}$`, "m"))
      assert.notInclude((yield* run(env, "set", "cli-raw", "--display", "framed")).stdout, "readers")
      assert.strictEqual((yield* at(service, "cli-raw", "/_svc/comments")).status, 200)
      assert.match((yield* run(env, "info", "cli-raw")).stdout, /^Comments +on, for \w/m)
    }))

  it.effect("says that nobody looked in the days that the plan keeps, not that nobody ever did", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      yield* service.ask("/v1/projects/cli-read-once", { method: "PUT", body: "<h1>x</h1>", headers: { ...ada.bearer, "content-type": "text/html" } })
      yield* service.inside(Effect.orDie(SqlClient.SqlClient.use((sql) => Effect.andThen(
        sql`UPDATE workspaces SET plan = 'starter' WHERE id = ${ada.workspaceId}`,
        sql`INSERT INTO view_days (project_id, day, views, unique_visitors, last_viewed_at)
          SELECT id, current_date - 20, 3, 1, now() - interval '20 days' FROM projects WHERE slug = 'cli-read-once'`
      ))))
      assert.match((yield* run(env, "analytics", "cli-read-once")).stdout, /^Last seen +not in the 7 days that the plan keeps$/m)
      const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0" }
      assert.strictEqual((yield* service.ask("/", { host: "cli-read-once.svc.localhost", headers })).status, 200)
      assert.match((yield* run(env, "analytics", "cli-read-once")).stdout, /^Last seen +just now$/m)
    }))

  it.effect("lets platform administrators look up, take down and put back, and nobody else", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const root = signedIn(service, yield* service.account({ email: "root@example.com" }))
      const ada = yield* service.account()
      yield* service.ask("/v1/projects/cli-down", { method: "PUT", body: "x", headers: { ...ada.bearer, "content-type": "text/plain" } })
      const [user, workspace, figures, stranger] = yield* together(
        apart(root, "admin", "user", ada.email, "--json"),
        run(root, "admin", "workspace", "cli-down"),
        apart(root, "admin", "statistics", "--json"),
        run(signedIn(service, ada), "admin", "user", ada.email)
      )
      assert.deepInclude(json(user), { id: ada.id, email: ada.email })
      assert.include(workspace.stdout, ada.workspaceId)
      assert.isAtLeast(json(figures).users, 2)
      assert.deepStrictEqual([stranger.code, stranger.stdout], [1, ""])
      assert.include(stranger.stderr, "Only platform administrators")
      // Whoever complains of a project names its address. One like it elsewhere is another's.
      const address = `CLI-down.svc.localhost:${service.port}`
      for (const foreign of [`https://cli-down.example.com/`, `cli-down.svc.localhost:${service.port + 1}`, "cli-down.html"]) {
        assert.strictEqual((yield* run(root, "admin", "take-down", foreign, "--yes")).code, 1, foreign)
      }
      assert.include((yield* run(root, "admin", "workspace", `http://${address}/?a=b`)).stdout, ada.workspaceId)
      assert.strictEqual((yield* at(service, "cli-down")).status, 200)
      assert.include((yield* apart(root, "admin", "take-down", `http://${address}/page?a=b#c`, "--yes")).stdout, "cli-down is down. Put it back: svc admin put-back cli-down\n")
      assert.strictEqual((yield* at(service, "cli-down")).status, 410)
      const down = yield* together(run(signedIn(service, ada), "info", "cli-down"), run(signedIn(service, ada), "list"))
      assert.include(down[0].stdout, "Access     Opens for nobody: whoever runs the service took it down.")
      assert.match(down[1].stdout, /cli-down .* nobody /)
      assert.include((yield* run(root, "admin", "put-back", address)).stdout, "cli-down is put back")
      assert.strictEqual((yield* at(service, "cli-down")).status, 200)
      // It is done, and its answer is lost; so is a trial's, which is asked about first, on the same connection.
      const cut = Effect.fnUntraced(function*(after: number, ...args: ReadonlyArray<string>) {
        let answers = 0
        const { port } = yield* proxy(service.port, (_, __, down) => down > 0 && ++answers > after)
        return (yield* within({ ...root, SVC_BASE_URL: `http://localhost:${port}` } as Environment, "admin", ...args)).refusal
      }, Effect.scoped)
      const message = "No answer came: the connection broke. It may be done all the same."
      assert.include(yield* cut(0, "take-down", "cli-down", "--yes"), { exit: 4, message, next: "svc admin taken-down   shows whether it is." })
      assert.strictEqual((yield* at(service, "cli-down")).status, 410)
      assert.include(yield* cut(1, "extend-trial", ada.workspaceId, "50"), { exit: 4, message, next: `svc admin workspace ${ada.workspaceId}   shows whether it is.` })
      // Their own projects are no help with somebody else's.
      const nobody = "018f4a2e-0000-7000-8000-000000000000"
      for (const [next, ...args] of [
        ["The slug is what the project’s address begins with.", "take-down", "cli-nowhere", "--yes"],
        ["svc admin taken-down   lists what is down.", "put-back", "cli-nowhere"],
        ["svc admin workspace <slug>   finds", "user", "nobody@example.com"],
        ["svc admin user <email>   shows", "workspace", "cli-nowhere"],
        ["svc admin workspace <slug>   finds", "invite-owner", nobody, "new@example.com"],
        ["svc admin workspace <slug>   finds", "extend-trial", nobody, "40"],
        ["svc admin workspace <slug>   finds", "extend-trial", "cli-down", "40"],
        ["svc admin user <email>   shows its id.", "restore", "user", nobody],
        ["svc admin mails   lists", "mails", "--retry", nobody],
        ["svc admin jobs   lists", "jobs", "--retry", nobody]
      ] as const) {
        const refused = yield* run(root, "admin", ...args)
        assert.deepStrictEqual([refused.code, refused.stderr.includes(next)], [1, true], `${args.join(" ")}: ${refused.stderr}`)
      }
      // Nobody asked for the deletion of a workspace that goes with an account.
      const eve = yield* service.account()
      assert.include((yield* run(root, "admin", "restore", "workspace", eve.workspaceId)).stdout, "No deletion of this workspace was asked for.")
      assert.strictEqual((yield* service.ask("/v1/me", { method: "DELETE", json: { password: PASSWORD }, headers: yield* signIn(service, eve.email) })).status, 202)
      assert.include((yield* run(root, "admin", "restore", "workspace", eve.workspaceId)).stdout, `Both are taken back by: svc admin restore user ${eve.id}\n`)
      assert.include((yield* run(root, "admin", "restore", "user", eve.id)).stdout, "The user is back as it was.")
      const back = yield* signIn(service, eve.email)
      const taken = { method: "DELETE", json: { workspace: eve.workspaceId, password: PASSWORD }, headers: back }
      for (const path of ["/v1/workspace", "/v1/me"]) assert.strictEqual((yield* service.ask(path, taken)).status, 202, path)
      assert.include((yield* run(root, "admin", "restore", "workspace", eve.workspaceId)).stderr, `→ svc admin workspace ${eve.workspaceId}   lists who is in it`)
      assert.strictEqual((yield* run(root, "admin", "invite-owner", ada.workspaceId, "new@")).stderr, "✗ This is not an email address. (email)\n")
    }))

  it.effect("exits by what went wrong: 1 refused, 2 not understood, 3 sign in first, 4 no connection; always with what to do", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const eve = yield* service.account()
      const env = signedIn(service, ada)
      const html = join(newFolder({ "page.html": "x" }), "page.html")
      yield* Effect.forEach([["cli-taken", eve], ["cli-own", ada]] as const, ([slug, { bearer }]) => service.ask(`/v1/projects/${slug}`, { method: "PUT", body: "x", headers: { ...bearer, "content-type": "text/plain" } }))
      // As some writers make it: the entry that tells comes late.
      const sheet = join(newFolder({ "rows.xlsx": yield* Effect.promise(() => zipOf({ "docProps/app.xml": "<Properties/>", "xl/workbook.xml": "<workbook/>", "[Content_Types].xml": "<Types/>" })) }), "rows.xlsx")
      const empty = newFolder({ "out/index.html": "x" })
      const hostile = newFolder({ "a\u001B]0;x\u0007b/index.html": "x" })
      const cases: ReadonlyArray<readonly [code: number, says: string, next: string, env: Environment, ...args: ReadonlyArray<string>]> = [
        [1, "✗ This address is taken. Choose another.\n→ svc publish … --slug <another name>\n", "", env, "publish", html, "--slug", "cli-taken"],
        [1, "✗ There is no such project.\n→ svc list   shows your projects. For a new one: --slug cli-free\n", "", env, "publish", html, "--slug", `http://cli-free.svc.localhost:${service.port}`],
        [1, "✗ This name is reserved. Choose another.\n→ svc publish … --slug <another name>\n", "", env, "publish", html, "--slug", "admin"],
        [1, "✗ This name is reserved. Choose another.\n→ svc rename cli-own <another-slug>\n", "", env, "rename", "cli-own", "admin"],
        [1, "There is no such project. (slug)", "svc list", env, "info", "cli-taken"],
        [1, "There is no such workspace. (workspace)", "svc whoami   shows yours, with their ids.", env, "list", "--workspace", "018f4a2e-0000-7000-8000-000000000000"],
        ...(["reply", "resolve", "reopen"] as const).map((what) => [1, "There is no such comment.", "svc comments list <slug>", env, "comments", what, "018f4a2e-0000-7000-8000-000000000000", ...(what === "reply" ? ["x"] : [])] as const),
        [1, "There is no such project. (slug)", "svc list", env, "publish", html, "--slug", "cli-not-there", "--update"],
        [1, "✗ svc cannot show .xlsx files.\n", "→ Save it as CSV or PDF, then publish that.\n", env, "publish", sheet],
        [2, "--update needs the address to update.", "--slug q3-report --update", env, "publish", html, "--update"],
        [1, "A token is made in the browser", `${baseOf(service)}/account/tokens`, env, "tokens", "create"],
        [2, "has no index.html", `svc publish ${empty}/out`, env, "publish", empty],
        [2, "has no index.html", `${hostile}/a ]0;x b'\n`, env, "publish", hostile],
        [2, "There is no file or folder \"nowhere\"", "", env, "publish", "nowhere"],
        [2, "✗ Unknown subcommand \"publsh\" for \"svc\". Did you mean publish?\n", "→ svc --help\n", env, "publsh"],
        [2, "✗ Unknown subcommand \"lits\" for \"svc\". Did you mean list or ls?\n", "", env, "lits"],
        [2, "✗ Unrecognized flag: --nope in command svc info. Unrecognized flag: --vers in command svc info.\n", "", env, "info", "--nope", "--vers"],
        [2, "✗ Missing required argument: slug.\n", "", env, "info"],
        [2, "Take a workspace’s data along", "request", env, "export"],
        [2, "Unrecognized flag: --titel", "svc publish --help", env, "publish", html, "--titel", "x"],
        [2, "Invalid value for flag --slug: \"no\". Use 3 to 63 characters.", "svc publish --help", env, "publish", html, "--slug", "no"],
        ...["markdown", "text/", "text/markdown\r\nX: y"].map((type) => [2, "A MIME type, such as text/markdown.\n", "svc publish --help", env, "publish", html, "--type", type] as const),
        [2, "Invalid value for argument <version>: \"abc\". Give a whole number.\n", "svc restore --help", env, "restore", "cli-taken", "abc"],
        [2, "Invalid value for flag --days: \"2.5\". Give a whole number.\n", "svc analytics --help", env, "analytics", "cli-taken", "--days", "2.5"],
        [2, "Missing value for flag --expires-in-days. Give a whole number.\n", "svc set --help", env, "set", "cli-taken", "--expires-in-days"],
        [2, "Between 1 and 3650 days.", "svc set --help", env, "set", "cli-taken", "--expires-in-days", "0"],
        [2, "Between 1 and 3650 days.", "svc publish --help", env, "publish", html, "--expires-in-days", "99999999"],
        ...["0", "367", "99999999"].map((days) => [2, "Between 1 and 366 days.", "svc admin extend-trial --help", env, "admin", "extend-trial", ada.workspaceId, days] as const),
        [2, "is not the address of a service", "https://", env, "login", "svc.example.com"],
        [3, "You are not signed in", "svc login", environment({ SVC_BASE_URL: baseOf(service) }), "list"],
        [3, "", "svc login", environment({ SVC_BASE_URL: baseOf(service), SVC_TOKEN: `svc_${"x".repeat(43)}` }), "list"],
        [3, "SVC_TOKEN holds no token", "svc login", environment({ SVC_BASE_URL: baseOf(service), SVC_TOKEN: "svc_one\nsvc_two" }), "list"],
        [1, "There is no such project. (slug)", "svc list", environment({ SVC_BASE_URL: baseOf(service), SVC_TOKEN: `${ada.token}\r\n` }), "info", "http://cli-none.svc.localhost"],
        [1, "There is no such project. (slug)", "svc list", env, "delete", "cli-taken.html", "--yes"],
        [2, "\"-foo.html\" looks like a flag", "A file: ./-foo.html", env, "publish", "-foo.html"],
        [2, "\"-5% growth\" looks like a flag", "--title='-5% growth'", env, "set", "cli-taken", "--title", "-5% growth"],
        [2, "There is no file or folder \"-foo.html\"", "", env, "publish", "--title=-5% growth", "--", "-foo.html"],
        [2, "Between 1 and 3650 days.", "svc set --help", env, "set", "cli-taken", "--expires-in-days", "-5"],
        [2, "There is no file or folder \"-foo.html\"", "", env, "publish", "-s=docs", "--", "-foo.html"],
        [2, "Nothing came from stdin.", "svc publish - --name", env, "publish", "-", "--name", "notes.html", "--slug", "cli-taken"],
        [1, "What stdin brings cannot be kept in /nowhere meanwhile: ENOENT.", "TMPDIR", { ...env, TMPDIR: "/nowhere" } as Environment, "publish", "-"],
        [4, "Not everything is in order.", "", environment({ SVC_BASE_URL: "http://127.0.0.1:9" }), "doctor"]
      ]
      const ended = yield* Effect.forEach(cases, ([, , , env, ...args]) => run(env, ...args), { concurrency: 4 })
      for (const [index, { code, stderr, stdout }] of ended.entries()) {
        const [wanted, says, next, , ...args] = cases[index]!
        assert.strictEqual(code, wanted, `${args.join(" ")}: ${stderr}`)
        assert.include(stderr, says)
        assert.include(stderr, next)
        if (args[0] !== "doctor") assert.strictEqual(stdout, "")
        assert.notMatch(stdout + stderr, /svc_[\w-]{43}/)
      }
      const refused = yield* run(env, "publish", html, "--slug", "cli-taken", "--json", "--verbose")
      assert.deepStrictEqual(lines(refused).at(-1), { error: { code: "slug_taken", message: "This address is taken. Choose another.", field: "slug", details: {}, next: "svc publish … --slug <another name>" } })
      assert.notMatch(refused.stdout + refused.stderr, /svc_[\w-]{43}/)
      assert.match(refused.stderr, /PUT \/v1\/projects\/cli-taken 409 in \d+ ms, request [\w-]+/)
    }))

  it.effect.skipIf(!hasTerminal)("shows progress, colours and tables at a terminal, and asks before it deletes", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const env = signedIn(service, ada)
      const site = newFolder({ "index.html": "<title>A title that goes on and on, far beyond what a terminal has room for in one line</title>" })
      const seen = (...args: ReadonlyArray<string>) => Effect.promise(async () => (await (await atTerminal(args, env)).ended).stdout)
      const published = yield* seen("publish", site, "--slug", "cli-seen")
      assert.include(published, "\r\u001B[2KSending  ")
      assert.include(published, "\u001B[32m✓\u001B[39m Version 1 is live: site, 1 file, ")
      assert.include(published, "Anyone with this address can open it.")
      assert.isTrue(published.endsWith(`http://cli-seen.svc.localhost:${service.port}\r\n`))
      yield* service.ask("/v1/projects/cli-seen", { method: "PATCH", json: { expires_at: new Date(Date.now() - 864e5).toISOString() }, headers: ada.bearer })
      const unseen = yield* seen("publish", site, "--slug", "cli-seen")
      assert.include(unseen, "Opens for nobody: it has expired. svc set cli-seen --no-expiry opens it again.")
      assert.notInclude(unseen, "Anyone with this address can open it.")
      // A link opens nothing once its project has ended.
      yield* service.ask("/v1/projects/cli-seen", { method: "PATCH", json: { expires_at: new Date(Date.now() + 3.2 * 864e5).toISOString() }, headers: ada.bearer })
      for (const days of [["--expires-in-days", "30"], []]) assert.match(yield* seen("share", "add", "cli-seen", "Acme", ...days), /Opens cli-seen for Acme until .* \(in 3 days\)\./)
      assert.match(yield* seen("share", "add", "cli-seen", "Acme", "--expires-in-days", "1"), /Opens cli-seen for Acme until .* \(in (?:1 day|2\d hours)\)\./)
      yield* service.ask("/v1/projects/cli-seen", { method: "PATCH", json: { expires_at: null }, headers: ada.bearer })

      const [list, plain] = yield* together(
        seen("list"),
        Effect.promise(async () => (await (await atTerminal(["list"], { ...env, NO_COLOR: "1" } as Environment)).ended).stdout)
      )
      assert.include(list, "\u001B[2mSLUG")
      assert.notInclude(plain, "\u001B")
      assert.isTrue(plain.trim().split("\r\n").every((line) => line.length <= 80), plain)

      const closing = yield* Effect.promise(() => atTerminal(["set", "cli-seen", "--doorcode"], env))
      yield* Effect.promise(() => eventually("a prompt", () => closing.stdout().includes("The doorcode")))
      const before = closing.stdout().length
      closing.write("unseen7\r")
      const closed = (yield* Effect.promise(() => closing.ended)).stdout
      // Not even how long it is.
      assert.notMatch(closed.slice(before).split("cli-seen is changed")[0]!, /\*|unseen7/)
      assert.include(closed, "Opens with the doorcode unseen7")

      const answer = Effect.fnUntraced(function*(key: string) {
        const running = yield* Effect.promise(() => atTerminal(["delete", "cli-seen"], env))
        yield* Effect.promise(() => eventually("a question", () => running.stdout().includes("(y/N)")))
        running.write(key)
        return yield* Effect.promise(() => running.ended)
      })
      assert.deepInclude(yield* answer("n"), { code: 1 })
      assert.strictEqual((yield* at(service, "cli-seen", "/index.html")).status, 401)
      assert.deepInclude(yield* answer("y"), { code: 0 })
      assert.strictEqual((yield* at(service, "cli-seen", "/index.html")).status, 404)
    }))
})
