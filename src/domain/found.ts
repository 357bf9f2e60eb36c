/** What must be there: a program goes on with it, or fails with the refusal that says it is missing. */
import { Effect } from "effect"
import type { Option } from "effect"

export const orFail = <E>(missing: () => E) => <A, E2, R>(found: Effect.Effect<Option.Option<A>, E2, R>): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(found, (option) => Effect.fromOption(option, missing))
