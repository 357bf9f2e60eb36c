/**
 * The API's own documents: /openapi.json, /docs, /redoc, /docs.md; /mcp.md, made from the tools, and /mcp/clients.json for the
 * app; /llms.txt, which names them to agents. No page loads anything from another host.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { gzipSync } from "node:zlib"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { OpenApi } from "effect/http-api"
import { Addresses } from "../../domain/ports/addresses.ts"
import { etagOf } from "../../look/built.ts"
import { facesCss } from "../../look/faces.ts"
import { dark, light, tokensCss } from "../../look/tokens.ts"
import type { Palette } from "../../look/tokens.ts"
import { docsMarkdown } from "./docs-markdown.ts"
import { madeOnce } from "./made-once.ts"
import { clients } from "./mcp-clients.ts"
import { mcpMarkdown } from "./mcp-markdown.ts"
import { fileAnswer, noSuchPage, pageAnswer } from "./answers.ts"
import type { OwnFile } from "./answers.ts"

const require = createRequire(import.meta.url)

/** Redoc's badge loads a picture from its maker's host; here it loads nothing. */
const withoutBadge = (source: string) =>
  source.replaceAll("https://cdn.redoc.ly/redoc/logo-mini.svg", "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E")

/** Redoc computes shades of its colours, so it needs them as they are. Beside the text it is dark in both themes. */
const redocTheme = ({ accent, bad, desk, good, ink, line, muted, sheet, warn }: Palette) => ({
  colors: {
    primary: { main: accent }, success: { main: good }, warning: { main: warn }, error: { main: bad },
    gray: { 50: desk, 100: desk }, text: { primary: ink, secondary: muted }, border: { dark: line, light: sheet }
  },
  schema: { nestedBackground: desk, linesColor: line },
  typography: { fontFamily: "var(--ui)", headings: { fontFamily: "var(--ui)", fontWeight: "600" }, code: { fontFamily: "var(--mono)", color: ink, backgroundColor: desk } },
  sidebar: { backgroundColor: desk, textColor: ink, activeTextColor: accent, groupItems: { activeBackgroundColor: line }, level1Items: { activeBackgroundColor: line } },
  rightPanel: { backgroundColor: dark.desk, textColor: dark.ink, servers: { overlay: { backgroundColor: sheet, textColor: ink }, url: { backgroundColor: desk } } },
  codeBlock: { backgroundColor: dark.sheet },
  fab: { backgroundColor: desk, color: accent }
})

const start = {
  "swagger.js": `const dark = matchMedia("(prefers-color-scheme: dark)")
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches)
dark.addEventListener("change", follow)
follow()
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#docs", deepLinking: true, presets: [SwaggerUIBundle.presets.apis], validatorUrl: null, tryItOutEnabled: true })`,
  "redoc.js": `const themes = ${JSON.stringify({ dark: redocTheme(dark), light: redocTheme(light) })}
const theme = matchMedia("(prefers-color-scheme: dark)").matches ? themes.dark : themes.light
Redoc.init("/openapi.json", { hideDownloadButtons: false, disableSearch: true, theme }, document.getElementById("docs"))`
}

/**
 * Swagger's page in our type and on our ground; its own dark colours miss a few cells. On a phone, a section's description
 * stands below its name, and the column of links, which is always empty, does not widen the page.
 */
const swaggerStyle = () => tokensCss + facesCss + `
html,html:root .swagger-ui,html:root .swagger-ui .scheme-container{background:var(--sheet)}
.swagger-ui *{font-family:var(--ui)!important}
.swagger-ui :is(pre,code,.opblock-summary-path,.parameter__type,pre *,code *,.opblock-summary-path *){font-family:var(--mono)!important}
html .swagger-ui :is(a:not(.nostyle),.info a,.info a:hover){color:var(--accent)}
html.dark-mode .swagger-ui :is(td,.header-col){color:var(--ink)}
.swagger-ui .try-out__btn.cancel{color:var(--bad)!important}
html .swagger-ui :focus-visible{outline:2px solid var(--accent)!important}
@media(max-width:640px){
.swagger-ui .opblock-tag{flex-wrap:wrap}
.swagger-ui .opblock-tag .nostyle{flex:1}
.swagger-ui .opblock-tag small{flex:1 0 100%;order:1;padding:0}
.swagger-ui .response-col_links{display:none}
}`

/** What Redoc’s theme leaves out: the ground, the focus, lines and small headings, and the chosen tab, which is light in both themes. */
const redocStyle = () => tokensCss + facesCss + `
body{background:var(--sheet)}
#docs h5{color:var(--muted);border-color:var(--line)}
#docs h5 ~ svg polygon,#docs h5 svg polygon{fill:var(--muted)}
#docs td{border-color:var(--line)}
#docs .react-tabs__tab--selected{color:${light.ink}!important}
:focus-visible{outline:2px solid var(--accent)!important}`

const FILES: Record<string, { readonly source: () => string; readonly type: string }> = {
  "swagger-ui.css": { source: () => read("swagger-ui-dist/swagger-ui.css"), type: "text/css; charset=utf-8" },
  "swagger.css": { source: swaggerStyle, type: "text/css; charset=utf-8" },
  "swagger-ui-bundle.js": { source: () => read("swagger-ui-dist/swagger-ui-bundle.js"), type: "text/javascript; charset=utf-8" },
  "redoc.css": { source: redocStyle, type: "text/css; charset=utf-8" },
  "redoc.standalone.js": {
    source: () => withoutBadge(read("redoc/bundles/redoc.standalone.js")),
    type: "text/javascript; charset=utf-8"
  },
  "swagger.js": { source: () => start["swagger.js"], type: "text/javascript; charset=utf-8" },
  "redoc.js": { source: () => start["redoc.js"], type: "text/javascript; charset=utf-8" }
}

const read = (module: string): string => readFileSync(require.resolve(module), "utf8")

const ownFile = (type: string, source: string): OwnFile => {
  const identity = Buffer.from(source)
  return { type, etag: etagOf(identity), bytes: { identity, gzip: gzipSync(identity) } }
}

/** Read and compressed once, at the first request. */
const prepare = madeOnce((name) => {
  const { source, type } = FILES[name]!
  return ownFile(type, source())
})

const KEPT = { "cache-control": "public, no-cache", vary: "Accept-Encoding, Origin" }

const File = HttpRouter.add(
  "GET",
  "/docs/assets/:name",
  Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!Object.hasOwn(FILES, name)) return yield* noSuchPage
    return fileAnswer(request, prepare(name), KEPT)
  })
)

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; frame-ancestors 'none'"

const shell = (title: string, styles: ReadonlyArray<string>, scripts: ReadonlyArray<string>) =>
  pageAnswer(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${
      styles.map((name) => `<link rel="stylesheet" href="/docs/assets/${name}">`).join("")
    }<link rel="icon" href="data:,"></head><body style="margin:0"><div id="docs"></div>${
      scripts.map((name) => `<script src="/docs/assets/${name}"></script>`).join("")
    }</body></html>`,
    200,
    POLICY
  )

/** Where agents look first (llmstxt.org). */
const llms = (baseUrl: string) => `# svc

> Publishes documents, data, images and whole sites at live addresses, shares them, and gathers what readers say.

- [The HTTP API](${baseUrl}/docs.md): a walk through it, then every operation, with an API token
- [The tools over MCP](${baseUrl}/mcp.md): how to connect a client, by signing in or with a token
- [The HTTP API for programs](${baseUrl}/openapi.json): OpenAPI
`

const MARKDOWN = "text/markdown; charset=utf-8"

const markdown = (text: string) => HttpServerResponse.text(text, { contentType: MARKDOWN })

let written: OpenApi.OpenAPISpec | undefined

/** The checked-in output of `contract/openapi.ts`: generating it would be a sixth of every start. */
const openApiDocument = (): OpenApi.OpenAPISpec =>
  written ??= JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8")) as OpenApi.OpenAPISpec

const openApiFile = madeOnce((baseUrl) => ownFile("application/json", JSON.stringify({ ...openApiDocument(), servers: [{ url: baseUrl }] })))

const docsFile = madeOnce((baseUrl) => ownFile(MARKDOWN, docsMarkdown(openApiDocument(), baseUrl)))

const documentAnswer = (file: (baseUrl: string) => OwnFile) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Addresses
    return fileAnswer(yield* HttpServerRequest.HttpServerRequest, file(baseUrl), KEPT)
  })

export const Reference = Layer.mergeAll(
  HttpRouter.add("GET", "/openapi.json", documentAnswer(openApiFile)),
  HttpRouter.add("GET", "/docs", shell("svc API", ["swagger-ui.css", "swagger.css"], ["swagger-ui-bundle.js", "swagger.js"])),
  HttpRouter.add("GET", "/redoc", shell("svc API reference", ["redoc.css"], ["redoc.standalone.js", "redoc.js"])),
  HttpRouter.add("GET", "/docs.md", documentAnswer(docsFile)),
  HttpRouter.add(
    "GET",
    "/mcp.md",
    Effect.map(Addresses, ({ appUrl, baseUrl }) => markdown(mcpMarkdown(baseUrl, appUrl)))
  ),
  HttpRouter.add("GET", "/llms.txt", Effect.map(Addresses, ({ baseUrl }) => HttpServerResponse.text(llms(baseUrl), { contentType: "text/plain; charset=utf-8" }))),
  HttpRouter.add("GET", "/mcp/clients.json", Effect.map(Addresses, ({ baseUrl }) => HttpServerResponse.jsonUnsafe({ clients: clients(baseUrl) }))),
  File
)
