/** The fields of our own forms and addresses: plain text, each given once. */
import { Option, Schema } from "effect"
import { MultipartParser } from "effect/http"

/** Undefined where a parameter is given more than once: it is ambiguous. */
export const single = (given: URLSearchParams, name: string): string | undefined => {
  const all = given.getAll(name)
  return all.length === 1 ? all[0] : undefined
}

export interface Fields {
  readonly next: string | undefined
  readonly password: string | undefined
}

/** Null and absent are the same (CONTRACT §1). */
const sent = Schema.optionalKey(Schema.NullOr(Schema.String))
const ofJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ next: sent, password: sent })))

const MOST_PARTS = 20

/** As FormData and `curl -F` send it. A file is no field. */
const ofParts = (type: string, body: Buffer): URLSearchParams | undefined => {
  const given = new URLSearchParams()
  let broken = false
  const parser = MultipartParser.make({
    headers: { "content-type": type },
    maxParts: MOST_PARTS,
    onField: (info, value) => given.append(info.name, MultipartParser.decodeField(info, value)),
    onFile: () => () => {},
    onError: () => (broken = true),
    onDone: () => {}
  })
  parser.write(body)
  parser.end()
  return broken ? undefined : given
}

const FORM = "application/x-www-form-urlencoded"
const kindOf = (type = ""): string => type.split(";", 1)[0]!.trim().toLowerCase()

/** As a page's form sends its fields unless it says otherwise. */
export const isForm = (type: string | undefined): boolean => kindOf(type) === FORM

/** Undefined where the body cannot be read as its declared type. */
export const fieldsOf = (type: string | undefined, body: Buffer): Fields | undefined => {
  const kind = kindOf(type)
  if (kind === "application/json") {
    const given = Option.getOrUndefined(ofJson(body.toString("utf8")))
    return given && { next: given.next ?? undefined, password: given.password ?? undefined }
  }
  const given = kind === "multipart/form-data" ? ofParts(type!, body)
    : kind === "" || kind === FORM ? new URLSearchParams(body.toString("utf8")) : undefined
  return given && { next: single(given, "next"), password: single(given, "password") }
}
