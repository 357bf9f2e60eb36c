/** The programs of all slices, over any implementation of their ports. */
import { Effect, Layer } from "effect"
import { Accounts } from "./accounts/accounts.ts"
import { Reauthentication } from "./accounts/reauthentication.ts"
import { Recovery } from "./accounts/recovery.ts"
import { Administering } from "./administration/administering.ts"
import { LookingUp } from "./administration/looking-up.ts"
import { PlatformAdmins } from "./administration/platform-admins.ts"
import { Analytics } from "./analytics/analytics.ts"
import { ViewDays } from "./analytics/view-days.ts"
import { Views } from "./analytics/views.ts"
import { Allowlists } from "./allowlists/allowlists.ts"
import { ApiTokens } from "./api-tokens/api-tokens.ts"
import { Audit } from "./audit/audit.ts"
import { Billing } from "./billing/billing.ts"
import { Doubles } from "./billing/doubles.ts"
import { Lapses } from "./billing/lapses.ts"
import { Subscriptions } from "./billing/subscriptions.ts"
import { TrialMails } from "./billing/trial-mails.ts"
import { Erasing } from "./erasure/erasing.ts"
import { Erasure } from "./erasure/erasure.ts"
import { Renewals } from "./erasure/renewals.ts"
import { DeviceGrants } from "./device-grants/device-grants.ts"
import { ExportBuilds } from "./exports/builds.ts"
import { ExportContents } from "./exports/contents.ts"
import { Exports } from "./exports/exports.ts"
import { Folders } from "./folders/folders.ts"
import { EntryKeys } from "./hosting/entry-keys.ts"
import { Gates } from "./hosting/gates.ts"
import { ShellProofs } from "./hosting/shell-proofs.ts"
import { Idempotency } from "./idempotency/idempotency.ts"
import { Idp } from "./idp/idp.ts"
import { Invites } from "./invites/invites.ts"
import { Inviting } from "./invites/inviting.ts"
import { CommentTokens } from "./comments/comment-tokens.ts"
import { Commenters } from "./comments/commenters.ts"
import { Comments } from "./comments/comments.ts"
import { CommentDigests } from "./comments/digests.ts"
import { CommentsOnOrigin } from "./comments/on-origin.ts"
import { CommentThreads } from "./comments/threads.ts"
import { Mails } from "./mails/mails.ts"
import { Grants } from "./grants/grants.ts"
import { OauthClients } from "./oauth/clients.ts"
import { OAuth } from "./oauth/oauth.ts"
import { TokenGrants } from "./oauth/token-grants.ts"
import { Claiming } from "./projects/claiming.ts"
import { Collection } from "./projects/packs/collection.ts"
import { CatchingUp } from "./catching-up/catching-up.ts"
import { Comparing } from "./projects/comparing.ts"
import { History } from "./projects/history.ts"
import { Projects } from "./projects/projects.ts"
import { Publishing } from "./projects/publishing.ts"
import { ProjectSettings } from "./projects/project-settings.ts"
import { Reading } from "./projects/reading.ts"
import { Receiving } from "./projects/receiving.ts"
import { Thinning } from "./projects/packs/thinning.ts"
import { Versions } from "./projects/versions.ts"
import { Ahead } from "./renderings/ahead.ts"
import { Renderings } from "./renderings/renderings.ts"
import { Sessions } from "./sessions/sessions.ts"
import { ShareLinks } from "./share-links/share-links.ts"
import { Thumbnails } from "./thumbnails/thumbnails.ts"
import { Uploads } from "./uploads/uploads.ts"
import { Members } from "./workspaces/members.ts"
import { Workspaces } from "./workspaces/workspaces.ts"

/** Built on layers of other slices; each layer is built once, so `Programs` below shares the same instances. */
const SignedInElsewhere = Idp.layer.pipe(Layer.provide([Recovery.layer, Invites.layer]))

const AgentsParts = Layer.mergeAll(
  Reading.layer,
  Uploads.layer.pipe(Layer.provide(Publishing.layer)),
  CatchingUp.layer.pipe(Layer.provide([Projects.layer, Comments.layer, ShareLinks.layer, Analytics.layer]))
)

/** An erasure checks once more that no subscription renews. */
const Deletions = Layer.mergeAll(Erasure.layer, Erasing.layer.pipe(Layer.provideMerge(Renewals.layer.pipe(Layer.provide(Subscriptions.layer)))))

const AdministeringParts = Administering.layer.pipe(Layer.provide([Inviting.layer, Erasure.layer, Mails.layer]), Layer.provideMerge(Layer.merge(LookingUp.layer, PlatformAdmins.layer)))

/** A publish begins its own rendering and its own thumbnail. */
const BegunAhead = Layer.effect(
  Ahead,
  Effect.map(Effect.all([Renderings, Thumbnails]), ([renderings, thumbnails]) => (project) => Effect.andThen(renderings.begin(project), thumbnails.begin(project)))
).pipe(Layer.provideMerge(Layer.merge(Renderings.layer, Thumbnails.layer)))

export const Programs = Layer.mergeAll(
  AgentsParts,
  Deletions,
  AdministeringParts,
  Accounts.layer,
  Gates.layer,
  Recovery.layer,
  Comments.layer,
  CommentsOnOrigin.layer,
  CommentDigests.layer,
  Projects.layer,
  Folders.layer,
  ShareLinks.layer,
  Analytics.layer,
  ViewDays.layer,
  Publishing.layer,
  History.layer.pipe(Layer.provideMerge(Comparing.layer)),
  Collection.layer,
  Thinning.layer,
  OAuth.layer,
  TokenGrants.layer,
  Grants.layer,
  Invites.layer,
  Inviting.layer,
  Members.layer,
  SignedInElsewhere,
  Mails.layer,
  Billing.layer.pipe(Layer.provide(Subscriptions.layer)),
  Subscriptions.layer,
  TrialMails.layer,
  Lapses.layer,
  Doubles.layer.pipe(Layer.provide(Subscriptions.layer)),
  Exports.layer,
  ExportBuilds.layer.pipe(Layer.provide(ExportContents.layer))
).pipe(
  Layer.provideMerge(Layer.mergeAll(Claiming.layer, DeviceGrants.layer, OauthClients.layer, CommentTokens.layer, Commenters.layer, CommentThreads.layer)),
  Layer.provideMerge(Layer.mergeAll(Reauthentication.layer, Sessions.layer, EntryKeys.layer, ShellProofs.layer, ApiTokens.layer, Allowlists.layer, Versions.layer, Receiving.layer, ProjectSettings.layer)),
  Layer.provideMerge(Layer.mergeAll(Workspaces.layer, BegunAhead)),
  Layer.provideMerge(Layer.mergeAll(Audit.layer, Idempotency.layer, Views.layer))
)
