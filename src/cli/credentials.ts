/** The tokens of this machine by base address, in one file that only its owner may read, replaced as a whole. */
import { randomUUID } from "node:crypto"
import type { BigIntStats } from "node:fs"
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Schema } from "effect"
import { Refusal } from "./refusal.ts"

export const DEFAULT_BASE = "http://svc.localhost:8787"

/** Characters that no header can carry would look like a broken connection. */
export const TOKEN = /^[\x21-\x7E]+$/

const File = Schema.Struct({
  /** The address of the last sign-in. */
  current: Schema.optionalKey(Schema.String.check(Schema.makeFilter((text) => /^https?:\/\//.test(text) && URL.canParse(text)))),
  services: Schema.Record(Schema.String, Schema.Struct({
    token: Schema.String.check(Schema.isPattern(TOKEN)),
    /** Empty if the service could not be asked whose it is. */
    email: Schema.String
  }))
})
export type Credentials = typeof File.Type

export const NONE: Credentials = { services: {} }

/** XDG Base Directory: a relative XDG_CONFIG_HOME is ignored. */
export const credentialsPath = (): string => {
  const given = process.env["XDG_CONFIG_HOME"] ?? ""
  return join(given.startsWith("/") ? given : join(homedir(), ".config"), "svc", "credentials.json")
}

/** As bigints: a file's number may be too great for JavaScript's own to be exact. */
const exactly = (path: string): Promise<BigIntStats> => stat(path, { bigint: true })

/** Where tokens lie, by whatever name it is met, and what a run that was killed left beside them. Paths are given without links in them. */
export const tokenPlaces = async (): Promise<(path: string, found: BigIntStats) => boolean> => {
  const own = credentialsPath()
  const real = await realpath(own).catch(() => own)
  const places = await Promise.all([dirname(own), own].map((path) => exactly(path).catch(() => undefined)))
  return (path, { dev, ino }) => path.startsWith(`${real}.`) || places.some((place) => place !== undefined && place.dev === dev && place.ino === ino)
}

/** Whether a path that somebody names is one of them, or lies in one. */
export const keepsTokens = async (given: string): Promise<boolean> => {
  const holdsTokens = await tokenPlaces()
  // What a shell hands over as /dev/fd/… may have no path.
  const path = await realpath(given).catch(() => given)
  const found = await Promise.all([path, dirname(path)].map(async (one) => holdsTokens(one, await exactly(one))))
  return found.includes(true)
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

/** A change takes milliseconds: a lock that outlasts this was left by a run that was killed. */
const LOCK_MS = 3_000

const lockOf = async (path: string): Promise<string> => {
  const lock = `${path}.lock`
  for (let [met, since] = [0, 0];; await sleep(20)) {
    try {
      await (await open(lock, "wx", 0o600)).close()
      return lock
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
    const made = await stat(lock).then(({ mtimeMs }) => mtimeMs, () => 0)
    if (made !== met) [met, since] = [made, performance.now()]
    else if (performance.now() - since > LOCK_MS) await rm(lock, { force: true })
  }
}

const put = async (path: string, text: string): Promise<void> => {
  // A run that was killed may have left one; in a container every run has the same pid.
  const aside = `${path}.${randomUUID()}`
  const file = await open(aside, "wx", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

const ready = async (path: string): Promise<string> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(dirname(path), 0o700)
  // A link stays one: what it leads to is replaced, so that no token stays behind there.
  return realpath(path).catch(() => path)
}

/** Two commands that change the file at once would each forget what the other wrote. Returns what was kept before. */
export const changeCredentials = Effect.fnUntraced(function*(change: (kept: Credentials) => Credentials) {
  const path = credentialsPath()
  const tried = <A>(done: () => Promise<A>) =>
    Effect.tryPromise({ try: done, catch: (error) => unreadable(path, `cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown"})`) })
  const real = yield* tried(() => ready(path))
  yield* Effect.acquireRelease(tried(() => lockOf(real)), (lock) => Effect.promise(() => rm(lock, { force: true })))
  const kept = yield* readCredentials
  // To its end: half of it would be one more file with tokens in it, which nobody removes.
  yield* Effect.uninterruptible(tried(() => put(real, `${JSON.stringify(change(kept), null, 2)}\n`)))
  return kept
}, Effect.scoped)

/** The permission bits of the file; undefined if there is none. */
export const credentialsMode = Effect.promise(() => stat(credentialsPath()).then(({ mode }) => mode & 0o777, () => undefined))
