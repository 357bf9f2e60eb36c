/**
 * Durable jobs on the same PostgreSQL: a job enqueued in a transaction runs after its commit, once, on some instance. With the
 * embedded database this process is the only runner; with a shared one every worker is a runner. They coordinate through rows
 * and locks alone and find jobs by polling: none listens on a port or has to be reachable.
 */
import { randomUUID } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Cause, Layer, Option } from "effect"
import { ClusterWorkflowEngine, RunnerAddress, RunnerHealth, Runners, RunnerStorage, Sharding, ShardingConfig, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { reasonOf } from "../innermost.ts"
import { restated } from "../logs.ts"
import type { Said } from "../logs.ts"
import { MomentsBeside } from "../database/job-moments.ts"
import { MessageTables, RunnerTables } from "../database/job-tables.ts"
import { outageIn } from "../database/outages.ts"

/** How soon a new job is seen, how soon a dead worker's jobs move elsewhere, and how many begin. */
const pace = {
  entityMessagePollInterval: "200 millis",
  refreshAssignmentsInterval: "1 seconds",
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  // How long a stop waits for jobs; one that only waits for its next try uses all of it.
  entityTerminationTimeout: "3 seconds",
  // A job that waits for its next try holds a place, and where none is left no other begins, timetables included. So whatever may be
  // many at once waits in rows, as mails do; exports and erasures are one for each workspace or person, readings of payments one for each signed notice.
  maxResidentEntities: 10_000
} as const

/** Said at a start with jobs waiting, since the engine looks for them before the workers are there; it looks again until they are. */
const NOT_YET = "Could not find entity manager for address, retrying"

/**
 * Said where the database took longer than a third of `shardLockExpiration`, as it may under load: this worker lets go of its jobs, which
 * begin again here or elsewhere. No error, since nothing is lost; a longer time would leave a dead worker's jobs waiting for as much longer.
 */
const LET_GO = "Shard lock storage is unhealthy"

/** Said each second of a stop that waits for requests, once its worker has signed off; and where every worker was lost, of which the one that says it mends the table. */
const SIGNED_OFF = "No healthy runners available"

/** Said where what it let go of, or a stop gives back, takes the database that long as well. */
const GIVES_BACK = "Could not release shards, retrying"

/** Said every two seconds from then until it says that the database has recovered. */
const STILL_GONE = "Shard lock storage is still unhealthy"

/** Said five times a second while the database is away, of which the worker itself says that it looks for no mails. */
const NOT_READ = "Could not read messages from storage"

const isUnsaid = (words: string, cause: Cause.Cause<unknown>): boolean =>
  words === NOT_YET || words === SIGNED_OFF || words === STILL_GONE || words === NOT_READ && outageIn(cause) !== undefined

/** How what the engine says is logged: of a slow database in one line, without where in the engine that was noticed. */
const restate = (said: Said): Said | undefined => {
  const words = String(said.message)
  if (isUnsaid(words, said.cause)) return undefined
  if (words !== LET_GO && words !== GIVES_BACK) return said
  const why = Cause.squash(said.cause)
  return { logLevel: "Warn", message: why instanceof Error ? `${words} (${reasonOf(why)})` : words, cause: Cause.empty }
}

/** Assembled here, since the ready-made layers read `PORT`, `HOST` and other variables that are not ours. */
const engine = <E, R>(runnerStorage: Layer.Layer<RunnerStorage.RunnerStorage, E, R>, runnerAddress: Option.Option<RunnerAddress.RunnerAddress>) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Layer.provide(Sharding.layer, restated(restate))),
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(Layer.provide(SqlMessageStorage.layerStorage({}), MessageTables)),
    Layer.provide([runnerStorage, RunnerHealth.layerNoop]),
    Layer.provide(ShardingConfig.layer({ ...pace, runnerAddress })),
    Layer.provide([NodeCrypto.layerDigest, MomentsBeside])
  )

/** A runner's own name; it has the form of an address that nobody connects to. */
const newName = () => Option.some(RunnerAddress.make(randomUUID(), 0))

export const JobsEmbedded = Layer.suspend(() => engine(RunnerStorage.layerMemory, newName()))

/** Only enqueues: for instances that serve and do not work, and need not know who does. */
export const JobsClient = engine(RunnerStorage.layerMemory, Option.none())

export const JobsShared = Layer.suspend(() => engine(Layer.provide(SqlRunnerStorage.layerStorage({}), RunnerTables), newName()))
