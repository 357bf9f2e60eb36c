/**
 * Durable jobs on the one PostgreSQL: what is enqueued in a transaction runs after its commit, once, somewhere.
 * Embedded there is one runner, in this process; with a shared database every worker is one. They share the work by rows and
 * locks of the database alone, and see a job by looking for it: none listens on a port, or has to be reached by another.
 */
import { randomUUID } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer, Option } from "effect"
import { ClusterWorkflowEngine, RunnerAddress, RunnerHealth, Runners, RunnerStorage, Sharding, ShardingConfig, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"

/** How soon a new job is seen, and how soon a dead worker's jobs move elsewhere. */
const pace = {
  entityMessagePollInterval: "200 millis",
  refreshAssignmentsInterval: "1 seconds",
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  // A stop waits so long for what is being sent; a mail that only waits for its next try would hold it up for all of it.
  entityTerminationTimeout: "3 seconds"
} as const

/** Put together here: the ready-made layers take settings from `PORT`, `HOST` and other variables that are not ours. */
const engine = <E, R>(runnerStorage: Layer.Layer<RunnerStorage.RunnerStorage, E, R>, runnerAddress: Option.Option<RunnerAddress.RunnerAddress>) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(SqlMessageStorage.layer),
    Layer.provide([runnerStorage, RunnerHealth.layerNoop]),
    Layer.provide(ShardingConfig.layer({ ...pace, runnerAddress })),
    Layer.provide(NodeCrypto.layerDigest)
  )

/** A runner's own name. It has the form of an address, and nobody connects to it. */
const newName = () => Option.some(RunnerAddress.make(randomUUID(), 0))

export const JobsEmbedded = Layer.suspend(() => engine(RunnerStorage.layerMemory, newName()))

/** Enqueues only: for instances that serve and do not work. Who works is nothing to them. */
export const JobsClient = engine(RunnerStorage.layerMemory, Option.none())

export const JobsShared = Layer.suspend(() => engine(Layer.orDie(SqlRunnerStorage.layer), newName()))
