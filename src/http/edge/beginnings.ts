/** How documents begin, for the previews of links to them: read once per version. */
import { Effect } from "effect"
import { HostingStore } from "../../domain/hosting/store.ts"
import { cut } from "../../domain/labels/model.ts"
import type { VersionId } from "../../domain/projects/model.ts"
import { Shared } from "./memory/lanes.ts"
import { Memory } from "./memory/memory.ts"

/** Characters that chats show of a description. */
const SHOWN = 200
const BYTES = 2 * 1024 * 1024
const READ_MS = 2_000

export interface Beginnings {
  /** Empty where it has no words; undefined where they have not been read yet. */
  readonly held: (version: VersionId) => string | undefined
  /** Never fails: a page goes without rather than not at all. */
  readonly load: (version: VersionId) => Promise<string>
}

/** A word that is cut off is left out, unless it is none: Chinese and Japanese have no spaces to end at. */
const HALF_WORD = /\s+\S{0,30}$/

const shortened = (words: string): string => words.length <= SHOWN ? words : `${cut(words, SHOWN).replace(HALF_WORD, "")}…`

export const makeBeginnings = Effect.fnUntraced(function*(troubled: (cause: unknown) => void) {
  const store = yield* HostingStore
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const memory = new Memory<string>(BYTES)
  const shared = new Shared<string>()

  const read = async (version: VersionId): Promise<string> => {
    const excerpt = await run(Effect.timeout(store.excerpt(version), READ_MS))
    const words = shortened((excerpt ?? "").replaceAll(/\s+/g, " ").trim())
    memory.put(version, words, 100 + words.length * 2)
    return words
  }
  const beginnings: Beginnings = {
    held: (version) => memory.get(version),
    load: (version) =>
      shared.load(version, () =>
        read(version).catch((cause) => {
          troubled(cause)
          return ""
        }))
  }
  return beginnings
})
