/** Doorcodes the service makes: four words that can be read out over a telephone (CONTRACT §8). */
import { wordlist } from "@scure/bip39/wordlists/english.js"

/** Words of the list that nobody wants in a message to a client. */
const UNKIND = new Set(
  ("abuse accident alcohol animal army arrest attack bomb bullet cancel cannon casino cigar coffin crash crime cruel " +
    "damage danger death defy destroy devil dumb enemy evil fatal fat fever fight fury ghost gun hate hurt insane " +
    "kidney kill knife lawsuit loser naked nasty panic pistol poison poverty prison punch rebel riot sad scare " +
    "shoot sick slave stupid suffer surgery tobacco toxic trash ugly uncover vampire victim virus war weapon " +
    "wine witness worry wrong zombie").split(" ")
)

export const WORDS: ReadonlyArray<string> = wordlist.filter((word) => !UNKIND.has(word))

const KNOWN = new Set(WORDS)

/** From at least 16 random bytes. Four of some 1,990 words: 43 bits. */
export const doorcodeFrom = (random: Uint8Array): string => {
  const draw = new DataView(random.buffer, random.byteOffset, random.byteLength)
  return [0, 4, 8, 12].map((offset) => WORDS[draw.getUint32(offset) % WORDS.length]!).join("-")
}

/**
 * The doorcodes that somebody may have meant who typed this: it, and, where it reads as four of our words, those as we
 * write them. One that a person chose must be typed as it was chosen, but for spaces around it, which none has.
 */
export const readingsOf = (typed: string): ReadonlyArray<string> => {
  const plain = typed.trim()
  // No doorcode holds a NUL, and no database takes one.
  if (plain === "" || plain.includes("\0")) return []
  const words = plain.toLowerCase().split(/[\s-]+/, 5)
  return words.length === 4 && words.every((word) => KNOWN.has(word)) ? [plain, words.join("-")] : [plain]
}
