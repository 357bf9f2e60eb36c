/** The container's health check asks the service as the service reads its own variables. */
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, assert, describe, it } from "vitest"
import { freshDatabaseFacts } from "../support/database.ts"
import { clearAway, freePort, newFolder, serve } from "../support/program.ts"
import type { Environment } from "../support/program.ts"

afterAll(clearAway)

const check = async (environment: Environment): Promise<number> => {
  const [code] = await once(spawn(process.execPath, ["scripts/health.mjs"], { env: { ...environment } }), "close") as [number]
  return code
}

describe("the health check", () => {
  it("finds a service on a database of its own, with and without an address, and says when it is gone", () =>
    Effect.gen(function*() {
      const { database, host, username } = yield* freshDatabaseFacts
      yield* Effect.promise(async () => {
        const port = String(await freePort())
        const environment = {
          SVC_PORT: port,
          SVC_DATA_DIR: newFolder(),
          SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
          SVC_SECRET: "k".repeat(32),
          SVC_SMTP_URL: "smtp://127.0.0.1:1",
          SVC_LOG: "json"
        }
        // On some systems only the first loopback address is set up.
        const another = process.platform === "linux" ? "127.0.0.2" : "127.0.0.1"
        for (const own of [{ SVC_BASE_URL: "", SVC_ROLE: "", SVC_HOST: "" }, { SVC_BASE_URL: "https://svc.example.com/", SVC_HOST: "0.0.0.0" }, { SVC_HOST: another }]) {
          const program = await serve({ ...environment, ...own })
          assert.strictEqual(await check({ ...environment, ...own }), 0, JSON.stringify(own))
          await program.end()
          assert.strictEqual(await check({ ...environment, ...own }), 1, JSON.stringify(own))
          assert.match(program.stdout(), /"message":"svc is up"/)
          // One every five seconds would be most of the log.
          assert.notMatch(program.stdout(), /"message":"request"/)
        }
      })
    }).pipe(Effect.scoped, Effect.runPromise))

  it("takes an empty port for none, as the service does", async ({ skip }) => {
    const asked: Array<string | undefined> = []
    const server = createServer(({ headers }, answer) => {
      asked.push(headers.host)
      answer.end()
    })
    const free = await new Promise<boolean>((resolve) => server.once("error", () => resolve(false)).listen(8787, "127.0.0.1", () => resolve(true)))
    if (!free) skip("8787 is taken on this machine")
    assert.strictEqual(await check({ SVC_PORT: "" }), 0)
    assert.deepStrictEqual(asked, ["svc.localhost:8787"])
    server.close()
  })

  it("asks nothing of a worker, however it was told to be one", async ({ skip }) => {
    assert.strictEqual(await check({ SVC_ROLE: "worker", SVC_PORT: "1" }), 0)
    // As in a container, where its process id is 1: outside of one, another process has that id.
    const within = (...command: ReadonlyArray<string>) =>
      spawnSync("unshare", [
        "--pid", "--fork", "--mount-proc", process.execPath, "-e",
        `process.exit(child_process.spawnSync(process.execPath, ["scripts/health.mjs"]).status)`, "--", ...command
      ], { env: { PATH: process.env["PATH"], SVC_PORT: "1" } })
    if (spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status !== 0) skip("this user may not make a container")
    assert.strictEqual(within("src/main.ts", "work").status, 0)
    assert.strictEqual(within("/svc/dist/service/main.js", "work").status, 0)
    assert.strictEqual(within("dist/service/main.js", "serve").status, 1)
  })
})
