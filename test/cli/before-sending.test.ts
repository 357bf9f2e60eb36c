/** What a command refuses before it sends anything. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { environment, within } from "../support/cli.ts"

/** Whoever sends something would find nobody there. */
const env = environment({ SVC_BASE_URL: "http://127.0.0.1:9", SVC_TOKEN: `svc_${"x".repeat(43)}` })

it.live("refuses what is not said, and what contradicts itself", () =>
  Effect.gen(function*() {
    const cases: ReadonlyArray<readonly [says: string, ...args: ReadonlyArray<string>]> = [
      ["Say what to publish.", "publish", ""],
      ["--name needs a name.", "publish", "-", "--name", ""]
    ]
    for (const [says, ...args] of cases) {
      const { answers, refusal } = yield* within(env, ...args)
      assert.include(refusal, { exit: 2, message: says }, args.join(" "))
      assert.isDefined(refusal?.next, says)
      assert.isEmpty(answers)
    }
  }))
