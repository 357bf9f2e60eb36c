/** A shell's proof: for its own project, for twelve hours to the millisecond, and nothing that was sealed for something else. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { ShellProofs } from "../../../src/domain/hosting/shell-proofs.ts"
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

it.effect("proves one project's shell until its time is up", () =>
  Effect.gen(function*() {
    const proofs = yield* ShellProofs
    const proof = yield* proofs.issue(mine)
    assert.isTrue(yield* proofs.proves(mine, proof))
    assert.isFalse(yield* proofs.proves(other, proof))
    for (const wrong of ["", "x", proof.replace("shell", "comment"), JSON.stringify({ purpose: "shell", value: { project: mine } })]) {
      assert.isFalse(yield* proofs.proves(mine, wrong), wrong)
    }
    yield* TestClock.adjust("12 hours")
    assert.isFalse(yield* proofs.proves(mine, proof))
    const next = yield* proofs.issue(mine)
    yield* TestClock.adjust(12 * 3_600_000 - 1)
    assert.isTrue(yield* proofs.proves(mine, next))
  }).pipe(Effect.provide(Layer.provide(ShellProofs.layer, Glass))))
