/** A process that owns an embedded database until it is killed: `node own-cluster.ts <data folder> [durable]`. */
import { Cause, Effect, Exit } from "effect"
import { embeddedPostgres } from "../../src/services/database/embedded.ts"

const held = embeddedPostgres({ dataDir: process.argv[2] ?? "", durable: process.argv[3] === "durable" }).pipe(
  Effect.tap((facts) => Effect.sync(() => process.stdout.write(`${JSON.stringify(facts)}\n`))),
  Effect.andThen(Effect.callback<void>((resume) => {
    process.stdin.resume().once("end", () => resume(Effect.void))
  })),
  Effect.scoped
)

const exit = await Effect.runPromiseExit(held)
if (Exit.isFailure(exit)) {
  process.stderr.write(Cause.pretty(exit.cause))
  process.exitCode = 1
}
