/**
 * Every day: what is over and of which nothing will be heard again. Notices of payments, authorization codes and device grants that expired,
 * agents that nobody let in for long and their clients, mailed links and agents' tokens whose time is up, invitations that expired long ago, mails that went
 * out or were given up, jobs that are done, labels of share links that are revoked, deleted projects that keep no address any more. Safe to run twice.
 */
import { DateTime, Effect } from "effect"
import { AccountStore } from "../domain/accounts/store.ts"
import { JOBS_KEPT } from "../domain/administration/rules.ts"
import { JobStore } from "../domain/administration/store.ts"
import { inBatches, orNone } from "../domain/batches.ts"
import { NOTICES_KEPT } from "../domain/billing/rules.ts"
import { BillingStore } from "../domain/billing/store.ts"
import { EXPIRED_KEPT } from "../domain/device-grants/rules.ts"
import { DeviceGrantStore } from "../domain/device-grants/store.ts"
import { KEPT as INVITES_KEPT } from "../domain/invites/rules.ts"
import { InviteStore } from "../domain/invites/store.ts"
import { DEAD_KEPT, SENT_KEPT } from "../domain/mails/rules.ts"
import { CODES_KEPT, FAMILIES_KEPT, UNUSED_KEPT } from "../domain/oauth/rules.ts"
import { OauthStore } from "../domain/oauth/store.ts"
import { SLUG_KEPT } from "../domain/projects/rules.ts"
import { ProjectStore } from "../domain/projects/store.ts"
import { ShareLinkStore } from "../domain/share-links/store.ts"
import { sweepDead, sweepSent } from "../services/database/mails.ts"
import { byTheClock } from "./by-the-clock.ts"

const AT_ONCE = 1_000

/** What cannot be swept of one kind, day after day perhaps, keeps none of the others. */
const all = <R>(some: Effect.Effect<number, never, R>) => orNone("remnants not swept")(inBatches(AT_ONCE, some))

export const sweepRemnantsOnce = Effect.gen(function*() {
  const [accounts, oauth, jobs, projects] = [yield* AccountStore, yield* OauthStore, yield* JobStore, yield* ProjectStore]
  const now = yield* DateTime.now
  const swept = {
    notices: yield* all((yield* BillingStore).sweepNotices(DateTime.subtract(now, NOTICES_KEPT), AT_ONCE)),
    codes: yield* all(oauth.sweepCodes(DateTime.subtract(now, CODES_KEPT), AT_ONCE)),
    grants: yield* all((yield* DeviceGrantStore).sweep(DateTime.subtract(now, EXPIRED_KEPT), AT_ONCE)),
    links: yield* all(accounts.sweepTokens(now, AT_ONCE)),
    tokens: yield* all(oauth.sweepTokens(now, AT_ONCE)),
    families: yield* all(oauth.sweepFamilies(DateTime.subtract(now, FAMILIES_KEPT), AT_ONCE)),
    clients: yield* all(oauth.sweepClients(DateTime.subtract(now, UNUSED_KEPT), AT_ONCE)),
    invites: yield* all((yield* InviteStore).sweep(DateTime.subtract(now, INVITES_KEPT), AT_ONCE)),
    mails: yield* all(sweepSent(DateTime.subtract(now, SENT_KEPT), AT_ONCE)),
    dead: yield* all(sweepDead(DateTime.subtract(now, DEAD_KEPT), AT_ONCE)),
    jobs: yield* all(jobs.sweep(DateTime.subtract(now, JOBS_KEPT), AT_ONCE)),
    labels: yield* all((yield* ShareLinkStore).sweepLabels(AT_ONCE)),
    projects: yield* all(projects.sweep(DateTime.subtract(now, SLUG_KEPT), AT_ONCE))
  }
  if (Object.values(swept).some((count) => count > 0)) yield* Effect.logInfo("remnants swept").pipe(Effect.annotateLogs(swept))
  return swept
})

export const SweepRemnantsWorker = byTheClock("sweep-remnants", "17 4 * * *", sweepRemnantsOnce, "remnants not swept")
