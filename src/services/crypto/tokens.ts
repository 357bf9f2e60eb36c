/** Tokens from the system's random source; ids are UUIDv7 on Effect's clock. */
import { hash as digest, randomBytes } from "node:crypto"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Tokens } from "../../domain/ports/tokens.ts"

const TOKEN_BYTES = 32

const hash = (raw: string): string => digest("sha256", raw, "hex")

export const TokensRandom = Layer.sync(Tokens, () => {
  // Copied into an array of its own: Node's small Buffers are views of a shared pool.
  const { randomBytes: random, uuidV7 } = SecureRandom.make((size) => Uint8Array.from(randomBytes(size)))
  return Tokens.of({
    mint: (prefix = "") =>
      Effect.map(random(TOKEN_BYTES), (bytes) => {
        const raw = prefix + Buffer.from(bytes).toString("base64url")
        return { raw, hash: hash(raw) }
      }),
    hash,
    random,
    uuid: uuidV7()
  })
})
