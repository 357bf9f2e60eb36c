/** How values look on the wire: snake_case names, RFC 3339 times, one-line texts (CONTRACT §1). */
import { Schema, SchemaTransformation } from "effect"
import { camelToSnake } from "effect/String"
import { lengthFault, PASSWORD_LENGTH } from "../../domain/accounts/password.ts"
import { isId } from "../../domain/ids.ts"
import { composed, hides, isOneLine, lengthOf } from "../../domain/labels/model.ts"

type Snake<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : Name

type SnakeKeys<Fields extends Schema.Struct.Fields> = { readonly [Key in keyof Fields]: Key extends string ? Snake<Key> : never }

/** A struct whose camelCase fields travel in snake_case. */
export const wire = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(
    Schema.encodeKeys(Object.fromEntries(Object.keys(fields).map((key) => [key, camelToSnake(key)])) as SnakeKeys<Fields>)
  )

/** A switch in a query or a form. */
export const Switch = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: (on) => on ? "true" as const : "false" as const })
  )
)

/** Years from here on do not fit four digits; an offset can push a time past it. */
const END = Date.UTC(10_000, 0)

/** `Date.parse` reads the 30th of February as the 2nd of March. By numbers alone, since the times of all answers are checked too. */
const isOnCalendar = (text: string): boolean => {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  return day > 0 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && Date.parse(text) < END
}

/** The lifetime of something that expires by itself. */
export const days = Schema.isBetween({ minimum: 1, maximum: 3650 }, { message: "Between 1 and 3650 days." })

const time = { message: "An RFC 3339 time, such as 2027-01-31T12:00:00Z." }

/** What every time says of itself. */
export const TIME = "RFC 3339, UTC, with milliseconds"

const timestamp = (pattern: RegExp) =>
  Schema.String.annotate({ description: TIME, format: "date-time" }).check(
    Schema.isPattern(pattern, time).abort(),
    Schema.makeFilter(isOnCalendar, time)
  ).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

/** RFC 3339, UTC, milliseconds. */
export const Timestamp = timestamp(/^[2-9]\d{3}-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/)

/** The same from 1970 on: a caller who wants everything asks since then. */
export const Since = timestamp(/^(?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/)

const uuid = Schema.String.check(isId)

/** An id from a caller: upper case is folded to the lower case that ids are stored in (RFC 9562 §4). */
export const Uuid = uuid.pipe(Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()))
export const idOf = <S extends Schema.Codec<string, string>>(id: S, description?: string) =>
  (description === undefined ? uuid : uuid.annotate({ description })).pipe(Schema.decodeTo(Uuid), Schema.decodeTo(id))

export const Bytes = Schema.Finite.annotate({ description: "Bytes" })

/** The default page size of lists. */
export const PAGE = 50
/** An id: it is compared with ids, so it is folded to their lower case. */
export const PageCursor = Schema.String.check(Schema.isGUID({ message: "This is not a valid cursor.", toJsonSchema: () => ({ format: "uuid" }) }))
  .pipe(Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()))
export const PageLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "Between 1 and 100." }))
export const paging = {
  cursor: Schema.optionalKey(PageCursor),
  limit: Schema.optionalKey(PageLimit).annotate({ description: `1 to 100; ${PAGE} by default` })
}

/** For PATCH and for an allowlist's PUT: a misspelt name is refused, never ignored (CONTRACT §1). */
export const STRICT = { errors: "all", onExcessProperty: "error" } as const

/** Read-only fields of a resource: PATCH ignores them, and refuses any other unknown name. */
export const shownOnly = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Schema.Unknown)])) as Record<never, never>

const lengths = (minimum: number, maximum: number) =>
  ({ message: minimum === 0 ? `At most ${maximum} characters.` : `Between ${minimum} and ${maximum} characters.` })

const isLong = (minimum: number, maximum: number) =>
  Schema.makeFilter((text: string) => {
    const length = lengthOf(text)
    return length >= minimum && length <= maximum
  }, { ...lengths(minimum, maximum), toJsonSchema: () => ({ minLength: minimum, maxLength: maximum }) })

const ONE_LINE = Schema.makeFilter(isOneLine, { message: "One line of plain text, please." })

/**
 * Trimmed and in NFC, in which labels are stored, counted and searched. Decomposed, a text may be longer than it is; signs that
 * Unicode excludes from composing are longer in NFC, which may take a label beyond its bound: it stays as it was written.
 */
const asLabel = (maximum: number) =>
  SchemaTransformation.transform({
    decode: (text: string) => {
      const written = text.trim()
      const label = composed(written, 4 * maximum)
      return lengthOf(label) > maximum ? written : label
    },
    encode: (text: string) => text
  })

/**
 * One line of text that a person wrote for others to read: well-formed, without invisible characters. As it is sent it may be
 * longer, so its maximum is described in words alone.
 */
export const line = (minimum: number, maximum: number, what = "One line") => {
  const sent = Schema.String.annotate({ description: `${what}, ${minimum}–${maximum} characters; spaces around it are left out` })
  return (minimum === 0 ? sent : sent.check(Schema.isMinLength(minimum, lengths(minimum, maximum)))).pipe(
    Schema.decodeTo(Schema.String, asLabel(maximum))
  ).check(isLong(minimum, maximum).abort(), ONE_LINE, Schema.makeFilter((text) => !hides(text), { message: "It contains an invisible character, or one that reverses text. Type it again." }))
}

/** A slug in a path that is only looked up: any short line is accepted, and an unknown slug is a 404. */
export const bySlug = { slug: line(1, 200, "The project’s slug") }

/** A file's path, existing or new: any name that a file can have, spaces around it included. */
export const pathText = (maximum: number) => Schema.String.check(isLong(1, maximum).abort(), ONE_LINE)

/** A secret as it was typed: never trimmed; checked by the program that knows the rules. */
export const Secret = Schema.String.check(
  Schema.makeFilter((text) => text.length >= 1 && text.length <= 1024, { ...lengths(1, 1024), toJsonSchema: () => ({ minLength: 1, maxLength: 1024 }) })
)

/** A password to be, of a length that will do: said with what else is wrong. Whether it is common or the email, the program knows. */
export const NewPassword = Schema.String.annotate({ description: PASSWORD_LENGTH }).check(Schema.makeFilter((text) => lengthFault(text)))

export const Status = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Status" })

export const ok = { status: "ok" } as const
