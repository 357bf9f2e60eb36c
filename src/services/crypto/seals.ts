/**
 * Seals as compact JWE (RFC 7516): `dir`, A256GCM, under a key that HKDF-SHA256 derives from the secret for
 * one purpose. A seal has no expiry of its own; what it holds says how long it is good for.
 */
import { hkdfSync } from "node:crypto"
import { Effect, Layer, Option, Redacted } from "effect"
import { base64url, CompactEncrypt, compactDecrypt } from "jose"
import { Seals } from "../../domain/ports/seals.ts"

export interface SealSecrets {
  /** Seals and opens. */
  readonly secret: Redacted.Redacted<string>
  /** Only opens, so that a new secret signs nobody out. */
  readonly previous: Option.Option<Redacted.Redacted<string>>
}

const HEADER = { alg: "dir", enc: "A256GCM" } as const
const ACCEPTED = { keyManagementAlgorithms: [HEADER.alg], contentEncryptionAlgorithms: [HEADER.enc] }

/** Every seal starts with the same header, so anything else is refused before any key is tried. */
const PREFIX = `${base64url.encode(JSON.stringify(HEADER))}..`

/** Purposes are constants of the program, so only a few keys are kept per secret: imported once, which takes a third of an opening. */
const keysOf = (secret: Redacted.Redacted<string>) => {
  const keys = new Map<string, Promise<CryptoKey>>()
  return (purpose: string): Promise<CryptoKey> => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const bytes = hkdfSync("sha256", Redacted.value(secret), "", `svc seal: ${purpose}`, 32)
    const key = crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
    keys.set(purpose, key)
    return key
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true })

const opened = async (sealed: string, key: Promise<CryptoKey>): Promise<Option.Option<unknown>> => {
  try {
    const { plaintext } = await compactDecrypt(sealed, await key, ACCEPTED)
    const { value } = JSON.parse(decoder.decode(plaintext)) as { readonly value?: unknown }
    return Option.some(value)
  } catch {
    return Option.none()
  }
}

export const SealsJose = ({ previous, secret }: SealSecrets): Layer.Layer<Seals> =>
  Layer.sync(Seals, () => {
    const current = keysOf(secret)
    const all = [current, ...Option.match(previous, { onNone: () => [], onSome: (old) => [keysOf(old)] })]
    return Seals.of({
      seal: Effect.fn("SealsJose.seal")((purpose: string, value: unknown) =>
        Effect.promise(async () =>
          new CompactEncrypt(encoder.encode(JSON.stringify({ value })))
            .setProtectedHeader(HEADER)
            .encrypt(await current(purpose))
        )
      ),
      open: Effect.fn("SealsJose.open")(function*(purpose: string, sealed: string) {
        if (!sealed.startsWith(PREFIX)) return Option.none()
        for (const keys of all) {
          const found = yield* Effect.promise(() => opened(sealed, keys(purpose)))
          if (Option.isSome(found)) return found
        }
        return Option.none()
      })
    })
  })
