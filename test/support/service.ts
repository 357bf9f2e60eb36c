/** A whole service on a database and a data folder of its own, listening on a real port: what the wire tests talk to. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, DateTime, Effect, Layer, Logger } from "effect"
import type { SqlClient } from "effect/sql"
import { UserId } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { ApiTokens } from "../../src/domain/api-tokens/api-tokens.ts"
import { Passwords } from "../../src/domain/ports/passwords.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { Patience } from "../../src/domain/renderings/renderings.ts"
import { WorkspaceId } from "../../src/domain/workspaces/model.ts"
import type { Plan } from "../../src/domain/workspaces/model.ts"
import { Taking } from "../../src/http/edge/comments/comment-events.ts"
import { loadConfig } from "../../src/services/config.ts"
import { HashPatience } from "../../src/services/crypto/passwords.ts"
import { Jobs } from "../../src/services/live.ts"
import { House, listen, ServerFacts, Workers } from "../../src/serving.ts"
import { ask } from "./ask.ts"
import type { Answer, Question } from "./ask.ts"
import { freshDatabaseFacts, outage, patientClient } from "./database.ts"
import { cheapHashes } from "./house.ts"
import { freePort } from "./program.ts"

export interface Account {
  readonly id: UserId
  readonly email: string
  readonly password: string
  readonly workspaceId: WorkspaceId
  readonly token: string
  /** The header that a bearer of this account sends. */
  readonly bearer: { readonly authorization: string }
}

export interface AccountOptions {
  readonly email?: string
  readonly verified?: boolean
  readonly plan?: Plan
  /** Days until the trial ends; negative if it has ended. */
  readonly trialDays?: number
}

type Everything = Layer.Success<ReturnType<typeof House>>

export class Service extends Context.Service<Service, {
  readonly port: number
  readonly dataDir: string
  readonly ask: (path: string, question?: Question) => Effect.Effect<Answer>
  /** An account made beneath the API, so that tests of other things can start from one. */
  readonly account: (options?: AccountOptions) => Effect.Effect<Account>
  /** Takes the database away, and gives it back. */
  readonly database: { readonly away: Effect.Effect<unknown>; readonly back: Effect.Effect<unknown> }
  /** Runs a program against the service's own parts. */
  readonly inside: <A, E>(program: Effect.Effect<A, E, Everything | SqlClient.SqlClient>) => Effect.Effect<A, E>
}>()("test/Service") {}

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-wire-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

export const PASSWORD = "correct horse battery staple"

let kept: string | undefined

/** One hash for every account of all test files of a worker. */
const hashed = Effect.gen(function*() {
  return kept ??= yield* Passwords.use((passwords) => passwords.hash(PASSWORD, "test").pipe(Effect.orDie))
})

const make = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const dataDir = yield* temporaryFolder
    const port = yield* Effect.promise(freePort)
    const settings = yield* loadConfig({ SVC_PORT: String(port), SVC_DATA_DIR: dataDir, ...environment })
    // So that pages show the same on a busy machine, and nobody is sent away there or taken for gone.
    const context = yield* Layer.build(House(settings, patientClient(facts), Jobs(settings))).pipe(
      Effect.provideService(Patience, "1 minute"),
      Effect.provideService(HashPatience, "5 minutes"),
      Effect.provide(cheapHashes)
    )
    yield* listen(settings).pipe(Effect.provideService(Taking, "5 minutes"), Effect.provide(ServerFacts(settings)), Effect.provideContext(context))
    yield* Layer.build(Workers).pipe(Effect.provideContext(context))

    const inside = <A, E>(program: Effect.Effect<A, E, Everything | SqlClient.SqlClient>) =>
      Effect.provideContext(program, context as Context.Context<Everything | SqlClient.SqlClient>)

    const passwordHash = yield* inside(hashed)
    let made = 0

    const account = ({ email, plan = "studio", trialDays = 7, verified = true }: AccountOptions = {}) =>
      inside(Effect.gen(function*() {
        const store = yield* AccountStore
        const tokens = yield* Tokens
        const now = yield* DateTime.now
        const id = UserId.make(yield* tokens.uuid)
        const workspaceId = WorkspaceId.make(yield* tokens.uuid)
        const address = email ?? `person-${++made}@example.com`
        const home = { id: workspaceId, name: "Home", plan, trialEndsAt: DateTime.add(now, { days: trialDays }) }
        yield* store.create({ id, email: address, name: "Ada Example", passwordHash, home }, now)
        if (verified) yield* store.verifyEmail(id, now)
        const { token } = yield* (yield* ApiTokens).create(id, "test")
        return { id, email: address, password: PASSWORD, workspaceId, token, bearer: { authorization: `Bearer ${token}` } }
      }))

    return Service.of({
      port,
      dataDir,
      account,
      inside,
      database: outage(facts),
      ask: (path, question) => Effect.promise(() => ask(port, path, question))
    })
  })

/** Quiet unless SVC_TEST_LOG is set. */
const Logs = process.env["SVC_TEST_LOG"] === undefined ? Logger.layer([]) : Logger.layer([Logger.consolePretty()])

export const serviceWith = (environment: Readonly<Record<string, string>> = {}) =>
  Layer.effect(Service, make(environment)).pipe(Layer.provide(Logs), Layer.orDie)
