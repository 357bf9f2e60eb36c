/** The peers on Node, one a process: `node node-server.ts sirv|bare|decider <folder> <port> [<database>]`. */
import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
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
  const runtime = ManagedRuntime.make(PgClient.layer({ host: database, username: "svc", database: "svc", maxConnections: 10 }))
  const allowed = (slug: string, pass: string) =>
    runtime.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`
      SELECT 1 FROM projects p JOIN passes g ON g.project_id = p.id AND g.access_epoch = p.access_epoch
      WHERE p.slug = ${slug} AND g.hash = ${hash("sha256", pass, "hex")}`))
  return createServer((request, response) => {
    const pass = /__Host-svc_gate=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? ""
    allowed((request.headers.host ?? "").split(".")[0]!, pass).then(
      (rows) => response.writeHead(rows.length > 0 ? 204 : 401).end(),
      () => response.writeHead(500).end()
    )
  })
}

const server = kind === "bare" ? bare() : kind === "decider" ? decider() : files()
server.listen(Number(port), "127.0.0.1")
