/** Accounts and browser sessions (SPEC §4.1): signing up, in and out, passwords, mailed links, and the signed-in account. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Email } from "../../domain/accounts/email.ts"
import { UserId } from "../../domain/accounts/model.ts"
import { InvalidCredentials, InvalidToken, RateLimited, Unavailable } from "../../domain/failures.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, SessionOnly, SignsIn, ViewerOrigin } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { line, NewPassword, Secret, shownOnly, Status, STRICT, Timestamp, wire } from "./wire.ts"
import { workspaceFields } from "./workspaces.ts"

export const userFields = {
  id: UserId,
  name: Schema.String,
  email: Schema.String,
  emailVerified: Schema.Boolean,
  hasPassword: Schema.Boolean,
  idpLinked: Schema.Boolean,
  isPlatformAdmin: Schema.Boolean,
  createdAt: Timestamp
}

const UserView = wire(userFields).annotate({ identifier: "User" })

const SignedInView = wire({ ...userFields, csrfToken: Schema.String }).annotate({ identifier: "SignedIn" })

const WorkspaceSummary = wire(workspaceFields).annotate({ identifier: "WorkspaceSummary" })

const readOnly = shownOnly("id", "email", "email_verified", "has_password", "idp_linked", "is_platform_admin", "created_at")

const MeView = Schema.Struct({ user: UserView, workspaces: Schema.Array(WorkspaceSummary) }).annotate({ identifier: "Me" })

/** All that a viewer learns about its reader. */
const ReaderView = wire({
  user: Schema.Struct({ name: Schema.String, email: Schema.String }),
  commentToken: Schema.String.annotate({ description: "Good for 15 minutes or until they sign out, for this reader on this project" })
}).annotate({ identifier: "Reader" })

/** How people can sign in here besides a password and a mailed link. */
const WaysView = wire({
  identityProvider: Schema.Boolean.annotate({ description: "`GET /v1/auth/idp` signs in" }),
  mailboxUrl: Schema.NullOr(Schema.String).annotate({ description: "Where mails are read in development; null where they are sent" })
}).annotate({ identifier: "WaysIn" })

/** The handler checks it, and ignores anything that is not a path of this service. */
const next = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(4000, { message: "At most 4000 characters." })))).annotate({
  description: "A path on this service that the mailed link goes on to. Anything else is ignored."
})

const CsrfView = wire({ csrfToken: Schema.String })

const accepted = Status.pipe(HttpApiSchema.status(202))
const limited = refusal(RateLimited, 429)
/** Where a password is hashed: too many others wait for that. */
const crowded = refusal(Unavailable, 503)

export class AuthContract extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.post("logout", "/logout", { success: Status })
      .annotateMerge(annotate("Sign out", "Clears the session and CSRF cookies of this browser, and closes the private projects that the session opened here.")),
    HttpApiEndpoint.post("logoutAll", "/logout-all", { success: Status })
      .annotateMerge(annotate("Sign out everywhere", "Ends every session of the account, this one included.")),
    HttpApiEndpoint.post("changePassword", "/password/change", {
      payload: wire({ currentPassword: Secret, newPassword: NewPassword }),
      success: wire({ status: Schema.Literal("ok"), csrfToken: Schema.String }),
      error: [refusal(InvalidCredentials, 401), limited, crowded]
    }).annotateMerge(annotate("Change the password", "Ends every other session; this browser gets a new one.")),
    HttpApiEndpoint.get("csrf", "/csrf", { success: CsrfView })
      .annotateMerge(annotate("Get the CSRF token", "The token the browser already holds, or a fresh one; the cookie is set again."))
  )
  .middleware(SessionOnly)
  .add(
    HttpApiEndpoint.get("ways", "/ways", { success: WaysView })
      .annotateMerge(annotate("List the ways to sign in", "For sign-in pages.")),
    HttpApiEndpoint.post("signup", "/signup", {
      payload: Schema.Struct({ email: Email, password: NewPassword, name: Schema.optionalKey(Schema.NullOr(line(0, 100))), next }),
      success: accepted,
      error: [limited, crowded]
    }).annotateMerge(annotate(
      "Create an account",
      "The same answer for new and existing addresses; only the mail tells them apart. Starts a workspace with seven days of the Studio plan."
    )),
    HttpApiEndpoint.post("login", "/login", {
      payload: Schema.Struct({ email: Email, password: Schema.String }),
      success: SignedInView,
      error: [refusal(InvalidCredentials, 401), limited, crowded]
    }).middleware(SignsIn).annotateMerge(annotate("Sign in with a password", "Sets the session and CSRF cookies. Whatever is wrong with email or password, the refusal is the same 401.")),
    HttpApiEndpoint.post("magicLink", "/magic-link", { payload: Schema.Struct({ email: Email, next }), success: accepted, error: limited })
      .annotateMerge(annotate("Mail a link that signs in", "The same answer whether or not the account exists.")),
    HttpApiEndpoint.post("openMagicLink", "/magic-link/verify", {
      payload: Schema.Struct({ token: Secret }),
      success: SignedInView,
      error: [refusal(InvalidToken, 401), limited]
    }).middleware(SignsIn).annotateMerge(annotate("Sign in with a mailed link", "Sets the session and CSRF cookies. Unknown, used and expired links get one refusal.")),
    HttpApiEndpoint.post("resetPassword", "/password-reset", { payload: Schema.Struct({ email: Email, next }), success: accepted, error: limited })
      .annotateMerge(annotate("Mail a link to choose a new password", "Always the same answer.")),
    HttpApiEndpoint.post("confirmReset", "/password-reset/confirm", {
      payload: Schema.Struct({ token: Secret, password: NewPassword }),
      success: Status,
      error: [refusal(InvalidToken, 401), limited, crowded]
    }).annotateMerge(annotate("Choose a new password", "Ends every session and revokes every token of the account.")),
    HttpApiEndpoint.post("resendVerification", "/verify-email/resend", {
      payload: Schema.Struct({ email: Email, next }),
      success: accepted,
      error: limited
    }).annotateMerge(annotate("Send the verification mail again", "Always the same answer.")),
    HttpApiEndpoint.post("confirmEmail", "/verify-email/confirm", {
      payload: Schema.Struct({ token: Secret }),
      success: Schema.Struct({ status: Schema.Literal("ok"), email: Schema.String }),
      error: refusal(InvalidToken, 400)
    }).annotateMerge(annotate("Verify an email address", "Takes the token from the mail. Opens no session."))
  )
  .prefix("/v1/auth")
  .annotateMerge(OpenApi.annotations({ title: "Sign up and sign in", description: "Accounts, email verification and browser sessions." }))
{}

/** Only viewers send it (middleware/viewer-origin.ts): documented here, not part of the endpoint’s schema. */
const shell = {
  name: "shell",
  in: "query",
  required: false,
  schema: { type: "string" },
  description: "The `data-proof` of a viewer’s page. Required where an author’s script once ran at the viewer’s address: without it such a page learns nothing, and it holds for the reader whom the page was made for alone. No other client needs it."
}

export class AccountContract extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("me", "/me", { success: [MeView, ReaderView] })
      .annotateMerge(annotate(
        "Who am I",
        "The account and its workspaces, the home workspace first. A viewer’s origin gets the reader’s name and email, and a comment token."
      ))
      .annotate(OpenApi.Transform, (operation) => ({ ...operation, parameters: [shell] }))
      .middleware(Authenticated)
      .middleware(ViewerOrigin),
    HttpApiEndpoint.patch("rename", "/me", {
      payload: Schema.Struct({ name: line(1, 100), ...readOnly }),
      success: UserView
    }).annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate("Change the account’s name", "Members see it beside what the account publishes, changes and comments.")).middleware(Authenticated)
  )
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "The signed-in account." }))
{}
