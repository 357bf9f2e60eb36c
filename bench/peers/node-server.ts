/** The peers on Node, one a process: `node node-server.ts sirv|bare <folder> <port>`. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import sirv from "sirv"

const [kind = "", root = "", port = ""] = process.argv.slice(2)

/** The least that Node can do: every body in memory, no decision, the fewest headers. */
const bare = () => {
  const bodies = new Map(
    [["/", "index.html", "text/html; charset=utf-8"], ["/asset.js", "asset.js", "text/javascript; charset=utf-8"]].map(([path, file, type]) => {
      const body = readFileSync(join(root, file!))
      return [path!, { body, lines: ["Content-Type", type!, "Content-Length", String(body.length)] }]
    })
  )
  return createServer((request, response) => {
    const found = bodies.get(request.url ?? "")
    response.writeHead(found === undefined ? 404 : 200, found?.lines ?? [])
    response.end(found?.body)
  })
}

const files = () => {
  const serve = sirv(root, { etag: true })
  return createServer((request, response) => serve(request, response))
}

const server = kind === "bare" ? bare() : files()
server.listen(Number(port), "127.0.0.1")
