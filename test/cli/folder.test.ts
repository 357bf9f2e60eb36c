/** Which files of a folder are published, which are left out, and which are refused. */
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { buffer } from "node:stream/consumers"
import { assert, it, vi } from "@effect/vitest"
import { fromBufferPromise } from "yauzl"
import { besidePage, pathsNamed } from "../../src/cli/publishing/beside.ts"
import { fileBody, formBody, zipBody } from "../../src/cli/publishing/bodies.ts"
import type { Body } from "../../src/cli/publishing/bodies.ts"
import { look, unfit, unreadable, withoutIndex } from "../../src/cli/publishing/folder.ts"
import type { Refusal } from "../../src/cli/refusal.ts"
import { newFolder } from "../support/cli.ts"

const NOBODY = 65_534

const pathsIn = async (folder: string) => (await look(folder, false)).files.map(({ path }) => path)

const refusalOf = (folder: string) => look(folder, false).then(() => assert.fail("nothing was refused"), (error: Refusal) => error)

it("leaves out what nobody means to publish, and what .svcignore says, as git would read it", async () => {
  const folder = newFolder({
    "index.html": "x", "css/a.css": "a", ".env": "s", ".env.local": "s", ".env.example": "e", ".envrc": "s", "deep/.env-production": "s", ".env_backup/a": "s", ".git/HEAD": "h", "node_modules/p/i.js": "1234", "deep/node_modules/i.js": "1", "deep/package.json": "p", "assets/node_modules/@icons/face.ttf": "f",
    "deep/.DS_Store": "d", "deep/Icon\r": "i", "a.map": "m", "keep.map": "k", "drafts/one.md": "1", "deep/drafts/two.md": "2", ".well-known/security.txt": "w",
    ".npmrc": "s", "deep/.htpasswd": "s", ".ssh/id": "s", ".aws/credentials": "s", ".netrc": "s", ".pypirc": "s", ".git-credentials": "s", ".npmrc.html": "n", "deep/.netrc": "k",
    ".svcignore": "# Maps\n*.map\n!keep.map\n/drafts/\n!.env.example\n!deep/.netrc\n"
  })
  const { files, leftOut, size } = await look(folder, true)
  assert.deepStrictEqual(files.map(({ path }) => path), [".env.example", ".npmrc.html", ".well-known/security.txt", "assets/node_modules/@icons/face.ttf", "css/a.css", "deep/.netrc", "deep/drafts/two.md", "deep/package.json", "index.html", "keep.map"])
  assert.strictEqual(size, 10)
  assert.deepStrictEqual(leftOut.find(({ path }) => path === "node_modules/"), { path: "node_modules/", files: 1, size: 4 })
  assert.sameMembers(leftOut.map(({ path }) => path), [
    ".npmrc", "deep/.htpasswd", ".ssh/", ".aws/", ".netrc", ".pypirc", ".git-credentials",
    ".env", ".env.local", ".envrc", "deep/.env-production", ".env_backup/", ".git/", ".svcignore", "a.map", "deep/.DS_Store", "deep/Icon\r", "deep/node_modules/", "drafts/", "node_modules/"
  ])
})

it("leaves out the credentials of common tools, and svc's own by whatever name they are met, which no rule takes back in", async () => {
  const names = [".config/gh/hosts.yml", ".docker/config.json", ".kube/config", ".gnupg/key", ".pgpass", ".azure/token", ".cargo/credentials.toml", ".yarnrc.yml", ".bash_history", "keys/id_rsa", "id_ed25519", "id_ed25519_sk", ".dev.vars", ".dev.vars.production", ".my.cnf", ".vault-token", ".terraformrc", "server.pem", "keys/signing.p12", "team.kdbx"]
  const folder = newFolder({ "index.html": "x", "id_rsa.pub": "p", ...Object.fromEntries(names.map((name) => [name, "s"])), "own/svc/credentials.json": "s", "own/svc/credentials.json.1": "s", "own/kept/real.json": "s", ".svcignore": "!own/\n!own/**\n" })
  const paths = () => pathsIn(folder).finally(() => vi.unstubAllEnvs())
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "own"))
  assert.deepStrictEqual(await paths(), ["id_rsa.pub", "index.html", "own/kept/real.json"])

  rmSync(join(folder, "own", "svc", "credentials.json"))
  symlinkSync("../kept/real.json", join(folder, "own", "svc", "credentials.json"))
  linkSync(join(folder, "own", "kept", "real.json"), join(folder, "copy.json"))
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "own"))
  assert.deepStrictEqual(await paths(), ["id_rsa.pub", "index.html"])
})

it("tells what of the left out may be missed: no litter, and not what .svcignore names itself", async () => {
  const folder = newFolder({ "index.html": "x", ".config/a": "c", "docs/id_rsa": "k", ".env": "s", ".git/HEAD": "h", "deep/node_modules/i.js": "1", "deep/package.json": "p", ".DS_Store": "d", "a.map": "m", "real/b.txt": "b", ".svcignore": "*.map\n.env\nalias/\n" })
  symlinkSync("real", join(folder, "alias"))
  assert.deepStrictEqual((await look(folder, false)).missed, [".config/", "docs/id_rsa"])
})

it("reads .svcignore as git does: a letter with its mark in either form, and its case where the system tells it apart", async () => {
  const folder = newFolder({ "index.html": "x", "\u00e9t\u00e9.txt": "e", "Readme.md": "r", "NODE_MODULES/a.js": "a", ".ENV": "s", ".svcignore": "e\u0301te\u0301.txt\nREADME.md\n" })
  const tellsCase = process.platform === "linux"
  assert.deepStrictEqual(await pathsIn(folder), [...(tellsCase ? ["Readme.md"] : []), "index.html"])
})

it("tells folders from files in .svcignore: a list of exceptions works, and a rule for a folder spares a file of that name", async () => {
  const kept = newFolder({ "index.html": "x", "notes.txt": "n", "docs/deep/page.html": "p", "docs/data.csv": "d", ".svcignore": "*\n!*/\n!*.html\n" })
  assert.deepStrictEqual(await pathsIn(kept), ["docs/deep/page.html", "index.html"])

  const folder = newFolder({ "index.html": "x", "build/a.txt": "a", "real/b.txt": "b", "sub/build": "a file", ".svcignore": "build/\nalias/\n" })
  symlinkSync("real", join(folder, "alias"))
  assert.deepStrictEqual(await pathsIn(folder), ["index.html", "real/b.txt", "sub/build"])
})

it("follows links within the folder, and refuses those that lead out, nowhere or in circles, by name", async () => {
  const folder = newFolder({ "index.html": "x", "real/a.txt": "a" })
  symlinkSync("real", join(folder, "alias"))
  assert.deepStrictEqual(await pathsIn(folder), ["alias/a.txt", "index.html", "real/a.txt"])

  const outside = newFolder({ "index.html": "x" })
  symlinkSync(join(folder, "real", "a.txt"), join(outside, "secret.txt"))
  assert.include(await refusalOf(outside), { code: "link_outside", message: "secret.txt is a link that leads out of the folder." })
  // A sibling folder whose name begins with this folder's name is outside too.
  mkdirSync(`${outside}-more`)
  const close = newFolder({ "index.html": "x" })
  mkdirSync(`${close}2`)
  symlinkSync(`${close}2`, join(close, "near"))
  assert.include(await refusalOf(close), { code: "link_outside" })

  const broken = newFolder({ "index.html": "x" })
  symlinkSync("nowhere", join(broken, "gone"))
  assert.include(await refusalOf(broken), { code: "link_broken" })

  const circle = newFolder({ "index.html": "x", "in/a.txt": "a" })
  symlinkSync("..", join(circle, "in", "up"))
  assert.include(await refusalOf(circle), { code: "link_circle" })
})

it("leaves out under the name of a link what it leaves out under its own, unless .svcignore takes that back in", async () => {
  const folder = newFolder({ "index.html": "x", ".env": "s", ".aws/credentials": "s", "node_modules/p/i.js": "i", "drafts/a.txt": "a", "settings/.netrc": "s", ".svcignore": "drafts\n!kept.txt\n" })
  for (const [name, to] of [["env.txt", ".env"], ["kept.txt", ".env"], ["cloud", ".aws"], ["login.txt", "settings/.netrc"], ["lib", "node_modules/p"], ["a.txt", "drafts/a.txt"]] as const) symlinkSync(to, join(folder, name))
  const { files, missed } = await look(folder, false)
  assert.deepStrictEqual(files.map(({ path }) => path), ["a.txt", "index.html", "kept.txt", "lib/i.js"])
  assert.sameMembers([...missed], [".aws/", ".env", "cloud/", "env.txt", "login.txt", "settings/.netrc"])
})

it("refuses a name that the service would, unless it is left out, and more files than a project may hold", async () => {
  const refusedName = async (name: string) => unfit(await look(newFolder({ "index.html": "x", [name]: "b" }), false))
  for (const [name, says] of [
    ["a\\b.txt", "a\\b.txt cannot be published: its name has a backslash."],
    ["c:foo.txt", "c:foo.txt cannot be published: its name is absolute."],
    ["_svc/x.js", "_svc/x.js cannot be published: its name is under _svc/, which belongs to the service."],
    ["sub/bell\u0007.txt", "sub/bell\\u0007.txt cannot be published: its name has characters that no address can hold."],
    ["INDEX.html", "Two names differ only in what many systems ignore, such as capitals. Rename one of them. (INDEX.html, index.html)"]
  ] as const) assert.include(await refusedName(name), { exit: 1, code: "file_name", message: says, next: "Rename it, or leave it out in .svcignore" })
  assert.isUndefined(await refusedName("sub/_svc/x.js"))
  const many = (count: number) => ({ files: Array.from({ length: count }, (_, n) => ({ path: `${n}.txt`, from: "", size: 1 })) })
  assert.deepStrictEqual([unfit(many(10_000)), unfit(many(10_001))?.message], [undefined, "There are 10001 files; a project may hold 10000."])
  assert.deepStrictEqual(await pathsIn(newFolder({ "index.html": "x", "in/c:foo.txt": "b" })), ["in/c:foo.txt", "index.html"])
  assert.deepStrictEqual(await pathsIn(newFolder({ "index.html": "x", "a\\b.txt": "b", ".svcignore": "a*.txt\n" })), ["index.html"])
  // As Windows PowerShell writes it, and as nobody can read it.
  const named = newFolder({ "index.html": "x", "a.txt": "b" })
  for (const [bytes, paths] of [[Buffer.from("\uFEFF*.txt\r\n", "utf16le"), ["index.html"]], [Buffer.from("\uFEFF*.txt\r\n", "utf16le").swap16(), ["index.html"]], [Buffer.from("\uFEFF*.txt\n"), ["index.html"]]] as const) {
    writeFileSync(join(named, ".svcignore"), bytes)
    assert.deepStrictEqual(await pathsIn(named), [...paths])
  }
  writeFileSync(join(named, ".svcignore"), Buffer.from("caf\xe9.txt\n", "latin1"))
  assert.include(await refusalOf(named), { code: "ignore_file", message: ".svcignore is not UTF-8, so it is not known what it names." })
  if (process.platform !== "linux") return
  const latin = newFolder({ "index.html": "x" })
  writeFileSync(Buffer.concat([Buffer.from(`${latin}/caf`), Buffer.of(0xe9), Buffer.from(".txt")]), "x")
  assert.include(await refusalOf(latin), { code: "file_name", message: "caf\uFFFD.txt has a name that is no UTF-8, which no address can hold." })
})

it("asks for an index.html, and names the folder that has one", async () => {
  const folder = newFolder({ "dist/index.html": "x", "package.json": "{}" })
  assert.include(withoutIndex("app", await look(folder, false)), { exit: 2, next: "svc publish app/dist" })
  assert.isUndefined(withoutIndex("dist", await look(join(folder, "dist"), false)))
  assert.include(withoutIndex("app", await look(newFolder({ "report.htm": "x", "a.css": "x", "in/more.html": "x" }), false)), { exit: 2, next: "Rename report.htm to index.html, if that is it." })
  assert.include(withoutIndex("app", await look(newFolder({ "one.html": "x", "two.html": "x" }), false)), { exit: 2, next: "Add one, or publish its files one by one." })
  // One Markdown and its images need none, nor does a video with its captions.
  assert.isUndefined(withoutIndex("talk", await look(newFolder({ "talk.mp4": "x", "talk.vtt": "x", "still.jpg": "x" }), false)))
  assert.isUndefined(withoutIndex("brief", await look(newFolder({ "brief.md": "x", "img/a.PNG": "x" }), false)))
  for (const files of [{ "a.md": "x", "b.markdown": "x" }, { "a.md": "x", "a.css": "x" }, { "a.png": "x" }]) {
    assert.include(withoutIndex("brief", await look(newFolder(files), false)), { exit: 2 })
  }
})

it("tells which files beside a page it names, as its browser would look for them, and none that lie elsewhere", async () => {
  const page = `<base href="."><link rel=stylesheet href="/assets/site.css?v=1"><script src="plotly.min.js" async></script><script>"<img src=hidden.png>"</script><!-- <img src=hidden.png> -->
    <img src="img/Gr%C3%B6%C3%9Fe%201.png"><img src="./img/../plotly.min.js"><a href="other.html#part">x</a><a href="#top">x</a><a href="a%20page.html">x</a><a href="img/">x</a><template><video poster="still.jpg"></video></template>
    <img src="https://cdn.example/far.png"><img src="//cdn.example/far.png"><img src="data:image/png;base64,AA"><img src="gone.png"><img src="%ff"><img src="..%2ffar.png"><a href="mailto:far.png">x</a>`
  const folder = newFolder({
    "pages/a page.html": page, "far.png": "f",
    ...Object.fromEntries(["assets/site.css", "plotly.min.js", "hidden.png", "img/Größe 1.png", "other.html", "still.jpg", "far.png", "unnamed.js"].map((path) => [`pages/${path}`, "x"]))
  })
  const beside = (name: string, size = page.length, from = "a page.html") => besidePage({ from: join(folder, "pages", from), name, size, type: undefined })
  assert.deepStrictEqual(await beside("a page.html"), ["assets/site.css", "plotly.min.js", "img/Größe 1.png", "other.html", "still.jpg"])
  for (const none of [beside("notes.txt"), beside("a page.html", 1_048_577), beside("gone.html", 1, "gone.html")]) assert.isEmpty(await none)
  assert.deepStrictEqual(pathsNamed(`<base href="https://cdn.example/"><img src="a.png">`, "a.html"), [])
  assert.deepStrictEqual(pathsNamed(`<base href="deep/"><img src="a.png">`, "a.html"), ["deep/a.png"])
})

it("tells what lies beside a page whichever form its name is in, there and on disk", async () => {
  const page = "<img src='B\u00fcro/Pl\u00e4ne.png'><img src='u\u0308ber.png'><img src='B\u00fcro/fehlt.png'><img src='gone.png'><a href='seite-\u00fc.html'>x</a>"
  const folder = newFolder({ "seite-u\u0308.html": page, "Bu\u0308ro/Pla\u0308ne.png": "x", "\u00fcber.png": "x" })
  const named = await besidePage({ from: join(folder, "seite-u\u0308.html"), name: "seite-u\u0308.html", size: page.length, type: undefined })
  assert.deepStrictEqual(named, ["B\u00fcro/Pl\u00e4ne.png", "\u00fcber.png"])
})

it("tells which pictures beside a Markdown it shows, which may be published with it", async () => {
  const notes = "# Notes\n\n![A chart](chart.png \"Title\") ![](<a map.svg>) <img src='img/b.JPG'> ![far](https://cdn.example/far.png) ![gone](gone.png)\n[other](other.md) [plan](plan.png)\n\n![shot][s]\n\n  [s]: ./shot.webp 'Shot'\n"
  const folder = newFolder({ "notes.md": notes, ...Object.fromEntries(["chart.png", "a map.svg", "img/b.JPG", "far.png", "other.md", "plan.png", "shot.webp"].map((path) => [path, "x"])) })
  const beside = (name: string | undefined, type?: string) => besidePage({ from: join(folder, "notes.md"), name, size: notes.length, type })
  assert.sameMembers([...await beside("notes.md")], ["chart.png", "a map.svg", "img/b.JPG", "shot.webp"])
  assert.lengthOf(await beside(undefined, "text/markdown"), 4)
})

it("makes the same zip twice, and a form of the length it says", async () => {
  const folder = newFolder({ "index.html": "x".repeat(70_000), "ü/bild.png": new Uint8Array(90_000).fill(7) })
  const body = zipBody((await look(folder, false)).files)
  let read = 0
  const zips = [await buffer(body.open((bytes) => (read += bytes))), await buffer(body.open(() => {}))] as const
  assert.isTrue(zips[0].equals(zips[1]))
  assert.strictEqual(read, body.size)
  const names: Array<string> = []
  for await (const entry of (await fromBufferPromise(zips[0])).eachEntry()) names.push(entry.fileName)
  assert.deepStrictEqual(names, ["index.html", "ü/bild.png"])

  const file = (await look(folder, false)).files[0]!
  const form = formBody("b", [{ name: "delete", body: "old.txt" }, { name: "file", file: "a\"\r\n.txt", body: { type: undefined, length: file.size, size: file.size, open: () => [Buffer.alloc(file.size)] as never } }])
  const sent = await buffer(form.open(() => {}))
  assert.strictEqual(sent.length, form.length)
  assert.include(sent.toString(), "filename=\"a%22  .txt\"; filename*=UTF-8''a%22%0D%0A.txt")
  assert.isUndefined(formBody("b", [{ name: "file", file: "site.zip", body }]).length)
})

it("ends with the file's name when one goes away or shrinks while it is sent, in a zip as in a form", async () => {
  const folder = newFolder({ "index.html": "x", "sub/long.txt": "y".repeat(200_000), "z.txt": "z" })
  const { files } = await look(folder, false)
  const bodies = () => [zipBody(files), formBody("b", files.map((file) => ({ name: "file", file: file.path, body: fileBody(file, undefined) })))]
  const failing = (body: Body) => buffer(body.open(() => {})).then(() => assert.fail("it was sent"), (error: object) => error)
  writeFileSync(join(folder, "sub", "long.txt"), "short")
  for (const body of bodies()) assert.include(await failing(body), { code: "source", message: "sub/long.txt became shorter while it was read.", next: "Run it again." })
  rmSync(join(folder, "sub"), { recursive: true })
  for (const body of bodies()) assert.include(await failing(body), { code: "source", message: "sub/long.txt went away while it was read.", next: "Run it again." })
  const locked = unreadable({ from: "/site/a.txt", path: "a.txt" }, Object.assign(new Error("EACCES"), { code: "EACCES" }))
  assert.include(locked, { message: "a.txt cannot be read: you may not read it.", next: "Make it readable, or leave it out in .svcignore" })
})

/** Root can read everything, so the test drops to another user meanwhile. */
const asSomebody = async <A>(folder: string, run: () => Promise<A>): Promise<A> => {
  if (process.geteuid?.() !== 0) return run()
  for (const path of [folder, ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))]) chownSync(path, NOBODY, NOBODY)
  chmodSync(dirname(folder), 0o711)
  process.seteuid!(NOBODY)
  return run().finally(() => process.seteuid!(0))
}

it("counts what is left out and cannot be read as nothing", async () => {
  const folder = newFolder({ "index.html": "x", "node_modules/locked/a.js": "12", "node_modules/b.js": "3" })
  chmodSync(join(folder, "node_modules", "locked"), 0)
  const { leftOut } = await asSomebody(folder, () => look(folder, true))
  assert.deepStrictEqual(leftOut, [{ path: "node_modules/", files: 1, size: 1 }])
  chmodSync(join(folder, "node_modules", "locked"), 0o700)
})

it("says what to do about a folder or rules that cannot be read, and what it leaves out because nothing can be read there", async () => {
  const folder = newFolder({ "index.html": "x", "sub/locked/a.js": "1" })
  spawnSync("mkfifo", [join(folder, "pipe")])
  assert.deepStrictEqual((await look(folder, false)).leftOut, [{ path: "pipe", files: 1, size: 0 }])
  const locked = join(folder, "sub", "locked")
  chmodSync(locked, 0)
  assert.include(await asSomebody(folder, () => refusalOf(folder)), { exit: 1, message: "sub/locked/ cannot be read: you may not read it.", next: "Make it readable, or leave it out in .svcignore" })
  chmodSync(locked, 0o700)
  mkdirSync(join(folder, ".svcignore"))
  assert.include(await refusalOf(folder), { exit: 1, next: "Make it readable." })
})
