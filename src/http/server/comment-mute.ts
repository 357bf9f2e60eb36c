/**
 * The page behind the link that ends mails about a project's comments: one click, by a person or their mail client, mutes
 * them, and another one brings them back.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { CommentDigests } from "../../domain/comments/digests.ts"
import { drawing } from "../../look/drawings.ts"
import { html } from "../../look/html.ts"
import { page } from "../../look/page.ts"
import { pageAnswer } from "./answers.ts"
import { ownForm } from "./page-forms.ts"
import { parametersIn } from "./page-session.ts"

export const MUTE_PATH = "/comments/mute"

const mutePage = (token: string): string =>
  page({
    title: "No more mail about this project",
    body: html`${drawing("letter")}<h1>No more mail about this project</h1>
<p>One click, and you get no more mail about its comments. Mails about other projects go on.</p>
<form method="post" action="${MUTE_PATH}"><input type="hidden" name="token" value="${token}"><button class="button">Mute this project</button></form>`
  })

const mutedPage = (token: string): string =>
  page({
    title: "Muted",
    body: html`${drawing("sealed")}<h1>Muted</h1>
<p>You get no more mail about this project’s comments. The comments themselves are where they were.</p>
<form method="post" action="${MUTE_PATH}"><input type="hidden" name="token" value="${token}"><input type="hidden" name="again" value="1"><button class="button">Send them again</button></form>`
  })

const againPage = (): string =>
  page({
    title: "You get mail again",
    body: html`${drawing("letter")}<h1>You get mail again</h1>
<p>New comments on this project come to you by mail, as before.</p>`
  })

const refusedPage = (): string =>
  page({
    title: "This link does not work",
    body: html`${drawing("lapsed")}<h1>This link does not work</h1>
<p>It lost a piece on its way. Try the link of a newer mail. Members can press the bell on the project’s Comments page, too.</p>`
  })

const Look = HttpRouter.add(
  "GET",
  MUTE_PATH,
  Effect.map(HttpServerRequest.ParsedSearchParams, (query) => {
    const { token } = parametersIn(query)
    return token === undefined ? pageAnswer(refusedPage(), 400) : pageAnswer(mutePage(token))
  })
)

/** Our page's form sends the token in the body; a mail client posts to the link itself, which has it in its query (RFC 8058). */
const Mute = HttpRouter.add(
  "POST",
  MUTE_PATH,
  ownForm((fields) =>
    Effect.gen(function*() {
      const digests = yield* CommentDigests
      const token = fields["token"] ?? parametersIn(yield* HttpServerRequest.ParsedSearchParams)["token"] ?? ""
      const again = fields["again"] === "1"
      if (!(yield* digests.mute(token, !again))) return pageAnswer(refusedPage(), 400)
      return pageAnswer(again ? againPage() : mutedPage(token))
    })
  )
)

export const CommentMutePage = Layer.mergeAll(Look, Mute)
