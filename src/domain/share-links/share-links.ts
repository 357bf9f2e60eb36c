/** Share links: create, list, change, revoke (SPEC §4.7, CONTRACT §9). They are opened at the gate (hosting/gates.ts). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { Audit } from "../audit/audit.ts"
import type { Action } from "../audit/model.ts"
import { orFail } from "../found.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import * as AccessRules from "../projects/access-rules.ts"
import type { Project } from "../projects/model.ts"
import { makeReaching, withProject } from "../projects/reaching.ts"
import { ProjectStore } from "../projects/store.ts"
import { makeBehindLock } from "../workspaces/behind-lock.ts"
import { ShareLinkId } from "./model.ts"
import type { ShareLink, ShareLinkChanges, ShareLinkDraft } from "./model.ts"
import * as Rules from "./rules.ts"
import { ShareLinkStore } from "./store.ts"

/** A new link with its token, which is returned only this once. */
interface NewShareLink extends ShareLink {
  readonly shareUrl: string
  readonly token: string
}

export class ShareLinks extends Context.Service<ShareLinks>()("svc/domain/share-links/ShareLinks", {
  make: Effect.gen(function*() {
    const store = yield* ShareLinkStore
    const projects = yield* ProjectStore
    const { changeable, seen } = yield* makeReaching
    const behindLock = yield* makeBehindLock
    const tokens = yield* Tokens
    const { projectUrl } = yield* Addresses
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    const note = (user: User, { id, workspaceId }: Project, link: ShareLinkId, action: Action, now: DateTime.Utc) =>
      audit.write({ workspaceId, actor: user.id, action, target: { type: "share_link", id: link, projectId: id } }, now)

    /** A link whose project its caller may change, and that project. */
    const own = Effect.fn("ShareLinks.own")(function*(user: User, id: ShareLinkId) {
      const reached = withProject(store.find(id).pipe(orFail(Rules.noSuchLink)), ({ link, slug }) =>
        // Another project may have taken the address between the two reads.
        Effect.map(projects.reach(slug, user.id), Option.filter(({ project }) => project.id === link.projectId)))
      const [{ link }, reach] = yield* reached.pipe(orFail(Rules.noSuchLink))
      if (!AccessRules.maySee(reach)) return yield* Rules.noSuchLink()
      return AccessRules.mayChange(reach, user) ? { link, project: reach.project } : yield* AccessRules.notYours()
    })

    /** The same behind the workspace's lock, so that nothing changes meanwhile. */
    const held = (user: User, id: ShareLinkId) => behindLock(own(user, id), ({ project }) => project.workspaceId)

    /** Newest first. */
    const list = Effect.fn("ShareLinks.list")(function*(user: User, slug: string) {
      const { project } = yield* seen(user, slug)
      return (yield* store.list(project.id)).toReversed()
    })

    const create = Effect.fn("ShareLinks.create")(
      function*(user: User, slug: string, draft: ShareLinkDraft) {
        const now = yield* DateTime.now
        const { project } = yield* behindLock(changeable(user, slug), ({ project }) => project.workspaceId)
        yield* Effect.fromResult(Rules.room(yield* store.count(project.id)))
        const { hash, raw } = yield* tokens.mint()
        const link: ShareLink = {
          id: ShareLinkId.make(yield* tokens.uuid),
          projectId: project.id,
          ...(yield* Effect.fromResult(Rules.create(draft, now))),
          viewCount: 0,
          firstOpenedAt: null,
          lastOpenedAt: null,
          createdAt: now
        }
        yield* store.add(link, user.id, hash)
        yield* note(user, project, link.id, "share_link.created", now)
        return { ...link, shareUrl: Rules.shareUrl(projectUrl(project.slug), raw), token: raw } satisfies NewShareLink
      },
      atomically
    )

    const change = Effect.fn("ShareLinks.change")(
      function*(user: User, id: ShareLinkId, changes: ShareLinkChanges) {
        const now = yield* DateTime.now
        const { link, project } = yield* held(user, id)
        const to = yield* Effect.fromResult(Rules.change(link, changes, now))
        const changed = yield* store.change(id, to).pipe(orFail(Rules.noSuchLink))
        yield* note(user, project, id, "share_link.changed", now)
        return changed
      },
      atomically
    )

    const revoke = Effect.fn("ShareLinks.revoke")(
      function*(user: User, id: ShareLinkId) {
        const now = yield* DateTime.now
        const { project } = yield* held(user, id)
        if (!(yield* store.revoke(id, now))) return yield* Rules.noSuchLink()
        yield* note(user, project, id, "share_link.revoked", now)
      },
      atomically
    )

    return { list, create, change, revoke }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
