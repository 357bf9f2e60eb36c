/** Authenticated encryption of values that travel through a browser: it can neither read nor change them. */
import { Context, DateTime, Effect, Option } from "effect"

export class Seals extends Context.Service<Seals, {
  /** `purpose` is bound into the seal: a value sealed for one purpose does not open for another. */
  readonly seal: (purpose: string, value: unknown) => Effect.Effect<string>
  /** None for anything that was not sealed for this purpose with `SVC_SECRET` or `SVC_SECRET_PREVIOUS`. */
  readonly open: (purpose: string, sealed: string) => Effect.Effect<Option.Option<unknown>>
}>()("svc/domain/ports/Seals") {}

type Span = Partial<DateTime.DateTime.PartsForMath>

/** Whether something made at `at` (epoch milliseconds) is still within its lifetime, whose end is exclusive. */
export const isFresh = (at: number, lasts: Span, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, DateTime.add(DateTime.makeUnsafe(at), lasts))

/** Opens values that were sealed together with the time they were made; none once their lifetime is over. */
export const opensFresh = <A extends { readonly at: number }>(seals: typeof Seals.Service, decode: (opened: unknown) => Option.Option<A>, lasts: Span) =>
  (purpose: string, sealed: string, now: DateTime.Utc): Effect.Effect<Option.Option<A>> =>
    Effect.map(seals.open(purpose, sealed), (opened) => Option.filter(Option.flatMap(opened, decode), ({ at }) => isFresh(at, lasts, now)))
