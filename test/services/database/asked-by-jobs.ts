/** Background work that is polled, claimed and swept: mails, notices of comments, exports, ends, and jobs themselves. */
import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { MessageStorage, ShardId } from "effect/cluster"
import { RateLimiter } from "effect/persistence"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { JobId } from "../../../src/domain/administration/model.ts"
import { JobStore } from "../../../src/domain/administration/store.ts"
import { BillingStore, LapseStore, TrialMailStore } from "../../../src/domain/billing/store.ts"
import { CommentId } from "../../../src/domain/comments/model.ts"
import { CommentNoticeStore, CommentStore } from "../../../src/domain/comments/store.ts"
import { DeletionStore, ErasingStore } from "../../../src/domain/erasure/store.ts"
import { ExportId } from "../../../src/domain/exports/model.ts"
import { ExportStore } from "../../../src/domain/exports/store.ts"
import { InviteStore } from "../../../src/domain/invites/store.ts"
import { MailId } from "../../../src/domain/mails/model.ts"
import { DeadMailStore } from "../../../src/domain/mails/store.ts"
import { OauthStore } from "../../../src/domain/oauth/store.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { ProjectId } from "../../../src/domain/projects/model.ts"
import { ProjectStore } from "../../../src/domain/projects/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { ShareLinkStore } from "../../../src/domain/share-links/store.ts"
import { AccountStoreSql } from "../../../src/services/database/accounts.ts"
import { BillingStoreSql } from "../../../src/services/database/billing.ts"
import { CommentNoticeStoreSql } from "../../../src/services/database/comment-notices.ts"
import { DeadMailStoreOutbox } from "../../../src/services/database/dead-mails.ts"
import { DeletionStoreSql } from "../../../src/services/database/erasure.ts"
import { ErasingStoreSql } from "../../../src/services/database/erasing.ts"
import { ExportStoreSql } from "../../../src/services/database/exports.ts"
import { figures } from "../../../src/services/database/figures.ts"
import { InviteStoreSql } from "../../../src/services/database/invites.ts"
import { JobStoreSql } from "../../../src/services/database/jobs.ts"
import { LapseStoreSql } from "../../../src/services/database/lapses.ts"
import { markDead, markMissed, markSent, sweepDead, sweepSent, takeOver, takeUp } from "../../../src/services/database/mails.ts"
import { OauthStoreSql } from "../../../src/services/database/oauth.ts"
import { ProjectStoreSql } from "../../../src/services/database/projects.ts"
import { RateLimiterStoreSql } from "../../../src/services/database/rate-limits.ts"
import { ShareLinkStoreSql } from "../../../src/services/database/share-links.ts"
import { TrialMailStoreSql } from "../../../src/services/database/trial-mails.ts"
import { ROWS, uuid } from "./at-size.ts"

const Unsealed = Layer.succeed(Seals, Seals.of({ seal: () => Effect.succeed("sealed"), open: () => Effect.succeed(Option.none()) }))

export const JobStores = Layer.mergeAll(
  AccountStoreSql, BillingStoreSql, CommentNoticeStoreSql, DeadMailStoreOutbox, DeletionStoreSql, ErasingStoreSql, ExportStoreSql, InviteStoreSql, JobStoreSql, LapseStoreSql, OauthStoreSql,
  ProjectStoreSql, RateLimiterStoreSql, ShareLinkStoreSql, TrialMailStoreSql
).pipe(Layer.provideMerge(Unsealed))

export const OF_JOBS = [
  "users", "workspaces", "members", "projects", "comments", "comment_notices", "comment_mutes", "exports", "mails", "rate_limits",
  "customers", "payment_notices", "invites", "share_links", "passes", "view_days", "trial_mails", "email_tokens", "oauth_tokens", "oauth_families", "cluster_messages", "cluster_replies"
]

/** How many tries of a limit lead to one sweep of the expired ones. */
const TRIES = 256

export const work = Effect.gen(function*() {
  const [billing, lapses, trials] = [yield* BillingStore, yield* LapseStore, yield* TrialMailStore]
  const [comments, dead, erasing, exports, notices] = [yield* CommentStore, yield* DeadMailStore, yield* ErasingStore, yield* ExportStore, yield* CommentNoticeStore]
  const [jobs, engine] = [yield* JobStore, yield* MessageStorage.MessageStorage]
  const [accounts, oauth, projects] = [yield* AccountStore, yield* OauthStore, yield* ProjectStore]
  const [deletions, invites, links] = [yield* DeletionStore, yield* InviteStore, yield* ShareLinkStore]
  const limits = yield* RateLimiter.RateLimiterStore
  const { read } = yield* figures
  const now = yield* DateTime.now
  const ago = (minutes: number) => DateTime.subtract(now, { minutes })

  for (let turn = 1; turn <= 8; turn++) {
    const n = turn * 600 + 7
    const [user, workspace, project, id] = [UserId.make(uuid(n)), WorkspaceId.make(uuid(n - n % 10)), ProjectId.make(uuid(n)), uuid(n)]

    assert.isAtLeast((yield* notices.unheard(20)).length, 20)
    assert.lengthOf(yield* deletions.unproven(now, undefined, 20), 20)
    assert.isNotEmpty(yield* deletions.unproven(now, user, 20))
    assert.isTrue(Option.isSome(yield* notices.holdSlug(project)))
    assert.lengthOf(yield* notices.claim({ userId: user, projectId: project }), 1)
    yield* notices.setMuted(user, project, true)
    assert.isTrue(yield* notices.muted(user, project))
    yield* notices.setMuted(user, project, false)
    assert.lengthOf(yield* comments.people(CommentId.make(id)), 1)
    yield* comments.hold(CommentId.make(id))

    const taken = Option.getOrThrow(yield* takeUp(turn % 2 === 0 ? "awaited" : "notices", now, Duration.minutes(1)))
    yield* markMissed(taken, now)
    yield* turn % 3 === 0 ? markSent(taken.id, now) : markDead(taken, now)
    yield* takeOver(taken.id, now)
    assert.isAtLeast((yield* dead.list({ limit: 20, after: undefined })).length, 20)
    assert.isAtLeast((yield* dead.list({ limit: 5, after: MailId.make(uuid(4_000)) })).length, 5)
    yield* read
    yield* erasing.mails(turn === 1 ? undefined : uuid(n))
    yield* erasing.traces(workspace)
    yield* erasing.packs(workspace)

    assert.isTrue(Option.isSome(yield* exports.latest(workspace, now)))
    assert.isTrue(Option.isSome(yield* exports.counted(workspace, ago(n * 1440))))
    assert.isTrue(Option.isSome(yield* exports.opened(ExportId.make(id), `export-${n}`)))
    yield* exports.begin(ExportId.make(id), uuid(ROWS + turn), now)
    yield* exports.failTry(ExportId.make(id), uuid(ROWS + turn))
    yield* exports.fail(ExportId.make(id), now)
    assert.lengthOf(yield* exports.projects(workspace, user), 10)
    assert.isTrue(Option.isSome(yield* exports.project(project, user)))
    assert.isAbove((yield* exports.expire(ago(ROWS - turn * 10), 500)).length, 0)

    // As each worker asks five times a second. An administrator's lists and counts read the whole table of the engine, and are left out.
    yield* engine.unprocessedMessages([ShardId.make("elsewhere", turn)])
    yield* jobs.retry(JobId.make(String(turn * 100)))

    for (let one = 0; one < TRIES / 8; one++) {
      yield* limits.fixedWindow({ key: `limit-${n % 2_000}`, tokens: 1, limit: 1_000, refillRate: Duration.minutes(1) })
    }
    assert.isAbove(yield* billing.sweepNotices(ago(ROWS - turn * 10), 50), 0)
    assert.strictEqual(yield* accounts.sweepTokens(ago(turn), 50), 50)
    assert.strictEqual(yield* oauth.sweepTokens(ago(-2 * 1440), 50), 50)
    assert.isAbove(yield* oauth.sweepFamilies(ago(ROWS - turn * 10), 50), 0)
    assert.strictEqual(yield* invites.sweep(ago(-2 * 1440), 50), 50)
    assert.strictEqual(yield* sweepSent(ago(-turn), 50), 50)
    yield* sweepDead(ago(ROWS - turn * 10), 50)
    assert.strictEqual(yield* jobs.sweep(now, 50), 50)
    assert.strictEqual(yield* projects.sweep(ago(turn), 5), 5)
    yield* links.sweepLabels(50)
    assert.isTrue(Option.isSome(yield* billing.customer(workspace)))
    assert.lengthOf(yield* billing.overdue({ now, readBefore: ago(ROWS + 60), endedSince: ago(ROWS), newsBefore: ago(ROWS + 60), wentSince: ago(ROWS), readAhead: ago(-60) }, 20), 0)
    assert.lengthOf(yield* lapses.ended(ago(ROWS - 50 - turn), 20), 20)
    assert.isTrue(yield* lapses.claim(WorkspaceId.make(uuid(ROWS - turn)), now))
    assert.isAbove((yield* trials.waiting([{ kind: "ended", after: ago(n + 20), upTo: ago(n), ofTrial: false }], DateTime.makeUnsafe(0), 20)).length, 0)
    assert.isTrue(yield* trials.claim(workspace, "ended", now, now))
    assert.lengthOf(yield* trials.admins(workspace), 10)
  }
})
