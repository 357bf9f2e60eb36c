/** What happens to a project's comments, as streams, once they are to end. */
import { Effect } from "effect"
import { assert, it } from "vitest"
import { makeCommentEvents } from "../../../src/http/edge/comment-events.ts"
import type { Exchange } from "../../../src/http/edge/exchange.ts"

it("begins no stream any more once all were ended", () => {
  const told: Array<string> = []
  const exchange = { slug: "talk", res: { once: () => {} } } as unknown as Exchange
  const events = makeCommentEvents({
    follow: () => Effect.never,
    run: () => {
      told.push("begun")
      return () => told.push("stopped")
    },
    failed: () => told.push("failed"),
    refuse: () => told.push("refused")
  })
  const at = { slug: "talk", pass: null, token: undefined }
  events.open(exchange, at)
  events.hangUp()
  events.open(exchange, at)
  assert.deepStrictEqual(told, ["begun", "stopped", "refused"])
})
