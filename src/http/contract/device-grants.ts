/** Signing a device in (SPEC §4.2, CONTRACT §4). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DeviceDenied, InvalidToken, NotFound, RateLimited } from "../../domain/failures.ts"
import { annotate } from "./annotations.ts"
import { SessionOnly } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Secret, Timestamp, wire } from "./wire.ts"

const DeviceCodesView = wire({
  deviceCode: Schema.String.annotate({ description: "The device’s secret: polls carry it" }),
  userCode: Schema.String.annotate({ description: "What the person types, XXXXX-XXXX; case and dash do not matter" }),
  verificationUrl: Schema.String,
  verificationUrlComplete: Schema.String.annotate({ description: "The same page with the code filled in. It still needs a click." }),
  interval: Schema.Int.annotate({ description: "Seconds between polls" }),
  expiresIn: Schema.Int.annotate({ description: "Seconds until the codes are void" })
}).annotate({ identifier: "DeviceCodes" })

const PolledView = Schema.Union([
  Schema.Struct({ status: Schema.Literal("approved"), token: Schema.String.annotate({ description: "An API token. Shown this once." }) }),
  Schema.Struct({ status: Schema.Literal("pending") })
]).annotate({ identifier: "DevicePoll" })

const DeviceRequestView = wire({
  userCode: Schema.String,
  client: Schema.String.annotate({ description: "What is asking, as it calls itself" }),
  address: Schema.String.annotate({ description: "The address it asked from" }),
  requestedAt: Timestamp,
  expiresAt: Timestamp
}).annotate({ identifier: "DeviceRequest" })

const UserCode = Schema.String.check(
  Schema.makeFilter((text) => text.length >= 1 && text.length <= 64, { message: "Between 1 and 64 characters." })
)

const code = Schema.Struct({ user_code: UserCode })
const limited = refusal(RateLimited, 429)
const unknown = refusal(NotFound, 404)

export class DeviceGrantsContract extends HttpApiGroup.make("devices")
  .add(
    HttpApiEndpoint.get("look", "/device/:user_code", { params: code, success: DeviceRequestView, error: [unknown, limited] })
      .annotateMerge(annotate("See which device asks", "For the page that approves: only while the request waits for an answer.")),
    HttpApiEndpoint.post("approve", "/device/approve", {
      payload: code,
      success: Schema.Struct({ status: Schema.Literal("approved") }),
      error: [unknown, limited]
    }).annotateMerge(annotate("Let a device in", "In a session only. The device gets an API token. A mail tells the owner of the account, where its address is verified.")),
    HttpApiEndpoint.post("deny", "/device/deny", {
      payload: code,
      success: Schema.Struct({ status: Schema.Literal("denied") }),
      error: [unknown, limited]
    }).annotateMerge(annotate("Turn a device away", "In a session only."))
  )
  .middleware(SessionOnly)
  .add(
    HttpApiEndpoint.post("start", "/device", { success: DeviceCodesView, error: limited })
      .annotateMerge(annotate("Start signing a device in", "Show the person the code and the address, then poll.")),
    HttpApiEndpoint.post("poll", "/device/token", {
      payload: Schema.Struct({ device_code: Secret }),
      success: PolledView,
      error: [refusal(DeviceDenied, 400), refusal(InvalidToken, 401), limited]
    }).annotateMerge(annotate(
      "Ask whether the device was let in",
      "Once every `interval` seconds while nobody has answered. The first poll after the approval gets the token, no other."
    ))
  )
  .prefix("/v1/auth")
  .annotateMerge(OpenApi.annotations({ title: "Devices", description: "How a command line signs in: codes here, a click in the browser." }))
{}
