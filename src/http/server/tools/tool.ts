/**
 * A tool: a program of the domain as agents call it. Schemas say what goes in and comes out; the answer comes in
 * words for the agent and in data for its host; a refusal is a tool error that carries the envelope (CONTRACT §10).
 */
import type { CallToolResult, StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server"
import { Cause, DateTime, Effect, Schema } from "effect"
import { invalid } from "../../../domain/failures.ts"
import type { Fault } from "../../../domain/failures.ts"
import type { Idempotency } from "../../../domain/idempotency/idempotency.ts"
import { MAX_FILES } from "../../../domain/projects/model.ts"
import { SignedOutMeanwhile, StillSignedIn } from "../../../domain/ports/atomically.ts"
import type { Outages } from "../../../domain/ports/outages.ts"
import type { Caller } from "../../contract/authentication.ts"
import { envelope } from "../../contract/envelope.ts"
import type { Wire } from "../../contract/envelope.ts"
import { asInvalid, faultsOf } from "../../contract/faults.ts"
import { failureOf } from "../middleware/envelope.ts"
import type { Guards } from "../middleware/still-seen.ts"
import { keyIn, onceWith, withKey } from "./idempotency.ts"
import { shownInput, shownOutput } from "./shown.ts"

export interface Tool<R> {
  readonly name: string
  readonly described: {
    readonly title: string
    readonly description: string
    readonly inputSchema: StandardSchemaWithJSON
    readonly outputSchema: StandardSchemaWithJSON
    readonly annotations: ToolAnnotations
  }
  readonly call: (given: unknown) => Effect.Effect<CallToolResult, never, R>
}

/** The services that running a tool needs. */
export type Needs<T> = T extends Tool<infer R> ? R : never

/** Field names of the API, each with the names that tools use for it. */
const SAID: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["id", ["comment_id", "folder_id", "share_link_id"]],
  ["delete", ["delete_files"]],
  ["file", ["files", "size_bytes"]],
  ["Content-Type", ["content_type"]],
  ["Idempotency-Key", ["idempotency_key"]]
])

/** Names of fields, each with the argument that a refusal means by it. */
type Names = Readonly<Record<string, string | undefined>>

/** Without structured content, which older clients check against the tool's schema even in an error. Fields get the tool's own names. */
const refused = (failure: Wire, takes: ReadonlySet<string> = new Set(), names: Names = {}): CallToolResult => {
  const { error } = envelope(failure)
  const own = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined) ?? (takes.has(name) ? name : SAID.get(name)?.find((one) => takes.has(one)) ?? name)
  const { errors } = error.details
  const details = Array.isArray(errors) ? { ...error.details, errors: (errors as ReadonlyArray<Fault>).map((fault) => ({ ...fault, field: own(fault.field) })) } : error.details
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error: { ...error, field: error.field === null ? null : own(error.field), details } }) }] }
}

const refusalOf = (defect: unknown): Effect.Effect<Wire, never, Outages> =>
  defect instanceof SignedOutMeanwhile ? Effect.succeed(defect.refusal) : failureOf(Cause.die(defect))

/** What a tool does, for a host that asks a person before some calls. */
const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean): ToolAnnotations =>
  ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint })

export const READS = hints(true, false, true, false)
/** Something new, each time. */
export const ADDS = hints(false, false, false, false)
/** The same state, however often. */
export const SETS = hints(false, false, true, false)
/** The same state, however often, and it may show something to people outside or hide it. */
export const SETS_BEFORE_OTHERS = hints(false, true, true, true)
/** Another version each time, which people outside see in place of the one before. */
export const REPLACES = hints(false, true, false, true)
/** Puts something new before people outside, beside what is there. */
export const SHOWS = hints(false, false, false, true)
/** Takes something away for good. */
export const REMOVES = hints(false, true, true, false)

/** The list with more entries than a site may have files: each bad one would be a fault of its own. */
const overfull = (given: NonNullable<unknown>): string | undefined =>
  Object.entries(given).find(([, value]) => Array.isArray(value) && value.length > MAX_FILES)?.[0]

/** Instead of saying only that a field is none of the tool's. */
const led = (elsewhere: Readonly<Record<string, string>>) => ({ field, message }: Fault): Fault =>
  ({ field, message: Object.hasOwn(elsewhere, field) ? elsewhere[field]! : message })

export const tool = <I extends Schema.Codec<unknown, unknown> & { readonly fields: object }, O extends Schema.Codec<unknown, object>, A extends O["Type"], E extends Wire, R>(
  name: string,
  { annotations, answersSecret = false, description, elsewhere = {}, input, names = () => ({}), output, run, title, words }: {
    readonly title: string
    readonly description: string
    readonly annotations: ToolAnnotations
    /** Its answer is shown once and never kept, so it takes no `idempotency_key`. */
    readonly answersSecret?: boolean
    /** Fields of others that agents send it, each with what takes them. */
    readonly elsewhere?: Readonly<Record<string, string>>
    readonly input: I
    readonly output: O
    readonly run: (input: I["Type"]) => Effect.Effect<A, E, R>
    /** The answer may hold more for them than the output shows. */
    readonly words: (answer: A, now: DateTime.Utc, given: I["Type"]) => string
    /** Where a refusal of the domain’s means another argument than the one that has the field’s name. */
    readonly names?: (given: I["Type"], code: Wire["_tag"]) => Names
  }
): Tool<R | Caller | Guards | Idempotency | Outages> => {
  // A misspelt `visibilty` must never publish to everybody: a tool that changes something refuses unknown names.
  const strict = annotations.readOnlyHint !== true
  const decode = Schema.decodeUnknownEffect(input, { errors: "all", onExcessProperty: strict ? "error" : "ignore" })
  const encode = Schema.encodeEffect(output)
  const keyed = strict && !answersSecret
  const takes = new Set([...Object.keys(input.fields), ...(keyed ? ["idempotency_key"] : [])])
  const inputSchema = shownInput(input, strict, (schema) => keyed ? withKey(schema) : schema)
  const read = (given: NonNullable<unknown>) => {
    const field = overfull(given)
    return field === undefined
      ? Effect.mapError(decode(given), (error) => asInvalid(faultsOf(error, "arguments").map(led(elsewhere))))
      : Effect.fail(invalid({ field, message: `At most ${MAX_FILES.toLocaleString("en")} in one call.` }))
  }
  const done = (input: I["Type"]) =>
    run(input).pipe(
      Effect.flatMap((answer) =>
        Effect.map(Effect.all([Effect.orDie(encode(answer)), DateTime.now]), ([data, now]): CallToolResult => ({
          content: [{ type: "text", text: words(answer, now, input) }],
          structuredContent: data as Record<string, unknown>
        }))
      )
    )
  const called = (given: unknown) => {
    const { rest, sent } = keyed ? keyIn(given) : { rest: given, sent: undefined }
    // Decoded before they are fingerprinted: what fits the schema is never nested too deeply for that.
    return Effect.matchEffect(read(rest ?? {}), {
      // Faults of the arguments already use the caller's names.
      onFailure: (faults) => Effect.succeed(refused(faults)),
      onSuccess: (input) =>
        (sent === undefined ? done(input) : onceWith(name, { given: rest, read: input }, sent, done(input))).pipe(
          Effect.catch((failure) => Effect.succeed(refused(failure, takes, names(input, failure._tag))))
        )
    })
  }
  return {
    name,
    described: { title, description, inputSchema, outputSchema: shownOutput(output), annotations },
    call: (given) =>
      Effect.flatten(StillSignedIn).pipe(
        Effect.andThen(called(given)),
        Effect.catchDefect((defect) => Effect.map(refusalOf(defect), (failure) => refused(failure))),
        Effect.annotateLogs({ tool: name })
      )
  }
}
