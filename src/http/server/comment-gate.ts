/**
 * Where a project's readers are sent who want to comment (CONTRACT §9): somebody signed out signs in or up first, then
 * everybody returns to the exact place they came from. Unlike the member gate it opens nothing: the project's door decides
 * whether it opens, and the comments decide who may comment. So strangers are sent back too, by way of a key that names them
 * where the project's pages must prove themselves.
 */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { COMMENT_GATE, isCarried } from "../../domain/hosting/gate-addresses.ts"
import { Gates } from "../../domain/hosting/gates.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { noSuchProject } from "../../domain/projects/access-rules.ts"
import { LABEL } from "../contract/labels.ts"
import { shownRefusal } from "./answers.ts"
import { leadTo, loginAt } from "./leading.ts"
import { noSuchDocumentPage } from "./member-gate-pages.ts"
import { ownPath } from "./own-paths.ts"
import { parametersIn, signedIn } from "./page-session.ts"

export const CommentGate = HttpRouter.add(
  "GET",
  COMMENT_GATE,
  Effect.gen(function*() {
    const addresses = yield* Addresses
    const gates = yield* Gates
    const { new: isNew, next: given, slug = "" } = parametersIn(yield* HttpServerRequest.ParsedSearchParams)
    const unknown = shownRefusal(404, noSuchProject(), noSuchDocumentPage())
    if (!LABEL.test(slug)) return yield* unknown
    // Only a path, put behind the project's own origin: it cannot lead to another host.
    const next = given !== undefined && isCarried(given) ? ownPath(given, addresses.baseUrl) : "/"
    const session = Option.getOrUndefined(yield* signedIn)
    if (session !== undefined) {
      const to = Option.getOrUndefined(yield* gates.readerEntry(session, slug))
      if (to === undefined) return yield* unknown
      const { hash, href, pathname, search } = new URL(to.origin + next)
      if (to.key === undefined) return yield* leadTo(href)
      return yield* leadTo(`${to.origin}/_svc/gate/reader?${new URLSearchParams({ t: to.key, next: pathname + search + hash }).toString()}`)
    }
    const login = loginAt(addresses, `${COMMENT_GATE}?${new URLSearchParams({ slug, next }).toString()}`)
    return yield* leadTo(isNew === undefined ? login : login.replace("/login?", "/signup?"))
  })
)
