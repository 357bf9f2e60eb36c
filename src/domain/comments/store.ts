/** What the comment programs need remembered and told. Implemented by services/database/comments.ts and its neighbours. */
import { Context } from "effect"
import type { DateTime, Effect, Option, Queue, Scope } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { ProjectId } from "../projects/model.ts"
import type { Anchor, Comment, CommentChange, CommentFacts, CommentId, CommentPage, News, Unheard } from "./model.ts"

export interface NewComment {
  readonly id: CommentId
  readonly projectId: ProjectId
  /** Null for a comment that begins a thread. */
  readonly parentId: CommentId | null
  readonly version: number
  readonly body: string
  readonly anchor: Anchor | null
  readonly authorId: UserId
  readonly createdAt: DateTime.Utc
}

export interface CommentListing {
  readonly comments: ReadonlyArray<Comment>
  /** The id after which the next page starts; null on the last. */
  readonly nextCursor: CommentId | null
}

export class CommentStore extends Context.Service<CommentStore, {
  /** Newest first, each with its replies, oldest first: as many as the page asks for, fewer if they are long. */
  readonly list: (projectId: ProjectId, page: CommentPage) => Effect.Effect<CommentListing>
  /** Threads that were begun, replied to, edited, resolved or reopened after a moment, in the same form and order. */
  readonly since: (projectId: ProjectId, since: DateTime.Utc, limit: number) => Effect.Effect<CommentListing>
  /** Those that still exist. */
  readonly threads: (ids: ReadonlyArray<CommentId>) => Effect.Effect<ReadonlyArray<Comment>>
  /** Also none if the project is gone. */
  readonly find: (id: CommentId) => Effect.Effect<Option.Option<CommentFacts>>
  /** The same, with a lock on its thread until the transaction ends, so that decisions about a thread are made one at a time. */
  readonly hold: (id: CommentId) => Effect.Effect<Option.Option<CommentFacts>>
  readonly add: (comment: NewComment) => Effect.Effect<void>
  /** False where it says this already. */
  readonly rewrite: (id: CommentId, body: string, now: DateTime.Utc) => Effect.Effect<boolean>
  /** With its replies. */
  readonly remove: (id: CommentId) => Effect.Effect<void>
  readonly resolve: (threadId: CommentId, by: UserId, now: DateTime.Utc) => Effect.Effect<void>
  readonly reopen: (threadId: CommentId, now: DateTime.Utc) => Effect.Effect<void>
  /** Who wrote in a thread. */
  readonly people: (threadId: CommentId) => Effect.Effect<ReadonlyArray<UserId>>
}>()("svc/domain/comments/CommentStore") {}

/** `anew`: something may have been missed, so watchers must read everything again. */
export type Heard = CommentChange | "anew"

/** News of comments across instances. Implemented by services/database/comment-changes.ts. */
export class CommentChanges extends Context.Service<CommentChanges, {
  /** Goes out with the transaction, or not at all. */
  readonly tell: (change: CommentChange) => Effect.Effect<void>
  /** From the moment this returns, every change is either heard or covered by an `anew`. */
  readonly watch: (projectId: ProjectId) => Effect.Effect<Queue.Dequeue<Heard>, never, Scope.Scope>
}>()("svc/domain/comments/CommentChanges") {}

/** Which comments each person is still to hear of. Implemented by services/database/comment-notices.ts. */
export class CommentNoticeStore extends Context.Service<CommentNoticeStore, {
  /** For those of these people who still exist. */
  readonly add: (comment: Pick<NewComment, "id" | "projectId" | "createdAt">, people: ReadonlyArray<UserId>) => Effect.Effect<void>
  /** Pairs of person and project with something unheard, at most `limit`; none of accounts and workspaces that are to be erased, for which it waits. */
  readonly unheard: (limit: number) => Effect.Effect<ReadonlyArray<Unheard>>
  /** What this person has not heard of, oldest first, unless its workspace is to be erased. From then on it counts as heard, so that one caller alone gets it. */
  readonly claim: (of: Unheard) => Effect.Effect<ReadonlyArray<News>>
  /** Those of these comments that are still there, oldest first. */
  readonly news: (ids: ReadonlyArray<CommentId>) => Effect.Effect<ReadonlyArray<News>>
  /** The slug of a project, which it keeps until the transaction ends; none if the project is gone. */
  readonly holdSlug: (projectId: ProjectId) => Effect.Effect<Option.Option<string>>
  readonly muted: (userId: UserId, projectId: ProjectId) => Effect.Effect<boolean>
  /** Does nothing if the person or the project is gone. */
  readonly setMuted: (userId: UserId, projectId: ProjectId, muted: boolean) => Effect.Effect<void>
}>()("svc/domain/comments/CommentNoticeStore") {}
