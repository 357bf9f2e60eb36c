/** Removals: versions that are pruned, projects that are deleted, and what an erasure removes with them. */
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { CommentId } from "../../../src/domain/comments/model.ts"
import { CommentStore } from "../../../src/domain/comments/store.ts"
import { ErasingStore } from "../../../src/domain/erasure/store.ts"
import { ProjectId, VersionId } from "../../../src/domain/projects/model.ts"
import { ProjectStore, VersionStore } from "../../../src/domain/projects/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { uuid } from "./at-size.ts"

export const OF_WHAT_GOES = [
  "users", "workspaces", "members", "folders", "projects", "versions", "version_packs", "packs", "contents", "comments", "comment_notices",
  "share_links", "passes", "view_days", "invites", "audit_entries", "exports", "oauth_families", "device_grants", "api_tokens"
]

export const letGo = Effect.gen(function*() {
  const [comments, erasing, projects, versions] = [yield* CommentStore, yield* ErasingStore, yield* ProjectStore, yield* VersionStore]
  const now = yield* DateTime.now

  for (let turn = 1; turn <= 8; turn++) {
    const n = turn * 100 + 20
    const [workspace, user] = [WorkspaceId.make(uuid(n)), UserId.make(uuid(n))]
    const next = { id: VersionId.make(uuid(n + 50_000_000)), version: 2, kind: "site", entry: "index.html", manifest: {}, sizeBytes: 0, pack: null, found: new Map<string, number>(), title: null, titleOwn: false, excerpt: null, beginsAs: null } as const
    yield* versions.add({ ...next, projectId: ProjectId.make(uuid(n)), workspaceId: workspace, createdBy: user, createdAt: now }, { upTo: 1, atMost: 1 })
    assert.isTrue(Option.isNone(yield* versions.find(ProjectId.make(uuid(n)), 1)))
    const { project } = Option.getOrThrow(yield* projects.reach(`slug-${n + 1}`, user))
    yield* projects.remove(project, {}, now)
    yield* comments.remove(CommentId.make(uuid(n + 2)))

    // Packs last, as in an erasure: nothing names them any more.
    assert.isTrue(yield* erasing.dropProjects(workspace, now))
    assert.isFalse(yield* erasing.dropProjects(workspace, now))
    yield* erasing.dropPacks(workspace, yield* erasing.packs(workspace))
    yield* erasing.dropAccount({ id: user, email: `user-${n}@example.com`, verified: true }, now)
    yield* erasing.dropWorkspace(workspace)
    assert.isTrue(Option.isNone(yield* projects.reach(`slug-${n + 3}`, user)))
  }
})
