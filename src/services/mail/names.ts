/** A person's name as a mail may show it. Anyone can sign up with another's address, so a name must not carry a message. */
import { plainLine, shortened } from "../../domain/labels/model.ts"

/** What a mail client would make clickable: a host, a scheme, an address, or a number to call. */
const reachable = /:\/|\/\/|@|www\p{P}|[\p{L}\p{N}][.。．｡]\p{L}{2}|(?:\p{N}[\p{P}\s+]*){5}/iu

/** In characters: enough for a name, too few for a message. */
const limit = 60

/** Null if nothing that reads as a name is left; the mail then greets nobody by name. */
export const plainName = (name: string): string | null => {
  const line = plainLine(name)
  return line === "" || reachable.test(line.normalize("NFKC")) ? null : shortened(line, limit)
}

/** A host without its scheme is clickable in some mail clients, too, unless something stands within it. */
export const unlinked = (text: string): string => text.replaceAll(/(?<=[\p{L}\p{N}])[.。．｡](?=\p{L}{2})/gu, "$&\u200b")

/** What a stranger's client says about itself, such as its user agent: one short line, nothing in it to click. */
export const plainFact = (fact: string): string => {
  const line = plainLine(plainLine(fact).replace(/(?<![a-z])[a-z]+:\/\/|www\./gi, " "))
  return line === "" ? "unknown" : unlinked([...line].slice(0, 2 * limit).join(""))
}
