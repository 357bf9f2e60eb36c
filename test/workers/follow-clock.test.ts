/**
 * Scheduled work and waiting mails continue after the clock was a year ahead and is set back, both while it runs and between two
 * starts; and a timetable whose last turn scheduled no other.
 */
import { Clock, Cron, Duration, Effect, Layer } from "effect"
import { ClusterCron } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { assert, beforeEach, it } from "vitest"
import { JobsEmbedded } from "../../src/services/jobs/engine.ts"
import { FollowClock } from "../../src/workers/follow-clock.ts"
import { freshDatabase } from "../support/database.ts"

const YEAR = Duration.toMillis("365 days")
const DAY = Duration.toMillis("1 day")
const FIVE_MINUTES = Duration.toMillis("5 minutes")

let [ahead, turns] = [0, 0]
beforeEach(() => void ([ahead, turns] = [0, 0]))

const statement = (text: string) => SqlClient.SqlClient.use((sql) => sql<{ at: number }>`${sql.literal(text)}`)

/** Once a day, half a day from now: today's turn is taken with the clock a year ahead, and then the next turn is a year away. */
const Turns = ClusterCron.make({
  name: "turns",
  cron: Cron.parseUnsafe(`0 0 ${(new Date().getUTCHours() + 12) % 24} * * *`, "UTC"),
  execute: Effect.sync(() => void turns++)
})

const working = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, Turns.pipe(Layer.provideMerge(FollowClock), Layer.provide(JobsEmbedded), Layer.fresh))

/** Until every turn that is not taken is between `from` and `to` milliseconds after now, by the right clock. */
const waits = (from: number, to: number) =>
  Effect.sleep("20 millis").pipe(
    Effect.andThen(statement("SELECT deliver_at::float8 AS at FROM cluster_messages WHERE entity_type = 'ClusterCron/turns' AND NOT processed")),
    Effect.map((rows) => rows.map(({ at }) => at - Date.now())),
    Effect.repeat({ until: (all) => all.length > 0 && all.every((ms) => ms > from && ms <= to) })
  )

/** With the database of its own and a clock that is `ahead`. */
const run = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  program.pipe(
    Effect.provide(freshDatabase),
    Effect.updateService(Clock.Clock, (clock) =>
      Object.assign(Object.create(clock) as typeof clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + ahead)
      })),
    Effect.scoped,
    Effect.runPromise
  )

it("has its next turn soon, not in a year, and takes the turn of today that was taken a year ahead", () => {
  const mailWaits = SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM mails WHERE next_try_at > ${new Date()}`)
  const wrong = Effect.andThen(Effect.sync(() => (ahead = YEAR)), Effect.andThen(waits(YEAR - DAY, YEAR + DAY), Effect.sleep("200 millis")))
  const right = Effect.andThen(Effect.sync(() => (ahead = 0)), waits(0, DAY))

  return run(Effect.gen(function*() {
    yield* working(Effect.gen(function*() {
      yield* waits(0, DAY)
      yield* wrong
      assert.strictEqual(turns, 0, "a turn that is a year late is none")
      const enqueued = new Date(Date.now() + YEAR)
      yield* SqlClient.SqlClient.use((sql) =>
        sql`INSERT INTO mails (id, kind, enqueued_at, next_try_at) VALUES (gen_random_uuid(), 'MagicLink', ${enqueued}, ${enqueued})`)
      assert.lengthOf(yield* mailWaits, 1)
      yield* right
      assert.lengthOf(yield* mailWaits, 0)
      assert.strictEqual(turns, 1)
      yield* wrong
    }))
    ahead = 0
    yield* working(waits(0, DAY))
  }))
})

it("goes on where the last turn scheduled no other: at its time, or at once where that is over", () =>
  run(working(Effect.gen(function*() {
    // As if what was taken up by the wrong clock had ended by the right one: the turn after it was itself.
    const ends = statement("UPDATE cluster_messages SET processed = TRUE WHERE entity_type = 'ClusterCron/turns'")
    yield* waits(0, DAY)
    yield* ends
    ahead = FIVE_MINUTES
    yield* waits(0, DAY)
    assert.strictEqual(turns, 0)

    yield* ends
    ahead = DAY
    yield* waits(DAY, 2 * DAY)
    assert.strictEqual(turns, 1)
  }))))
