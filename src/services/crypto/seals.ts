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

const opened = async (sealed: string, key: Promise<CryptoKey>): Promise<string | undefined> => {
  try {
    return decoder.decode((await compactDecrypt(sealed, await key, ACCEPTED)).plaintext)
  } catch {
    return undefined
  }
}

const valueIn = (text: string): unknown => (JSON.parse(text) as { readonly value?: unknown }).value

/** How many seals are remembered, and up to what length: sessions and passes are shorter, sealed mails longer. */
const MOST = 2_000
const LONGEST = 1_024

/** What the seals opened last hold, since a session's is opened at every one of its requests, which took a quarter of their time: it never changes, and says nothing about whether the session still holds. */
const remembering = () => {
  const texts = new Map<string, string>()
  return {
    recall: (name: string): string | undefined => {
      const text = texts.get(name)
      if (text === undefined) return undefined
      texts.delete(name)
      texts.set(name, text)
      return text
    },
    remember: (name: string, text: string): void => {
      if (name.length > LONGEST) return
      texts.set(name, text)
      if (texts.size > MOST) texts.delete(texts.keys().next().value!)
    }
  }
}

export const SealsJose = ({ previous, secret }: SealSecrets): Layer.Layer<Seals> =>
  Layer.sync(Seals, () => {
    const current = keysOf(secret)
    const { recall, remember } = remembering()
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
        const name = `${purpose} ${sealed}`
        const known = recall(name)
        if (known !== undefined) return Option.some(valueIn(known))
        for (const keys of all) {
          const text = yield* Effect.promise(() => opened(sealed, keys(purpose)))
          if (text === undefined) continue
          remember(name, text)
          return Option.some(valueIn(text))
        }
        return Option.none()
      })
    })
  })
