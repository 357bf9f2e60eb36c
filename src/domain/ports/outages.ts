/** Tells a database that is away, for which everybody can only wait, and what others hold, for which one tries again, from a mistake of ours. */
import { Context, Effect } from "effect"
import type { Cause } from "effect"

export interface Outage {
  /** `busy`: others held what it waited for, and nothing of its transaction was kept. */
  readonly what: "away" | "busy"
  /** Why, without any data: whether it is gone, full or out of connections, or what was waited for. */
  readonly code: string
}

export class Outages extends Context.Service<Outages, {
  /** Undefined where it is neither. */
  readonly outageIn: (cause: Cause.Cause<unknown>) => Outage | undefined
}>()("svc/domain/ports/Outages") {}

/** What the log says of one. */
export const logOutage = ({ code, what }: Outage) =>
  Effect.annotateLogs(Effect.logWarning(what === "busy" ? "waited too long for others" : "database away"), { code })
