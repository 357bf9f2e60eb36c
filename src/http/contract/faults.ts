/** What a schema found wrong, as the faults a client can act on. Never repeats what was sent. */
import { Array, SchemaIssue } from "effect"
import type { Schema } from "effect"
import type { Fault, Invalid } from "../../domain/failures.ts"
import { invalid } from "../../domain/failures.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "This is missing."
      case "UnexpectedKey":
        return "There is no such field."
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** In a query a number is text: where that is none, it is refused in the words for a number out of range. An agent may send text in place of one, which is told so. */
const worded = (issue: SchemaIssue.Issue): SchemaIssue.Issue => {
  switch (issue._tag) {
    case "Composite":
      return new SchemaIssue.Composite(issue.ast, Array.map(issue.issues, worded))
    case "Pointer":
      return new SchemaIssue.Pointer(issue.path, worded(issue.issue))
    case "Encoding": {
      const message = issue.ast._tag === "Number" ? issue.ast.checks?.at(-1)?.annotations?.["message"] : undefined
      if (typeof message !== "string") return issue
      const isNoNumber = issue.issue._tag === "InvalidType" || (issue.issue._tag === "AnyOf" && issue.issue.issues.length === 0)
      return new SchemaIssue.InvalidValue({ message: isNoNumber ? `${message} Send it as a JSON number.` : message })
    }
    default:
      return issue
  }
}

const WORDS: Readonly<Record<string, string>> = { string: "text", number: "a number", "an integer": "a whole number", "a valid JSON body": "valid JSON", null: "null", array: "a list", object: "an object" }

const LITERAL = /^"[^"\\|]*"$/

/** `Expected "a" | "b" | null`, as the library writes it, is `Send a, b or null.` What has no words here stays. */
const inWords = (message: string): string => {
  if (!message.startsWith("Expected ")) return message
  const types = new Set(message.slice("Expected ".length).split(" | "))
  const words = [...types].flatMap((type) => type === "boolean" ? ["true", "false"] : LITERAL.test(type) ? type.slice(1, -1) : WORDS[type])
  const last = words.pop()
  if (last === undefined || words.includes(undefined)) return message
  return `Send ${words.length > 0 ? `${words.join(", ")} or ` : ""}${last}.`
}

const segment = (part: unknown): string =>
  String(typeof part === "object" && part !== null && "key" in part ? part.key : part)

/** `rest` is the fault's field where the whole slot is wrong: not an object, or not JSON. */
export const faultsOf = (error: Schema.SchemaError, rest: string): ReadonlyArray<Fault> =>
  format(worded(error.issue)).issues.map(({ message, path = [] }) => ({
    field: path.length === 0 ? rest : path.map(segment).join("."),
    message: path.length === 0 && !message.includes("JSON") ? "Send a JSON object." : inWords(message)
  }))

export const asInvalid = (faults: ReadonlyArray<Fault>): Invalid =>
  invalid(faults[0] ?? { field: "body", message: "The request is not well formed." }, ...faults.slice(1))
