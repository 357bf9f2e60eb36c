/** Sends files with progress, which fetch cannot report. */
import { baseUrl } from "./base.ts"
import type { components } from "./client.ts"
import { csrfToken, freshCsrf } from "./csrf.ts"
import { typed } from "./file-types.ts"
import { changedSince, offline, Refusal, refusalOf, unreadableAnswer } from "./refusal.ts"
import { asDrawn, heard } from "./whose.ts"

export interface Sent {
  readonly path: string
  readonly file: File
}

interface Watched {
  readonly onProgress: (sent: number, total: number) => void
  readonly signal: AbortSignal
  /** The same for every try at one upload: if the first one arrived and its answer was lost, that answer comes. */
  readonly key: string
}

export interface Upload extends Watched {
  readonly files: ReadonlyArray<Sent>
  readonly fields: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const cancelled = () => new DOMException("Cancelled", "AbortError")

/** A browser does not read a file that is another one by now than when it was chosen, and only says that the request failed. */
const whyUnsent = (files: ReadonlyArray<Blob>): Promise<Refusal> =>
  Promise.all(files.map((file) => file.slice(0, 1).arrayBuffer())).then(offline, changedSince)

interface Sending extends Watched {
  readonly method: "POST" | "PUT"
  readonly path: string
  readonly body: FormData | File
  /** What the body was made of. */
  readonly files: ReadonlyArray<File>
  readonly headers?: Readonly<Record<string, string>>
}

const once = <Answer>({ body, files, headers, key, method, onProgress, path, signal }: Sending, token: string | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, baseUrl + path)
    request.withCredentials = true
    if (token !== undefined) request.setRequestHeader("X-CSRF-Token", token)
    for (const [name, value] of Object.entries({ ...headers, "Idempotency-Key": key })) request.setRequestHeader(name, value)
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total))
    request.addEventListener("load", () => {
      const requestId = request.getResponseHeader("x-request-id")
      if (request.status >= 300) return void heard(refusalOf(request.status, request.responseText, requestId)).then(reject)
      try {
        resolve(JSON.parse(request.responseText))
      } catch {
        reject(unreadableAnswer(requestId))
      }
    })
    request.addEventListener("error", () => void whyUnsent(files).then(reject))
    request.addEventListener("abort", () => reject(cancelled()))
    signal.addEventListener("abort", () => request.abort(), { once: true })
    if (signal.aborted) return reject(cancelled())
    request.send(body)
  })

const send = async <Answer>(given: Sending): Promise<Answer> => {
  const sending = { ...given, headers: { ...given.headers, ...asDrawn() } }
  return once<Answer>(sending, await csrfToken()).catch(async (error: unknown) => {
    // The reader signed in again in another tab: the CSRF token has changed.
    if (error instanceof Refusal && error.details["reason"] === "csrf") return once<Answer>(sending, await freshCsrf())
    throw error
  })
}

/** `POST /v1/projects`, or `/v1/projects/{slug}/files` for one whose files change. */
export const upload = ({ fields, files, ...watched }: Upload, path = "/v1/projects"): Promise<components["schemas"]["Project"]> => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const one of typeof value === "string" ? [value] : value ?? []) body.append(name, one)
  for (const { file, path } of files) body.append("file", typed(file), path)
  return send({ ...watched, method: "POST", path, body, files: files.map(({ file }) => file) })
}

/** `PUT /v1/projects/{slug}`: one file becomes the whole new version; a project that is gone by now is not made again. */
export const uploadOne = (slug: string, file: File, watched: Watched): Promise<components["schemas"]["Published"]> =>
  send({ ...watched, method: "PUT", path: `/v1/projects/${slug}`, body: typed(file), files: [file], headers: { "If-Match": "*", "X-Filename": encodeURIComponent(file.name) } })
