/** The OpenAPI document of the contract (3.1). Checked in as openapi.json; drift fails a test. */
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import { KEY as IDEMPOTENCY_KEY } from "../../domain/idempotency/model.ts"
import { wordsOf } from "./annotations.ts"
import { Api } from "./api.ts"
import { sample } from "./examples.ts"
import { Idempotent } from "./idempotency.ts"

/** Readable component names: the generator appends `Encoded` to wire forms and numbers duplicates. */
const nameOf = (generated: string): string => generated.replace(/_\d+$/, "").replace(/Encoded$/, "")

const REFERENCE = "#/components/schemas/"

/** Rebuilds a document from its leaves up: `each` makes every object anew once all that is in it has been. */
const rebuilding = (each: (object: Readonly<Record<string, unknown>>) => unknown) => {
  const rebuilt = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rebuilt)
    if (typeof value !== "object" || value === null) return value
    return each(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rebuilt(inner)])))
  }
  return rebuilt
}

const renamed = rebuilding((object) => {
  const { $ref: to } = object
  return typeof to === "string" ? { ...object, $ref: REFERENCE + nameOf(to.slice(REFERENCE.length)) } : object
})

/** Recognises the generator's schema for a number that travels as text, in a path or a query. */
const isNumeric = ({ pattern }: Readonly<Record<string, unknown>>): boolean => String(pattern).startsWith("^[+-]?(?:\\d+")

const typed = rebuilding((object) =>
  isNumeric(object) ? { type: "integer", ...("description" in object ? { description: object["description"] } : {}) } : object)

/** What a check says of a list's items stands beside it: generators take that for a list of anything. */
const merged = rebuilding(({ allOf, ...rest }) =>
  rest["type"] === "array" && Array.isArray(allOf) ? Object.assign({}, rest, ...allOf) : { ...rest, ...(allOf !== undefined && { allOf }) })

/** A middleware and an endpoint may declare the same refusal under one status: it is listed once. */
const listedOnce = rebuilding((object) => {
  const union = object["anyOf"]
  if (!Array.isArray(union)) return object
  const members = [...new Map(union.map((member) => [JSON.stringify(member), member])).values()]
  return members.length === 1 ? members[0] : { ...object, anyOf: members }
})

interface Answer {
  readonly description: string
  readonly content?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

interface Documented {
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, Answer>>
}

const refusalOf = (code: string): Answer => ({
  description: code,
  content: { "application/json": { schema: { $ref: `${REFERENCE}${code}` } } }
})

const header = (description: string, type = "string") => ({ description, schema: { type } })

const RETRY = { "Retry-After": header("Whole seconds to wait", "integer") }

/** The headers of an answer with this status (CONTRACT §1). */
const headersOf = (status: string, repeatable: boolean) => ({
  "X-Request-Id": header("Quote it when you ask for help"),
  ...(status === "429" || status === "503" ? RETRY : {}),
  ...(status === "401" ? { "WWW-Authenticate": header("Bearer") } : {}),
  ...(repeatable && status.startsWith("2") ? { "Idempotent-Replayed": header("true where this is the answer of an earlier request with the same Idempotency-Key") } : {})
})

const CSRF = {
  name: "X-CSRF-Token",
  in: "header",
  required: false,
  description: "With a session: the value of the __Host-svc_csrf cookie",
  schema: { type: "string" }
}

const KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Makes the request safe to send again: for 24 hours, the same key with the same request gets the first 2xx answer",
  schema: { type: "string", ...IDEMPOTENCY_KEY }
}

/** Every endpoint by `method path`, in the generator's spelling. */
const endpoints: ReadonlyMap<string, HttpApiEndpoint.Top> = new Map(
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>)
      .map((endpoint) => [`${endpoint.method.toLowerCase()} ${endpoint.path.replaceAll(/:([a-z_]+)/g, "{$1}")}`, endpoint])
  )
)

const operationsWhere = (is: (endpoint: HttpApiEndpoint.Top) => boolean): ReadonlySet<string> =>
  new Set([...endpoints].filter(([, endpoint]) => is(endpoint)).map(([operation]) => operation))

/** They take an `Idempotency-Key`. */
const repeatables = operationsWhere(({ middlewares }) => [...middlewares].some((middleware) => middleware.key === Idempotent.key))

/** They refuse names that their bodies do not have; all others ignore them (CONTRACT §1). */
const strict = operationsWhere(({ annotations }) => Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions)?.onExcessProperty === "error")

/** The generator closes every object. */
const opened = rebuilding((object) =>
  Object.fromEntries(Object.entries(object).filter(([key, inner]) => key !== "additionalProperties" || inner !== false)))

interface Parameter {
  readonly name: string
  readonly description?: string
  readonly schema: { readonly type?: string; readonly description?: string }
}

/** With what the contract says of it, said once. */
const described = (words: Readonly<Record<string, string>>) => (parameter: Parameter): Parameter => {
  const { [parameter.name]: description = parameter.description } = words
  const { description: kept, ...schema } = parameter.schema
  return description === undefined ? parameter : { ...parameter, description, schema: kept === undefined || kept === description ? schema : { description: kept, ...schema } }
}

const usesSession = ({ security }: Documented) => security.some((one) => "session" in one)

/** Adds what every operation has and no endpoint declares: 500, 503, headers, the CSRF token. */
const completed = (method: string, path: string, operation: Documented): Documented => {
  const repeatable = repeatables.has(`${method} ${path}`)
  const { headers, params, query } = endpoints.get(`${method} ${path}`)!
  const responses = { "500": refusalOf("internal_error"), "503": refusalOf("unavailable"), ...operation.responses }
  return {
    ...operation,
    ...(operation.requestBody === undefined || strict.has(`${method} ${path}`) ? {} : { requestBody: opened(operation.requestBody) }),
    parameters: [
      ...operation.parameters.map(described({ ...wordsOf(params), ...wordsOf(query), ...wordsOf(headers) })),
      ...(repeatable ? [KEY] : []),
      ...(usesSession(operation) && method !== "get" ? [CSRF] : [])
    ],
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [status, { ...answer, headers: { ...answer.headers, ...headersOf(status, repeatable) } }])
    )
  }
}

const internalError = (unavailable: unknown) => JSON.parse(JSON.stringify(unavailable).replaceAll("unavailable", "internal_error")) as unknown

const spec = OpenApi.fromApi(Api)

type Paths = OpenApi.OpenAPISpec["paths"]
type Operation = OpenApi.OpenAPISpecOperation

const eachOperation = <A>(paths: Paths, each: (operation: Operation, method: string, path: string) => A): Readonly<Record<string, Readonly<Record<string, A>>>> =>
  Object.fromEntries(Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, each(operation as Operation, method, path)]))
  ]))

const paths = eachOperation(spec.paths, (operation, method, path) => completed(method, path, operation as unknown as Documented))

/** The components that are bodies of operations which are not strict. */
const taken = new Set(
  Object.entries(spec.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => !strict.has(`${method} ${path}`))
      .flatMap(([, operation]) => [...JSON.stringify((operation as unknown as Documented).requestBody ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!))
  )
)

const components = Object.fromEntries(
  Object.entries(spec.components.schemas).map(([name, schema]) => [nameOf(name), taken.has(name) ? opened(schema) : schema])
)

/** The address of a service started with no settings; a running one names its own. */
const servers = [{ url: "http://svc.localhost:8787" }]

const document = merged(listedOnce(
  typed(renamed({
    ...spec,
    paths,
    servers,
    components: { ...spec.components, schemas: { ...components, internal_error: internalError(components["unavailable"]) } }
  }))
)) as OpenApi.OpenAPISpec

/** What a body of JSON may look like: without it, pages that try an operation out fill in every field with nonsense. */
const withExample = (operation: Operation) => {
  const content = operation.requestBody?.content as Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>> | undefined
  const body = content?.["application/json"]
  const example = body === undefined ? undefined : sample(document, body.schema)
  if (typeof example !== "object") return operation
  return { ...operation, requestBody: { ...operation.requestBody, content: { ...content, "application/json": { ...body, example } } } }
}

export const openApiDocument = { ...document, paths: eachOperation(document.paths, withExample) } as OpenApi.OpenAPISpec
