/** Documents to publish: pages of words, pictures of noise, each different unless the same is asked for. */
import { randomBytes, randomInt } from "node:crypto"
import { rawZip } from "../test/support/zips.ts"

export type Files = ReadonlyMap<string, Buffer>

const words = Array.from({ length: 2_000 }, (_, n) => {
  const letters = randomBytes(3 + (n % 8))
  return letters.reduce((word, letter) => word + String.fromCharCode(97 + (letter % 26)), "")
})

/** Text of exactly so many bytes that compresses about as well as prose. */
export const prose = (length: number): string => {
  const step = randomInt(1, words.length)
  let [text, at] = ["", randomInt(words.length)]
  for (let n = 0; text.length < length; n++) {
    at = (at * 31 + step + n) % words.length
    text += n % 12 === 11 ? `${words[at]}.</p>\n<p>` : `${words[at]} `
  }
  return text.slice(0, length)
}

export const page = (length: number): Buffer => {
  const head = "<!doctype html><html lang=\"en\"><head><title>A page</title></head><body><p>"
  const foot = "</p></body></html>\n"
  return Buffer.from(head + prose(length - head.length - foot.length) + foot)
}

/** A film's first bytes, and noise. */
export const film = (length: number): Buffer =>
  Buffer.concat([Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex"), randomBytes(length - 24)])

const PAGES = 700

/** 1,000 files that make a zip of 7.2 MB. */
export const thousandFiles = (): Files => {
  const files = new Map<string, Buffer>([["index.html", page(12_000)]])
  for (let n = 1; n < PAGES; n++) files.set(`pages/${n % 20}/page-${n}.html`, page(6_000 + ((n * 37) % 7_000)))
  for (let n = PAGES; n < 1_000; n++) files.set(`images/picture-${n}.png`, randomBytes(7_500 + ((n * 97) % 12_000)))
  return files
}

export const oneChanged = (files: Files): Files => new Map([...files, ["pages/7/page-7.html", page(9_000)]])

const DENSE = /\.(?:png|mp4)$/

export const zipped = (files: Files): Buffer =>
  rawZip([...files].map(([name, data]) => ({ name, data, stored: DENSE.test(name) })))
