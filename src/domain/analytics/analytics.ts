/** What members learn about the readers of a project (SPEC §2, §4.6; CONTRACT §9). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { dayAt } from "../days.ts"
import * as AccessRules from "../projects/access-rules.ts"
import { ProjectStore } from "../projects/store.ts"
import { ShareLinkStore } from "../share-links/store.ts"
import { PLANS } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import type { Analysis } from "./model.ts"
import * as Rules from "./rules.ts"
import { ViewStore } from "./store.ts"
import { Views } from "./views.ts"

/** How long figures wait for the views that this instance has noted and not written yet. */
const NOTED = "250 millis"

/** Reads that do not depend on each other run at once: an answer waits for two round trips instead of four. */
const BESIDE = { concurrency: "unbounded" } as const

export class Analytics extends Context.Service<Analytics>()("svc/domain/analytics/Analytics", {
  make: Effect.gen(function*() {
    const views = yield* ViewStore
    const { flush } = yield* Views
    const projects = yield* ProjectStore
    const workspaces = yield* WorkspaceStore
    const shareLinks = yield* ShareLinkStore

    /** For anyone who may see the project. */
    const of = Effect.fn("Analytics.of")(function*(user: User, slug: string, days: number) {
      const today = dayAt(yield* DateTime.now)
      const [found, memberships] = yield* Effect.all([projects.reach(slug, user.id), workspaces.memberships(user.id), Effect.timeoutOption(flush, NOTED)], BESIDE)
      const { project: { id, workspaceId } } = yield* Effect.fromResult(AccessRules.visible(found))
      const workspace = memberships.find((membership) => membership.id === workspaceId)
      // The caller lost their membership between the two reads.
      if (workspace === undefined) return yield* AccessRules.noSuchProject()

      const window = Rules.window(days, PLANS[workspace.plan].analyticsDays)
      const [known, given] = yield* Effect.all([views.days(id, today - window.retentionDays + 1, today), shareLinks.list(id)], BESIDE)
      const series = Rules.series(today, window.days, known)
      const links = given.toReversed()
      return {
        totals: { ...Rules.total(series), lastViewedAt: Rules.lastViewed(known) },
        series,
        shareLinks: links.map(({ firstOpenedAt, label, viewCount }) => ({ label, viewCount, firstOpenedAt })),
        window
      } satisfies Analysis
    })

    return { of }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
