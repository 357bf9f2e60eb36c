/** Exporting a workspace's data. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import { secret } from "../asking.ts"
import { theirNow } from "../clock.ts"
import type { Client } from "../client.ts"
import { accountOf, Connection, signedIn, signedInPatiently } from "../connection.ts"
import { doneIn, elsewhere, workspace } from "../flags.ts"
import { done, Output } from "../output.ts"
import { inWordsOf, usage } from "../refusal.ts"
import { moment } from "../words.ts"

const primary = Effect.fnUntraced(function*(client: Client, chosen: WorkspaceId | undefined) {
  if (chosen !== undefined) return chosen
  const { workspaces } = yield* accountOf(client)
  return workspaces[0]?.id ?? (yield* usage("You are in no workspace.", "svc whoami"))
})

const request = Command.make(
  "request",
  { workspace },
  Effect.fnUntraced(function*({ workspace: chosen }) {
    const { answer } = yield* Output
    const { base } = yield* Connection
    const client = yield* signedInPatiently
    const workspace = yield* primary(client, chosen)
    const taken = yield* client.exports.request({ payload: { workspace, password: yield* secret("Your password") } }).pipe(
      inWordsOf(["forbidden"], ({ details }) => details?.["reason"] === "password_not_set" ? { next: `${base}/forgot-password   mails a link that sets one.` } : {})
    )
    const where = yield* doneIn(client, chosen)
    yield* answer(taken, (paint) => [done(paint, `The export${where && ` of what is${where}`} is being made. The link comes by mail.`), "How it stands: svc export status"])
  })
).pipe(Command.withDescription("Each project’s current files, comments and figures in one zip, without earlier versions: wants your password, comes by mail"))

const status = Command.make(
  "status",
  { workspace },
  Effect.fnUntraced(function*({ workspace: chosen }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const latest = yield* client.exports.latest({ query: { workspace: yield* primary(client, chosen) } })
    const now = yield* theirNow
    const others = yield* elsewhere(latest.status === null, client, chosen, "svc export status")
    yield* answer(latest, () => {
      if (latest.status === null) return `No export was ever taken. Take one: svc export request${others}`
      if (latest.status === "ready") {
        return `Ready${latest.sizeBytes === null ? "" : `, ${sizeText(latest.sizeBytes)}`}. The mailed link works until ${latest.expiresAt === null ? "it ends" : moment(latest.expiresAt, now)}.`
      }
      return {
        queued: "It waits for its turn.",
        building: "It is being made.",
        expired: "The last one is over. Take another: svc export request",
        failed: "It failed. Take another: svc export request"
      }[latest.status]
    })
  })
).pipe(Command.withDescription("See how the latest export stands"))

export const exports = Command.make("export").pipe(
  Command.withDescription("Take a workspace’s data along"),
  Command.withSubcommands([request, status])
)
