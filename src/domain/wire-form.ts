/** How the API writes a value, for all who write one without its schema. */
import { DateTime } from "effect"
import { camelToSnake } from "effect/String"

/** snake_case names, RFC 3339 times (CONTRACT §1). */
export const wireForm = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (Array.isArray(value)) return value.map(wireForm)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelToSnake(name), wireForm(inner)]))
}
