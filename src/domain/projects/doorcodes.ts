/** Generated doorcodes: four words that can be read out over a telephone (CONTRACT §8). */
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { composedDoorcode } from "./slugs/slugs.ts"

/** Words of the list that nobody wants to send to a client. */
const UNKIND = new Set(
  ("abuse accident alcohol animal army arrest attack bomb bullet cancel cannon casino cigar coffin crash crime cruel " +
    "damage danger death defy destroy devil dumb enemy evil fatal fat fever fight fury ghost gun hate hurt insane " +
    "kidney kill knife lawsuit loser naked nasty panic pistol poison poverty prison punch rebel riot sad scare " +
    "shoot sick slave stupid suffer surgery tobacco toxic trash ugly uncover vampire victim virus war weapon " +
    "wine witness worry wrong zombie").split(" ")
)

export const WORDS: ReadonlyArray<string> = wordlist.filter((word) => !UNKIND.has(word))

const KNOWN = new Set(WORDS)

/** Takes at least 16 random bytes. Four of about 1,990 words: 43 bits. */
export const doorcodeFrom = (random: Uint8Array): string => {
  const draw = new DataView(random.buffer, random.byteOffset, random.byteLength)
  return [0, 4, 8, 12].map((offset) => WORDS[draw.getUint32(offset) % WORDS.length]!).join("-")
}

const spaced = (text: string): string => composedDoorcode(text.trim()).replaceAll(/\s+/g, " ")

/**
 * Whether somebody who typed this may have meant the doorcode: the text itself or, if it is four of our words, those words in
 * our spelling. A doorcode that a person chose must be typed exactly, except for surrounding spaces, which no doorcode
 * has, for how many spaces stand between its words, of which pages show one, and for how its letters are composed.
 */
export const isMeant = (doorcode: string, typed: string): boolean => {
  const code = spaced(doorcode)
  const plain = spaced(typed)
  const words = plain.toLowerCase().split(/[\s-]+/, 5)
  return plain === code || (words.length === 4 && words.every((word) => KNOWN.has(word)) && words.join("-") === code)
}
