/** The signing secret of the embedded default: made once, kept beside the data, readable by its owner alone. */
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"

export const secretIn = (dataDir: string) =>
  Effect.sync(() => {
    const file = join(dataDir, "secret")
    mkdirSync(dataDir, { recursive: true })
    try {
      writeFileSync(file, randomBytes(48).toString("base64url"), { mode: 0o600, flag: "wx" })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
    return Redacted.make(readFileSync(file, "utf8").trim())
  })
