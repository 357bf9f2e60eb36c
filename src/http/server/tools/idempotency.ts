/** `idempotency_key` on tools that write: a repeat gets the first result instead of doing the work twice (CONTRACT §1). */
import { createHash } from "node:crypto"
import type { CallToolResult } from "@modelcontextprotocol/server"
import { DateTime, Effect, Option, Schema } from "effect"
import { Idempotency } from "../../../domain/idempotency/idempotency.ts"
import { KEY } from "../../../domain/idempotency/model.ts"
import { keyFrom, MAX_ANSWER_BYTES } from "../../../domain/idempotency/rules.ts"
import { ProjectId } from "../../../domain/projects/model.ts"
import { Caller } from "../../contract/authentication.ts"
import { aboutOf, stillSeen } from "../middleware/still-seen.ts"
import { moment } from "./words.ts"

const NAME = "idempotency_key"

const ARGUMENT = {
  // One type: some agents' libraries cannot say two, and their model's service then refuses every tool.
  type: "string",
  ...KEY,
  description: "Made up by you, one for each thing to do: for 24 hours the same key with the same arguments gets the first result, marked as such, and nothing is done twice"
}

/** Adds this argument to the tool's own. */
export const withKey = (schema: Record<string, unknown>): Record<string, unknown> =>
  ({ ...schema, properties: { ...(schema["properties"] as object | undefined), [NAME]: ARGUMENT } })

/** Separates the key from the tool's own arguments. */
export const keyIn = (given: unknown) => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { rest: given, sent: undefined }
  const { [NAME]: sent, ...rest } = given as Record<string, unknown>
  return { rest, sent: sent ?? undefined }
}

/** What a tool was called with, without its key, and what its schema made of that. */
interface Arguments {
  readonly given: unknown
  readonly read: unknown
}

const within = (value: unknown, key: number | string): unknown => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key]

/** The order of an object's keys does not matter, nor does a null that the tool read as absent (CONTRACT §1). */
const meant = ({ given, read }: Arguments): unknown => {
  if (Array.isArray(given)) return given.map((one, at) => meant({ given: one, read: within(read, at) }))
  if (typeof given !== "object" || given === null) return given
  const said = Object.entries(given).filter(([key, value]) => value !== null || within(read, key) === null)
  return Object.fromEntries(said.sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, meant({ given: inner, read: within(read, key) })]))
}

const printOf = (all: Arguments) => {
  const text = JSON.stringify(meant(all)) ?? ""
  return { hash: createHash("sha256").update(text).digest("hex"), length: text.length }
}

/** In `_meta`: when the call ran whose answer this is. Kept with the answer, and in no first one. */
const ANSWERED = "answered_at"

/** Beside it, while it is kept: the project that the answer is about. */
const ABOUT = "about"

const decodeId = Schema.decodeUnknownOption(ProjectId)

/** What was true then may be so no longer. */
const repeated = ({ _meta = {}, content, ...rest }: CallToolResult): CallToolResult => {
  const { [ABOUT]: _, ...meta } = _meta
  const at = meta[ANSWERED]
  const used = typeof at === "string" ? `used at ${at}` : "used before"
  const note = { type: "text", text: `Nothing was done now: this ${NAME} was ${used}, and this was the answer then.` } as const
  const [first, ...others] = content
  const said = first?.type === "text" ? [{ ...first, text: `${note.text}\n${first.text}` }, ...others] : [note, ...content]
  return { ...rest, content: said, _meta: { ...meta, idempotent_replayed: true } }
}

export const onceWith = <E, R>(tool: string, all: Arguments, sent: unknown, run: Effect.Effect<CallToolResult, E, R>) =>
  Effect.gen(function*() {
    const { user } = yield* Caller
    const { once } = yield* Idempotency
    const key = yield* Effect.fromResult(keyFrom(sent, NAME))
    const [operation, print] = [`tool ${tool}`, printOf(all)]
    return yield* once({ userId: user.id, operation, key }, {
      run: Effect.gen(function*() {
        const value = yield* run
        const about = yield* aboutOf(operation, user, value.structuredContent)
        const answer = JSON.stringify({ ...value, _meta: { ...value._meta, [ANSWERED]: moment(yield* DateTime.now), [ABOUT]: about } })
        return { value, kept: answer.length <= MAX_ANSWER_BYTES ? { print, answer } : undefined }
      }),
      print: () => Effect.succeedSome(print),
      again: Effect.fnUntraced(function*(kept) {
        const first = JSON.parse(String(kept)) as CallToolResult
        yield* stillSeen(operation, { user, named: undefined, given: all.given, answer: first.structuredContent, about: Option.getOrUndefined(decodeId(first._meta?.[ABOUT])) })
        return repeated(first)
      })
    })
  })
