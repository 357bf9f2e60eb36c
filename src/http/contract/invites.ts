/** Coming into a workspace by invitation (SPEC §4.1, CONTRACT §5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountExists, Forbidden, InvalidToken, RateLimited } from "../../domain/failures.ts"
import { userFields } from "./accounts.ts"
import { refusal } from "./envelope.ts"
import { line, Secret, wire } from "./wire.ts"

/** `csrf_token` comes with the session of a new account, and with nothing else. */
const InviteAccepted = wire({ ...userFields, csrfToken: Schema.optionalKey(Schema.String) }).annotate({ identifier: "InviteAccepted" })

export class InvitesContract extends HttpApiGroup.make("invites")
  .add(
    HttpApiEndpoint.post("accept", "/v1/auth/invites/accept", {
      payload: Schema.Struct({
        token: Secret,
        name: Schema.optionalKey(Schema.NullOr(line(0, 100))),
        password: Schema.optionalKey(Schema.NullOr(Secret))
      }),
      success: InviteAccepted,
      error: [refusal(InvalidToken, 401), refusal(Forbidden, 403), refusal(AccountExists, 409), refusal(RateLimited, 429)]
    }).annotateMerge(OpenApi.annotations({
      summary: "Accept an invitation",
      description: [
        "Takes the token from the mail. Where the invited address has no account, one is made and signed in: `name` is needed, `password` is not,",
        "and the answer sets the session and CSRF cookies and carries `csrf_token`. Where it has one, its owner must be signed in (a session with",
        "`X-CSRF-Token`): the membership is added and the session goes on. Anybody else gets 409 `account_exists`."
      ].join(" ")
    }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Invitations", description: "Ways into a workspace of others." }))
{}
