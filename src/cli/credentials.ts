/** The tokens of this machine by base address, in one file that only its owner may read, replaced as a whole. */
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import { Refusal } from "./refusal.ts"

export const DEFAULT_BASE = "http://svc.localhost:8787"

const File = Schema.Struct({
  /** The address of the last sign-in. */
  current: Schema.optionalKey(Schema.String),
  services: Schema.Record(Schema.String, Schema.Struct({ token: Schema.String, email: Schema.String }))
})
export type Credentials = typeof File.Type

export const NONE: Credentials = { services: {} }

/** XDG Base Directory: a relative XDG_CONFIG_HOME is ignored. */
export const credentialsPath = (): string => {
  const given = process.env["XDG_CONFIG_HOME"] ?? ""
  return join(given.startsWith("/") ? given : join(homedir(), ".config"), "svc", "credentials.json")
}

const unreadable = (path: string, what: string) =>
  new Refusal({ exit: 1, code: "credentials", message: `${path} ${what}.`, next: `Move it away, then: svc login` })

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(File))

export const readCredentials = Effect.gen(function*() {
  const path = credentialsPath()
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => error.code === "ENOENT" ? undefined : Promise.reject(error)),
    catch: () => unreadable(path, "cannot be read")
  })
  return text === undefined ? NONE : yield* Effect.mapError(decode(text), () => unreadable(path, "is not as svc wrote it"))
})

const put = async (path: string, text: string): Promise<void> => {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  // A link stays one: what it leads to is replaced, so that no token stays behind there.
  const real = await realpath(path).catch(() => path)
  const aside = `${real}.${process.pid}`
  const file = await open(aside, "wx", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await rename(aside, real)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

export const writeCredentials = (credentials: Credentials) => {
  const path = credentialsPath()
  return Effect.tryPromise({
    try: () => put(path, `${JSON.stringify(credentials, null, 2)}\n`),
    catch: (error) => unreadable(path, `cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"})`)
  })
}

/** The permission bits of the file; undefined if there is none. */
export const credentialsMode = Effect.promise(() => stat(credentialsPath()).then(({ mode }) => mode & 0o777, () => undefined))
