/** API tokens: listing and revoking them. They can be made only in the browser. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { ApiTokenId } from "../../domain/api-tokens/model.ts"
import { theirNow } from "../clock.ts"
import { Connection, signedIn } from "../connection.ts"
import { done, Output } from "../output.ts"
import { refused } from "../refusal.ts"
import { ago } from "../words.ts"

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    const { answer, listed } = yield* Output
    const client = yield* signedIn
    const tokens = yield* client.tokens.list()
    const now = yield* theirNow
    yield* answer({ tokens }, () => listed(
      [{ title: "ID" }, { title: "LABEL", gives: true }, { title: "BEGINS" }, { title: "USED" }],
      tokens.map(({ id, label, lastUsedAt, prefix }) => [id, label, prefix, lastUsedAt === null ? "never" : ago(lastUsedAt, now)]),
      "There are no tokens."
    ))
  })
).pipe(Command.withDescription("List your API tokens"))

const create = Command.make(
  "create",
  { label: Argument.String("label").pipe(Argument.optional) },
  Effect.fnUntraced(function*() {
    const { base } = yield* Connection
    return yield* refused(
      "A token is made in the browser, so that one that leaks cannot make more of them.",
      `Sign in at ${base}/account/tokens and make it there. For this machine: svc login`
    )
  })
).pipe(Command.withDescription("Says where a token is made"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withSchema(ApiTokenId), Argument.withDescription("As svc tokens list shows it")) },
  Effect.fnUntraced(function*({ id }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    yield* client.tokens.revoke({ params: { token_id: id } })
    yield* answer({ id, status: "revoked" }, (paint) => done(paint, "It stopped working."))
  })
).pipe(Command.withDescription("End a token at once"))

export const tokens = Command.make("tokens").pipe(
  Command.withDescription("API tokens for scripts"),
  Command.withSubcommands([list, create, revoke])
)
