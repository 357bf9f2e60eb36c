/** The service as `npm start` runs it, on a data folder and an embedded database of its own. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { ask } from "./ask.ts"
import type { Answer, Question } from "./ask.ts"
import { atEnd, folder } from "./closing.ts"
import { family, move, pinned, start } from "./machine.ts"
import { freePort } from "../test/support/program.ts"

export interface Service {
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** The demo account's. */
  readonly password: string
  readonly token: string
  /** Where its embedded PostgreSQL listens. */
  readonly databaseHost: string
  /** The server process of its embedded PostgreSQL. */
  readonly databasePid: number
  /** A request of the demo account; anything but a success ends the bench. */
  readonly ask: (path: string, question?: Question) => Promise<Answer>
  /** A statement on its database, over a connection of this process. */
  readonly sql: (statement: string, params?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** A program on that connection. */
  readonly run: <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) => Promise<A>
}

export const MAIN = join(import.meta.dirname, "..", "dist", "service", "main.js")

const PROFILE = process.argv.includes("--profile")
  ? ["--cpu-prof", "--cpu-prof-interval=200", `--cpu-prof-dir=${join(import.meta.dirname, "results")}`]
  : []

/** Only the variables that the bench sets, whatever the shell has. */
export const environment = (own: Record<string, string>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SVC_"))),
  ...own
})

/** The line that it logs once it listens holds the demo account's password and token. */
export const greeted = (child: ReturnType<typeof start>): Promise<{ readonly password: string; readonly token: string }> =>
  new Promise((resolve, reject) => {
    let said = ""
    const hear = (text: Buffer) => {
      said += text.toString("utf8")
      const password = /"password":"([^"]+)"/.exec(said)?.[1]
      const token = /"token":"(svc_[^"]+)"/.exec(said)?.[1]
      if (password === undefined || token === undefined) return
      // Everything printed after that is its log: discarded, at the least cost to what is measured beside it.
      for (const stream of [child.stdout, child.stderr]) stream?.off("data", hear).resume()
      resolve({ password, token })
    }
    child.stdout?.on("data", hear)
    child.stderr?.on("data", hear)
    child.once("exit", () => reject(new Error(`the service did not start: ${said}`)))
    child.once("error", reject)
  })

export const startService = async (options: { readonly core?: number; readonly env?: Readonly<Record<string, string>> } = {}): Promise<Service> => {
  const dataDir = folder("service")
  const port = await freePort()
  const args = [...PROFILE, MAIN, "serve"]
  const [command, given] = options.core === undefined ? [process.execPath, args] : pinned(options.core, process.execPath, args)
  const child = start(command, given, environment({ SVC_PORT: String(port), SVC_DATA_DIR: dataDir, SVC_LOG: "json", ...options.env }))
  const { password, token } = await greeted(child)
  const postmaster = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")

  const database = ManagedRuntime.make(
    PgClient.layer({ host: postmaster[4]!, username: "svc", database: "svc", maxConnections: 1 })
  )
  atEnd(() => database.dispose())

  return {
    port,
    dataDir,
    password,
    token,
    pid: child.pid!,
    databaseHost: postmaster[4]!,
    databasePid: Number(postmaster[0]),
    sql: (statement, params = []) =>
      database.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement, params as Array<unknown>))),
    run: (program) => database.runPromise(program),
    ask: async (path, question = {}) => {
      const answer = await ask(port, path, { ...question, headers: { authorization: `Bearer ${token}`, ...question.headers } })
      if (answer.status >= 300) throw new Error(`${question.method ?? "GET"} ${path} was answered ${answer.status}: ${answer.text}`)
      return answer
    }
  }
}

export const moveDatabase = ({ databasePid }: Service, core: number): void => move(family(databasePid), core)

/** Sets a plan beneath the API, since the demo account's own does not allow what is measured. */
export const choosePlan = (service: Service, plan: "studio" | "agency"): Promise<unknown> =>
  service.sql("UPDATE workspaces SET plan = $1", [plan])
