/** A demo account with a token and a published sample, for an empty embedded database and for development. */
import { DateTime, Effect, Stream } from "effect"
import { UserId } from "../domain/accounts/model.ts"
import * as Rules from "../domain/accounts/rules.ts"
import { AccountStore } from "../domain/accounts/store.ts"
import { ApiTokens } from "../domain/api-tokens/api-tokens.ts"
import { SlugTaken, Unavailable } from "../domain/failures.ts"
import { Addresses } from "../domain/ports/addresses.ts"
import { Passwords } from "../domain/ports/passwords.ts"
import { Tokens } from "../domain/ports/tokens.ts"
import { doorcodeFrom } from "../domain/projects/doorcodes.ts"
import { Publishing } from "../domain/projects/publishing.ts"
import { arrived } from "../domain/projects/receiving.ts"
import type { Incoming } from "../domain/projects/receiving.ts"
import { WorkspaceId } from "../domain/workspaces/model.ts"

export const EMAIL = "demo@example.com"
const NAME = "Dana Demo"
const SLUG = "q3-report"

interface SampleFile {
  readonly path: string
  readonly content: string | Uint8Array
}

const fileOf = ({ content, path }: SampleFile): Incoming => ({
  path,
  contentType: undefined,
  length: undefined,
  bytes: Stream.succeed(typeof content === "string" ? new TextEncoder().encode(content) : content)
})

/** Null if the demo account exists already: its password and token are shown only once, and so also where storage takes no sample yet. */
export const seed = Effect.fn("seed")(function*(sample: ReadonlyArray<SampleFile>) {
  const accounts = yield* AccountStore
  const tokens = yield* Tokens
  const apiTokens = yield* ApiTokens
  const publishing = yield* Publishing
  const { projectUrl } = yield* Addresses
  const now = yield* DateTime.now

  const password = doorcodeFrom(yield* tokens.random(16))
  const id = UserId.make(yield* tokens.uuid)
  const home = Rules.home(WorkspaceId.make(yield* tokens.uuid), NAME, now)
  const passwordHash = yield* (yield* Passwords).hash(password, "seed").pipe(Effect.orDie)
  if (!(yield* accounts.create({ id, email: EMAIL, name: NAME, passwordHash, home }, now))) return null
  yield* accounts.verifyEmail(id, now)
  const user = yield* Effect.flatMap(accounts.find(id), Effect.fromOption).pipe(Effect.orDie)
  const { token } = yield* apiTokens.create(id, "demo")
  const publish = (settings: { readonly slug?: string }) => publishing.create(user, arrived(sample.map(fileOf), settings))
  // Somebody else may have taken the address: any other will do.
  const sampleUrl = yield* publish({ slug: SLUG }).pipe(
    Effect.catch((refused) => refused instanceof SlugTaken ? publish({}) : Effect.fail(refused)),
    Effect.map(({ project }) => projectUrl(project.slug)),
    Effect.catch((refused) => refused instanceof Unavailable ? Effect.succeed(null) : Effect.die(refused))
  )
  return { email: EMAIL, password, token, sampleUrl }
})
