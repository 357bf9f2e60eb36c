/** Begins a durable job in the transaction that it belongs to, so that both are committed or neither is. */
import { Effect } from "effect"
import { WorkflowEngine } from "effect/workflow"

export const makeBeginJob = Effect.map(WorkflowEngine.WorkflowEngine, (engine) =>
  <Payload, R>(job: { readonly execute: (payload: Payload, options: { readonly discard: true }) => Effect.Effect<string, never, R> }, payload: NoInfer<Payload>) =>
    Effect.provideService(job.execute(payload, { discard: true }), WorkflowEngine.WorkflowEngine, engine))
