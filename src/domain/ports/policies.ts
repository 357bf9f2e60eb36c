/** The operator's decisions, from the configuration (CONTRACT §2); they stand from start to stop. */
import { Context } from "effect"
import type { TrialPolicy } from "../workspaces/model.ts"

export class Policies extends Context.Service<Policies, {
  /** Whether a trial that ends without a charge lapses, and since when. */
  readonly trial: TrialPolicy
  /** Addresses of platform administrators, in normal form. */
  readonly platformAdmins: ReadonlySet<string>
}>()("svc/domain/ports/Policies") {}
