/**
 * Where readers of a project come by who want to comment (CONTRACT §9): whoever is not signed in signs in or up first,
 * and everybody goes back to the very place they came from. Unlike the way of members it hands over nothing: whether the
 * project opens, its own door decides, and whether they may comment, the comments do. So it leads strangers back too.
 */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HostingStore } from "../../domain/hosting/store.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { LABEL } from "../contract/labels.ts"
import { pageAnswer, seeOther } from "./answers.ts"
import { noSuchDocumentPage } from "./member-gate-pages.ts"
import { loginAt } from "./member-gate.ts"
import { ownPath } from "./page-forms.ts"
import { caller, single } from "./session-forms.ts"

const PATH = "/v1/gate/comment"

export const CommentGate = HttpRouter.add(
  "GET",
  PATH,
  Effect.gen(function*() {
    const addresses = yield* Addresses
    const hosting = yield* HostingStore
    const { new: isNew, next: given, slug = "" } = single(yield* HttpServerRequest.ParsedSearchParams)
    // A path behind the project's own origin: wherever it leads, it stays there.
    const next = ownPath(given, addresses.baseUrl)
    if (Option.isSome(yield* caller)) {
      const known = LABEL.test(slug) && (yield* hosting.sites([slug])).has(slug)
      return known ? seeOther(new URL(addresses.projectUrl(slug) + next).href) : pageAnswer(noSuchDocumentPage(), 404)
    }
    const login = loginAt(addresses, `${PATH}?${new URLSearchParams({ slug, next }).toString()}`)
    return seeOther(isNew === undefined ? login : login.replace("/login?", "/signup?"))
  })
)
