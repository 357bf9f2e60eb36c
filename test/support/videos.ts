/** A film for tests: four frames of one colour that claim any length. */

const FILM = [
  "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAIDEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHGTbuMU6uE",
  "ElTDZ1OsggEMTbuMU6uEHFO7a1OsggHt7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBNgIRMYXZmV0GETGF2ZkSJiECvQAAAAAAAFlSua8GuAQAAAAAAADjX",
  "gQFzxYgAAAAAAAAAAZyBACK1nIN1bmSIgQCGhVZfVlA4g4EBI+ODhDuaygDgibCBELqBEJqBAhJUw2fRc3POY8CLY8WIAAAAAAAAAAFnyJhFo4dFTkNP",
  "REVSRIeLTGF2YyBsaWJ2cHhnyKJFo4hEVVJBVElPTkSHlDAwOjAwOjA0LjAwMDAwMDAwMAAAH0O2dUCF54EAo7uBAACAsAIAnQEqEAAQAABHCIWFiIWE",
  "iAICAnWqA/gCDP37AP77aJf/PTNeYP8nP/25H+3I/25H/7bCAKOVgQPoALEBAAEQEAAYABhYL/QACAAAo5WBB9AAsQEAARAQABgAGFgv9AAIAACjlYEL",
  "uACxAQABEBAAGAAYWC/0AAgAABxTu2uRu4+zgQC3iveBAfGCAWLwgQM="
].join("")

/** Where WebM states its length, in milliseconds and as text, and where each frame after the first begins: players add these up. */
const DURATION = Buffer.from("448988", "hex")
const IN_WORDS = "00:00:04"
const FRAME = Buffer.from("a39581", "hex")

/** Below ten seconds. */
export const filmOf = (seconds: number): Buffer => {
  const film = Buffer.from(FILM, "base64")
  film.writeDoubleBE(seconds * 1_000, film.indexOf(DURATION) + DURATION.length)
  film.write(`00:00:0${seconds}`, film.indexOf(IN_WORDS))
  for (let at = film.indexOf(FRAME), frame = 1; at !== -1; at = film.indexOf(FRAME, at + 1), frame++) film.writeInt16BE(frame * seconds * 250, at + FRAME.length)
  return film
}
