/** Values that travel through a browser and come back unread and unchanged (authenticated encryption). */
import { Context, DateTime, Effect, Option } from "effect"

export class Seals extends Context.Service<Seals, {
  /** `purpose` is bound into the seal: a value sealed for one is nothing for another. */
  readonly seal: (purpose: string, value: unknown) => Effect.Effect<string>
  /** None for anything not sealed here for this purpose, with `SVC_SECRET` or `SVC_SECRET_PREVIOUS`. */
  readonly open: (purpose: string, sealed: string) => Effect.Effect<Option.Option<unknown>>
}>()("svc/domain/ports/Seals") {}

type Span = Partial<DateTime.DateTime.PartsForMath>

/** Whether something made at `at`, in milliseconds, has not reached the end of its lifetime. */
export const isFresh = (at: number, lasts: Span, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, DateTime.add(DateTime.makeUnsafe(at), lasts))

/** Opens what was sealed together with the time it was made, within its lifetime. */
export const opensFresh = <A extends { readonly at: number }>(seals: typeof Seals.Service, decode: (opened: unknown) => Option.Option<A>, lasts: Span) =>
  (purpose: string, sealed: string, now: DateTime.Utc): Effect.Effect<Option.Option<A>> =>
    Effect.map(seals.open(purpose, sealed), (opened) => Option.filter(Option.flatMap(opened, decode), ({ at }) => isFresh(at, lasts, now)))
