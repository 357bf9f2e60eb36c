/** The handlers of every slice: one line each. */
import { Layer } from "effect"
import { AccountHandlers, AuthHandlers } from "./accounts.ts"
import { AllowlistsHandlers } from "./allowlists.ts"
import { AnalyticsHandlers } from "./analytics.ts"
import { ApiTokensHandlers } from "./api-tokens.ts"
import { AuditHandlers } from "./audit.ts"
import { BillingHandlers } from "./billing.ts"
import { CommentsHandlers } from "./comments.ts"
import { DeviceGrantsHandlers } from "./device-grants.ts"
import { ErasureHandlers } from "./erasure.ts"
import { ExportsHandlers } from "./exports.ts"
import { FoldersHandlers } from "./folders.ts"
import { GrantsHandlers } from "./grants.ts"
import { IdpHandlers } from "./idp.ts"
import { InvitesHandlers } from "./invites.ts"
import { MembersHandlers } from "./members.ts"
import { OauthHandlers } from "./oauth.ts"
import { ProjectsHandlers } from "./projects.ts"
import { ShareLinksHandlers } from "./share-links.ts"
import { WorkspacesHandlers } from "./workspaces.ts"

export const Handlers = Layer.mergeAll(
  AuthHandlers,
  AccountHandlers,
  ApiTokensHandlers,
  DeviceGrantsHandlers,
  OauthHandlers,
  GrantsHandlers,
  ProjectsHandlers,
  FoldersHandlers,
  AllowlistsHandlers,
  ShareLinksHandlers,
  CommentsHandlers,
  AnalyticsHandlers,
  InvitesHandlers,
  WorkspacesHandlers,
  MembersHandlers,
  AuditHandlers,
  BillingHandlers,
  ExportsHandlers,
  ErasureHandlers,
  IdpHandlers
)
