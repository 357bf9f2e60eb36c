/**
 * Consent: how an agent gets access to an account (SPEC §4.2, CONTRACT §4, OAuth 2.1 with RFC 7636, 8707, 9207).
 * 1. A client registers, or its id is the address of its metadata document (clients.ts).
 * 2. It sends the person to the consent page with its redirect address and a PKCE challenge.
 * 3. The request is checked: client and redirect address (a fault in either is an error, never a redirect), then
 *    what the client registered for, challenge, scope and resource.
 * 4. The person sees who asks and decides with a click; a code or a refusal goes back to the redirect address.
 * 5. The client exchanges the code, and later its refresh tokens (token-grants.ts).
 * 6. The access token opens `/mcp`, and nothing else.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { signedOut } from "../accounts/refusals.ts"
import { AccountStore } from "../accounts/store.ts"
import { invalid } from "../failures.ts"
import { isUseStale } from "../grants/rules.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import { OauthClients } from "./clients.ts"
import type { AuthorizationRequest, Code } from "./model.ts"
import { FamilyId, SCOPE } from "./model.ts"
import * as Redirects from "./redirects.ts"
import * as Rules from "./rules.ts"
import { OauthStore } from "./store.ts"

const wrongRedirect = () => invalid({ field: "redirect_uri", message: "The client did not register this address." })

export class OAuth extends Context.Service<OAuth>()("svc/domain/oauth/OAuth", {
  make: Effect.gen(function*() {
    const store = yield* OauthStore
    const accounts = yield* AccountStore
    const { atomically } = yield* Atomically
    const clients = yield* OauthClients
    const tokens = yield* Tokens
    const { baseUrl } = yield* Addresses
    const resource = Rules.resourceAt(baseUrl)

    /** The redirect back to the client, with our issuer identifier (RFC 9207). */
    const answer = (request: AuthorizationRequest, answer: Readonly<Record<string, string | undefined>>) =>
      Redirects.answered(request.redirectUri, { ...answer, state: request.state, iss: baseUrl })

    /** Step 3. A fault that the client may be told of comes with the redirect that tells it. */
    const vet = Effect.fn("OAuth.vet")(function*(user: User, request: AuthorizationRequest, responseType = "code") {
      const client = yield* clients.known(request.clientId, user.id)
      if (!Redirects.mayRedirect(client.redirectUris, request.redirectUri)) return yield* wrongRedirect()
      const fault = Rules.clientFault(client) ?? Rules.responseFault(responseType) ?? Rules.authorizationFault(request, resource)
      return {
        client,
        fault: fault && { ...fault, redirectTo: answer(request, { error: fault.error, error_description: fault.message }) }
      }
    })

    /** Step 4, before the decision: what the consent page shows. Without a redirect address, it shows only the client. */
    const info = Effect.fn("OAuth.info")(function*(user: User, request: AuthorizationRequest | { readonly clientId: string }, responseType?: string) {
      const { clientId } = request
      const { client, fault } = "redirectUri" in request
        ? yield* vet(user, request, responseType ?? "")
        : { client: yield* clients.known(clientId, user.id), fault: undefined }
      const redirects = "redirectUri" in request ? [request.redirectUri] : client.redirectUris
      return {
        clientId,
        clientName: client.name,
        clientUri: client.clientUri,
        redirectHosts: [...new Set(redirects.map(Redirects.redirectHost))],
        scope: SCOPE,
        fault: fault === undefined ? null : { message: fault.message, redirectTo: fault.redirectTo }
      }
    })

    const addCode = Effect.fn("OAuth.addCode")(
      function*(user: User, code: Omit<Code, "usedAt">, hash: string) {
        if (!(yield* accounts.holdSession(user))) return yield* signedOut()
        yield* store.addCode(code, hash)
      },
      atomically
    )

    /** Step 4. */
    const decide = Effect.fn("OAuth.decide")(function*(user: User, request: AuthorizationRequest, decision: "approve" | "deny") {
      const { client, fault } = yield* vet(user, request)
      if (fault !== undefined) return yield* invalid({ field: fault.field, message: fault.message })
      if (decision === "deny") return { redirectTo: answer(request, { error: "access_denied" }) }
      const now = yield* DateTime.now
      const code = yield* tokens.mint("svc_ac_")
      yield* addCode(user, {
        id: FamilyId.make(yield* tokens.uuid),
        userId: user.id,
        clientId: client.id,
        clientName: client.name,
        redirectUri: request.redirectUri,
        challenge: request.codeChallenge ?? "",
        resource,
        expiresAt: Rules.codeExpiry(now)
      }, code.hash)
      return { redirectTo: answer(request, { code: code.raw }) }
    })

    /** Step 6: the user whose access token this is; none for a token that is unknown, expired, revoked or of another kind. */
    const authenticateAccess = Effect.fn("OAuth.authenticateAccess")(function*(raw: string) {
      if (!raw.startsWith("svc_at_")) return Option.none<User>()
      const now = yield* DateTime.now
      const found = Option.getOrUndefined(yield* store.access(tokens.hash(raw), resource, now))
      if (found === undefined) return Option.none<User>()
      if (isUseStale(found.lastUsedAt, now)) yield* store.used(found.family, now)
      return Option.some(found.user)
    })

    return { info, decide, authenticateAccess }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
