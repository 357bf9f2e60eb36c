/** What each command does: serve, work, migrate, seed, backup, openapi. Its code is loaded once the settings are known to be right. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Logger, References } from "effect"
import { resolve } from "node:path"
import { ConfigRefused, loadConfig } from "./services/config.ts"
import type { Settings } from "./services/config.ts"
import { JsonLog } from "./services/logs.ts"

/** Both serve and work: the settings say which role the process has. */
const run = async (settings: Settings) => {
  const { serving } = await import("./serving.ts")
  return serving(settings)
}

const commands: Record<string, (settings: Settings) => Promise<Effect.Effect<unknown, unknown>>> = {
  serve: run,
  work: run,
  migrate: async (settings) => {
    const { migrate } = await import("./services/database/migrate.ts")
    const { Database } = await import("./services/live.ts")
    return Effect.provide(migrate, Database(settings))
  },
  backup: async ({ databaseUrl, dataDir, s3, secret }) => {
    const { backup } = await import("./services/database/embedded/backup.ts")
    const [, , , given] = process.argv
    if (databaseUrl !== undefined) return refused("SVC_DATABASE_URL names the database: back it up with pg_dump, and the blobs after it.")
    if (given === undefined) return refused("Say where: npm run backup -- <a folder that is not there yet>.")
    // npm runs its scripts in the project's folder, and says where it was called.
    const into = resolve(process.env["INIT_CWD"] ?? ".", given)
    const elsewhere = [
      ...(s3 === undefined ? [] : [`The packs are in the bucket ${s3.bucket}: copy them now, after this.`]),
      ...(secret === undefined ? [] : ["Keep SVC_SECRET with it: it is in no file."])
    ]
    const whole = elsewhere.length === 0 ? "is whole: copy" : "holds the database: copy"
    return Effect.flatMap(backup({ dataDir, into }), (left) => {
      const leftovers = left.map((folder) => `${folder} is left from an interrupted backup: remove it, unless a backup is still being written there.`)
      return told([`${into} ${whole} it (cp -a), and start from the copy with SVC_DATA_DIR=<copy>.`, ...elsewhere, ...leftovers, ""].join("\n"))
    })
  },
  seed: async (settings) => {
    const { House, tellDemo } = await import("./serving.ts")
    const { Database, Jobs } = await import("./services/live.ts")
    const { EMAIL, seed } = await import("./services/seed.ts")
    const { sampleSite } = await import("./look/sample/site.ts")
    return seed(sampleSite).pipe(
      Effect.flatMap((demo) => demo === null ? told(alreadySeeded(EMAIL, settings)) : tellDemo(settings, demo)),
      Effect.provide(House(settings, Database(settings), Jobs(settings)))
    )
  }
}

const alreadySeeded = (email: string, { appUrl }: Settings) =>
  `svc: the demo account is here already, and nothing was changed. Its password was shown when it was made;\n` +
  `     a sign-in link by mail opens it too: ${appUrl}/login as ${email}.\n`

const refused = (message: string) => Effect.fail(new ConfigRefused({ message }))

/** Whoever runs it in a script would take it for done. */
const cutShort = Effect.sync(() => {
  process.stderr.write("svc: stopped before it was done.\n")
  process.exitCode = 130
})

const told = (words: string) => Effect.sync(() => process.stdout.write(words))

const Logs = ({ log, otlpUrl }: Settings) =>
  Layer.mergeAll(
    log === "json" ? JsonLog : Logger.layer([Logger.consolePretty()]),
    Layer.succeed(References.MinimumLogLevel, "Info"),
    // Spans cost a tenth of a publish even if nobody collects them.
    Layer.succeed(References.TracerEnabled, otlpUrl !== undefined)
  )

const Traces = ({ otlpUrl }: Settings) =>
  otlpUrl === undefined ? Layer.empty : Layer.unwrap(Effect.map(Effect.promise(() => import("./services/telemetry.ts")), ({ Telemetry }) => Telemetry(otlpUrl)))

const refusal = (cause: Cause.Cause<unknown>): string => {
  const found = Cause.squash(cause)
  return found instanceof Error && "_tag" in found && found.cause === undefined ? found.message : Cause.pretty(cause)
}

const main = Effect.gen(function*() {
  const name = process.argv[2] ?? "serve"
  if (name === "openapi") {
    const { openApiDocument } = yield* Effect.promise(() => import("./http/contract/openapi.ts"))
    process.stdout.write(`${JSON.stringify(openApiDocument, null, 2)}\n`)
    return
  }
  const command = commands[name]
  if (command === undefined) {
    process.stderr.write(`svc: there is no command "${name}". Try serve, work, migrate, seed, backup or openapi.\n`)
    process.exitCode = 2
    return
  }
  // Read with its role, so that what goes with no worker is refused.
  const settings = yield* loadConfig(name === "work" ? { ...process.env, SVC_ROLE: "worker" } : process.env)
  const work = Effect.provide(Effect.flatten(Effect.promise(() => command(settings))), [Logs(settings), Traces(settings)])
  yield* command === run ? work : Effect.onInterrupt(work, () => cutShort)
}).pipe(
  Effect.provide(NodeServices.layer),
  Effect.catchCause((cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.sync(() => {
      process.stderr.write(`svc: ${refusal(cause)}\n`)
      process.exitCode = 1
    })
  )
)

// A terminal that is closed, which may say so twice: the embedded PostgreSQL would go on without anybody.
process.on("SIGHUP", () => process.emit("SIGTERM", "SIGTERM"))

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  // A stop that was asked for is not a failure of what goes on until then.
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? Number(process.exitCode ?? 0) : 1)
})
