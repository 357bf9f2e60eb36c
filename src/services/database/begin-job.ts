/** How a store sets out on a durable job: in the transaction of what the job is for, so that both are kept or neither. */
import { Effect } from "effect"
import { WorkflowEngine } from "effect/workflow"

export const makeBeginJob = Effect.map(WorkflowEngine.WorkflowEngine, (engine) =>
  <Payload, R>(job: { readonly execute: (payload: Payload, options: { readonly discard: true }) => Effect.Effect<string, never, R> }, payload: NoInfer<Payload>) =>
    Effect.provideService(job.execute(payload, { discard: true }), WorkflowEngine.WorkflowEngine, engine))
