/** Multipart forms as they stream by: files are handed on at once, fields are decoded at the end. */
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import type { FileStream } from "@effect/platform-node/NodeMultipartParser"
import { Effect, Equal, Option, Result, Schema, Stream } from "effect"
import { HttpServerRequest, Multipart } from "effect/http"
import type { Fault } from "../../domain/failures.ts"
import { Invalid, invalid, UploadTooLarge } from "../../domain/failures.ts"
import { MAX_FILES } from "../../domain/projects/model.ts"
import type { Form, Incoming } from "../../domain/projects/receiving.ts"
import { PLANS } from "../../domain/workspaces/rules.ts"
import { asInvalid, faultsOf } from "../contract/faults.ts"
import "./form-backpressure.ts"
import { IN_FORM, misspelt } from "./middleware/spelling.ts"

/** The files' sizes are capped by the plan while they stream; this bounds the framing around them too. */
const LIMITS = {
  // All files replaced by as many others, and what is set with them.
  maxParts: 2 * MAX_FILES + 100,
  maxFieldSize: 64 * 1024,
  maxTotalSize: Math.max(...Object.values(PLANS).map((plan) => plan.uploadBytes)) + 64 * 1024 * 1024,
  // A part with a file name is a file, whatever its type: JSON too.
  fieldMimeTypes: []
} as const

/** Of all fields together, their names included: four thousand paths that are as long as one may be, or all of a site with usual ones. */
const FIELDS_BYTES = 4 * 1024 * 1024
/** Kept of a field that there is not: whether it says anything. */
const SAYS_BYTES = 1

/** Parts read before yielding to other work: what there is of them in memory would be read at once. */
const AT_ONCE = 25

/** A boundary has 70 characters at most (RFC 2046 §5.1.1). Looking for a long one takes long wherever its beginning stands. */
const LONGEST_TYPE = 200

const notAForm: Fault = { field: "Content-Type", message: "Send a multipart form." }

/** Parsers differ in which of two they take, and what only the other one divides would be silently lost. */
const twoBoundaries: Fault = { field: "Content-Type", message: "Send one boundary." }

const longBoundary: Fault = { field: "Content-Type", message: "Send a boundary of at most 70 characters." }

const tooMuch = () => invalid({ field: "body", message: "The fields of the form are longer than 4 MB together." })

const tooLong = () => invalid({ field: "body", message: "A field of the form is longer than 64 KB." })

const broken = (error: Multipart.MultipartError): Invalid | UploadTooLarge => {
  switch (error.reason._tag) {
    case "FieldTooLarge":
      return tooLong()
    case "TooManyParts":
      return invalid({ field: "body", message: `A form may have ${LIMITS.maxParts} parts.` })
    case "BodyTooLarge":
      return new UploadTooLarge({ message: "The form is larger than any plan takes.", field: "file" })
    default:
      return invalid({ field: "body", message: "The form is cut off or malformed." })
  }
}

/** A repeated field is a list where the schema wants one; elsewhere it is ambiguous, and refused. */
const gathered = (fields: ReadonlyArray<readonly [string, string]>, lists: ReadonlySet<string>): Result.Result<Record<string, unknown>, Invalid> => {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, given] of Map.groupBy(fields, ([name]) => name)) {
    if (!lists.has(name) && given.length > 1) return Result.fail(invalid({ field: name, message: "Send this once." }))
    values[name] = lists.has(name) ? given.map(([, value]) => value) : given[0]![1]
  }
  return Result.succeed(values)
}

/** Collects fields, and refuses more than a form can have. */
const fieldsOf = (known: object) => {
  const fields: Array<readonly [string, string]> = []
  let bytes = 0
  const add = (name: string, value: Buffer): Effect.Effect<void, Invalid> => {
    const kept = Object.hasOwn(known, name) ? value : value.subarray(0, SAYS_BYTES)
    bytes += Buffer.byteLength(name) + kept.length
    if (bytes > FIELDS_BYTES) return Effect.fail(tooMuch())
    fields.push([name, kept.toString("utf8")])
    return Effect.void
  }
  return { fields, add }
}

/** A part without a file name is a field, and an empty one is a file input left blank. */
const nameless = Effect.fnUntraced(function*(part: Multipart.File, add: (name: string, value: Buffer) => Effect.Effect<void, Invalid>) {
  const chunks: Array<Uint8Array> = []
  let length = 0
  yield* part.content.pipe(
    Stream.mapError(broken),
    Stream.runForEach((chunk) => {
      length += chunk.length
      chunks.push(chunk)
      return length > LIMITS.maxFieldSize ? Effect.fail(tooLong()) : Effect.void
    })
  )
  if (length > 0) yield* add(part.key, Buffer.concat(chunks))
})

/** As mail libraries write a file. It would be stored as it is written, as browsers and HTTP clients mean it (RFC 7578 §4.7). */
const CODED = /^\s*(?:base64|quoted-printable)\s*$/i

const isCoded = (part: Multipart.File): boolean => {
  const { info } = NodeMultipart.fileToReadable(part) as FileStream
  return [info.headers["content-transfer-encoding"] ?? []].flat().some((said) => CODED.test(said))
}

const coded = () => invalid({ field: "Content-Transfer-Encoding", message: "Send each file as it is, without a Content-Transfer-Encoding." })

/** A quote within a name, as Go and others write it (RFC 9110 §5.6.4). Browsers' `%22` stays: files are called so, too. */
const unquoted = (name: string): string => name.replaceAll("\\\"", "\"")

/** What the address says beside the body. */
export const together = <A extends object>(address: Partial<A>, form: A): Result.Result<A, Invalid> => {
  const torn = Object.entries(form).filter(([name, value]) => Object.hasOwn(address, name) && !Equal.equals(address[name as keyof A], value))
  return torn.length === 0
    ? Result.succeed({ ...address, ...form })
    : Result.fail(asInvalid(torn.map(([field]) => ({ field, message: "The address and the body differ here. Send this once." }))))
}

/** Reads the request as a form whose fields, with those in its `address`, fit `schema`, and maps them by `made`; the fields in `lists` may repeat. */
export const formOf = <A extends object, B>(
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.ConstraintDecoder<A> & { readonly fields: object },
  address: Partial<A>,
  made: (fields: A) => B,
  lists: ReadonlySet<string> = new Set()
): Form<B, Invalid | UploadTooLarge> =>
<F>(accept: (file: Incoming) => Effect.Effect<void, F>) =>
  Effect.gen(function*() {
    const type = request.headers["content-type"] ?? ""
    if (!/^multipart\/form-data\s*;/i.test(type)) return yield* invalid(notAForm)
    if (type.length > LONGEST_TYPE) return yield* invalid(longBoundary)
    if (type.split(/\bboundary\s*=/i).length > 2) return yield* invalid(twoBoundaries)
    const { add, fields } = fieldsOf(schema.fields)
    let count = 0
    yield* request.multipartStream.pipe(
      Stream.mapError(broken),
      Stream.tap(() => ++count % AT_ONCE === 0 ? Effect.yieldNow : Effect.void),
      Stream.runForEach((part): Effect.Effect<void, F | Invalid | UploadTooLarge> => {
        if (!Multipart.isFile(part)) return add(part.key, Buffer.from(part.value))
        if (isCoded(part)) return Effect.fail(coded())
        if (part.name === "") return nameless(part, add)
        return accept({
          path: unquoted(part.name),
          contentType: part.contentType,
          length: undefined,
          bytes: Stream.mapError(part.content, broken)
        })
      }),
      Effect.provideContext(Multipart.limitsServices(LIMITS))
    )
    // What is taken for a field that nobody reads would be silently lost.
    if (fields.some(([name, value]) => name === "" && value !== "")) return yield* invalid({ field: "body", message: "A part of the form has no name." })
    if (fields.some(([name, value]) => name === "file" && value !== "")) {
      return yield* invalid({ field: "file", message: "A file is a part with a file name: add filename=\"report.html\" to it." })
    }
    // The parser puts this character where a field is not UTF-8; a file's path may hold it.
    const unreadable = fields.filter(([name, value]) => Object.hasOwn(schema.fields, name) && !lists.has(name) && value.includes("\ufffd"))
    if (unreadable.length > 0) return yield* asInvalid(unreadable.map(([field]) => ({ field, message: "Send the form in UTF-8." })))
    const given = yield* Effect.fromResult(gathered(fields, lists))
    const faults = misspelt(given, Object.keys(schema.fields), IN_FORM)
    if (faults.length > 0) return yield* asInvalid(faults)
    const decoded = yield* Schema.decodeUnknownEffect(schema, { errors: "all" })(given).pipe(Effect.mapError((error) => asInvalid(faultsOf(error, "body"))))
    return made(yield* Effect.fromResult(together(address, decoded)))
  })

export const declaredLength = (request: HttpServerRequest.HttpServerRequest): number | undefined =>
  Option.getOrUndefined(Option.liftPredicate(Number(request.headers["content-length"]), Number.isSafeInteger))
