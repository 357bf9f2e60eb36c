/** Append only. The key is the order; a released migration is never edited. */
import { Migrator } from "effect/sql"
import accounts from "./0001-accounts.ts"
import rateLimits from "./0002-rate-limits.ts"
import projects from "./0003-projects.ts"
import mails from "./0004-mails.ts"
import deviceGrants from "./0005-device-grants.ts"
import oauth from "./0006-oauth.ts"
import invites from "./0008-invites.ts"
import passes from "./0009-passes.ts"
import views from "./0010-views.ts"
import folders from "./0011-folders.ts"
import allowlists from "./0012-allowlists.ts"
import comments from "./0013-comments.ts"
import renderings from "./0014-renderings.ts"
import workspaces from "./0015-workspaces.ts"
import billing from "./0016-billing.ts"
import exports from "./0017-exports.ts"
import erasure from "./0018-erasure.ts"
import uploads from "./0019-uploads.ts"
import sessionPasses from "./0020-session-passes.ts"
import visitorLedger from "./0021-visitor-ledger.ts"
import notedFacts from "./0023-noted-facts.ts"
import idempotency from "./0022-idempotency.ts"
import takedowns from "./0025-takedowns.ts"
import lookedUp from "./0026-looked-up.ts"
import remnants from "./0027-remnants.ts"
import deletedProjects from "./0028-deleted-projects.ts"
import shortRenderings from "./0029-short-renderings.ts"
import deployment from "./0030-deployment.ts"
import deviceClients from "./0031-device-clients.ts"
import excerpts from "./0032-excerpts.ts"
import thinning from "./0033-thinning.ts"
import revokedLabels from "./0034-revoked-labels.ts"
import givenTitles from "./0035-given-titles.ts"
import labelsLeft from "./0036-labels-left.ts"
import mailTurns from "./0037-mail-turns.ts"
import composedLabels from "./0038-composed-labels.ts"
import enforcedSince from "./0039-enforced-since.ts"
import linkIssuers from "./0040-link-issuers.ts"
import thumbnails from "./0041-thumbnails.ts"
import lastOpens from "./0042-last-opens.ts"
import ownTitles from "./0043-own-titles.ts"
import uploadSizes from "./0044-upload-sizes.ts"
import wholePictures from "./0045-whole-pictures.ts"
import inviteEnds from "./0046-invite-ends.ts"
import freedMoments from "./0047-freed-moments.ts"
import unproven from "./0048-unproven.ts"
import uploadProjects from "./0049-upload-projects.ts"
import oldFamilies from "./0050-old-families.ts"
import paymentsComing from "./0051-payments-coming.ts"
import onlyHolders from "./0052-only-holders.ts"

export const migrations = Migrator.fromRecord({
  "0001_accounts": accounts,
  "0002_rate_limits": rateLimits,
  "0003_projects": projects,
  "0004_mails": mails,
  "0005_device_grants": deviceGrants,
  "0006_oauth": oauth,
  "0008_invites": invites,
  "0009_passes": passes,
  "0010_views": views,
  "0011_folders": folders,
  "0012_allowlists": allowlists,
  "0013_comments": comments,
  "0014_renderings": renderings,
  "0015_workspaces": workspaces,
  "0016_billing": billing,
  "0017_exports": exports,
  "0018_erasure": erasure,
  "0019_uploads": uploads,
  "0020_session_passes": sessionPasses,
  "0021_visitor_ledger": visitorLedger,
  "0022_idempotency": idempotency,
  "0023_noted_facts": notedFacts,
  "0025_takedowns": takedowns,
  "0026_looked_up": lookedUp,
  "0027_remnants": remnants,
  "0028_deleted_projects": deletedProjects,
  "0029_short_renderings": shortRenderings,
  "0030_deployment": deployment,
  "0031_device_clients": deviceClients,
  "0032_excerpts": excerpts,
  "0033_thinning": thinning,
  "0034_revoked_labels": revokedLabels,
  "0035_given_titles": givenTitles,
  "0036_labels_left": labelsLeft,
  "0037_mail_turns": mailTurns,
  "0038_composed_labels": composedLabels,
  "0039_enforced_since": enforcedSince,
  "0040_link_issuers": linkIssuers,
  "0041_thumbnails": thumbnails,
  "0042_last_opens": lastOpens,
  "0043_own_titles": ownTitles,
  "0044_upload_sizes": uploadSizes,
  "0045_whole_pictures": wholePictures,
  "0046_invite_ends": inviteEnds,
  "0047_freed_moments": freedMoments,
  "0048_unproven": unproven,
  "0049_upload_projects": uploadProjects,
  "0050_old_families": oldFamilies,
  "0051_payments_coming": paymentsComing,
  "0052_only_holders": onlyHolders
})
