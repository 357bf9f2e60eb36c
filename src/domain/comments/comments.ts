/**
 * Comments through the API: for the members of a project's workspace, people and agents alike; and for outside authors at
 * their own comments and threads, while the project is open to everyone (SPEC §4.8, CONTRACT §9).
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { verified } from "../accounts/rules.ts"
import { orFail } from "../found.ts"
import { HostingStore } from "../hosting/store.ts"
import { Atomically } from "../ports/atomically.ts"
import { Policies } from "../ports/policies.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import * as AccessRules from "../projects/access-rules.ts"
import { withProject } from "../projects/reaching.ts"
import { makeTurns } from "../turns.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { Commenters } from "./commenters.ts"
import type { CommentDraft, CommentFacts, CommentId, CommentPage, CommentStatus } from "./model.ts"
import * as Rules from "./rules.ts"
import { CommentNoticeStore, CommentStore } from "./store.ts"
import { CommentThreads } from "./threads.ts"

/** Lists that are read at once, two of them for one person: each may be a megabyte. */
const LISTS = 6
const EACH = 2

export class Comments extends Context.Service<Comments>()("svc/domain/comments/Comments", {
  make: Effect.gen(function*() {
    const store = yield* CommentStore
    const notices = yield* CommentNoticeStore
    const threads = yield* CommentThreads
    const commenters = yield* Commenters
    const workspaces = yield* WorkspaceStore
    const hosting = yield* HostingStore
    const limits = yield* RateLimits
    const policies = yield* Policies
    const { atomically } = yield* Atomically
    const lists = makeTurns(LISTS, EACH)

    /** A project that the caller may see as a member; any other is reported as missing. */
    const seen = Effect.fn("Comments.seen")(function*(user: User, slug: string) {
      const arrived = Option.getOrUndefined(yield* commenters.at(slug, user))
      return arrived?.isMember === true ? arrived : yield* AccessRules.noSuchProject()
    })

    /** The API carries no pass, so a non-member gets in only where everyone does. */
    const standsOpen = Effect.fn("Comments.standsOpen")(function*({ projectId, slug }: CommentFacts) {
      const now = yield* DateTime.now
      const site = yield* hosting.site(slug)
      return site?.projectId === projectId && Rules.doorWithoutPass(site, policies.trial, now) === "open"
    })

    /** A comment that the caller may see; any other is reported as missing. */
    const shown = Effect.fn("Comments.shown")(function*(user: User, id: CommentId) {
      const arriving = withProject(store.find(id).pipe(orFail(Rules.noSuchComment)), ({ projectId, slug }) => commenters.at(slug, user, projectId))
      const [comment, arrived] = yield* arriving.pipe(orFail(Rules.noSuchComment))
      const isTheirs = comment.authorId === user.id || comment.threadAuthorId === user.id
      const isIn = arrived.isMember || (isTheirs && arrived.mayComment && (yield* standsOpen(comment)))
      return isIn ? arrived : yield* Rules.noSuchComment()
    })

    /** The same for a caller who wants to act on it: their address must be verified. */
    const reached = Effect.fn("Comments.reached")(function*(user: User, id: CommentId) {
      const arrived = yield* shown(user, id)
      yield* Effect.fromResult(verified(user))
      return arrived
    })

    const list = Effect.fn("Comments.list")(function*(user: User, slug: string, page: CommentPage) {
      const { project } = yield* seen(user, slug)
      return yield* lists.inTurn({ of: user.id, awaited: true }, store.list(project.id, page))
    })

    /** One thread, whatever its status. A reply's id stands for its thread. */
    const thread = Effect.fn("Comments.thread")(function*(user: User, slug: string, id: CommentId) {
      const { project } = yield* seen(user, slug)
      const comment = yield* store.find(id).pipe(orFail(Rules.noSuchComment))
      const [found] = comment.projectId === project.id ? yield* store.threads([comment.threadId]) : []
      return found ?? (yield* Rules.noSuchComment())
    })

    /** Threads with news after a moment, newest first. */
    const since = Effect.fn("Comments.since")(function*(user: User, slug: string, moment: DateTime.Utc, limit: number) {
      return yield* store.since((yield* seen(user, slug)).project.id, moment, limit)
    })

    /** Who is in the workspace of a project that the caller may see. */
    const insiders = Effect.fn("Comments.insiders")(function*(user: User, slug: string) {
      const { project } = yield* seen(user, slug)
      return new Set((yield* workspaces.members(project.workspaceId)).map(({ userId }) => userId))
    })

    const writing = (user: User) => limits.consume(Rules.LIMITS.post, user.id)
    const changing = (user: User) => limits.consume(Rules.LIMITS.change, user.id)

    const post = Effect.fn("Comments.post")(function*(user: User, slug: string, draft: CommentDraft) {
      yield* writing(user)
      return yield* atomically(Effect.gen(function*() {
        const arrived = yield* seen(user, slug)
        yield* Effect.fromResult(verified(user))
        if (!arrived.project.commentsEnabled) return yield* Rules.switchedOff()
        return yield* threads.post(arrived, draft)
      }))
    })

    const reply = Effect.fn("Comments.reply")(function*(user: User, to: CommentId, body: string) {
      yield* writing(user)
      return yield* atomically(Effect.gen(function*() {
        const arrived = yield* reached(user, to)
        if (!arrived.project.commentsEnabled) return yield* Rules.switchedOff()
        return yield* threads.reply(arrived, to, body)
      }))
    })

    const edit = Effect.fn("Comments.edit")(function*(user: User, id: CommentId, body: string) {
      yield* changing(user)
      return yield* atomically(Effect.gen(function*() {
        const arrived = yield* reached(user, id)
        return Rules.toldTo(arrived).either(yield* threads.edit(arrived, id, body))
      }))
    })

    const remove = Effect.fn("Comments.remove")(function*(user: User, id: CommentId, authorOnly: boolean) {
      yield* changing(user)
      yield* atomically(Effect.gen(function*() {
        const arrived = yield* reached(user, id)
        yield* threads.remove(arrived, id, authorOnly)
      }))
    })

    /** A reply's id stands for its thread. */
    const setStatus = Effect.fn("Comments.setStatus")(function*(user: User, id: CommentId, status: CommentStatus) {
      yield* changing(user)
      return yield* atomically(Effect.gen(function*() {
        const arrived = yield* reached(user, id)
        return Rules.toldTo(arrived).thread(yield* threads.setStatus(arrived, id, status))
      }))
    })

    const muted = Effect.fn("Comments.muted")(function*(user: User, slug: string) {
      return { muted: yield* notices.muted(user.id, (yield* seen(user, slug)).project.id) }
    })

    const mute = Effect.fn("Comments.mute")(function*(user: User, slug: string, muted: boolean) {
      yield* notices.setMuted(user.id, (yield* seen(user, slug)).project.id, muted)
      return { muted }
    })

    return { list, thread, since, insiders, shown, post, reply, edit, remove, setStatus, muted, mute }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
