/** An upload is finished once, whenever its caller is cut off. */
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Uploads } from "../../../src/domain/uploads/uploads.ts"
import { houseWith } from "../../support/house.ts"
import { somebody } from "../../support/somebody.ts"

layer(houseWith(), { timeout: "60 seconds" })("finishing an upload", (it) => {
  it.effect("of 60 callers cut off at any moment, each has one version in the end, and none waits for a claim left behind", () =>
    Effect.gen(function*() {
      const [uploads, projects, user] = [yield* Uploads, yield* Projects, yield* somebody({ plan: "studio", trialDays: 9 })]
      for (let turn = 1; turn <= 60; turn++) {
        const { id } = yield* uploads.begin(user, { slug: "cut-off", fileName: "a.md", contentType: undefined, sizeBytes: undefined, workspace: undefined })
        yield* uploads.append(user, id, 0, new TextEncoder().encode(`# ${turn}`))
        const caller = yield* Effect.forkChild(uploads.finish(user, id, {}))
        for (let wait = 0; wait < turn; wait++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* Fiber.interrupt(caller)
        const again = yield* Effect.exit(uploads.finish(user, id, {}))
        if (Exit.isFailure(again)) assert.include(String(again), "There is no such upload")
        assert.strictEqual((yield* projects.get(user, "cut-off", false)).version, turn)
      }
    }))
})
