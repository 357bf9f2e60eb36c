/** `{app_url}/device`: type or see the code, see who asks, decide with a click (SPEC §4.2, CONTRACT §4). */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { DeviceGrants } from "../../domain/device-grants/device-grants.ts"
import type { NotFound, RateLimited } from "../../domain/failures.ts"
import { pageAnswer } from "./answers.ts"
import { askForCodePage, deviceApprovedPage, deviceAsksPage, deviceDeniedPage } from "./consent-pages.ts"
import { sessionForm, sessionPage } from "./session-forms.ts"

/** The page that asks for a code again, with what was wrong with this one. */
const askingAgain = Effect.catchTags({
  not_found: ({ message }: NotFound) => Effect.succeed(pageAnswer(askForCodePage(`${message} A code lasts 15 minutes and works once.`), 404)),
  rate_limited: ({ message }: RateLimited) => Effect.succeed(pageAnswer(askForCodePage(message), 429))
})

/** Opening the link, code and all, only shows. */
const Show = HttpRouter.add(
  "GET",
  "/device",
  sessionPage((user, { user_code }, csrf) =>
    Effect.gen(function*() {
      if (user_code === undefined) return pageAnswer(askForCodePage())
      const devices = yield* DeviceGrants
      return yield* devices.look(user, user_code).pipe(
        Effect.map((asks) => pageAnswer(deviceAsksPage({ ...asks, requestedAt: asks.requestedAt.epochMilliseconds, email: user.email, csrf }))),
        askingAgain
      )
    })
  )
)

const Decide = HttpRouter.add(
  "POST",
  "/device",
  sessionForm(
    ({ user_code }) => user_code === undefined ? "/device" : `/device?user_code=${encodeURIComponent(user_code)}`,
    (user, { decision, user_code = "" }) =>
      Effect.gen(function*() {
        const devices = yield* DeviceGrants
        const decided = decision === "approve"
          ? Effect.as(devices.approve(user, user_code), deviceApprovedPage())
          : Effect.as(devices.deny(user, user_code), deviceDeniedPage())
        return yield* Effect.map(decided, (shown) => pageAnswer(shown)).pipe(askingAgain)
      })
  )
)

export const DevicePage = Layer.mergeAll(Show, Decide)
