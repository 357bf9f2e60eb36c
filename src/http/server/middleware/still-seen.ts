/**
 * A kept answer is repeated only to a caller who could get it anew (CONTRACT §1). Each operation and tool that takes a key
 * has its check here; one without a check repeats nothing.
 */
import { Effect, Schema } from "effect"
import type { User } from "../../../domain/accounts/model.ts"
import { PlatformAdmins } from "../../../domain/administration/platform-admins.ts"
import { Comments } from "../../../domain/comments/comments.ts"
import { CommentId } from "../../../domain/comments/model.ts"
import type { Forbidden } from "../../../domain/failures.ts"
import { NotFound } from "../../../domain/failures.ts"
import { Folders } from "../../../domain/folders/folders.ts"
import { FolderId } from "../../../domain/folders/model.ts"
import type { ProjectId } from "../../../domain/projects/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import { UploadId } from "../../../domain/uploads/model.ts"
import { Uploads } from "../../../domain/uploads/uploads.ts"
import { WorkspaceId } from "../../../domain/workspaces/model.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { idOf } from "../../contract/wire.ts"

export type Guards = Comments | Folders | PlatformAdmins | Projects | Uploads | Workspaces

export interface Repeat {
  readonly user: User
  /** The path's parameters. */
  readonly named: unknown
  /** The body, or a tool's arguments; undefined where the body is not JSON. */
  readonly given: unknown
  readonly answer: unknown
  /** The project that the answer is about, as `aboutOf` found it. */
  readonly about: ProjectId | undefined
}

type Guard = (repeat: Repeat) => Effect.Effect<unknown, Forbidden | NotFound, Guards>

const gone = () => new NotFound({ message: "What this answer was about is gone." })

const read = <A>(schema: Schema.ConstraintDecoder<A>, key: string) => {
  const decode = Schema.decodeUnknownOption(Schema.Struct({ [key]: schema }))
  return (from: unknown) => Effect.map(Effect.fromOption(decode(from), gone), (all) => all[key] as A)
}

const slug = read(Schema.String, "slug")
const id = { comment: read(idOf(CommentId), "id"), folder: read(FolderId, "id"), workspace: read(WorkspaceId, "id") }
const commentId = read(idOf(CommentId), "comment_id")
const workspace = read(idOf(WorkspaceId), "workspace")
const uploadId = read(UploadId, "upload_id")

const at = (user: User, answer: unknown) => Effect.flatMap(slug(answer), (one) => Projects.use((projects) => projects.changeable(user, one)))

/** Also where the project has moved to another address since: what was done stays done. */
const changes: Guard = ({ about, answer, user }) =>
  about === undefined ? at(user, answer) : Projects.use((projects) => projects.stillChangeable(user, about))

const seesComment = (user: User, one: CommentId) => Comments.use((comments) => comments.shown(user, one))

const seesFolder: Guard = ({ answer, user }) => Effect.flatMap(id.folder(answer), (one) => Folders.use((folders) => folders.seen(user, one)))

const belongs: Guard = ({ answer, user }) => Effect.flatMap(id.workspace(answer), (one) => Workspaces.use(({ select }) => select(user.id, one)))

const administers: Guard = ({ given, user }) => Effect.flatMap(workspace(given), (one) => Workspaces.use(({ administer }) => administer(user, one)))

const operates: Guard = ({ user }) => PlatformAdmins.use(({ admit }) => admit(user))

const ofAddress: Guard = ({ named, user }) => Effect.flatMap(id.comment(named), (one) => seesComment(user, one))

const ofAnswer: Guard = ({ answer, user }) => Effect.flatMap(id.comment(answer), (one) => seesComment(user, one))

const ofArguments: Guard = ({ given, user }) => Effect.flatMap(commentId(given), (one) => seesComment(user, one))

const over = () => new NotFound({ message: "The upload that this key began is finished or over. Begin another with a new key.", field: "idempotency_key" })

/** An upload that is over takes nothing more: its id would lead nowhere. */
const takesMore: Guard = ({ answer, user }) =>
  Effect.flatMap(uploadId(answer), (one) => Uploads.use((uploads) => uploads.standing(user, one))).pipe(Effect.mapError(over))

/** The answer holds nothing private, or nothing that its endpoint has not checked already. */
const anybody: Guard = () => Effect.void

export const GUARDS: Readonly<Record<string, Guard>> = {
  "projects.create": changes,
  "projects.publish": changes,
  "projects.addFiles": changes,
  "projects.restore": changes,
  "comments.post": ofAnswer,
  "comments.reply": ofAnswer,
  "comments.resolve": ofAddress,
  "comments.reopen": ofAddress,
  "folders.create": seesFolder,
  "workspaces.create": belongs,
  "billing.checkout": administers,
  "billing.portal": administers,
  "exports.request": administers,
  // Behind `WorkspaceAdmin`, which checks each time.
  "invites.create": anybody,
  "invites.resend": anybody,
  "erasure.restore": operates,
  "tool publish": changes,
  "tool update": changes,
  "tool set_visibility": changes,
  "tool set_commenters": changes,
  "tool move_project": changes,
  "tool restore_version": changes,
  "tool finish_upload": changes,
  "tool resolve_comment": ofArguments,
  "tool reply_comment": ofArguments,
  "tool edit_comment": ofArguments,
  "tool create_folder": seesFolder,
  "tool update_folder": seesFolder,
  "tool delete_project": anybody,
  "tool delete_comment": anybody,
  "tool delete_folder": anybody,
  "tool revoke_share_link": anybody,
  "tool begin_upload": takesMore,
  "tool append_upload": anybody
}

/** To be kept with an answer: its slug leads to another project, or to none, once that one is renamed. */
export const aboutOf = (operation: string, user: User, answer: unknown): Effect.Effect<ProjectId | undefined, never, Guards> =>
  GUARDS[operation] === changes
    // The work is done by now, whether or not this can be told.
    ? at(user, answer).pipe(Effect.map(({ project }) => project.id), Effect.catchCause(() => Effect.succeed(undefined)))
    : Effect.succeed(undefined)

export const stillSeen = (operation: string, repeat: Repeat): Effect.Effect<unknown, Forbidden | NotFound, Guards> =>
  (GUARDS[operation] ?? (() => Effect.fail(gone())))(repeat)
