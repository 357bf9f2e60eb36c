/** The forms that the values of our variables have: each reads text, and refuses what only looks right. */
import { Redacted, Schema, SchemaTransformation } from "effect"
import { Email } from "../domain/accounts/email.ts"
import { Interval } from "../domain/billing/model.ts"
import { isLocalhost } from "../domain/host-names.ts"
import { Plan } from "../domain/workspaces/model.ts"

/** Only digits: JavaScript would also read `0x10`, `1e3` and blanks as numbers, which are probably mistakes. */
export const whole = (maximum: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,9}$/)).pipe(
    Schema.decodeTo(Schema.Number, SchemaTransformation.numberFromString)
  ).check(Schema.isLessThanOrEqualTo(maximum))

/**
 * Paths are appended to it, so it has no query and no fragment. Parsing a URL tolerates blanks, line ends, backslashes and
 * missing slashes that would break every link made from the text.
 */
const isAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^\s\\?#/][^\s\\?#]*$/i.test(text) || !URL.canParse(text)) return false
  const { password, username } = new URL(text)
  return password === "" && username === ""
}

/** As a browser writes it, without trailing slashes. */
export const address = () =>
  Schema.String.check(Schema.makeFilter(isAddress)).pipe(
    Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: (text) => new URL(text).href.replace(/\/+$/, ""), encode: (text) => text }))
  )

/** The address of a service that answers at the root of its host. */
export const origin = () => address().check(Schema.makeFilter((text) => new URL(text).pathname === "/"))

const isLoopback = (text: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(text).hostname)

/** Whether the address leads back to the machine that asks for it. */
export const isOwnMachine = (text: string): boolean => isLoopback(text) || isLocalhost(new URL(text).hostname)

/** Exactly as the provider names itself, slashes included; plain http only where it cannot leave the machine. */
export const isIssuer = (text: string): boolean => isAddress(text) && (new URL(text).protocol === "https:" || isLoopback(text))

export const hidden = (check: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(check)).pipe(
    Schema.decodeTo(
      Schema.Redacted(Schema.String),
      SchemaTransformation.transform({ decode: (text) => Redacted.make(text), encode: (text) => Redacted.value(text) })
    )
  )

export const Prices = Schema.fromJsonString(
  Schema.Record(Plan, Schema.optionalKey(Schema.Record(Interval, Schema.optionalKey(Schema.String))))
).check(Schema.makeFilter((prices) => {
  // The price tells which plan was paid for, so no two may be the same. Where nothing was sold, trials would end and nobody could pay.
  const named = Object.values(prices).flatMap((intervals) => Object.values(intervals ?? {}))
  return named.length > 0 && new Set(named).size === named.length && !named.includes("")
}))

export const emails = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Email),
    SchemaTransformation.transform({
      decode: (text): ReadonlyArray<string> => text.split(",").filter((email) => email.trim() !== ""),
      encode: (list) => list.join(",")
    })
  )
)

/** The least that a secret may have: every key is derived from it. */
export const SECRET_BYTES = 32

export const secretBytes = (text: string) => new TextEncoder().encode(text).length >= SECRET_BYTES
