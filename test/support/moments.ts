/** Runs programs at given moments, people who sign up then, and what waits in the outbox: for lives longer than a test. */
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/domain/accounts/accounts.ts"
import type { User } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import type { Mail } from "../../src/domain/ports/mailer.ts"
import { Seals } from "../../src/domain/ports/seals.ts"
import { Publishing } from "../../src/domain/projects/publishing.ts"
import { Workspaces } from "../../src/domain/workspaces/workspaces.ts"
import { PASSWORD } from "./service.ts"

export const DAY = 86_400_000

/** Runs with a clock fixed at this moment: to advance a test clock would also run every pause of the connections on the way. */
export const at = <A, E, R>(millis: number, program: Effect.Effect<A, E, R>) =>
  Effect.updateService(program, Clock.Clock, (clock) =>
    Object.assign(Object.create(clock) as typeof clock, { currentTimeMillis: Effect.succeed(millis), currentTimeMillisUnsafe: () => millis }))

/** The mails that wait for this address, oldest first: nothing delivers them here. */
export const mailsTo = Effect.fnUntraced(function*(to: string) {
  const seals = yield* Seals
  const rows = yield* SqlClient.SqlClient.use((sql) => sql<{ sealed: string }>`SELECT sealed FROM mails ORDER BY enqueued_at, id`)
  const mails = yield* Effect.forEach(rows, (row) => seals.open("mail", row.sealed))
  return mails.flatMap((mail) => Option.toArray(mail) as ReadonlyArray<Mail>).filter((mail) => mail.to === to)
})

export const signedUp = Effect.fnUntraced(function*(email: string) {
  const accounts = yield* Accounts
  yield* accounts.signup({ email, password: PASSWORD, name: undefined }, `address of ${email}`)
  const [mail] = yield* mailsTo(email)
  if (mail?._tag !== "VerifyEmail") return yield* Effect.die(new Error(`No letter proves ${email}`))
  yield* accounts.verifyEmail(mail.token)
  const { user } = Option.getOrThrow(yield* AccountStore.use((store) => store.byEmail(email)))
  const [home] = yield* Workspaces.use((workspaces) => workspaces.of(user.id))
  return { user, workspace: home!.id }
})

/** A body in one piece. */
export const bytesOf = (text: string): AsyncIterable<Uint8Array> => ({
  async *[Symbol.asyncIterator]() {
    yield new TextEncoder().encode(text)
  }
})

export const publish = (user: User, slug: string, text = "<h1>Hello</h1>") =>
  Publishing.use((publishing) => publishing.put(user, slug, { path: undefined, contentType: "text/html", length: undefined, bytes: bytesOf(text) }, {}))
