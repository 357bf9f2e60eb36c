/** What changed on a project since a moment, in one answer, put together from what the other programs tell the same user. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { Analytics } from "../analytics/analytics.ts"
import { Comments } from "../comments/comments.ts"
import { dayAt } from "../days.ts"
import { Projects } from "../projects/projects.ts"
import { ShareLinks } from "../share-links/share-links.ts"
import { happenedTo, happenedToLink } from "./rules.ts"

/** At most this many threads, and as many links. */
const LISTED = 100

/**
 * A write that is under way may become visible only after the answer, as late as a statement may wait for its lock, and the
 * clocks of instances differ by seconds. So the next answer covers this span again: telling twice does less harm than never.
 */
const OVERLAP = { seconds: 40 } as const

export class CatchingUp extends Context.Service<CatchingUp>()("svc/domain/catching-up/CatchingUp", {
  make: Effect.gen(function*() {
    const projects = yield* Projects
    const comments = yield* Comments
    const shareLinks = yield* ShareLinks
    const analytics = yield* Analytics

    const since = Effect.fn("CatchingUp.since")(function*(user: User, slug: string, since: DateTime.Utc) {
      const now = yield* DateTime.now
      const { versions, ...project } = yield* projects.get(user, slug)
      const threads = yield* comments.since(user, slug, since, LISTED)
      const links = (yield* shareLinks.list(user, slug)).map((link) => ({ ...link, happened: happenedToLink(link, since, now) }))
        .filter(({ happened }) => happened.length > 0)
      const days = Math.max(1, dayAt(now) - dayAt(since) + 1)
      const { series, totals, window } = yield* analytics.of(user, slug, days)
      return {
        project,
        since,
        until: DateTime.subtract(now, OVERLAP),
        versions: versions.filter(({ createdAt }) => DateTime.isGreaterThan(createdAt, since)),
        comments: threads.comments.map((thread) => ({ ...thread, happened: happenedTo(thread, since) })),
        shareLinks: links.slice(0, LISTED),
        views: { ...totals, fromDate: series[0]!.date, truncated: window.truncated },
        truncated: threads.nextCursor !== null || links.length > LISTED
      }
    })

    return { since }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
