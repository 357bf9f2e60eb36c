/** A person's name as a mail may show it. Anyone can sign up with another's address, so a name must not carry a message. */
import { isolated, plainLine, shortened } from "../../domain/labels/model.ts"

/** The dots of a host without its scheme, whose parts may end in a vowel sign or an emoji, and those of an IPv4 address. */
const dots = /(?<=[^\s\p{P}])[.。．｡](?=\p{L}[\p{L}\p{M}\p{Join_C}]|(?:\d+[.。．｡]){2}\d)/gu

/** Some mail clients make such a host clickable, too, unless something stands within it. */
export const unlinked = (text: string): string => text.replaceAll(dots, "$&\u200b")

/** What else a mail client would make clickable: a scheme, an address, or a number to call. */
const reachable = /:\/|\/\/|@|www\p{P}|(?:\p{N}[\p{P}\s+]*){5}/iu

const leads = (text: string): boolean => reachable.test(text) || unlinked(text) !== text

/** In characters: enough for a name, too few for a message. */
const limit = 60

/** Null if nothing that reads as a name is left; the mail then greets nobody by name. */
export const plainName = (name: string): string | null => {
  const line = plainLine(name)
  return line === "" || leads(line.normalize("NFKC")) ? null : isolated(shortened(line, limit))
}

/** What a stranger's client says about itself, such as its user agent: one short line, nothing in it to click. */
export const plainFact = (fact: string): string => {
  const line = plainLine(plainLine(fact).replace(/(?<![a-z])[a-z]+:\/\/|www\./gi, " "))
  return line === "" ? "unknown" : unlinked([...line].slice(0, 2 * limit).join(""))
}
