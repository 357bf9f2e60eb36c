/**
 * Changes to threads, for the API (comments.ts) and for projects' own hosts (on-origin.ts): those find out who the caller is
 * and that they may see the project; what the caller may do is decided here, under the thread's lock, behind
 * which the time is taken. Every program runs inside its caller's transaction.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Tokens } from "../ports/tokens.ts"
import { makeLookingAfter } from "../projects/looking-after.ts"
import type { Arrived } from "./commenters.ts"
import { CommentId } from "./model.ts"
import type { ChangeKind, CommentDraft, CommentFacts, CommentStatus, Reply } from "./model.ts"
import * as Rules from "./rules.ts"
import { CommentChanges, CommentNoticeStore, CommentStore } from "./store.ts"

export class CommentThreads extends Context.Service<CommentThreads>()("svc/domain/comments/CommentThreads", {
  make: Effect.gen(function*() {
    const store = yield* CommentStore
    const notices = yield* CommentNoticeStore
    const changes = yield* CommentChanges
    const lookingAfter = yield* makeLookingAfter
    const tokens = yield* Tokens

    /** The comment of their project, held until the transaction ends. */
    const held = Effect.fn("CommentThreads.held")(function*({ project }: Arrived, id: CommentId, field?: "parent_id") {
      const found = Option.getOrUndefined(yield* store.hold(id))
      return found?.projectId === project.id ? found : yield* Rules.noSuchComment(field)
    })

    const tell = (kind: ChangeKind, { id, projectId, threadId }: Pick<CommentFacts, "id" | "projectId" | "threadId">) =>
      changes.tell({ projectId, kind, threadId, id })

    const threadOf = (id: CommentId) => Effect.map(store.threads([id]), ([thread]) => thread!)

    /** What was written: the reply itself, or the whole thread that it begins. */
    const shown = Effect.fn("CommentThreads.shown")(function*(threadId: CommentId, id: CommentId) {
      const thread = yield* threadOf(threadId)
      return thread.replies.find((reply) => reply.id === id) ?? thread
    })

    const stands = Effect.fn("CommentThreads.stands")(function*(by: Arrived, id: CommentId) {
      const { threadId } = yield* held(by, id)
      return yield* shown(threadId, id)
    })

    const reply = Effect.fn("CommentThreads.reply")(function*(by: Arrived, to: CommentId, body: string, field?: "parent_id") {
      const parent = yield* held(by, to, field)
      const now = yield* DateTime.now
      yield* Effect.fromResult(Rules.roomForReply(parent))
      const { threadId } = parent
      const { id: projectId, version } = by.project
      const people = yield* store.people(threadId)
      const id = CommentId.make(yield* tokens.uuid)
      const made = { id, projectId, parentId: threadId, version, body, anchor: null, authorId: by.user.id, createdAt: now }
      yield* store.add(made)
      yield* notices.add(made, people.filter((person) => person !== by.user.id))
      yield* tell("created", { id, projectId, threadId })
      return (yield* shown(threadId, id)) as Reply
    })

    const post = Effect.fn("CommentThreads.post")(function*(by: Arrived, { anchor, body, parentId, version: said }: CommentDraft) {
      const { id: projectId, ownerId, workspaceId } = by.project
      const version = yield* Effect.fromResult(Rules.versionRead(said, by.project.version))
      if (parentId != null) return yield* reply(by, parentId, body, "parent_id")
      const now = yield* DateTime.now
      const id = CommentId.make(yield* tokens.uuid)
      const made = { id, projectId, parentId: null, version, body, anchor: Rules.anchored(anchor), authorId: by.user.id, createdAt: now }
      yield* store.add(made)
      const people = yield* lookingAfter({ ownerId, workspaceId })
      yield* notices.add(made, people.filter((person) => person !== by.user.id))
      yield* tell("created", { id, projectId, threadId: id })
      return yield* threadOf(id)
    })

    /** Where it says this already, nothing changes and nobody is told. */
    const edit = Effect.fn("CommentThreads.edit")(function*(by: Arrived, id: CommentId, body: string) {
      const comment = yield* held(by, id)
      const now = yield* DateTime.now
      yield* Effect.fromResult(Rules.ownFresh(comment, by, now))
      if (yield* store.rewrite(id, body, now)) yield* tell("edited", comment)
      return yield* shown(comment.threadId, id)
    })

    const remove = Effect.fn("CommentThreads.remove")(function*(by: Arrived, id: CommentId, authorOnly: boolean) {
      const comment = yield* held(by, id)
      const now = yield* DateTime.now
      yield* Effect.fromResult(Rules.removable(comment, by, authorOnly, now))
      yield* store.remove(id)
      yield* tell("deleted", comment)
    })

    /** Where the thread has this status already, nothing changes and nobody is told. */
    const setStatus = Effect.fn("CommentThreads.setStatus")(function*(by: Arrived, id: CommentId, status: CommentStatus) {
      const comment = yield* held(by, id)
      const now = yield* DateTime.now
      yield* Effect.fromResult(Rules.resolvable(comment, by))
      const { threadId } = comment
      if (comment.resolved !== (status === "resolved")) {
        yield* status === "resolved" ? store.resolve(threadId, by.user.id, now) : store.reopen(threadId, now)
        yield* tell(status === "resolved" ? "resolved" : "reopened", { ...comment, id: threadId })
      }
      return yield* threadOf(threadId)
    })

    return { post, stands, reply, edit, remove, setStatus }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
