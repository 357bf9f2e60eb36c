/** The package that `npm pack` makes: plain JavaScript without dependencies, installed offline, run on the Node that is here. */
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { environment, newFolder, packed } from "../support/cli.ts"
import { Service, serviceWith } from "../support/service.ts"

const run = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>, cwd: string) =>
  Effect.promise(() => promisify(execFile)(program, [...args], { env: { ...env, PATH: `${dirname(process.execPath)}:${env["PATH"]}`, npm_config_update_notifier: "false" }, cwd }))

layer(serviceWith(), { excludeTestServices: true })("the packed command line", (it) => {
  it.effect("installs without a network and without dependencies, and publishes", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { token } = yield* service.account()
      const env = environment({ SVC_BASE_URL: `http://svc.localhost:${service.port}`, SVC_TOKEN: token })
      const folder = newFolder({ "page.html": "<h1>packed</h1>", "package.json": "{}" })
      const { stdout } = yield* run("npm", ["pack", yield* Effect.promise(packed), "--json"], env, folder)
      const [{ filename, files }] = JSON.parse(stdout)
      const outside = files.map(({ path }: { path: string }) => path).filter((path: string) => !/^lib\/[\w-]+\.js$/.test(path))
      assert.sameMembers(outside, ["LICENSE", "README.md", "package.json", "svc.js"])
      yield* run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], env, folder)
      assert.deepStrictEqual(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["svc"])
      const bin = join(folder, "node_modules", ".bin", "svc")
      const { version } = JSON.parse(readFileSync("package.json", "utf8"))
      assert.strictEqual((yield* run(bin, ["--version"], env, folder)).stdout, `svc ${version}\n`)
      const published = yield* run(bin, ["publish", "page.html", "--slug", "packed-page"], env, folder)
      assert.strictEqual(published.stdout, `http://packed-page.svc.localhost:${service.port}\n`)
      assert.include((yield* service.ask("/", { host: "packed-page.svc.localhost" })).text, "packed")
      for (const shell of ["bash", "zsh", "fish"]) {
        const script = (yield* run(bin, ["completion", shell], env, folder)).stdout
        assert.include(script, "publish")
        assert.notInclude(script, "--completions")
        writeFileSync(join(folder, `completion.${shell}`), script)
      }
      const asked = "source ./completion.bash; COMP_WORDS=(svc publish pa); COMP_LINE='svc publish pa'; COMP_POINT=14; COMP_CWORD=2; _svc svc pa publish; echo ${COMPREPLY[@]}"
      assert.include((yield* run("bash", ["-c", asked], env, folder)).stdout, "page.html")
    }))

  it.effect("keeps what it compiled, under the caches of whoever runs it, and does without where it cannot", () =>
    Effect.gen(function*() {
      const { NODE_COMPILE_CACHE: _, ...env } = environment()
      const help = (more = {}) => run(process.execPath, [`${folder}/svc.js`, "--help"], { ...env, ...more }, env.HOME)
      const folder = yield* Effect.promise(packed)
      const { stdout } = yield* help()
      assert.isNotEmpty(readdirSync(join(env.HOME, ".cache", "svc")))
      const caches = newFolder({ svc: "a file, and no folder" })
      assert.strictEqual((yield* help({ XDG_CACHE_HOME: caches })).stdout, stdout)
      assert.deepStrictEqual(readdirSync(caches), ["svc"])
      yield* help({ XDG_CACHE_HOME: join(caches, "made") })
      assert.isNotEmpty(readdirSync(join(caches, "made", "svc")))
      // Where nobody's home is known: not among what is temporary, where anybody could have put code.
      const temporary = newFolder()
      assert.strictEqual((yield* help({ HOME: "", TMPDIR: temporary })).stdout, stdout)
      assert.isEmpty(readdirSync(temporary))
    }))

  it.effect("runs from the checkout too", () =>
    Effect.gen(function*() {
      assert.isTrue(existsSync("scripts/svc.mjs"))
      const { stdout } = yield* run(process.execPath, ["scripts/svc.mjs", "--version"], environment(), process.cwd())
      assert.match(stdout, /^svc \d/)
    }))
})
