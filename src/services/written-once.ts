/** A small file that is written once, whole or not at all: a second writer gets what the first one wrote. */
import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { copyFile, link, open, readFile, rm } from "node:fs/promises"
import { dirname } from "node:path"

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code

const LINKLESS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/** The file's contents, or `undefined` if there is no file. */
export const readIfThere = (file: string): Promise<string | undefined> =>
  readFile(file, "utf8").catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return undefined
    throw cause
  })

/** A file is durable once it is synced; names added to a folder or removed from it, once the folder is synced. */
export const synced = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  await handle.sync().finally(() => handle.close())
}

/** Writes `text` unless the file exists, and answers what the file holds: that outlasts a power cut. One in between leaves all of it or no file, or some of it where there are no links. */
export const writtenOnce = async (file: string, text: string): Promise<string> => {
  const found = await readIfThere(file)
  if (found !== undefined) return found
  const aside = `${file}.new-${randomUUID()}`
  try {
    const handle = await open(aside, "wx", 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // A link never replaces a file, so of two simultaneous first starts one wins. Some file systems have no links: there a copy, whose
    // bytes are its own, is synced too.
    const put = link(aside, file).catch((cause: unknown) => {
      if (LINKLESS.has(codeOf(cause))) return copyFile(aside, file, constants.COPYFILE_EXCL).then(() => synced(file))
      throw cause
    })
    await put.catch((cause: unknown) => {
      if (codeOf(cause) !== "EEXIST") throw cause
    })
  } finally {
    await rm(aside, { force: true })
  }
  await synced(dirname(file))
  return readFile(file, "utf8")
}
