/**
 * Signing in by the device flow (CONTRACT §4): (1) codes, shown with the address, (2) a click in any browser, on any
 * machine, (3) a poll at the given interval gets the token, (4) which is saved at once, since it is told only once.
 */
import { DateTime, Duration, Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { browse } from "../browser.ts"
import type { Client } from "../client.ts"
import { baseOf, Connection } from "../connection.ts"
import { changeCredentials, readCredentials } from "../credentials.ts"
import { done, Output } from "../output.ts"
import { fromEnvelope, Refusal, refusalOf, refused } from "../refusal.ts"
import { plain } from "../table.ts"
import { span } from "../words.ts"
import { revoke } from "./account.ts"

/** Nobody can have typed the code sooner. */
const FIRST_POLL = Duration.seconds(2)

const ranOut = refused("The code has run out. Nobody approved it in time.", "svc login")

/** The token is told once: the answer that is missing may have held it. */
const lost = (base: string) =>
  refused("The code is of no use any more. If it was approved, its token was lost on the way and still works.", `Revoke it at ${base}/account/connections, then: svc login`)

/** While the service, or what stands in front of it, does not answer as it should, it is polled less often (RFC 8628 §3.5), until the code expires. */
const poll = Effect.fnUntraced(function*(client: Client, base: string, codes: { readonly deviceCode: string; readonly expiresIn: number; readonly interval: number }) {
  const until = DateTime.add(yield* DateTime.now, { seconds: codes.expiresIn })
  const { aside } = yield* Output
  let said = false
  const waitOut = Effect.fnUntraced(function*<E>(failure: E) {
    if (!DateTime.isLessThan(yield* DateTime.now, until)) return yield* Effect.fail(failure)
    if (!said) yield* aside("The service does not answer just now. Asking again …")
    said = true
    return yield* wait(2 * codes.interval)
  })
  const wait = (seconds: number) => Effect.as(Effect.sleep(Duration.seconds(seconds)), undefined)
  yield* Effect.sleep(FIRST_POLL)
  for (;;) {
    const token = yield* client.devices.poll({ payload: { device_code: codes.deviceCode } }).pipe(
      Effect.flatMap((answer) => answer.status === "approved" ? Effect.succeed(answer.token) : wait(codes.interval)),
      Effect.catchTag("rate_limited", ({ details }) => wait(Number(details["retry_after_seconds"] ?? codes.interval))),
      Effect.catchTag("HttpClientError", waitOut),
      // An answer of some other kind, such as the page of a network that wants a sign-in.
      Effect.catchIf((failure) => failure instanceof Refusal, waitOut),
      Effect.catchTag("device_denied", (failure) => Effect.fail(fromEnvelope({ ...failure, code: failure._tag, message: "The request was denied in the browser." }))),
      Effect.catchTag("invalid_token", () => Effect.fail(said ? lost(base) : ranOut))
    )
    if (token !== undefined) return token
  }
})

export const login = Command.make(
  "login",
  {
    address: Argument.String("address").pipe(
      Argument.withDescription("The service’s address"),
      Argument.optional,
      Argument.map(Option.getOrUndefined)
    ),
    browser: Flag.Boolean("browser").pipe(Flag.withDescription("Open the page in a browser; --no-browser only prints it"), Flag.withDefault(true))
  },
  Effect.fnUntraced(function*({ address, browser }) {
    const output = yield* Output
    const connection = yield* Connection
    const base = address === undefined ? connection.base : yield* baseOf(address)
    // Broken credentials could not be added to, which is better reported before anybody approves anything.
    yield* readCredentials
    const anonymous = yield* connection.clientFor(base, undefined)
    const codes = yield* anonymous.devices.start()
    const { deviceCode: _, ...shown } = codes
    yield* output.event("code", shown)
    const { bold, dim } = output.asidePaint
    yield* output.aside(`Open   ${bold(plain(codes.verificationUrl))}\nEnter  ${bold(plain(codes.userCode))}\n`)
    if (browser && output.asks && (yield* browse(codes.verificationUrlComplete))) yield* output.aside(dim("It is open in your browser."))
    yield* output.aside(dim(`Waiting for you to approve it there, for ${span(codes.expiresIn)}.`))

    const token = yield* poll(anonymous, base, codes)
    const kept = yield* changeCredentials(({ services }) => ({ current: base, services: { ...services, [base]: { token, email: "" } } })).pipe(
      Effect.tapError(() => Effect.ignore(revoke(base, token)))
    )
    // Otherwise the replaced token would be lost and stay valid.
    const former = kept.services[base]?.token
    if (former !== undefined && former !== token) yield* Effect.ignore(revoke(base, former))
    const me = yield* Effect.result((yield* connection.clientFor(base, token, true)).account.me())
    if (Result.isFailure(me)) yield* output.aside(`Whose sign-in it is cannot be told just now: ${(yield* refusalOf(me.failure)).message}`)
    const { email, name } = Result.isSuccess(me) ? me.success.user : { email: null, name: null }
    if (email !== null) {
      // Unless another sign-in has taken its place meanwhile.
      yield* changeCredentials((kept) => kept.services[base]?.token === token ? { ...kept, services: { ...kept.services, [base]: { token, email } } } : kept)
    }
    if (output.json) return yield* output.event("signed_in", { base, name, email, at: yield* DateTime.now })
    yield* output.answer({}, (paint) => done(paint, `Signed in to ${base}${email === null ? "" : ` as ${email}`}.`))
    if (connection.lent) yield* output.aside("SVC_TOKEN is set and takes precedence: unset it to use this sign-in.")
  })
).pipe(Command.withDescription("Sign in: a code here, a click in any browser"), Command.withExamples([
  { command: "svc login", description: "The service you used last, or the one on this machine" },
  { command: "svc login https://svc.example.com", description: "Another service; it stays the one commands go to" }
]))
