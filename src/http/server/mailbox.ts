/** The developer mailbox at `/_dev/mail`: in the embedded default only, and for loopback peers alone. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { MailId } from "../../domain/mails/model.ts"
import { mailPageCsp } from "../../look/page.ts"
import { prefersJson } from "../contract/negotiation.ts"
import { noSuchPage, pageAnswer } from "./answers.ts"
import { mailboxPage, mailboxPath, messagePage } from "./mailbox-pages.ts"
import type { MailboxMessage } from "./mailbox-pages.ts"

/** What the mailbox holds, newest first. Kept by services/database/mailbox.ts. */
export class Mailbox extends Context.Service<Mailbox, {
  readonly list: Effect.Effect<ReadonlyArray<MailboxMessage>>
  readonly find: (id: MailId) => Effect.Effect<Option.Option<MailboxMessage>>
}>()("svc/http/server/Mailbox") {}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

const FORWARDED = ["x-forwarded-for", "x-real-ip", "forwarded"]

/** Behind a local proxy the peer is loopback too, but the client is not: a forwarded request counts as a stranger’s. */
const local = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
  LOOPBACK.test(Option.getOrElse(request.remoteAddress, () => "")) && FORWARDED.every((header) => request.headers[header] === undefined))

const guarded = <E, R>(open: boolean, answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function*() {
    return (yield* local) || open ? yield* answer : yield* noSuchPage
  })

const idIn = Schema.decodeUnknownOption(MailId)

const wantsJson = Effect.map(HttpServerRequest.HttpServerRequest, (request) => prefersJson(request.headers["accept"]))

export const MailboxRoutes = (options: { readonly open: boolean }) => {
  const list = Effect.gen(function*() {
    const messages = yield* (yield* Mailbox).list
    return (yield* wantsJson) ? HttpServerResponse.jsonUnsafe({ messages }, { headers: { "cache-control": "no-store" } }) : pageAnswer(mailboxPage(messages))
  })
  const one = Effect.gen(function*() {
    const id = idIn((yield* HttpRouter.params)["id"])
    const message = Option.isNone(id) ? undefined : Option.getOrUndefined(yield* (yield* Mailbox).find(id.value))
    if (message === undefined) return yield* noSuchPage
    return (yield* wantsJson) ? HttpServerResponse.jsonUnsafe(message, { headers: { "cache-control": "no-store" } }) : pageAnswer(messagePage(message), 200, mailPageCsp)
  })
  return Layer.mergeAll(
    HttpRouter.add("GET", mailboxPath, guarded(options.open, list)),
    HttpRouter.add("GET", `${mailboxPath}/:id`, guarded(options.open, one))
  )
}
