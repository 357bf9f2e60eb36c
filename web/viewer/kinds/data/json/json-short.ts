/** The beginning of an object or list in a few words; what is nested in its values is left out. Pure. */
import { digitsOf } from "./json-numbers.ts"

/** Characters in all, characters of one key or value, and how many nested items of a list are shown. */
const [MOST, EACH, ALIKE] = [100, 40, 3]

type KeysOf = (value: object) => ReadonlyArray<string>

const cut = (text: string): string => text.length > EACH ? `${text.slice(0, EACH).toWellFormed()}…` : text

/** An empty name needs its quotes to be seen. */
export const keyText = (key: string): string => key === "" ? `""` : key

const valueOf = (value: unknown, keysOf: KeysOf): string => {
  const digits = digitsOf(value)
  if (digits !== undefined) return cut(digits)
  if (typeof value === "string") return `"${cut(value)}"`
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]"
  if (typeof value === "object" && value !== null) return keysOf(value).length === 0 ? "{}" : "{…}"
  return String(value)
}

/** Ends in … where there is more; empty for an empty object or list. */
export const shortOf = (value: object, keysOf: KeysOf): string => {
  const list = Array.isArray(value) ? value as ReadonlyArray<unknown> : undefined
  const keys = list === undefined ? keysOf(value) : []
  const parts: Array<string> = []
  let left = MOST
  for (let at = 0; at < (list ?? keys).length; at++) {
    const key = keys[at]
    const one = list === undefined ? (value as Record<string, unknown>)[key!] : list[at]
    const part = list === undefined ? `${cut(keyText(key!))}: ${valueOf(one, keysOf)}` : valueOf(one, keysOf)
    left -= part.length + 2
    const enough = left < 0 || (list !== undefined && at >= ALIKE && typeof one === "object" && one !== null)
    if (enough && at > 0) return `${parts.join(", ")}, …`
    parts.push(part)
  }
  return parts.join(", ")
}
