/** The short private folder that holds the server's Unix socket: whoever can enter it is trusted. */
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { step } from "../../start-refused.ts"
import type { OsUser } from "./os-user.ts"

const PREFIX = "svc-pg-"
export const SOCKET_NAME = ".s.PGSQL.5432"

/** A socket's path holds 107 bytes on Linux and 103 on macOS. */
const LONGEST_PATH = 103

const made = (user: OsUser | undefined): string => {
  const longest = join(tmpdir(), `${PREFIX}XXXXXX`, `${SOCKET_NAME}.lock`)
  // Root's own temporary folder may be closed to the server's user; /tmp is open to all.
  const parent = user !== undefined || longest.length > LONGEST_PATH ? "/tmp" : tmpdir()
  const folder = mkdtempSync(join(parent, PREFIX))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  return folder
}

export const makeSocketFolder = (user: OsUser | undefined) =>
  step(() => made(user), "The embedded database has no folder for its socket", "TMPDIR (/tmp unless it is set)")

export const removeSockets = (folder: string): void => {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) rmSync(join(folder, name), { force: true })
}

/** The name is checked because it may come from a file. */
export const removeSocketFolder = (folder: string): void => {
  if (basename(folder).startsWith(PREFIX)) rmSync(folder, { recursive: true, force: true })
}
