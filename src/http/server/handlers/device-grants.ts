/** Signing a device in, over HTTP. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { DeviceGrants } from "../../../domain/device-grants/device-grants.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"
import { addressOf, TrustedHops } from "../client-address.ts"

export const DeviceGrantsHandlers = handlersOf(
  Api,
  "devices",
  Effect.fnUntraced(function*(handlers) {
    const devices = yield* DeviceGrants
    const hops = yield* TrustedHops
    const asker = Effect.gen(function*() {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      return { client: headers["user-agent"], address: yield* Effect.provideService(addressOf, TrustedHops, hops), clientId: null }
    })

    return handlers.handleAll({
      start: () => Effect.flatMap(asker, devices.start),
      poll: ({ payload }) => devices.poll(payload.device_code),
      look: ({ params }) => Caller.use(({ user }) => devices.look(user, params.user_code)),
      approve: ({ payload }) => Caller.use(({ user }) => Effect.as(devices.approve(user, payload.user_code), { status: "approved" as const })),
      deny: ({ payload }) => Caller.use(({ user }) => Effect.as(devices.deny(user, payload.user_code), { status: "denied" as const }))
    })
  })
)
