/** The peers on Node, one per process: `node node-server.ts sirv|bare|decider|api <folder> <port> [<database>]`. */
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fastify } from "fastify"
import { Pool } from "pg"
import sirv from "sirv"

declare module "fastify" {
  interface FastifyRequest {
    userId: string
  }
}

const [kind = "", root = "", port = "", database = ""] = process.argv.slice(2)

/** The least work for Node: every body in memory, no decision, the fewest headers. */
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

/** What an application would tell nginx: the project and the pass, looked up by one indexed statement per request. */
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

/** The same two answers as an ordinary application would make them: first who asks, then what they may see. */
const api = () => {
  const pool = new Pool({ host: database, user: "svc", database: "svc", max: 10 })
  const app = fastify()
  app.decorateRequest("userId", "")
  app.addHook("onRequest", async (request, reply) => {
    const raw = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
    const { rows } = await pool.query({
      name: "caller",
      text: "SELECT u.id, u.name, u.email FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1 AND u.deletion_id IS NULL",
      values: [hash("sha256", raw, "hex")]
    })
    if (rows.length === 0) return reply.code(401).send({ error: "unauthorized" })
    request.userId = rows[0].id
  })
  const columns = `p.id, p.workspace_id, p.owner_id, o.name AS owner_name, p.folder_id, p.slug, p.title, p.visibility, p.password,
    p.comments_enabled, p.html_display_mode, p.comment_access, p.indexable, p.expires_at, v.kind, p.version, v.size_bytes, v.file_count,
    p.created_at, p.updated_at, p.published_at`
  const tables = `projects p JOIN users o ON o.id = p.owner_id LEFT JOIN versions v ON v.id = p.current_version_id
    JOIN members m ON m.workspace_id = p.workspace_id AND m.user_id = $1`
  app.get<{ Params: { slug: string } }>("/v1/projects/:slug", async (request, reply) => {
    const { rows } = await pool.query({
      name: "project",
      text: `SELECT ${columns} FROM ${tables} WHERE p.slug = $2 AND p.deleted_at IS NULL`,
      values: [request.userId, request.params.slug]
    })
    return rows[0] ?? reply.code(404).send({ error: "not_found" })
  })
  app.route<{ Querystring: { limit: string } }>({
    method: "GET",
    url: "/v1/projects",
    handler: async (request) => {
      const { rows } = await pool.query({
        name: "projects",
        text: `SELECT ${columns} FROM ${tables} WHERE p.deleted_at IS NULL ORDER BY p.id DESC LIMIT $2`,
        values: [request.userId, Number(request.query.limit)]
      })
      return { projects: rows }
    }
  })
  return app
}

const host = "127.0.0.1"
if (kind === "api") await api().listen({ port: Number(port), host })
else if (kind === "decider") await decider().listen({ port: Number(port), host })
else (kind === "bare" ? bare() : files()).listen(Number(port), host)
