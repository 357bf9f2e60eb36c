/** The peers on Node, one a process: `node node-server.ts sirv|bare|decider <folder> <port> [<database>]`. */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fastify } from "fastify"
import { Pool } from "pg"
import sirv from "sirv"

const [kind = "", root = "", port = "", database = ""] = process.argv.slice(2)

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

/** What an application would say to nginx: the project and the pass, looked up by one indexed statement a request. */
const decider = () => {
  const pool = new Pool({ host: database, user: "svc", database: "svc", max: 10 })
  const app = fastify()
  app.get("*", async (request, reply) => {
    const pass = /__Host-svc_gate=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? ""
    const { rowCount } = await pool.query({
      name: "allowed",
      text: `SELECT 1 FROM projects p JOIN passes g ON g.project_id = p.id AND g.access_epoch = p.access_epoch
        WHERE p.slug = $1 AND g.hash = $2`,
      values: [(request.headers.host ?? "").split(".")[0], hash("sha256", pass, "hex")]
    })
    return reply.code(rowCount === 1 ? 204 : 401).send()
  })
  return app
}

const host = "127.0.0.1"
if (kind === "decider") await decider().listen({ port: Number(port), host })
else (kind === "bare" ? bare() : files()).listen(Number(port), host)
