/** Whether an answer is in order, whatever was asked: told in time, in the shape that the contract describes, and as the asker's own mistake. */
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Answer } from "../../test/support/ask.ts"
import { contract } from "../../test/support/operations.ts"
import type { Asking, Tool } from "./askings.ts"

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
ajv.addSchema(contract, "contract")

const checks = new Map<string, (value: unknown) => boolean>()
/** Compiled once for each name. */
const checkOf = (name: string, schema: () => object) => {
  const known = checks.get(name)
  if (known !== undefined) return known
  const made = ajv.compile(schema())
  checks.set(name, made)
  return made
}

/** What people read, and what only we should. */
const LEAKS = /\[object |\b(?:Type|Range|Syntax|Sql|Schema)Error\b|\n\s+at |SELECT |INSERT |violates|node_modules|\.ts:\d/

const refusal = ({ json }: Answer): string | undefined => {
  const error = json?.error
  if (typeof error?.code !== "string" || typeof error.message !== "string" || error.message === "") return "no envelope"
  return LEAKS.test(error.message) ? `a message that tells of us: ${error.message}` : undefined
}

/** Where anybody may be sent: to a path, to a host of ours, or to the identity provider to sign in there. */
const OURS = /^(?:\/(?!\/)|https?:\/\/(?:[\w-]+\.)?svc\.localhost[:/]|http:\/\/127\.0\.0\.1:\d+\/auth\?redirect_uri=http%3A%2F%2Fsvc\.localhost%2F)/

const ofPage = ({ headers, status, text }: Answer): string | undefined => {
  if (headers["x-content-type-options"] !== "nosniff") return "no nosniff"
  const { location } = headers
  if (location !== undefined && !OURS.test(location)) return `sends to ${location}`
  return status >= 400 && LEAKS.test(text) ? `a page that tells of us: ${LEAKS.exec(text)![0]}` : undefined
}

const ofApi = ({ door, path, question }: Asking, answer: Answer): string | undefined => {
  if (door.via !== "api") return undefined
  const { operation, strays } = door
  const { headers, status } = answer
  const type = (headers["content-type"] ?? "").split(";")[0]
  // A browser is shown a page.
  if (type === "text/html" && question.headers?.["accept"] === "text/html") return ofPage(answer)
  if (status >= 400) {
    const wrong = refusal(answer)
    if (wrong !== undefined) return wrong
  }
  // Without its last name a path leads to the list.
  if (strays && (status === 404 || status === 405 || status === 308 || /\/(?:\?|$)/.test(path))) return undefined
  if (!operation.statuses.has(status)) return `${status} is not in the contract`
  if (type !== "application/json" || question.method === "HEAD") return undefined
  const pointer = `${operation.pointer}/responses/${status}/content/application~1json/schema`
  const check = checkOf(pointer, () => ({ $ref: `contract#${encodeURI(pointer)}` }))
  return check(answer.json) ? undefined : `another shape than the contract's: ${ajv.errorsText((check as { errors?: never }).errors)}`
}

const toldBy = ({ text }: Answer): Answer["json"] => {
  // Lines of events end where a line feed is, and nowhere else.
  const data = text.split("\n").find((line) => line.startsWith("data: "))?.slice("data: ".length) ?? text
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

const ofTool = (tool: Tool, answer: Answer): string | undefined => {
  if (answer.status !== 200) return undefined
  const told = toldBy(answer)
  // Of the protocol, in its library's words.
  if (told?.error !== undefined) return told.error.code === -32603 ? "an internal error" : undefined
  const { result } = Array.isArray(told) ? told[0] : told ?? {}
  if (result === undefined) return "neither a result nor an error"
  if (result.isError === true) {
    const { text } = result.content[0]
    return LEAKS.test(text) || text.includes("internal_error") ? `a refusal that tells of us: ${text}` : undefined
  }
  if (tool.outputSchema === undefined || result.structuredContent === undefined) return undefined
  const check = checkOf(`tool ${tool.name}`, () => tool.outputSchema!)
  return check(result.structuredContent) ? undefined : `another shape than the tool's: ${ajv.errorsText((check as { errors?: never }).errors)}`
}

const ofOauth = ({ json, status, text }: Answer): string | undefined => {
  if (status < 400) return undefined
  if (typeof json?.error === "object") return refusal({ json } as Answer)
  return typeof json?.error !== "string" ? "no error of OAuth's" : LEAKS.test(text) ? `a message that tells of us: ${text}` : undefined
}

/** What is wrong with the answer; undefined where nothing is. */
export const faultOf = (asking: Asking, answer: Answer): string | undefined => {
  if (answer.status >= 500) return "the service's own failure"
  // Refused before it is read what is asked for.
  if (answer.status === 417 || answer.status === 431) return asking.question.method === "HEAD" ? undefined : refusal(answer)
  switch (asking.door.via) {
    case "api":
      return ofApi(asking, answer)
    case "tool":
      return ofTool(asking.door.tool, answer)
    case "oauth":
      return ofOauth(answer)
    case "rpc":
      return LEAKS.test(answer.text) || answer.text.includes("internal_error") ? `an answer that tells of us: ${answer.text}` : undefined
    case "page":
      return ofPage(answer)
  }
}
