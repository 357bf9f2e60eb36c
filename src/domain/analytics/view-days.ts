/** The daily partitions of views: made ahead, and dropped whole when their retention ends. */
import { Context, DateTime, Effect, Layer } from "effect"
import { dayAt } from "../days.ts"
import * as Rules from "./rules.ts"
import { ViewStore } from "./store.ts"

export class ViewDays extends Context.Service<ViewDays>()("svc/domain/analytics/ViewDays", {
  make: Effect.gen(function*() {
    const store = yield* ViewStore

    const makeRoom = Effect.fn("ViewDays.makeRoom")(function*() {
      const today = dayAt(yield* DateTime.now)
      yield* store.makeRoom(Array.from({ length: Rules.DAYS_AHEAD }, (_, index) => today + index))
    })

    /** Keys go first: without its key, a day's visitors cannot be recognised. */
    const forget = Effect.fn("ViewDays.forget")(function*() {
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      return yield* store.forget({ readers: Rules.lastForgotten(now), views: Rules.lastDropped(now) })
    })

    return { makeRoom, forget }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
