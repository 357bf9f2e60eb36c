/** The whole HTTP surface. Server, OpenAPI document, typed client and CLI all derive from this value. */
import { HttpApi, OpenApi } from "effect/http-api"
import { AccountContract, AuthContract } from "./accounts.ts"
import { AnalyticsContract } from "./analytics.ts"
import { AllowlistsContract } from "./allowlists.ts"
import { ApiTokensContract } from "./api-tokens.ts"
import { AuditContract } from "./audit.ts"
import { BillingContract } from "./billing.ts"
import { CommentsContract } from "./comments.ts"
import { DeviceGrantsContract } from "./device-grants.ts"
import { ErasureContract } from "./erasure.ts"
import { ExportsContract } from "./exports.ts"
import { FoldersContract } from "./folders.ts"
import { IdpContract } from "./idp.ts"
import { InvitesContract } from "./invites.ts"
import { MembersContract } from "./members.ts"
import { GrantsContract } from "./grants.ts"
import { OauthContract } from "./oauth.ts"
import { ProjectsContract } from "./projects.ts"
import { RequestShape } from "./request-shape.ts"
import { ShareLinksContract } from "./share-links.ts"
import { API_VERSION } from "./version.ts"
import { WorkspacesContract } from "./workspaces.ts"

export class Api extends HttpApi.make("svc")
  .add(
    AuthContract,
    AccountContract,
    ApiTokensContract,
    DeviceGrantsContract,
    OauthContract,
    GrantsContract,
    ProjectsContract,
    FoldersContract,
    AllowlistsContract,
    ShareLinksContract,
    CommentsContract,
    AnalyticsContract,
    InvitesContract,
    WorkspacesContract,
    MembersContract,
    AuditContract,
    BillingContract,
    ExportsContract,
    ErasureContract,
    IdpContract
  )
  .middleware(RequestShape)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotateMerge(OpenApi.annotations({
    title: "svc",
    version: API_VERSION,
    summary: "Publish a file, get a live address.",
    description: [
      "svc hosts documents: an HTML report, a PDF, a Markdown brief, a CSV, a video, a zipped site, each at an address of its own.",
      "",
      "Every error is `{\"error\": {\"code\", \"message\", \"field\", \"details\"}}`. Branch on `code`; `message` is for people and may change."
    ].join("\n"),
    license: { name: "MIT", url: "https://opensource.org/license/mit" }
  }))
{}
