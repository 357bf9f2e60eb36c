/** The hand-written answers are the same as the contract's schemas would write. */
import { DateTime, Schema } from "effect"
import { assert, it } from "vitest"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { FolderId } from "../../../src/domain/folders/model.ts"
import { ProjectId, VersionId } from "../../../src/domain/projects/model.ts"
import type { Project, Version } from "../../../src/domain/projects/model.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { ProjectDetail, ProjectList } from "../../../src/http/contract/project-views.ts"
import { detailOnWire, listOnWire } from "../../../src/http/server/handlers/project-answers.ts"

const id = "0199f5aa-0000-7000-8000-000000000001"
const at = DateTime.makeUnsafe("2026-11-21T10:00:00.007Z")

const full = {
  id: ProjectId.make(id), workspaceId: WorkspaceId.make(id), owner: { id: UserId.make(id), name: "Ada" }, folderId: FolderId.make(id), slug: "report",
  title: "Q3 “report”", titleGiven: true, servedTitle: "Q3", servedTitleOwn: true, visibility: "password", password: "code", commentsEnabled: true, htmlDisplayMode: "framed", commentAccess: "anyone",
  commentAllowlistInherit: true, indexable: true, expiresAt: at, kind: "site", version: 3, currentVersionId: VersionId.make(id), sizeBytes: 2 ** 40,
  fileCount: 12, createdAt: at, updatedAt: at, publishedAt: at, takenDownAt: at, excerpt: "Q3\nIt went well.", url: "https://report.example.com"
} satisfies Project & { readonly url: string }

const { excerpt: _, ...unasked } = full

const bare = {
  ...unasked, folderId: null, password: null, expiresAt: null, kind: null, currentVersionId: null, publishedAt: null, takenDownAt: null
} satisfies Project & { readonly url: string }

const version: Version = { id: VersionId.make(id), version: 3, kind: "site", sizeBytes: 10, fileCount: 2, createdAt: at, createdBy: { id, name: "Ada" }, current: true }

it("a project and a list of them", () => {
  for (const project of [full, bare]) {
    const detail = { ...project, versions: [version, { ...version, current: false }] }
    assert.deepStrictEqual(detailOnWire(detail), Schema.encodeSync(ProjectDetail)(detail))
    const list = { projects: [project], usage: { projects: 1, storageBytes: 2, seats: 3 }, nextCursor: project.folderId }
    assert.deepStrictEqual(listOnWire(list), Schema.encodeSync(ProjectList)(list))
  }
})
