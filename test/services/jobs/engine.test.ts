/** Durable jobs: workers share them through one database and take over from each other, without listening on a port. */
import { Effect, Layer, Logger, ManagedRuntime, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Workflow } from "effect/workflow"
import { afterAll, assert, it } from "vitest"
import { JobsClient, JobsShared } from "../../../src/services/jobs/engine.ts"
import { freshDatabaseFacts, outage, patientClient } from "../../support/database.ts"
import { comesIn, NEWCOMER_PASSWORD } from "../../support/newcomers.ts"
import { openGround } from "../../support/pair.ts"
import type { Ground } from "../../support/pair.ts"
import { eventually } from "../../support/program.ts"

let ground: Ground | undefined
afterAll(() => ground?.stop())

const Task = Workflow.make("Task", { payload: { id: Schema.String }, success: Schema.Void, idempotencyKey: ({ id }) => id })

const listeners = () => process.getActiveResourcesInfo().filter((resource) => resource === "TCPServerWrap").length

it("are shared by workers that listen on no port, and taken over from one that is gone", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const started = <A, E>(layer: Layer.Layer<A, E>) =>
      Effect.acquireRelease(
        Effect.tap(Effect.sync(() => ManagedRuntime.make(layer)), (runtime) => runtime.contextEffect),
        (runtime) => runtime.disposeEffect
      )
    const worker = (done: Array<string>) =>
      started(Task.toLayer(({ id }) => Effect.sync(() => void done.push(id))).pipe(
        Layer.provide(JobsShared),
        Layer.provide(patientClient(facts)),
        Layer.fresh
      ))
    const before = listeners()
    const [left, right]: [Array<string>, Array<string>] = [[], []]
    const asking = yield* started(Layer.fresh(Layer.provideMerge(JobsClient, patientClient(facts))))
    let asked = 0
    const ask = (tasks: number) =>
      Effect.promise(() => asking.runPromise(Effect.forEach(Array.from({ length: tasks }), () => Task.execute({ id: String(asked++) }, { discard: true }))))
    const done = Effect.promise(() => eventually("all of it is done", () => new Set([...left, ...right]).size === asked))

    // A start finds jobs waiting before its workers are there, and does not worry; nor over a database that is away for once.
    const said: Array<string> = []
    const hearing = Logger.layer([Logger.make(({ cause, logLevel, message }) => void said.push(`${logLevel} ${message}${cause.reasons.length > 0 ? " with a trace" : ""}`))])
    yield* ask(1)
    const made = yield* Effect.promise(() => asking.runPromise(SqlClient.SqlClient.use((sql) => sql<{ xmin: string }>`SELECT xmin::text FROM cluster_messages`)))
    const early = yield* started(Layer.fresh(JobsShared.pipe(Layer.provide(patientClient(facts)), Layer.provide(hearing))))
    // It was read, and put back.
    const passedOver = SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM cluster_messages WHERE xmin::text <> ${made[0]!.xmin} AND last_read IS NULL`)
    yield* Effect.promise(() => eventually("the job is passed over", async () => (await asking.runPromise(passedOver)).length > 0))
    const change = (statement: string) => Effect.promise(() => asking.runPromise(SqlClient.SqlClient.use((sql) => sql.unsafe(statement))))
    const database = outage(facts)
    yield* database.away
    yield* Effect.promise(() => eventually("it lets go of its jobs", () => said.join().includes("storage is unhealthy")))
    yield* database.back
    yield* Effect.promise(() => eventually("it has them again", () => said.join().includes("has recovered")))
    assert.match(said.join("\n"), /^Warn Shard lock storage is unhealthy \(.+\)$/m)
    for (const line of said) assert.notMatch(line, /Could not read|with a trace/)
    // A worker that died, of which the table says that it was heard an hour from now.
    yield* change("INSERT INTO cluster_runners (address, runner, last_heartbeat) SELECT 'ghost:0', replace(runner, split_part(address, ':', 1), 'ghost'), now() + interval '1 hour' FROM cluster_runners")
    yield* early.disposeEffect
    assert.notInclude(said.join(), "entity manager")

    const one = yield* worker(left)
    yield* worker(right)
    // Until each has had one: the second joins a moment after its start.
    while (left.length === 0 || right.length === 0) {
      yield* ask(20)
      yield* done
    }
    assert.strictEqual(listeners(), before)
    yield* one.disposeEffect
    const shared = asked
    yield* ask(20)
    yield* done
    assert.strictEqual(new Set(right.filter((id) => Number(id) >= shared)).size, 20)
  }).pipe(Effect.scoped, Effect.runPromise))

it("take nothing from variables that are not ours", async () => {
  ground = await openGround({
    HOST: "192.0.2.1",
    PORT: "http",
    LISTEN_HOST: "192.0.2.1",
    LISTEN_PORT: "http",
    SHARD_GROUPS: "none",
    SHARDS_PER_GROUP: "many",
    ENTITY_MAX_IDLE_TIME: "long"
  })
  const service = await ground.start()
  const { bearer, session, workspace } = await comesIn(service, ground.post, "ada")
  // An export is built by a job.
  const asked = await service.ask("/v1/workspace/export", { json: { workspace, password: NEWCOMER_PASSWORD }, headers: session })
  assert.strictEqual(asked.status, 202, asked.text)
  await eventually("the export is ready", async () => (await service.ask(`/v1/workspace/export?workspace=${workspace}`, { headers: bearer })).json.status === "ready")
})
