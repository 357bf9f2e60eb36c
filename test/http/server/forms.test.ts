/** Reading forms: whatever they are made of, others get their turn. */
import { assert, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { formOf } from "../../../src/http/server/forms.ts"

it("lets others go on between parts that are all there already", async () => {
  const parts = Array.from({ length: 1_000 }, (_, at) => ({ key: `note ${at}`, value: "x" }))
  const request = {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    multipartStream: Stream.mapEffect(Stream.fromIterable(parts), (part) => Effect.promise(() => Promise.resolve(part)))
  } as unknown as HttpServerRequest.HttpServerRequest
  let [turns, over] = [0, false]
  const watch = () => void (over || (turns++, setImmediate(watch)))
  setImmediate(watch)
  await Effect.runPromise(formOf(request, Schema.Struct({}), {}, () => undefined)(() => Effect.void))
  over = true
  assert.isAtLeast(turns, 1_000 / 50)
})
