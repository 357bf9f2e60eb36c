/** The operator's policies: as configured, and since when trials are enforced, which PostgreSQL keeps from start to start. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Policies } from "../../domain/ports/policies.ts"
import type { TrialPolicy } from "../../domain/workspaces/model.ts"
import { GRACE } from "../../domain/workspaces/rules.ts"
import type { Settings } from "../config.ts"
import { counted, date } from "./rows.ts"

/** Those that lapse as trials begin to be enforced. */
const lapsing = (sql: SqlClient.SqlClient, now: DateTime.Utc) =>
  counted(sql<{ count: number }>`
    SELECT count(*)::int AS count FROM workspaces
    WHERE (trial_ends_at IS NULL OR trial_ends_at <= ${date(now)}) AND (subscription_status IS NULL OR subscription_ends_at <= ${date(now)})
      AND (needs_charge OR greatest(trial_ends_at, subscription_ends_at) IS NOT NULL) AND deletion_id IS NULL`)

/** The first start that enforces trials writes when that was; those beside and after it read it. */
const enforcedSince = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const [row] = yield* sql<{ since: Date }>`
    UPDATE deployment SET trials_enforced_since = coalesce(trials_enforced_since, ${date(now)}::timestamptz) RETURNING trials_enforced_since AS since`
  const since = DateTime.fromDateUnsafe(row!.since)
  const workspaces = DateTime.Equivalence(since, now) ? yield* lapsing(sql, now) : 0
  if (workspaces > 0) {
    yield* Effect.logWarning("trials are enforced from now on, and workspaces without a charge lapse; a start with SVC_TRIAL=open holds that").pipe(
      Effect.annotateLogs({ workspaces, linksDownOn: DateTime.formatIso(DateTime.add(now, GRACE)) })
    )
  }
  return since
}).pipe(Effect.withSpan("Policies.enforcedSince"), Effect.orDie)

/**
 * Takes that back, for an instance that serves under `open`: not before it does, so that a start that is refused changes nothing. Where
 * instances disagree, the last one counts for starts to come: the moment only ever becomes later, so that no links go down early.
 */
export const heldOpen = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // A new database counts as enforced ever since, though nothing lapsed in it: only where somebody was told of an end is something taken back.
  const taken = yield* sql<{ told: boolean }>`
    UPDATE deployment SET trials_enforced_since = NULL WHERE trials_enforced_since IS NOT NULL RETURNING EXISTS (SELECT FROM trial_mails) AS told`
  if (taken[0]?.told === true) yield* Effect.logWarning("trials are no longer enforced: what had lapsed is back, and has thirty days once they are again")
}).pipe(Effect.orDie)

export const PoliciesKept = ({ platformAdmins, trial }: Pick<Settings, "platformAdmins" | "trial">) => {
  const policy: Effect.Effect<TrialPolicy, never, SqlClient.SqlClient> = trial === "open" ? Effect.succeed(trial) : Effect.map(enforcedSince, (since) => ({ enforcedSince: since }))
  return Layer.effect(Policies, Effect.map(policy, (trial) => ({ trial, platformAdmins })))
}
