/** Tells a database that is away, for which everybody can only wait, from a mistake of ours. */
import { Context } from "effect"
import type { Cause } from "effect"

export class Outages extends Context.Service<Outages, {
  readonly isAway: (cause: Cause.Cause<unknown>) => boolean
  /** Whether it is gone, full or out of connections, as a code that holds no data; undefined where it is not away. */
  readonly codeIn: (cause: Cause.Cause<unknown>) => string | undefined
}>()("svc/domain/ports/Outages") {}
