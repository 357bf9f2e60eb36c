/** The signing secret of the embedded default: made once, kept beside the data, readable by its owner alone. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Redacted } from "effect"
import { makeFolder } from "../make-folder.ts"
import { SECRET_BYTES } from "../setting-forms.ts"
import { step, StartRefused } from "../start-refused.ts"
import { writtenOnce } from "../written-once.ts"

export const secretIn = (dataDir: string) =>
  step(async () => {
    const file = join(dataDir, "secret")
    await makeFolder(dataDir)
    const secret = (await writtenOnce(file, randomBytes(48).toString("base64url"))).trim()
    // Whoever knows the secret can sign in as anybody, and a short one is soon guessed.
    if (Buffer.byteLength(secret) >= SECRET_BYTES) return Redacted.make(secret)
    throw new StartRefused({
      message: `${file} holds ${Buffer.byteLength(secret)} bytes and wants at least ${SECRET_BYTES}; put it back from a backup, or remove it: ` +
        "then everybody signs in again, and mails that wait are lost."
    })
  }, "The secret cannot be read or made")
