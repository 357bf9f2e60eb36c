/** The staged upload (CONTRACT §10): what is larger than a call may carry, in pieces. */
import { Effect, Schema } from "effect"
import { NotFound, UploadTooLarge } from "../../../domain/failures.ts"
import { UploadId } from "../../../domain/uploads/model.ts"
import { CHUNK_BYTES, MAX_CHUNKS } from "../../../domain/uploads/rules.ts"
import { Uploads } from "../../../domain/uploads/uploads.ts"
import { Slug } from "../../../domain/projects/slugs/slugs.ts"
import { Caller } from "../../contract/authentication.ts"
import { sizeText } from "../../contract/sizes.ts"
import { idOf, line, pathText, Timestamp, wire } from "../../contract/wire.ts"
import { optional, said, workspace } from "./arguments.ts"
import { bytesOf, content, FileName } from "./content.ts"
import { baseVersion, Published, published, publishedWords, settings, settingsOf } from "./publish.ts"
import { ADDS, REPLACES, SETS, tool } from "./tool.ts"
import { moment } from "./words.ts"

const chunkTooLarge = (field: string | null | undefined) =>
  new UploadTooLarge({
    message: `A chunk takes ${CHUNK_BYTES} bytes. Cut the file into chunks of ${CHUNK_BYTES} bytes, and send each with append_upload.`,
    field: field ?? "text",
    details: { limit_bytes: CHUNK_BYTES }
  })

/** What of a finish goes only with a project that exists, where there is none. */
const nowhere = (argument: "base_version" | "path" | "update") =>
  new NotFound({ message: `There is no such project. Leave out ${argument} to publish a new one.`, field: argument })

const uploadId = said(idOf(UploadId), "As begin_upload answered it")

const size = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "At least 1." }))

const Begun = wire({ uploadId: UploadId, chunkBytes: Schema.Int, maxBytes: Schema.Finite, expiresAt: Timestamp })

export const beginUpload = tool("begin_upload", {
  title: "Begin an upload",
  description:
    `For a file that is larger than publish takes in one call, up to the plan’s cap. Then send it with append_upload, in chunks of at most ${sizeText(CHUNK_BYTES)}, and publish it with finish_upload. It lasts an hour, and nothing is visible before it is finished.`,
  annotations: ADDS,
  input: Schema.Struct({
    slug: said(Slug, "Where it will be published: a new address, or a project of yours"),
    file_name: content.file_name,
    content_type: content.content_type,
    size_bytes: optional(size, "What it comes to, where you know: too much is refused at once, and finish_upload refuses what is not all of it"),
    instead_of: optional(idOf(UploadId), "An upload of yours to give up for it: four may be open at a time"),
    workspace
  }),
  output: Begun,
  run: Effect.fnUntraced(function*({ content_type: contentType, file_name: fileName, instead_of: insteadOf, size_bytes: sizeBytes, slug, workspace }) {
    const { user } = yield* Caller
    const { expiresAt, id, isColleagues, maxBytes } = yield* (yield* Uploads).begin(user, { slug, contentType, fileName, insteadOf, sizeBytes, workspace })
    return { uploadId: id, chunkBytes: CHUNK_BYTES, maxBytes, expiresAt, isColleagues }
  }),
  words: ({ expiresAt, isColleagues, maxBytes, uploadId }: typeof Begun.Type & { readonly isColleagues: boolean }) =>
    [
      `Upload ${uploadId} takes ${maxBytes} bytes in chunks of ${CHUNK_BYTES}, until ${moment(expiresAt)}. Next: append_upload with index 0.`,
      ...(isColleagues ? ["A colleague’s project has this address: finish_upload adds a file to it with path, and replaces its content with update true alone. Ask before that."] : [])
    ].join("\n")
})

export const appendUpload = tool("append_upload", {
  title: "Send a chunk of an upload",
  description: `One chunk, as text or base64, at most ${sizeText(CHUNK_BYTES)}. Index counts from 0 and says where it belongs, so chunks may come in any order; one sent again takes the place of the one before.`,
  annotations: SETS,
  input: Schema.Struct({
    upload_id: uploadId,
    index: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_CHUNKS - 1 }, { message: `Between 0 and ${MAX_CHUNKS - 1}.` })).annotate({ description: "From 0" }),
    text: optional(Schema.String, "The chunk as text; cut between characters"),
    base64: optional(Schema.String, "The chunk as base64")
  }),
  output: wire({ received: Schema.Int.annotate({ description: "Bytes of this chunk" }), sizeBytes: Schema.Finite.annotate({ description: "Bytes so far" }), expiresAt: Timestamp }),
  run: Effect.fnUntraced(function*({ index, upload_id: id, ...given }) {
    const { user } = yield* Caller
    const bytes = yield* bytesOf(given, { text: CHUNK_BYTES, base64: CHUNK_BYTES }).pipe(Effect.catchTag("upload_too_large", ({ field }) => chunkTooLarge(field)))
    return yield* (yield* Uploads).append(user, id, index, bytes)
  }),
  names: ({ text }) => text === undefined ? {} : { base64: "text" },
  words: ({ received, sizeBytes }) => `${received} bytes taken, ${sizeBytes} in all.`
})

export const finishUpload = tool("finish_upload", {
  title: "Publish an upload",
  description: "Puts the chunks together and publishes them at the slug that begin_upload named, as publish would. With path the file becomes one of the files there, and the rest stays. Refused, the upload stays for another try, with other arguments too.",
  annotations: REPLACES,
  input: Schema.Struct({
    upload_id: uploadId,
    path: optional(pathText(1024), "Where in what exists it goes, such as img/large.png"),
    file_name: optional(FileName, "Its name, instead of what begin_upload was told"),
    content_type: optional(line(1, 200), "Its type, instead of what begin_upload was told"),
    size_bytes: optional(size, "What it comes to, instead of what begin_upload was told"),
    update: optional(Schema.Boolean, "true: only ever the next version of a project that exists; an admin may so replace a colleague’s"),
    base_version: baseVersion,
    ...settings
  }),
  output: Published,
  run: Effect.fnUntraced(function*({ base_version: base, content_type: contentType, file_name: fileName, path, size_bytes: sizeBytes, update, upload_id: id, ...given }) {
    const { user } = yield* Caller
    const finished = (yield* Uploads).finish(user, id, { path, fileName, contentType, sizeBytes, base, update, settings: settingsOf(given) })
    return yield* published(
      yield* finished.pipe(Effect.catchTag("not_found", (failure) => failure.field === "slug" ? nowhere(path !== undefined ? "path" : update === true ? "update" : "base_version") : failure))
    )
  }),
  names: ({ path }) => ({ file: path === undefined ? "upload_id" : "path" }),
  words: publishedWords
})
