/** A Redis of its own for a test, from the machine's `redis-server`: started, paused, killed and brought back. */
import { spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { createClient } from "redis"
import { eventually, freePort, newFolder } from "./program.ts"

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0

export interface Redis {
  readonly url: string
  readonly keys: () => Promise<ReadonlyArray<string>>
  /** Stops answering with its connections open, or goes on. */
  readonly pause: (paused: boolean) => void
  readonly kill: () => Promise<void>
  /** On the same port, empty. */
  readonly start: () => Promise<void>
}

export const openRedis = async (): Promise<Redis> => {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const folder = newFolder()
  let server: ChildProcess | undefined
  process.once("exit", () => server?.kill("SIGKILL"))

  const asked = async <A>(question: (client: { readonly keys: (pattern: string) => Promise<Array<string>> }) => Promise<A>): Promise<A> => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on("error", () => undefined)
    await client.connect()
    try {
      return await question(client)
    } finally {
      client.destroy()
    }
  }
  const keys = () => asked((client) => client.keys("*"))

  const start = async () => {
    server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder], { stdio: "ignore" })
    await eventually("Redis answers", () => keys().then(() => true, () => false))
  }
  await start()

  return {
    url,
    keys,
    start,
    pause: (paused) => void server?.kill(paused ? "SIGSTOP" : "SIGCONT"),
    kill: () =>
      new Promise((resolve) => {
        server?.once("close", () => resolve())
        server?.kill("SIGKILL")
      })
  }
}
