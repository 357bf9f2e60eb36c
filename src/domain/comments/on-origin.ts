/**
 * Comments on a project's own host, where readers are (CONTRACT §9). Reading needs what `/` needs: an open door, or a
 * member's token. Writing needs a comment token too, and every fact behind it is checked again each time.
 *
 * 1. The door, with the pass that the request carries; a member needs none. A closed door tells no more than `/` does.
 * 2. Comments exist here: they are switched on, and our code alone runs on the host.
 * 3. The token: for this project, not expired, of the user's current session epoch.
 * 4. The rate limit, before any write and the queries for it.
 * 5. A verified address, and the project's comment access.
 */
import { Cause, Context, DateTime, Effect, Layer, Option, Queue, Schedule } from "effect"
import type { User } from "../accounts/model.ts"
import { verified } from "../accounts/rules.ts"
import { AuthRequired } from "../failures.ts"
import { orFail } from "../found.ts"
import type { Site, Visit } from "../hosting/model.ts"
import { door, isGated, isPutAway } from "../hosting/rules.ts"
import { HostingStore } from "../hosting/store.ts"
import type { AtDoor } from "../hosting/store.ts"
import { Atomically } from "../ports/atomically.ts"
import { Policies } from "../ports/policies.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { CommentTokens } from "./comment-tokens.ts"
import { Commenters } from "./commenters.ts"
import type { Arrived } from "./commenters.ts"
import type { ChangeKind, Comment, CommentDraft, CommentId, CommentPage, CommentStatus } from "./model.ts"
import * as Rules from "./rules.ts"
import { sharedLooks } from "./shared-looks.ts"
import { CommentChanges, CommentStore } from "./store.ts"
import type { Heard } from "./store.ts"
import { CommentThreads } from "./threads.ts"

export interface AtOrigin extends AtDoor {
  /** The comment token, if the request carries one. */
  readonly token: string | undefined
}

/** What a follower of a project's comments is sent. `ready`: from now on nothing is missed, so list them now. */
export type Followed =
  | { readonly kind: "ready" | "here" }
  /** A newer version is served from now on. */
  | { readonly kind: "published"; readonly version: number }
  | { readonly kind: ChangeKind; readonly id: CommentId; readonly threadId: CommentId; readonly comment: Comment | null }

/** Each answers false if it had to wait. */
export interface Follower {
  /** Completes once there is room for this event. */
  readonly turn: (followed: Followed) => Effect.Effect<boolean>
  /** Completes once the client has taken it. */
  readonly tell: (followed: Followed) => Effect.Effect<boolean>
}

type Look = (at: AtDoor) => Effect.Effect<Visit | undefined>

const READY = { kind: "ready" } as const
const HERE = { kind: "here" } as const

/** How long it may take to notice that a follower's access ended, while nothing else happens. */
const LOOK_AGAIN = "10 seconds"

/** A look that the database cannot answer is retried, for less time than proxies wait: a restart of the database ends no stream. */
const LOOK_LONGER = Schedule.upTo(Schedule.spaced("500 millis"), { duration: "30 seconds" })

/** With more changes than this behind, listing everything again is quicker. */
const BACKLOG = 100

/** What a slow follower is still to be sent: each thread once, with its latest change. */
const caughtUp = (missed: ReadonlyArray<Heard>): ReadonlyArray<Heard> =>
  missed.length > BACKLOG ? ["anew"] : [...new Map(missed.map((one) => [one === "anew" ? one : one.threadId, one])).values()]

/** Zero until something is published. */
const newestOf = ({ version }: Site): number => version?.number ?? 0

const noToken = () => new AuthRequired({ message: "Sign in to comment. If you are signed in, reload the page." })

export class CommentsOnOrigin extends Context.Service<CommentsOnOrigin>()("svc/domain/comments/CommentsOnOrigin", {
  make: Effect.gen(function*() {
    const store = yield* CommentStore
    const changes = yield* CommentChanges
    const threads = yield* CommentThreads
    const commenters = yield* Commenters
    const tokens = yield* CommentTokens
    const hosting = yield* HostingStore
    const limits = yield* RateLimits
    const policies = yield* Policies
    const { atomically } = yield* Atomically
    const shared = sharedLooks({ hosting, store })

    /** The user of the token; undefined without a token, a refusal for a bad one. */
    const bearer = Effect.fn("CommentsOnOrigin.bearer")(function*(token: string | undefined, site: Site) {
      if (token === undefined) return undefined
      return yield* tokens.open(token, site.projectId).pipe(orFail(noToken))
    })

    const known = Effect.fn("CommentsOnOrigin.known")(function*(site: Site, user: User) {
      return yield* commenters.at(site.slug, user, site.projectId).pipe(orFail(Rules.noComments))
    })

    const lookAlone: Look = (at) => Effect.map(hosting.visits([at]), ([visit]) => visit)

    /** Steps 1 to 3 for a reader. */
    const arrive = Effect.fn("CommentsOnOrigin.arrive")(function*({ pass, slug, token }: AtOrigin, look: Look = lookAlone) {
      const now = yield* DateTime.now
      const visit = yield* look({ slug, pass })
      const verdict = door(visit, policies.trial, now)
      if (isPutAway(verdict)) return yield* Rules.putAway()
      if (visit === undefined || (verdict !== "open" && !isGated(verdict))) return yield* Rules.noComments()
      const { site } = visit
      const stranger = verdict !== "open"
      // At a closed door, even a bad token is refused only because the door is closed.
      const user = stranger && token !== undefined ? Option.getOrUndefined(yield* tokens.open(token, site.projectId)) : undefined
      const member = user && Option.getOrUndefined(yield* commenters.at(slug, user, site.projectId))
      if (stranger && member?.isMember !== true) return yield* Rules.shut(verdict)
      if (!Rules.hasComments(site)) return yield* Rules.noComments()
      const reader = user ?? (yield* bearer(token, site))
      return { site, user: reader }
    })

    /** Steps 1 to 3 for a writer. */
    const sender = Effect.fn("CommentsOnOrigin.sender")(function*(at: AtOrigin) {
      const { site, user } = yield* arrive(at)
      return user === undefined ? yield* noToken() : { site, user, projectId: site.projectId }
    })

    /** Step 5, in the transaction that writes. */
    const writer = Effect.fn("CommentsOnOrigin.writer")(function*(at: AtOrigin) {
      const { site, user } = yield* sender(at)
      yield* Effect.fromResult(verified(user))
      const arrived = yield* known(site, user)
      return arrived.mayComment ? arrived : yield* Rules.mayNotComment()
    })

    const writing = <A, E, R>(at: AtOrigin, write: (arrived: Arrived) => Effect.Effect<A, E, R>) =>
      atomically(Effect.flatMap(writer(at), write))

    /** Step 4, then step 5 and the write. */
    const limited = <A, E, R>(limit: Limit, at: AtOrigin, write: (arrived: Arrived) => Effect.Effect<A, E, R>) =>
      sender(at).pipe(
        Effect.flatMap(({ user }) => limits.consume(limit, user.id)),
        Effect.andThen(writing(at, write))
      )

    const list = Effect.fn("CommentsOnOrigin.list")(function*(at: AtOrigin, page: CommentPage) {
      const { site, user } = yield* arrive(at)
      const you = user && (yield* known(site, user))
      return {
        ...(yield* store.list(site.projectId, page)),
        version: newestOf(site),
        you: you === undefined ? null : { id: you.user.id, name: you.user.name, mayComment: you.mayComment, isMember: you.isMember, mayDeleteAny: you.moderates }
      }
    })

    const post = Effect.fn("CommentsOnOrigin.post")((at: AtOrigin, draft: CommentDraft) =>
      limited(Rules.LIMITS.post, at, (arrived) => threads.post(arrived, draft)))

    /** A comment that was posted before, for a repeated request by somebody who may still post it. */
    const stands = Effect.fn("CommentsOnOrigin.stands")((at: AtOrigin, id: CommentId) =>
      writing(at, (arrived) => threads.stands(arrived, id)))

    const edit = Effect.fn("CommentsOnOrigin.edit")((at: AtOrigin, id: CommentId, body: string) =>
      limited(Rules.LIMITS.change, at, (arrived) => threads.edit(arrived, id, body)))

    const setStatus = Effect.fn("CommentsOnOrigin.setStatus")((at: AtOrigin, id: CommentId, status: CommentStatus) =>
      limited(Rules.LIMITS.change, at, (arrived) => threads.setStatus(arrived, id, status)))

    const remove = Effect.fn("CommentsOnOrigin.remove")((at: AtOrigin, id: CommentId, authorOnly: boolean) =>
      limited(Rules.LIMITS.change, at, (arrived) => threads.remove(arrived, id, authorOnly)))

    const outlasting = <A, R>(look: Effect.Effect<A, never, R>) =>
      Effect.catch(Effect.retry(Effect.sandbox(look), { schedule: LOOK_LONGER, while: Cause.hasDies }), Effect.failCause)

    /** Sends what happens from now on, until access ends; fails only before the first event. */
    const follow = Effect.fn("CommentsOnOrigin.follow")(
      function*(at: AtOrigin, { tell, turn }: Follower) {
        const { site } = yield* arrive(at)
        const heard = yield* changes.watch(site.projectId)
        let behind: ReadonlyArray<Heard> = []
        let newest = newestOf(site)
        /** The project as it stands; undefined once access has ended. */
        const standing = Effect.map(Effect.option(arrive(at, shared.visit)), (found) =>
          Option.getOrUndefined(Option.map(Option.filter(found, (now) => now.site.projectId === site.projectId), (now) => now.site)))
        yield* tell(READY)
        while (true) {
          const next = behind[0] ?? Option.getOrUndefined(yield* Effect.timeoutOption(Queue.take(heard), LOOK_AGAIN))
          behind = behind.slice(1)
          const anew = next === "anew" || (yield* Queue.size(heard)) > BACKLOG
          const news = anew ? READY : next === undefined ? HERE : yield* outlasting(shared.news(next))
          // Access is checked last: however long the rest took, nobody is told who may not be told now.
          const inTime = yield* turn(news)
          const now = yield* outlasting(standing)
          if (now === undefined) return
          if (anew) {
            yield* Queue.clear(heard)
            behind = []
          }
          let isPrompt = (yield* tell(news)) && inTime
          // Whoever had to be waited for is told in the next round, since access may have ended meanwhile.
          if (isPrompt && newestOf(now) > newest) {
            newest = newestOf(now)
            isPrompt = yield* tell({ kind: "published", version: newest })
          }
          if (!isPrompt) behind = caughtUp([...behind, ...(yield* Queue.clear(heard))])
        }
      },
      Effect.scoped
    )

    return { sender, list, post, stands, edit, setStatus, remove, follow }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
