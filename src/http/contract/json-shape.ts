/**
 * How much a JSON body may hold. Within its bound in bytes it could nest or name so much that parsing it, or looking through it after
 * that, would block other requests for seconds; nothing that anybody sends comes near these bounds.
 */
import { invalid } from "../../domain/failures.ts"

const LEVELS = 64
const VALUES = 100_000
/** In one object. */
const NAMES = 1_000

export const tooIntricate = () => invalid({
  field: "body",
  message: `A body of JSON may have ${LEVELS} levels, ${VALUES.toLocaleString("en")} values, and ${NAMES.toLocaleString("en")} names in one object.`
})

const [QUOTE, COMMA, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from("\",:[\\]{}")

/** Counts without parsing, in one pass; of what is no JSON it counts what a parser would read. */
export const isIntricate = (json: Uint8Array): boolean => {
  const names = new Uint32Array(LEVELS + 1)
  let [level, values] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++level > LEVELS || ++values > VALUES) return true
        names[level] = 0
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (level > 0) level--
        break
      case COLON:
        if (++names[level]! > NAMES) return true
        break
      case COMMA:
        if (++values > VALUES) return true
    }
  }
  return false
}
