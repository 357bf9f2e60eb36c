/** A publish whose pack is still on its way to the disk: what it may not leave, nor hold up. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Unavailable } from "../../../src/domain/failures.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { ProjectStore } from "../../../src/domain/projects/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { Workspaces } from "../../../src/domain/workspaces/workspaces.ts"
import { houseWith } from "../../support/house.ts"

const someone = Effect.gen(function*() {
  const store = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const home = { id: WorkspaceId.make(yield* tokens.uuid), name: "Home", plan: "starter", trialEndsAt: now } as const
  yield* store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "none", home }, now)
  yield* store.verifyEmail(id, now)
  return Option.getOrThrow(yield* store.find(id))
})

const text = (body: string) => ({
  path: undefined,
  contentType: "text/plain",
  length: undefined,
  bytes: Stream.make(new TextEncoder().encode(body))
})

const stored = Packs.use((packs) => Effect.map(Stream.runCollect(packs.list), (all) => all.length))

/** Publishes whose pack is durable only when `late` says so. */
const withPacks = (late: (durable: Effect.Effect<void, Unavailable>) => Effect.Effect<void, Unavailable>) =>
  Effect.gen(function*() {
    const packs = yield* Packs
    const draft = Effect.map(packs.draft, (one) => ({
      ...one,
      begin: (...given: Parameters<typeof one.begin>) => Effect.map(one.begin(...given), (begun) => ({ ...begun, durable: late(begun.durable) }))
    }))
    return yield* Effect.provideService(Publishing.make, Packs, { ...packs, draft })
  })

layer(houseWith(), { timeout: "60 seconds" })("a publish and its pack", (it) => {
  it.effect("leave nothing where the pack fails while the transaction is open", () =>
    Effect.gen(function*() {
      const [user, projects, before] = [yield* someone, yield* ProjectStore, yield* stored]
      const failing = yield* withPacks((durable) => Effect.andThen(durable, new Unavailable({ message: "The disk is gone." })))
      const failed = yield* Effect.flip(failing.put(user, "never-durable", text("never"), {}))
      assert.strictEqual(failed._tag, "unavailable")
      assert.isTrue(Option.isNone(yield* projects.reach("never-durable", user.id)))
      const [home] = yield* Workspaces.use(({ of }) => of(user.id))
      assert.deepStrictEqual([home!.projectCount, home!.storageBytes, yield* stored], [0, 0, before])
    }))

  it.effect("lock nothing while the disk is slow, and go live once it has caught up", () =>
    Effect.gen(function*() {
      const [user, projects, before] = [yield* someone, yield* ProjectStore, yield* stored]
      const caughtUp = yield* Deferred.make<void>()
      const waits = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let waited = 0
      const slow = yield* withPacks((durable) =>
        Effect.suspend(() => Deferred.succeed(waits[waited++]!, undefined)).pipe(Effect.andThen(Deferred.await(caughtUp)), Effect.andThen(durable))
      )
      const late = yield* Effect.forkChild(slow.put(user, "late", text("late"), {}))
      yield* Deferred.await(waits[0]!)
      yield* TestClock.adjust("100 millis")
      yield* Deferred.await(waits[1]!)
      // Rolled back: the workspace is free for others, and the address is nobody's yet.
      yield* Publishing.use(({ put }) => put(user, "meanwhile", text("meanwhile"), {}))
      assert.isTrue(Option.isNone(yield* projects.reach("late", user.id)))
      yield* Deferred.succeed(caughtUp, undefined)
      const { created, project } = yield* Fiber.join(late)
      assert.deepStrictEqual([created, project.version, yield* stored], [true, 1, before + 2])
      const [home] = yield* Workspaces.use(({ of }) => of(user.id))
      assert.deepStrictEqual([home!.projectCount, home!.storageBytes], [2, "late".length + "meanwhile".length])
    }))

  it.effect("leave no pack where the publish is refused before the pack is durable", () =>
    Effect.gen(function*() {
      const [user, projects] = [yield* someone, yield* Projects]
      yield* Publishing.use(({ put }) => put(user, "taken-away", text("first"), {}))
      const before = yield* stored
      const refused = yield* withPacks((durable) => durable)
      const bytes = Stream.fromEffect(Effect.as(Effect.orDie(projects.remove(user, "taken-away")), new TextEncoder().encode("second")))
      const failed = yield* Effect.flip(refused.put(user, "taken-away", { ...text(""), bytes }, {}))
      assert.strictEqual(failed._tag, "not_found")
      assert.strictEqual(yield* stored, before)
    }))
})
