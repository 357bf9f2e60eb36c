/** Undeliverable mails, which platform administrators can list and send again. */
import { Context, DateTime, Effect, Layer } from "effect"
import { NotFound } from "../failures.ts"
import type { Page } from "../pages.ts"
import { Atomically } from "../ports/atomically.ts"
import type { MailId } from "./model.ts"
import { DeadMailStore } from "./store.ts"

export class Mails extends Context.Service<Mails>()("svc/domain/mails/Mails", {
  make: Effect.gen(function*() {
    const store = yield* DeadMailStore
    const { atomically } = yield* Atomically

    const dead = Effect.fn("Mails.dead")((page: Page<MailId>) => store.list(page))

    const retry = Effect.fn("Mails.retry")(
      function*(id: MailId) {
        if (!(yield* store.revive(id, yield* DateTime.now))) return yield* new NotFound({ message: "There is no such undeliverable mail." })
      },
      atomically
    )

    return { dead, retry }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
