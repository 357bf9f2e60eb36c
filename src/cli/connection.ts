/** The service to talk to: its address, the token for it, and the typed client made from the contract. */
import { hostname, platform } from "node:os"
import { Context, Effect, Layer, Option } from "effect"
import { API_VERSION } from "../http/contract/version.ts"
import type { Client } from "./client.ts"
import { DEFAULT_BASE, NONE, readCredentials, TOKEN } from "./credentials.ts"
import { Output } from "./output.ts"
import { offline, Refusal, unknownAnswer, usage } from "./refusal.ts"
import { exchange, requestLine, SourceBroken } from "./transport.ts"
import type { Got, Sent } from "./transport.ts"

export const USER_AGENT = `svc/${API_VERSION} (${hostname().replaceAll(/[^\w.-]/g, "")}, ${platform()})`

export const present = (name: string): string | undefined => process.env[name] === "" ? undefined : process.env[name]

export const baseOf = (text: string): Effect.Effect<string, Refusal> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url === undefined || !/^https?:$/.test(url.protocol)
    ? Effect.fail(usage(`"${text}" is not the address of a service.`, "Such as https://svc.example.com"))
    : Effect.succeed(url.origin + url.pathname.replace(/\/+$/, ""))
}

/** A token read from a file may end in a newline. */
const lentToken = Effect.suspend(() => {
  const token = present("SVC_TOKEN")?.trim()
  return token === undefined || TOKEN.test(token)
    ? Effect.succeed(token)
    : Effect.fail(new Refusal({ exit: 3, code: "auth_required", message: "SVC_TOKEN holds no token: a token is one word of plain letters.", next: "unset SVC_TOKEN, then: svc login" }))
})

const signInFirst = (base: string) =>
  new Refusal({ exit: 3, code: "auth_required", message: `You are not signed in to ${base}.`, next: "svc login" })

export class Connection extends Context.Service<Connection, {
  readonly base: string
  /** Fails if the credentials file is broken, which stops only commands that need a token. */
  readonly token: Effect.Effect<Option.Option<string>, Refusal>
  /** Whether the token comes from SVC_TOKEN and is not saved on this machine. */
  readonly lent: boolean
  /** Fails if nobody is signed in. */
  readonly client: Effect.Effect<Client, Refusal>
  /** The same; each request goes on by itself when it breaks off, so it must be one that may arrive twice: a POST has a key. */
  readonly patient: Effect.Effect<Client, Refusal>
  /** With a token that is not saved yet, or with none. */
  readonly clientFor: (base: string, token: string | undefined, patiently?: boolean) => Effect.Effect<Client>
  /** One raw request with the token; returns answers of any status. */
  readonly send: (path: string, sent: Sent) => Effect.Effect<Got, Refusal | TransportBroken>
}>()("svc/cli/Connection") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function*() {
      const output = yield* Output
      const lent = present("SVC_TOKEN") !== undefined
      const named = present("SVC_BASE_URL")
      const kept = lent && named !== undefined ? Effect.succeed(NONE) : yield* Effect.map(Effect.result(readCredentials), Effect.fromResult)
      const base = yield* baseOf(named ?? (yield* Effect.orElseSucceed(kept, () => NONE)).current ?? DEFAULT_BASE)
      // If the address is unknown because the credentials cannot be read, SVC_TOKEN is sent nowhere.
      const token = Effect.flatMap(kept, ({ services }) => Effect.map(lentToken, (given) => Option.fromUndefinedOr(given ?? services[base]?.token)))
      const told = output.verbose ? output.aside : () => Effect.void
      const clientFor = Effect.fnUntraced(function*(of: string, bearer: string | undefined, patiently = false) {
        const { connect, overSockets, patient } = yield* Effect.promise(() => import("./client.ts"))
        const sockets = overSockets(USER_AGENT, told)
        return connect(of, bearer, patiently ? yield* patient(sockets) : sockets)
      }, Effect.provideService(Output, output))
      const held = Effect.flatMap(token, Option.match({ onNone: () => Effect.fail(signInFirst(base)), onSome: Effect.succeed }))

      const send = Effect.fnUntraced(function*(path: string, sent: Sent) {
        const bearer = yield* held
        const began = Date.now()
        const headers = { "user-agent": USER_AGENT, authorization: `Bearer ${bearer}`, ...sent.headers }
        const got = yield* Effect.tryPromise({
          try: (signal) => exchange(new URL(base + path), { ...sent, headers, signal }),
          catch: (cause) =>
            cause instanceof SourceBroken
              ? cause.cause instanceof Refusal ? cause.cause : new Refusal({ exit: 1, code: "source", message: `The files changed or could not be read: ${cause.message}`, next: "Run it again." })
              : new TransportBroken(offline(new URL(base), cause), cause)
        })
        yield* told(requestLine(sent.method, path, got, began))
        return got
      })

      return {
        base,
        token,
        lent,
        clientFor,
        client: Effect.flatMap(held, (bearer) => clientFor(base, bearer)),
        patient: Effect.flatMap(held, (bearer) => clientFor(base, bearer, true)),
        send
      }
    })
  )
}

/** The client of whoever is signed in; fails if nobody is. */
export const signedIn = Connection.use(({ client }) => client)

/** The same for what may arrive twice: questions, and what the service does once under a key. */
export const signedInPatiently = Connection.use(({ patient }) => patient)

/** Whose the token is, and their workspaces. The contract has another answer for viewers in a reader's browser, which no command line gets. */
export const accountOf = (client: Client) =>
  Effect.filterOrFail(client.account.me(), (me) => "workspaces" in me, () => unknownAnswer())

/** No answer came: trying again may help. */
export class TransportBroken {
  readonly _tag = "TransportBroken"
  readonly refusal: Refusal
  readonly cause: unknown
  constructor(refusal: Refusal, cause: unknown) {
    this.refusal = refusal
    this.cause = cause
  }
}
