/**
 * Durable jobs on the one PostgreSQL: what is enqueued in a transaction runs after its commit, once, somewhere.
 * Embedded there is one runner, in this process; with a shared database every worker is a socket runner.
 */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { networkInterfaces } from "node:os"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Option } from "effect"
import { ClusterWorkflowEngine, RunnerAddress, SingleRunner } from "effect/cluster"

/** How soon a new job is seen, and how soon a dead worker's jobs move elsewhere. */
const pace = {
  entityMessagePollInterval: "200 millis",
  refreshAssignmentsInterval: "1 seconds",
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  // A stop waits so long for what is being sent; a mail that only waits for its next try would hold it up for all of it.
  entityTerminationTimeout: "3 seconds"
} as const

export const JobsEmbedded = ClusterWorkflowEngine.layer.pipe(
  Layer.provideMerge(SingleRunner.layer({ runnerStorage: "memory", shardingConfig: pace })),
  Layer.provide(NodeCrypto.layerDigest)
)

/** Enqueues only: for instances that serve and do not work. */
export const JobsClient = ClusterWorkflowEngine.layer.pipe(
  Layer.provideMerge(NodeClusterSocket.layer({ clientOnly: true, shardingConfig: { ...pace, runnerAddress: Option.none() } })),
  Layer.provide(NodeCrypto.layerDigest)
)

/** Below the ports that systems give to outgoing connections, so that none takes it before it is listened on. */
const freePort = Effect.callback<number, Error>((resume) => {
  const port = randomInt(10_000, 32_768)
  const probe = createServer().listen(port, () => probe.close(() => resume(Effect.succeed(port))))
  probe.once("error", (taken) => resume(Effect.fail(taken)))
}).pipe(Effect.retry({ times: 100 }), Effect.orDie)

/** A free port, and the address under which the other workers reach it. */
const ownAddress = (listensOn: string) => Effect.map(freePort, (port) => RunnerAddress.make(reachable(listensOn), port))

const reachable = (listensOn: string): string => {
  if (listensOn === "127.0.0.1" || listensOn === "localhost" || listensOn === "::1") return "127.0.0.1"
  const addresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return addresses.find((address) => address.family === "IPv4" && !address.internal)?.address ?? "127.0.0.1"
}

export const JobsShared = (listensOn: string) =>
  Layer.unwrap(Effect.map(ownAddress(listensOn), (address) =>
    ClusterWorkflowEngine.layer.pipe(
      Layer.provideMerge(NodeClusterSocket.layer({ shardingConfig: { ...pace, runnerAddress: Option.some(address) } })),
      Layer.provide(NodeCrypto.layerDigest)
    )))
