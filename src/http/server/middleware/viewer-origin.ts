/** Which project's viewer is asking, and the CORS headers that let it read the answer (SPEC §4.1). */
import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isViewerOrigin, mustProve } from "../../../domain/hosting/rules.ts"
import { isSame, readerOf, ShellProofs } from "../../../domain/hosting/shell-proofs.ts"
import { HostingStore } from "../../../domain/hosting/store.ts"
import { AuthRequired } from "../../../domain/failures.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { Sessions } from "../../../domain/sessions/sessions.ts"
import type { SignedIn } from "../../../domain/sessions/sessions.ts"
import { LABEL } from "../../contract/labels.ts"
import { sessionCookieOf, Viewer, ViewerOrigin } from "../../contract/authentication.ts"

const PROBE = "slug"

/** The slug whose address is exactly this origin. */
const slugOf = (origin: string | undefined, projectUrl: (slug: string) => string): string | undefined => {
  const [before = "", after = ""] = projectUrl(PROBE).split(PROBE)
  if (origin === undefined || !origin.startsWith(before) || !origin.endsWith(after)) return undefined
  const slug = origin.slice(before.length, origin.length - after.length)
  return LABEL.test(slug) && projectUrl(slug) === origin ? slug : undefined
}

const proofIn = (url: string): string => {
  const mark = url.indexOf("?")
  return mark === -1 ? "" : new URLSearchParams(url.slice(mark)).get("shell") ?? ""
}

const readable = (origin: string) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      vary: "Origin"
    }))
  )

export const ViewerOriginChecked = Layer.effect(
  ViewerOrigin,
  Effect.gen(function*() {
    const hosting = yield* HostingStore
    const proofs = yield* ShellProofs
    const sessions = yield* Sessions
    const { projectUrl } = yield* Addresses

    const viewer = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { origin } = request.headers
      const slug = slugOf(origin, projectUrl)
      // With an `Authorization` header it is a program, not a viewer: it gets the whole answer and no CORS headers.
      if (slug === undefined || origin === undefined || request.headers["authorization"] !== undefined) return { projectId: undefined }
      const site = yield* hosting.site(slug)
      if (site === undefined || !isViewerOrigin(site)) return { projectId: undefined }
      // Whatever kind it is by now: a page from when it was raw, or from an earlier holder of the address, may still be open there.
      const proven = mustProve(site) ? Option.getOrUndefined(yield* proofs.proven(site.projectId, proofIn(request.originalUrl))) : undefined
      if (mustProve(site) && proven === undefined) return { projectId: undefined }
      yield* readable(origin)
      // Made for another reader, or for a session that is over: whoever has it learns nothing, not even whether somebody is signed in.
      const isTheirs = (session: SignedIn): boolean => proven !== undefined && isSame(proven, readerOf(session))
      if (mustProve(site) && !Option.exists(yield* sessions.current(sessionCookieOf(request) ?? ""), isTheirs)) {
        return yield* new AuthRequired({ message: "Sign in to comment." })
      }
      return { projectId: site.projectId }
    })

    return ViewerOrigin.of((next) => Effect.flatMap(viewer, (found) => Effect.provideService(next, Viewer, found)))
  })
)
