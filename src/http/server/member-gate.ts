/**
 * Where members are sent on their way into a project (CONTRACT §9): their session is known here, but the project is on
 * another host. A member goes on there with a key that lasts a minute; somebody signed out signs in and comes back. With
 * `way=open` it is a plain link to the document: a public one opens for everybody, and for members still with their key.
 */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { isCarried, MEMBER_GATE, memberGateAt } from "../../domain/hosting/gate-addresses.ts"
import { Gates } from "../../domain/hosting/gates.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { noSuchProject } from "../../domain/projects/access-rules.ts"
import { LABEL } from "../contract/labels.ts"
import { shownRefusal } from "./answers.ts"
import { leadTo, loginAt } from "./leading.ts"
import { noSuchDocumentPage, notAMemberPage } from "./member-gate-pages.ts"
import { ownPath } from "./own-paths.ts"
import { signedIn, parametersIn } from "./page-session.ts"

export const MemberGate = HttpRouter.add(
  "GET",
  MEMBER_GATE,
  Effect.gen(function*() {
    const gates = yield* Gates
    const addresses = yield* Addresses
    const { next: given = "/", slug = "", way } = parametersIn(yield* HttpServerRequest.ParsedSearchParams)
    if (!LABEL.test(slug)) return yield* shownRefusal(404, noSuchProject(), noSuchDocumentPage())
    const next = isCarried(given) ? given : "/"
    const login = loginAt(addresses, memberGateAt("", { slug, next, ...(way === "open" && { way }) }))
    const session = Option.getOrUndefined(yield* signedIn)
    const asAnybody = way === "open" && (yield* gates.needsNone(slug))
      ? yield* leadTo(new URL(addresses.projectUrl(slug) + ownPath(next, addresses.baseUrl)).href)
      : undefined
    if (session === undefined) return asAnybody ?? (yield* leadTo(login))
    return yield* gates.memberEntry(session, slug).pipe(
      Effect.flatMap(({ key, origin }) => leadTo(`${origin}/_svc/gate/member?${new URLSearchParams({ t: key, next }).toString()}`)),
      Effect.catchTags({
        not_found: (failure) => shownRefusal(404, failure, noSuchDocumentPage()),
        forbidden: (failure) => asAnybody === undefined ? shownRefusal(403, failure, notAMemberPage({ email: session.user.email, login })) : Effect.succeed(asAnybody)
      })
    )
  })
)
