/** What a comment is: words about a place in a project, and the replies to them (SPEC §2, CONTRACT §9). */
import { Schema, SchemaTransformation } from "effect"
import { UserId } from "../accounts/model.ts"
import { isId } from "../ids.ts"
import { lengthOf } from "../labels/model.ts"
import type { Page } from "../pages.ts"
import { ProjectId } from "../projects/model.ts"

export const CommentId = Schema.String.check(isId).pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

export const CommentStatus = Schema.Literals(["open", "resolved"])
export type CommentStatus = typeof CommentStatus.Type

export const CommentFilter = Schema.Literals(["open", "resolved", "all"])
export type CommentFilter = typeof CommentFilter.Type

export const BODY_MAX = 10_000

const keepable = Schema.makeFilter<string>(
  (text) => text.isWellFormed() && !text.includes("\0"),
  { message: "This text contains a character that cannot be stored." }
)

const LENGTHS = { message: `Between 1 and ${BODY_MAX.toLocaleString("en")} characters.` }

/** Whether there is something to see: signs that no font draws, and blanks that count as letters, say nothing. */
const SEEN = /[^\s\p{DI}\u2800]/v

/** Plain text with its line breaks; the whitespace around it is trimmed. */
export const CommentBody = Schema.String.annotate({ description: `Plain text, 1–${BODY_MAX} characters` }).check(Schema.isMinLength(1, LENGTHS)).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.trim())
).check(
  Schema.makeFilter<string>((text) => SEEN.test(text) && (text.length <= BODY_MAX || lengthOf(text) <= BODY_MAX), LENGTHS),
  keepable
)

const words = (maximum: number) =>
  Schema.String.check(Schema.isMaxLength(maximum, { message: `At most ${maximum} characters.` }), keepable)

const within = (minimum: number, maximum: number) =>
  Schema.isBetween({ minimum, maximum }, { message: `Between ${minimum} and ${maximum}.` })

const count = Schema.Int.check(within(1, 10_000_000))
const part = Schema.Finite.check(within(0, 1))

/** A start and a length, as parts of the whole. Both are rounded, so their sum may be a little more than 1. */
const isBox = (at: number | null | undefined, length: number | null | undefined): boolean => at != null && length != null && at + length < 1.001

/** Absent and null mean the same. */
const maybe = <S extends Schema.Top>(schema: S, description: string) => Schema.optionalKey(Schema.NullOr(schema)).annotate({ description })

/** Agents’ clients compile it, in languages whose patterns have neither lookahead nor classes of Unicode. */
const path = words(1024).check(Schema.isPattern(/^\/(?:[^/\\\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*)?$/, { message: "A path on the project’s host, such as /report." }))

const anchor = {
  path,
  selector: maybe(words(1000), "CSS selector of the element, by names, classes, ids, attributes and places: #plan > p:nth-of-type(2). Of any other form, it is not looked for"),
  quote: maybe(words(2000), "The words it is about"),
  prefix: maybe(words(200), "The words before the quote"),
  suffix: maybe(words(200), "The words after the quote"),
  page: maybe(count, "Page number, from 1"),
  x: maybe(part, "From the left, 0 to 1"),
  y: maybe(part, "From the top, 0 to 1"),
  width: maybe(part, "Width of a box whose corner is x and y, as a part of the whole, 0 to 1"),
  height: maybe(part, "Height of that box, 0 to 1"),
  row: maybe(count, "Table row, from 1"),
  column: maybe(words(200), "Table column, by its name"),
  line: maybe(count, "Line of a text, from 1"),
  time: maybe(Schema.Finite.check(within(0, 1_000_000)), "Position in a video, in seconds")
}

const isWhole = Schema.makeFilter<Partial<Record<"height" | "width" | "x" | "y", number | null>>>(
  ({ height, width, x, y }) => [height, width].every((one) => one == null) || isBox(x, width) && isBox(y, height),
  { message: "A box has x, y, width and height, and lies within the whole." }
)

/** What a comment is about. A field is absent if it is not known, or the document has no such thing. */
export const Anchor = Schema.Struct(anchor).check(isWhole)
export type Anchor = typeof Anchor.Type

/** Percent-encoded as browsers do, and what only some of them encode; a path that says more than a page's keeps saying it. */
const asInAddress = (path: string): string => path.replace(/[^!-~]+|["<>^`{|}]/gu, encodeURIComponent)

/** For a new comment: its readers find it by the path of the page's address, in which nothing is hidden. */
export const NewAnchor = Schema.Struct({
  ...anchor,
  path: path.pipe(Schema.decodeTo(path, SchemaTransformation.transform({ decode: asInAddress, encode: (text) => text })))
}).check(isWhole)

/** Who wrote or resolved something; `id` is null once their account is gone. */
export const Person = Schema.Struct({ id: Schema.NullOr(UserId), name: Schema.String, email: Schema.NullOr(Schema.String) })
export type Person = typeof Person.Type

export const Reply = Schema.Struct({
  id: CommentId,
  parentId: CommentId,
  body: Schema.String,
  author: Person,
  /** Its author changed the body after posting. */
  edited: Schema.Boolean,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
export type Reply = typeof Reply.Type

/** A thread: a comment and its replies, oldest first. Replies have none of their own. */
export const Comment = Schema.Struct({
  id: CommentId,
  projectId: ProjectId,
  projectSlug: Schema.String,
  /** The project's version that its author read. */
  version: Schema.Int,
  body: Schema.String,
  anchor: Schema.NullOr(Anchor),
  author: Person,
  edited: Schema.Boolean,
  status: CommentStatus,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  resolvedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  resolvedBy: Schema.NullOr(Person),
  replies: Schema.Array(Reply)
})
export type Comment = typeof Comment.Type

/** A comment or reply, with the facts that decide what may be done with it. */
export const CommentFacts = Schema.Struct({
  id: CommentId,
  /** Its own id where it begins a thread. */
  threadId: CommentId,
  projectId: ProjectId,
  /** The present slug of its project. */
  slug: Schema.String,
  /** Null once the account is gone. */
  authorId: Schema.NullOr(UserId),
  threadAuthorId: Schema.NullOr(UserId),
  createdAt: Schema.DateTimeUtcFromDate,
  resolved: Schema.Boolean,
  /** Of the thread. */
  replyCount: Schema.Int
})
export type CommentFacts = typeof CommentFacts.Type

/** Someone who has not heard of some comments on a project yet. */
export const Unheard = Schema.Struct({ userId: UserId, projectId: ProjectId })
export type Unheard = typeof Unheard.Type

/** A comment that somebody is to hear of, as it stands now. */
export const News = Schema.Struct({
  id: CommentId,
  isReply: Schema.Boolean,
  author: Schema.String,
  body: Schema.String,
  anchor: Schema.NullOr(Anchor),
  createdAt: Schema.DateTimeUtcFromDate,
  /** Of its thread. */
  resolvedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type News = typeof News.Type

export interface CommentDraft {
  readonly body: string
  readonly anchor?: Anchor | null | undefined
  /** The thread that it replies to; a reply's id stands for its thread. */
  readonly parentId?: CommentId | null | undefined
  /** The version that its author reads, where that may not be the newest: a page stays open while others publish. */
  readonly version?: number | null | undefined
}

export interface CommentPage extends Page {
  readonly status: CommentFilter
}

export const ChangeKind = Schema.Literals(["created", "edited", "deleted", "resolved", "reopened"])
export type ChangeKind = typeof ChangeKind.Type

/** A change to a comment: ids alone, since every instance hears it. */
export interface CommentChange {
  readonly projectId: ProjectId
  readonly kind: ChangeKind
  readonly threadId: CommentId
  readonly id: CommentId
}
