/** A shell's proof: for its own project and reader, for twelve hours to the millisecond, and nothing that was sealed for something else. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { isSame, ShellProofs } from "../../../src/domain/hosting/shell-proofs.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { ProjectId } from "../../../src/domain/projects/model.ts"

/** Seals that do not hide their contents. */
const Glass = Layer.succeed(Seals, Seals.of({
  seal: (purpose, value) => Effect.succeed(JSON.stringify({ purpose, value })),
  open: (purpose, sealed) =>
    Effect.sync(() => {
      const { purpose: bound, value } = sealed.startsWith("{") ? JSON.parse(sealed) : {}
      return bound === purpose ? Option.some(value) : Option.none()
    })
}))

const [mine, other] = [ProjectId.make("01890000-0000-7000-8000-000000000001"), ProjectId.make("01890000-0000-7000-8000-000000000002")]

it.effect("proves one project's shell to its reader until its time is up", () =>
  Effect.gen(function*() {
    const proofs = yield* ShellProofs
    const reader = { user: UserId.make("01890000-0000-7000-8000-00000000000a"), since: 1 }
    const proof = yield* proofs.issue(mine, reader)
    assert.deepStrictEqual(Option.getOrUndefined(yield* proofs.proven(mine, proof)), reader)
    assert.isTrue(Option.isNone(yield* proofs.proven(other, proof)))
    for (const wrong of ["", "x", proof.replace("shell", "comment"), JSON.stringify({ purpose: "shell", value: { project: mine } }), yield* proofs.nameReader(mine, reader)]) {
      assert.isTrue(Option.isNone(yield* proofs.proven(mine, wrong)), wrong)
    }
    yield* TestClock.adjust("12 hours")
    assert.isTrue(Option.isNone(yield* proofs.proven(mine, proof)))
    const next = yield* proofs.issue(mine, reader)
    yield* TestClock.adjust(12 * 3_600_000 - 1)
    assert.isTrue(Option.isSome(yield* proofs.proven(mine, next)))
  }).pipe(Effect.provide(Layer.provide(ShellProofs.layer, Glass))))

it.effect("is made for whom the cookie of the project's own host names, for as long as a session lasts", () =>
  Effect.gen(function*() {
    const proofs = yield* ShellProofs
    const reader = { user: UserId.make("01890000-0000-7000-8000-00000000000a"), since: 1 }
    const cookie = yield* proofs.nameReader(mine, reader)
    assert.deepStrictEqual(Option.getOrUndefined(yield* proofs.named(mine, cookie)), reader)
    for (const wrong of ["", "x", yield* proofs.issue(mine, reader)]) assert.isTrue(Option.isNone(yield* proofs.named(mine, wrong)))
    assert.isTrue(Option.isNone(yield* proofs.named(other, cookie)))
    yield* TestClock.adjust("30 days")
    assert.isTrue(Option.isNone(yield* proofs.named(mine, cookie)))
    assert.isTrue(isSame(reader, { ...reader }))
    assert.isFalse(isSame(reader, { ...reader, since: 2 }))
  }).pipe(Effect.provide(Layer.provide(ShellProofs.layer, Glass))))
