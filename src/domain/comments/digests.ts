/**
 * Mail about comments in digests: every quarter of an hour, one mail for each person and project (CONTRACT §9). Who is to hear
 * of a comment is noted with it; whether they still may, and how much they are told, is decided when the mail is written.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { eachOnce } from "../batches.ts"
import type { Site } from "../hosting/model.ts"
import { HostingStore } from "../hosting/store.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Policies } from "../ports/policies.ts"
import { Seals } from "../ports/seals.ts"
import { ProjectId } from "../projects/model.ts"
import { Commenters } from "./commenters.ts"
import type { News, Unheard } from "./model.ts"
import { placeOf } from "./places.ts"
import * as Rules from "./rules.ts"
import { CommentNoticeStore } from "./store.ts"

/** In one mail; further comments are only counted. */
const QUOTES = 10
const BATCH = 200

/** What the link that mutes a project holds, sealed; it opens nothing else. */
const PURPOSE = "mute-comments"
const Muting = Schema.Struct({ user: UserId, project: ProjectId })
const decode = Schema.decodeUnknownOption(Muting)

const nameOf = ({ projectId, userId }: Unheard): string => `${userId} ${projectId}`

const IN_REPLY = "in reply"

const quote = ({ anchor, author, body, isReply }: News) => ({
  by: author,
  about: isReply ? IN_REPLY : (anchor === null ? undefined : placeOf(anchor)) ?? "",
  text: Rules.quoteOf(body)
})

export class CommentDigests extends Context.Service<CommentDigests>()("svc/domain/comments/CommentDigests", {
  make: Effect.gen(function*() {
    const notices = yield* CommentNoticeStore
    const accounts = yield* AccountStore
    const commenters = yield* Commenters
    const hosting = yield* HostingStore
    const mailer = yield* Mailer
    const seals = yield* Seals
    const policies = yield* Policies
    const { projectUrl } = yield* Addresses
    const { atomically } = yield* Atomically

    /** What this person may be told now; undefined for nothing. */
    const telling = Effect.fn("CommentDigests.telling")(function*({ projectId, userId }: Unheard, slug: string) {
      const now = yield* DateTime.now
      const user = Option.getOrUndefined(yield* accounts.find(userId))
      const arrived = user && Option.getOrUndefined(yield* commenters.at(slug, user, projectId))
      const site = yield* hosting.site(slug)
      if (arrived === undefined || site === undefined || !arrived.user.emailVerified || (yield* notices.muted(userId, projectId))) return undefined
      const much = Rules.tellable(arrived, Rules.doorWithoutPass(site, policies.trial, now))
      return much === "nothing" ? undefined : { user: arrived.user, isMember: arrived.isMember, site, much }
    })

    const opened = (raw: string) => Effect.map(seals.open(PURPOSE, raw), (held) => Option.getOrUndefined(Option.flatMap(held, decode)))

    const nameFor = ({ much, site }: { readonly much: "all" | "count"; readonly site: Site }) => much === "all" ? site.title : site.slug

    type Told = NonNullable<Effect.Success<ReturnType<typeof telling>>>

    const contents = (told: Told, found: ReadonlyArray<News>) => {
      const news = found.filter((one) => Rules.isNews(one, told.isMember))
      return {
        project: nameFor(told),
        url: projectUrl(told.site.slug),
        count: news.length,
        comments: news.map(({ id }) => id),
        quotes: told.much === "all" ? news.slice(0, QUOTES).map(quote) : []
      }
    }

    const send = Effect.fn("CommentDigests.send")(
      function*(unheard: Unheard) {
        // Before anything counts as heard: under a slug that was renamed meanwhile, nobody would be found to tell.
        const slug = Option.getOrUndefined(yield* notices.holdSlug(unheard.projectId))
        const claimed = yield* notices.claim(unheard)
        const told = slug === undefined || claimed.length === 0 ? undefined : yield* telling(unheard, slug)
        if (told === undefined) return 0
        const { user } = told
        const news = contents(told, claimed)
        if (news.count === 0) return 0
        const mute = yield* seals.seal(PURPOSE, { user: user.id, project: unheard.projectId })
        yield* mailer.enqueue(Mail.cases.CommentDigest.make({ to: user.email, name: user.name, ...news, mute }))
        return 1
      },
      atomically
    )

    /** A digest that waited in the outbox, as far as its recipient may be told of it now; none if of nothing. */
    const asOfNow = Effect.fn("CommentDigests.asOfNow")(
      function*(mail: Extract<Mail, { readonly _tag: "CommentDigest" }>) {
        const muting = yield* opened(mail.mute)
        const slug = muting && Option.getOrUndefined(yield* notices.holdSlug(muting.project))
        const told = muting === undefined || slug === undefined ? undefined : yield* telling({ userId: muting.user, projectId: muting.project }, slug)
        if (told === undefined) return Option.none<Mail>()
        if (mail.comments !== undefined) {
          const news = contents(told, yield* notices.news(mail.comments))
          return news.count === 0 ? Option.none<Mail>() : Option.some<Mail>({ ...mail, ...news })
        }
        // To a guest only replies are news.
        if (!told.isMember && mail.quotes.some(({ about }) => about !== IN_REPLY)) return Option.none<Mail>()
        return Option.some<Mail>({ ...mail, project: nameFor(told), url: projectUrl(told.site.slug), quotes: told.much === "all" ? mail.quotes : [] })
      },
      atomically
    )

    /** Answers how many mails went into the outbox. */
    const sendAll = Effect.fn("CommentDigests.sendAll")(() =>
      eachOnce(BATCH, { waiting: notices.unheard, nameOf, handle: send, failure: "a comment digest was not sent" }))

    /** Mutes or unmutes a project by a mail's link; false for a link that we did not issue. Repeating it changes nothing. */
    const mute = Effect.fn("CommentDigests.mute")(function*(raw: string, muted: boolean) {
      const muting = yield* opened(raw)
      if (muting !== undefined) yield* notices.setMuted(muting.user, muting.project, muted)
      return muting !== undefined
    })

    return { sendAll, asOfNow, mute }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
