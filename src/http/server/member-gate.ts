/**
 * Where members are sent on their way into a project (CONTRACT §9): their session is known here, but the project is on
 * another host. A member goes on there with a key that lasts a minute; somebody signed out signs in and comes back. With
 * `way=open` it is a plain link to the document: a public one opens for everybody, and for members still with their key.
 */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { MEMBER_GATE, memberGateAt } from "../../domain/hosting/gate-addresses.ts"
import { Gates } from "../../domain/hosting/gates.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { openingPage } from "../../look/opening-page.ts"
import { fromElsewhere, opensPage } from "../contract/fetch-metadata.ts"
import { LABEL } from "../contract/labels.ts"
import { pageAnswer, seeOther } from "./answers.ts"
import { noSuchDocumentPage, notAMemberPage } from "./member-gate-pages.ts"
import { ownPath } from "./page-forms.ts"
import { signedIn, single } from "./session-forms.ts"

/** The login page's address, with `back` as the way back here: only a path where app and API share an origin. */
export const loginAt = ({ appUrl, baseUrl }: typeof Addresses.Service, back: string) =>
  `${appUrl}/login?${new URLSearchParams({ next: appUrl === baseUrl ? back : baseUrl + back }).toString()}`

/**
 * Sends the reader on. A page of another origin that opened this address could see by its own policy where a redirect leads, and
 * so who is signed in: then a page of ours goes on instead.
 */
export const leadTo = (url: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    fromElsewhere(headers) && opensPage(headers)
      ? HttpServerResponse.setHeader(pageAnswer(openingPage(url)), "refresh", `0;url=${url}`)
      : seeOther(url))

export const MemberGate = HttpRouter.add(
  "GET",
  MEMBER_GATE,
  Effect.gen(function*() {
    const gates = yield* Gates
    const addresses = yield* Addresses
    const { next = "/", slug = "", way } = single(yield* HttpServerRequest.ParsedSearchParams)
    const login = loginAt(addresses, memberGateAt("", { slug, next, ...(way === "open" && { way }) }))
    const session = Option.getOrUndefined(yield* signedIn)
    const asAnybody = way === "open" && LABEL.test(slug) && (yield* gates.needsNone(slug))
      ? yield* leadTo(new URL(addresses.projectUrl(slug) + ownPath(next, addresses.baseUrl)).href)
      : undefined
    if (session === undefined) return asAnybody ?? (yield* leadTo(login))
    return yield* gates.memberEntry(session, LABEL.test(slug) ? slug : "").pipe(
      Effect.flatMap(({ key, origin }) => leadTo(`${origin}/_svc/gate/member?${new URLSearchParams({ t: key, next }).toString()}`)),
      Effect.catchTags({
        not_found: () => Effect.succeed(pageAnswer(noSuchDocumentPage(), 404)),
        forbidden: () => Effect.succeed(asAnybody ?? pageAnswer(notAMemberPage({ email: session.user.email, login }), 403))
      })
    )
  })
)
