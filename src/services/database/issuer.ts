/** Whose subjects the links of accounts name: a subject is unique only within its issuer, so links to another provider than the configured one count as none. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

export class Issuer extends Context.Service<Issuer, {
  /** As links name it: null for the first that this deployment was configured with. */
  readonly named: string | null
  /** Whether the account `u` is linked to it. */
  readonly isLinked: Fragment
}>()("svc/services/database/Issuer") {}

/** What stands for the first where nobody was configured: whose the links of before are is unknown, so they are no later provider's. */
const NOBODY = ""

/**
 * `issuer` as it is configured, if it is; in one form, as the discovery compares it with what the provider calls itself. `signsIn`:
 * whether people sign in at this instance; another may do without the setting.
 */
export const IssuerSql = (issuer: string | undefined, signsIn = true) =>
  Layer.effect(
    Issuer,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const href = issuer === undefined ? NOBODY : new URL(issuer).href
      if (signsIn) yield* sql`UPDATE deployment SET idp_issuer = ${href} WHERE idp_issuer IS NULL`
      if (issuer === undefined) return Issuer.of({ named: null, isLinked: sql.literal("false") })
      const first = yield* sql`SELECT 1 FROM deployment WHERE idp_issuer = ${href}`
      const named = first.length > 0 ? null : href
      return Issuer.of({ named, isLinked: sql`(u.idp_sub IS NOT NULL AND u.idp_issuer IS NOT DISTINCT FROM ${named})` })
    }).pipe(Effect.orDie)
  )
