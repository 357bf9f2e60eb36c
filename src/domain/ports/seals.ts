/** Values that travel through a browser and come back unread and unchanged (authenticated encryption). */
import { Context } from "effect"
import type { Effect, Option } from "effect"

export class Seals extends Context.Service<Seals, {
  /** `purpose` is bound into the seal: a value sealed for one is nothing for another. */
  readonly seal: (purpose: string, value: unknown) => Effect.Effect<string>
  /** None for anything not sealed here for this purpose, with `SVC_SECRET` or `SVC_SECRET_PREVIOUS`. */
  readonly open: (purpose: string, sealed: string) => Effect.Effect<Option.Option<unknown>>
}>()("svc/domain/ports/Seals") {}
