/** Plain HTTP to a service under test: by host name, over a real socket, following no redirect and hiding nothing. */
import { request } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import type { Readable } from "node:stream"

export interface Question {
  readonly method?: string
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Uint8Array | Readable
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const ask = (port: number, path: string, question: Question = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { body, headers = {}, host = "svc.localhost", json, method = json === undefined ? "GET" : "POST" } = question
    const sent = json === undefined ? body : JSON.stringify(json)
    // Node frames the body of a DELETE only if its length is given.
    const type: Record<string, string> = json === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(sent as string)) }
    const outgoing = request(
      { host: "127.0.0.1", port, path, method, agent: false, headers: { host: `${host}:${port}`, ...type, ...headers } },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString("utf8")
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, json: parsed(text) })
        })
      }
    )
    outgoing.on("error", reject)
    if (sent === undefined || typeof sent === "string" || sent instanceof Uint8Array) outgoing.end(sent)
    else sent.pipe(outgoing)
  })

/** The cookies an answer sets, as a `Cookie` header would carry them. */
export const cookiesOf = (answer: Answer): string =>
  (answer.headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0]).join("; ")

/** A `Cookie` header as a browser keeps it. */
export const browserCookies = (header: string, domain = "svc.localhost") =>
  header.split("; ").map((one) => one.split(/=(.*)/s)).map(([name = "", value = ""]) =>
    ({ name, value, domain, path: "/", secure: true, sameSite: "Lax" as const, httpOnly: !name.endsWith("csrf") }))

/** The parts of an answer that must be equal if two answers are to be indistinguishable. */
export const withoutId = ({ headers: { "x-request-id": _id, date: _date, ...headers }, status, text }: Answer) => ({ headers, status, text })

/** How a request was refused: the status, the wire code, the field. */
export const code = ({ json, status }: Answer) => [status, json.error?.code, json.error?.field]

/** Headers that are refused once it is known who calls, and what for. */
export const UNFOLLOWED = { "content-range": "bytes 6-8/9", "if-match": "\"a-tag\"" }

export interface FormPart {
  readonly name: string
  readonly value?: string
  readonly file?: string
  readonly type?: string
  readonly content?: string | Uint8Array
}

const BOUNDARY = "----svc-test-boundary"

/** A multipart body, as a browser or curl would write it. */
export const form = (...parts: ReadonlyArray<FormPart>): Required<Pick<Question, "headers" | "method">> & { readonly body: Buffer } => ({
  method: "POST",
  headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  body: Buffer.concat([
    ...parts.flatMap(({ content, file, name, type, value }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file}"`}\r\n${
          file === undefined ? "" : `Content-Type: ${type ?? "application/octet-stream"}\r\n`
        }\r\n`
      ),
      Buffer.from((value ?? content ?? "") as Uint8Array),
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`)
  ])
})
