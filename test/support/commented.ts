/** People around a project with comments, and what each of them sends to its host. */
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { CommentTokens } from "../../src/domain/comments/comment-tokens.ts"
import { ProjectId } from "../../src/domain/projects/model.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import type { Answer, Question } from "./ask.ts"
import { Service } from "./service.ts"
import type { Account } from "./service.ts"

export interface Commented {
  readonly slug: string
  readonly id: ProjectId
  readonly owner: Account
}

let made = 0

/** A Markdown project of `owner` whose comments are on. */
export const commented = Effect.fnUntraced(function*(owner: Account, settings: Readonly<Record<string, unknown>> = {}) {
  const { ask } = yield* Service
  const slug = `talked-about-${++made}`
  yield* ask(`/v1/projects/${slug}`, { method: "PUT", body: "# Words", headers: { ...owner.bearer, "content-type": "text/markdown" } })
  const changed = yield* ask(`/v1/projects/${slug}`, { method: "PATCH", json: { comments_enabled: true, ...settings }, headers: owner.bearer })
  return { slug, id: ProjectId.make(changed.json.id), owner } satisfies Commented
})

export const joined = Effect.fnUntraced(function*(host: Account, role: "admin" | "member") {
  const { account, inside } = yield* Service
  const guest = yield* account()
  yield* inside(Effect.gen(function*() {
    yield* (yield* WorkspaceStore).join(guest.id, { workspaceId: host.workspaceId, role, isOwner: false }, yield* DateTime.now)
  }))
  return guest
})

/** Removes a member: the row is deleted beneath the API. */
export const removed = (host: Account, guest: Account) =>
  Service.use(({ inside }) =>
    inside(SqlClient.SqlClient.use((sql) => sql`DELETE FROM members WHERE workspace_id = ${host.workspaceId} AND user_id = ${guest.id}`))
  ).pipe(Effect.orDie)

/** What the viewer of this project gets for this reader. */
export const commentToken = Effect.fnUntraced(function*(account: Account, project: Commented) {
  const { inside } = yield* Service
  return yield* inside(Effect.gen(function*() {
    const user = Option.getOrThrow(yield* (yield* AccountStore).find(account.id))
    return yield* (yield* CommentTokens).issue({ user, since: yield* DateTime.now }, project.id)
  }))
})

/** Requests to the project's own host, as its viewer makes them. */
export const onOrigin = Effect.fnUntraced(function*(project: Commented, path: string, question: Question & { readonly token?: string } = {}) {
  const { ask } = yield* Service
  const { token, ...rest } = question
  const headers = { ...rest.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  return (yield* ask(`/_svc/comments${path}`, { ...rest, headers, host: `${project.slug}.svc.localhost` })) as Answer
})

/** Status and error code in one string. */
export const verdict = ({ json, status }: Answer): string =>
  status < 400 ? String(status) : `${status} ${json?.error?.details?.reason ?? json?.error?.code}`
