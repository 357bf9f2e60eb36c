/** The fields of our own forms and addresses: plain text, each given once. */
import { Option, Schema } from "effect"

/** Undefined where a parameter is given more than once: it is ambiguous. */
export const single = (given: URLSearchParams, name: string): string | undefined => {
  const all = given.getAll(name)
  return all.length === 1 ? all[0] : undefined
}

const Fields = Schema.Struct({ password: Schema.optionalKey(Schema.String), next: Schema.optionalKey(Schema.String) })
export type Fields = typeof Fields.Type

const ofJson = Schema.decodeUnknownOption(Schema.fromJsonString(Fields))

/** Undefined where the body cannot be read as its declared type. */
export const fieldsOf = (type: string | undefined, body: Buffer): Fields | undefined => {
  const kind = (type ?? "").split(";", 1)[0]!.trim().toLowerCase()
  if (kind === "application/json") return Option.getOrUndefined(ofJson(body.toString("utf8")))
  if (kind !== "" && kind !== "application/x-www-form-urlencoded") return undefined
  const given = new URLSearchParams(body.toString("utf8"))
  const [next, password] = [single(given, "next"), single(given, "password")]
  return { ...(next !== undefined && { next }), ...(password !== undefined && { password }) }
}
