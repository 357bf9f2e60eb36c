/** dist/app on a plain static server of its own, set up as docs/deploy.md describes: the headers are read from there. */
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import sirv from "sirv"

const EXAMPLE = "https://svc.example.com"
const NAMED = `name="svc-base-url" content=`

/** The headers of the guide's nginx example. */
export const guideHeaders = (api: string): ReadonlyArray<readonly [name: string, value: string]> =>
  [...readFileSync("docs/deploy.md", "utf8").matchAll(/^ {2}add_header (\S+) "([^"]+)" always;$/gm)]
    .map(([, name = "", value = ""]) => [name, value.replaceAll(EXAMPLE, api)])

export interface StaticHost {
  readonly port: number
  /** Publishes the app, which then uses the API at this address. */
  readonly publish: (api: string) => void
  readonly stop: () => void
}

/** Any name is answered; before the app is published, and beneath `/blank`, with an empty page. */
export const openStaticHost = async (): Promise<StaticHost> => {
  const folder = mkdtempSync(join(tmpdir(), "app-"))
  let files: ReturnType<typeof sirv> | undefined
  const server = createServer((request, response) => {
    const nothing = () => void response.writeHead(404).end()
    if (files !== undefined && request.url !== "/blank") return files(request, response, nothing)
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Blank</title>")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    port: (server.address() as AddressInfo).port,
    publish: (api) => {
      cpSync("dist/app", folder, { recursive: true })
      const index = join(folder, "index.html")
      writeFileSync(index, readFileSync(index, "utf8").replace(`${NAMED}""`, `${NAMED}"${api}"`))
      const headers = guideHeaders(api)
      files = sirv(folder, { single: true, gzip: true, setHeaders: (response) => headers.forEach(([name, value]) => response.setHeader(name, value)) })
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
