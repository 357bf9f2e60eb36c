/** Which files of a folder are published: all but those that a rule leaves out, and none from outside of it. */
import { createReadStream } from "node:fs"
import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import ignore from "ignore"
import type { Ignore } from "ignore"
import { clashIn, documentOf, lonePage, pathFault } from "../../domain/projects/file-paths.ts"
import { MAX_FILES } from "../../domain/projects/model.ts"
import { tokenPlaces } from "../credentials.ts"
import { Refusal, refused, usage } from "../refusal.ts"
import { exactly } from "../table.ts"
import { asWord } from "../words.ts"

const IGNORE_FILE = ".svcignore"

/** What tools and systems keep beside the work: nobody misses it. */
const LITTER = [
  ".git", ".hg", ".svn", IGNORE_FILE,
  ".DS_Store", "._*", "__MACOSX", "Icon[\r]", "Thumbs.db", "desktop.ini", ".Trashes", ".Spotlight-V100"
]

/** Litter where packages lie: at the top, or beside what names them. Bundlers name folders within a build like this too, as Expo does for fonts. */
const PACKAGES = "node_modules"

const holdsPackages = (name: string, below: string, beside: ReadonlyArray<{ readonly name: string }>): boolean =>
  name.toLowerCase() === PACKAGES && (below === "" || beside.some((one) => one.name === "package.json"))

/** What nobody means to publish. A `!` line of the ignore file takes something back in. */
export const LEFT_OUT = [
  ...LITTER,
  ".env*", ".dev.vars*", ".npmrc", ".yarnrc*", ".netrc", ".htpasswd", ".pypirc", ".pgpass", ".aws", ".azure", ".cargo", ".config", ".docker", ".gnupg", ".kube", ".ssh",
  ".git-credentials", ".my.cnf", ".vault-token", ".terraformrc", ".*_history", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_rsa",
  "*.pem", "*.p12", "*.pfx", "*.ppk", "*.kdbx"
]

export interface LocalFile {
  /** Within the site: parts separated by `/`, NFC. */
  readonly path: string
  /** On this machine. */
  readonly from: string
  readonly size: number
}

export interface LeftOut {
  readonly path: string
  readonly files: number
  readonly size: number
}

export interface Folder {
  readonly files: ReadonlyArray<LocalFile>
  /** Sizes are counted only on request: a folder of packages takes time. */
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Those of them that somebody may have meant to publish: no litter, and not what the ignore file names. */
  readonly missed: ReadonlyArray<string>
  readonly size: number
}

/** As git would have it: most file systems of these two take `A` and `a` for one name. */
const FOLDS_CASE = process.platform === "darwin" || process.platform === "win32"

const inAnyCase = (name: string): string => name.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)

/** By its first bytes: Windows PowerShell writes UTF-16. Read as something else, no rule of it would match, and all that it names would be published. */
const read = (bytes: Uint8Array): string => {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8"
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal({ exit: 1, code: "ignore_file", message: `${IGNORE_FILE} is not UTF-8, so it is not known what it names.`, next: "Save it as UTF-8, then try again." })
  }
}

/** As paths are: NFC. */
const ownRules = async (root: string): Promise<string> => {
  try {
    return read(await readFile(join(root, IGNORE_FILE))).normalize("NFC")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
    throw unreadable({ from: join(root, IGNORE_FILE) }, error)
  }
}

const rulesOf = (names: ReadonlyArray<string>, own: string): Ignore => ignore({ ignoreCase: FOLDS_CASE }).add(names.map(inAnyCase)).add(own)

/** Left-out files may be unreadable or vanish meanwhile: they count as nothing. */
const weigh = async (path: string): Promise<{ readonly files: number; readonly size: number }> => {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) return { files: found === undefined ? 0 : 1, size: found?.size ?? 0 }
  const parts = await Promise.all((await readdir(path).catch(() => [])).map((name) => weigh(join(path, name))))
  return { files: parts.reduce((sum, { files }) => sum + files, 0), size: parts.reduce((sum, { size }) => sum + size, 0) }
}

const outside = (path: string) =>
  new Refusal({ exit: 1, code: "link_outside", message: `${path} is a link that leads out of the folder.`, next: `Put a copy there, or leave it out in ${IGNORE_FILE}` })

const misnamed = (message: string) => new Refusal({ exit: 1, code: "file_name", message, next: `Rename it, or leave it out in ${IGNORE_FILE}` })

const tooMany = (message: string) => refused(message, `Leave some out in ${IGNORE_FILE}`)

/** Read as text it is another name, under which nothing lies. */
const withoutText = (path: string) => misnamed(`${path} has a name that is no UTF-8, which no address can hold.`)

/** Follows links within the folder, but no link that leads back to a folder above it: that would never end. */
export const look = async (root: string, counted: boolean): Promise<Folder> => {
  const real = await realpath(root)
  const own = await ownRules(root)
  const [rules, unmissed] = [rulesOf(LEFT_OUT, own), rulesOf([...LITTER, PACKAGES], own)]
  const holdsTokens = await tokenPlaces()
  const files: Array<LocalFile> = []
  const leftOut: Array<LeftOut> = []
  const missed: Array<string> = []

  const leave = async (path: string, from: string): Promise<void> => {
    leftOut.push({ path, ...(counted ? await weigh(from) : { files: 1, size: 0 }) })
    if (!unmissed.ignores(path)) missed.push(path)
  }

  /** Whether a link leads to what nobody means to publish: no litter, nor what the ignore file names or takes back in. */
  const leadsToLeftOut = (named: string, there: string): boolean => {
    const path = there.slice(real.length + 1).split(sep).join("/").normalize("NFC")
    return path !== "" && rules.ignores(path) && !unmissed.ignores(path) && !rules.test(named).unignored
  }

  const target = async (from: string, path: string): Promise<string> => {
    const found = await realpath(from).catch(() => {
      throw new Refusal({ exit: 1, code: "link_broken", message: `${path} is a link to nothing.`, next: `Remove it, or leave it out in ${IGNORE_FILE}` })
    })
    if (found !== real && !found.startsWith(real + sep)) throw outside(path)
    return found
  }

  const walk = async (folder: string, below: string, above: ReadonlyArray<string>): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadable(below === "" ? { from: root } : { from: folder, path: below }, error)
    })
    for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = below + entry.name.normalize("NFC")
      const from = join(folder, entry.name)
      // A rule that ends in a slash matches folders, and links to folders.
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && await stat(from).then((found) => found.isDirectory(), () => false))
      const named = isFolder ? `${path}/` : path
      const { ignored, unignored } = rules.test(named)
      if (ignored || (isFolder && !unignored && holdsPackages(entry.name, below, entries))) {
        await leave(named, from)
        continue
      }
      const there = entry.isSymbolicLink() ? await target(from, path) : from
      const found = await stat(there, { bigint: true }).catch((error: unknown) => {
        throw entry.name.includes("\uFFFD") ? withoutText(path) : unreadable({ from, path }, error)
      })
      // No rule takes these back in.
      if (holdsTokens(there, found)) await leave(named, there)
      else if (entry.isSymbolicLink() && leadsToLeftOut(named, there)) await leave(named, there)
      else if (found.isDirectory()) {
        const way = await realpath(there)
        if (above.includes(way)) throw new Refusal({ exit: 1, code: "link_circle", message: `${path} is a link that leads back to itself.`, next: `Leave it out in ${IGNORE_FILE}` })
        await walk(there, `${path}/`, [...above, way])
      } else if (found.isFile()) files.push({ path, from: there, size: Number(found.size) })
      // A pipe, a socket or a device.
      else await leave(named, there)
    }
  }

  await walk(real, "", [real])
  return { files, leftOut, missed, size: files.reduce((sum, { size }) => sum + size, 0) }
}

/** What the service takes the files for, where they need no index.html; they travel in a form then. */
export const documentIn = ({ files }: Pick<Folder, "files">) => documentOf(files.map(({ path }) => path))

/** A site begins with index.html; if one lies deeper, that folder was probably meant, and a lone page at its top may be the first. */
export const withoutIndex = (given: string, folder: Folder): Refusal | undefined => {
  const { files } = folder
  if (files.some(({ path }) => path === "index.html") || documentIn(folder) !== undefined) return undefined
  if (files.length === 0) return usage(`There is nothing to publish in ${given}.`)
  const paths = files.map(({ path }) => path)
  const page = lonePage(paths)
  const deeper = paths.filter((path) => path.endsWith("/index.html")).sort((a, b) => a.length - b.length)[0]
  return usage(
    `${given} has no index.html, which a site begins with.`,
    deeper !== undefined
      ? `svc publish ${asWord(join(given, deeper.slice(0, -"/index.html".length)))}`
      : page === undefined ? "Add one, or publish its files one by one." : `Rename ${exactly(page)} to index.html, if that is it.`
  )
}

/** The service would refuse the folder, once all of it was sent. */
export const unfit = ({ files }: Pick<Folder, "files">): Refusal | undefined => {
  const paths = files.map(({ path }) => path)
  for (const path of paths) {
    const fault = pathFault(path)
    if (fault !== undefined) return misnamed(`${exactly(path)} cannot be published: its name ${fault}.`)
  }
  const clash = clashIn(paths)
  if (clash !== undefined) return clash.path === undefined ? tooMany(clash.message) : misnamed(`${clash.message} (${exactly(clash.path)})`)
  return files.length <= MAX_FILES ? undefined : tooMany(`There are ${files.length} files; a project may hold ${MAX_FILES}.`)
}

/** A file to read: named by its path in the folder, where a rule can leave it out, or a lone file named by where it lies. */
export type Readable = Pick<LocalFile, "from" | "size"> & { readonly path?: string }

const source = (message: string, next: string) => new Refusal({ exit: 1, code: "source", message, next })

export const unreadable = ({ from, path }: Pick<Readable, "from" | "path">, error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  const { code, message } = error as NodeJS.ErrnoException
  const named = path ?? from
  if (code === "ENOENT") return source(`${named} went away while it was read.`, "Run it again.")
  const why = code === "EACCES" || code === "EPERM" ? "you may not read it" : message
  return source(`${named} cannot be read: ${why}.`, path === undefined ? "Make it readable." : `Make it readable, or leave it out in ${IGNORE_FILE}`)
}

/** Exactly the announced number of bytes: bytes appended meanwhile belong to the next publish, and a file that shrank fails this one. */
export const bytesOf = async function*(file: Readable): AsyncIterable<Uint8Array> {
  const { from, path = from, size } = file
  let left = size
  try {
    if (size > 0) {
      for await (const chunk of createReadStream(from, { end: size - 1 })) {
        left -= chunk.length
        yield chunk
      }
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (left > 0) throw source(`${path} became shorter while it was read.`, "Run it again.")
}
