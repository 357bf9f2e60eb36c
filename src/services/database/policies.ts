/** The operator's policies: as configured, and since when trials are enforced, which PostgreSQL keeps from start to start. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Policies } from "../../domain/ports/policies.ts"
import type { TrialPolicy, TrialSetting } from "../../domain/workspaces/model.ts"
import { GRACE } from "../../domain/workspaces/rules.ts"
import type { Settings } from "../config.ts"
import { counted, date, instant } from "./rows.ts"

/** Those that lapse as trials begin to be enforced. */
const lapsing = (sql: SqlClient.SqlClient, now: DateTime.Utc) =>
  counted(sql<{ count: number }>`
    SELECT count(*)::int AS count FROM workspaces
    WHERE (trial_ends_at IS NULL OR trial_ends_at <= ${date(now)}) AND (subscription_status IS NULL OR subscription_ends_at <= ${date(now)})
      AND (needs_charge OR greatest(trial_ends_at, subscription_ends_at) IS NOT NULL) AND deletion_id IS NULL`)

/**
 * The first start that enforces trials writes when that was, those beside and after it read it, and one under `open` takes it back. Where
 * starts disagree, the last one counts for those to come: the moment only ever becomes later, so that no links go down early.
 */
const trialPolicy = Effect.fn("Policies.trial")(function*(trial: TrialSetting) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const [row] = yield* sql<{ since: Date | null }>`
    UPDATE deployment SET trials_enforced_since = CASE WHEN ${trial === "enforced"}::boolean THEN coalesce(trials_enforced_since, ${date(now)}::timestamptz) END
    RETURNING trials_enforced_since AS since`
  const enforcedSince = instant(row!.since)
  if (enforcedSince === null) return "open" satisfies TrialPolicy
  const workspaces = DateTime.Equivalence(enforcedSince, now) ? yield* lapsing(sql, now) : 0
  if (workspaces > 0) {
    yield* Effect.logWarning("trials are enforced from now on, and workspaces without a charge lapse; a start with SVC_TRIAL=open holds that").pipe(
      Effect.annotateLogs({ workspaces, linksDownOn: DateTime.formatIso(DateTime.add(now, GRACE)) })
    )
  }
  return { enforcedSince } satisfies TrialPolicy
}, Effect.orDie)

export const PoliciesKept = ({ platformAdmins, trial }: Pick<Settings, "platformAdmins" | "trial">) =>
  Layer.effect(Policies, Effect.map(trialPolicy(trial), (policy) => ({ trial: policy, platformAdmins })))
