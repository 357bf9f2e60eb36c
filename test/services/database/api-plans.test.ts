/** The statements of the API, of devices, agents and jobs, and of the sweeps find their rows by an index, with five thousand rows in every table. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { ApiTokenStore } from "../../../src/domain/api-tokens/store.ts"
import { AuditStore } from "../../../src/domain/audit/store.ts"
import { CommentId } from "../../../src/domain/comments/model.ts"
import { CommentStore } from "../../../src/domain/comments/store.ts"
import { FolderStore } from "../../../src/domain/folders/store.ts"
import { FolderId } from "../../../src/domain/folders/model.ts"
import { PassStore } from "../../../src/domain/hosting/store.ts"
import { IdempotencyKey } from "../../../src/domain/idempotency/model.ts"
import { IdempotencyStore } from "../../../src/domain/idempotency/store.ts"
import { InviteStore } from "../../../src/domain/invites/store.ts"
import { ProjectId, VersionId } from "../../../src/domain/projects/model.ts"
import { MOST_SLUGS_KEPT } from "../../../src/domain/projects/rules.ts"
import { PackStore, ProjectStore, VersionStore } from "../../../src/domain/projects/store.ts"
import { ThinningStore } from "../../../src/domain/projects/packs/thinning-store.ts"
import { ThumbnailStore } from "../../../src/domain/thumbnails/store.ts"
import { UploadId } from "../../../src/domain/uploads/model.ts"
import { UploadStore } from "../../../src/domain/uploads/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { AccountStoreSql } from "../../../src/services/database/accounts.ts"
import { ApiTokenStoreSql } from "../../../src/services/database/api-tokens.ts"
import { AuditStoreSql } from "../../../src/services/database/audit.ts"
import { CommentStoreSql } from "../../../src/services/database/comments.ts"
import { FolderStoreSql } from "../../../src/services/database/folders.ts"
import { IdempotencyStoreSql } from "../../../src/services/database/idempotency.ts"
import { InviteStoreSql } from "../../../src/services/database/invites.ts"
import { IssuerSql } from "../../../src/services/database/issuer.ts"
import { PackStoreSql } from "../../../src/services/database/packs.ts"
import { PassStoreSql } from "../../../src/services/database/passes.ts"
import { ProjectStoreSql } from "../../../src/services/database/projects.ts"
import { ThinningStoreSql } from "../../../src/services/database/thinning.ts"
import { ThumbnailStoreSql } from "../../../src/services/database/thumbnails.ts"
import { UploadStoreSql } from "../../../src/services/database/uploads.ts"
import { VersionStoreSql } from "../../../src/services/database/versions.ts"
import { WorkspaceStoreSql } from "../../../src/services/database/workspaces.ts"
import { DatabaseAtSize, looksUp, ROWS, uuid } from "./at-size.ts"
import { AgentStores, letIn, OF_AGENTS } from "./asked-by-agents.ts"
import { JobStores, OF_JOBS, work } from "./asked-by-jobs.ts"
import { letGo, OF_WHAT_GOES } from "./let-go.ts"

const Stores = Layer.mergeAll(
  AccountStoreSql, ApiTokenStoreSql, AuditStoreSql, CommentStoreSql, FolderStoreSql, IdempotencyStoreSql, InviteStoreSql, PackStoreSql, PassStoreSql,
  ProjectStoreSql, ThinningStoreSql, ThumbnailStoreSql, UploadStoreSql, VersionStoreSql, WorkspaceStoreSql, AgentStores, JobStores
).pipe(Layer.provideMerge(IssuerSql("https://id.example.com")), Layer.provideMerge(DatabaseAtSize))

const READ = [
  "users", "workspaces", "members", "api_tokens", "folders", "projects", "versions", "packs", "version_packs", "contents", "comments", "invites",
  "audit_entries", "idempotent_calls", "uploads", "upload_chunks", "passes", "share_links", "spent_keys"
]

layer(Stores, { excludeTestServices: true })("the API's statements at size", (it) => {
  // Of each sweep, only its oldest few are due.
  it.effect("look their rows up, and scan no table", () =>
    looksUp(READ, Effect.gen(function*() {
      const [accounts, tokens, audit, comments, folders] = [yield* AccountStore, yield* ApiTokenStore, yield* AuditStore, yield* CommentStore, yield* FolderStore]
      const [calls, invites, packs, passes, projects] = [yield* IdempotencyStore, yield* InviteStore, yield* PackStore, yield* PassStore, yield* ProjectStore]
      const [thinning, thumbnails, uploads, versions, workspaces] = [yield* ThinningStore, yield* ThumbnailStore, yield* UploadStore, yield* VersionStore, yield* WorkspaceStore]
      const now = yield* DateTime.now
      const ago = (minutes: number) => DateTime.subtract(now, { minutes })
      const seen: Record<string, unknown> = {}

      // More often than PostgreSQL plans a statement anew, so that the plan it keeps is among them.
      for (let turn = 1; turn <= 8; turn++) {
        const n = turn * 600 + 7
        const [user, workspace, project, id] = [UserId.make(uuid(n)), WorkspaceId.make(uuid(n - n % 10)), ProjectId.make(uuid(n)), uuid(n)]
        const page = { after: undefined, limit: 20 }
        const call = { userId: user, operation: "POST /v1/projects", key: IdempotencyKey.make(`key-${n}`) }
        const limits = { now, silentSince: ago(ROWS * 2), forgottenSince: ago(ROWS * 2) }
        seen["token"] = yield* tokens.authenticate(`token-${n}`)
        seen["tokens"] = [yield* tokens.list(user), yield* tokens.count(user)]
        seen["account"] = [yield* accounts.find(user), yield* accounts.findSignedIn(user, `end-${n}`), yield* accounts.byEmail(`user-${n}@example.com`)]
        seen["memberships"] = [yield* workspaces.memberships(user), yield* workspaces.membership(user, workspace, now)]
        seen["seats"] = yield* workspaces.seatsTaken(workspace, now)
        seen["members"] = [yield* workspaces.members(workspace), yield* workspaces.member(workspace, user), yield* workspaces.memberBy(workspace, `user-${n}@example.com`)]
        seen["project"] = [yield* projects.reach(`slug-${n}`, user), yield* projects.slugOf(project), yield* projects.detail(`slug-${n}`, user), yield* projects.detail(`slug-${n}`, user, true)]
        const held = yield* projects.claimable(`slug-${n}`, user, { workspaceId: undefined, folderId: FolderId.make(id) }, ago(1))
        const free = yield* projects.claimable(`free-${n}`, user, { workspaceId: workspace, folderId: null }, ago(1))
        assert.strictEqual(Option.getOrThrow(yield* projects.freed(`freed-${n}`, ago(ROWS))).later, Math.min(n, MOST_SLUGS_KEPT))
        seen["claimable"] = [held.reach, held.workspace, free.workspace]
        assert.strictEqual((yield* projects.list(workspace, user, { folderId: undefined, query: undefined, after: undefined, limit: 20 })).length, 10)
        assert.strictEqual((yield* projects.list(workspace, user, { folderId: FolderId.make(id), query: "tit", after: uuid(ROWS), limit: 20, excerpts: true })).length, 1)
        yield* thumbnails.keep(VersionId.make(id), { image: new Uint8Array([1]), width: 1, height: 1, whole: null }, now)
        assert.isTrue(Option.isSome(yield* thumbnails.find(project, 1)) && Option.isSome(yield* thumbnails.drawn(VersionId.make(id), "small")))
        seen["versions"] = [yield* versions.list(project), yield* versions.find(project, 1), yield* versions.contents(workspace, [`hash-${n}`], ago(1))]
        seen["folders"] = [yield* folders.reach(FolderId.make(id), user), yield* folders.count(workspace), yield* folders.list(workspace, user, page)]
        assert.strictEqual((yield* comments.list(project, { status: "open", ...page })).comments.length, 1)
        seen["comments"] = [yield* comments.threads([CommentId.make(id)]), yield* comments.find(CommentId.make(id)), (yield* comments.since(project, ago(10), 20)).comments]
        assert.strictEqual((yield* invites.list(workspace)).length, 10)
        seen["invites"] = [yield* invites.byToken(`invite-${n}`), yield* invites.live(workspace, `guest-${n}@example.com`), yield* invites.pendingFor(`guest-${n}@example.com`, now)]
        assert.strictEqual((yield* audit.list(workspace, user, page)).length, 10)
        seen["calls"] = [yield* calls.claim(call, id, limits), yield* calls.answered(call, ago(1))]
        seen["uploads"] = [yield* uploads.find(UploadId.make(id)), yield* uploads.chunks(UploadId.make(id)), yield* uploads.open(user, workspace, ago(1))]
        yield* passes.spend(`fresh-${n}`, now)

        // The due moment moves on as the sweeps remove rows.
        const due = ago(ROWS - turn * 10)
        assert.isAbove(yield* calls.sweep(due, 500), 0)
        assert.isAbove((yield* uploads.forget(due, 500)).uploads, 0)
        assert.isAbove(yield* passes.sweep({ passes: due, keys: due }, 500), 0)
        yield* packs.forget(ago(ROWS - turn * 100), 500)
        const loose = yield* thinning.loosened(5)
        const waiting = yield* thinning.due(ago(ROWS - turn * 100), 5)
        assert.isAbove(Math.min(loose.length, waiting.length), 0)
        const packIds = [...loose, ...waiting].map((pack) => pack.id)
        const [pack] = yield* thinning.hold(packIds)
        for (const naming of yield* thinning.naming(packIds)) yield* thinning.bodies(naming.version, [naming.pack])
        yield* thinning.settle(pack!, { living: [], dead: [{ offset: 0, length: 1 }], marked: false, thinnings: 1, thinningSince: now }, now)
        yield* thinning.unmark(packIds)
        yield* thinning.thinned(waiting[0]!.id, 0)
        yield* thinning.postpone(pack!.id, now)
      }
      assert.isFalse(Object.values(seen).some((found) => JSON.stringify(found).includes(`"_tag":"None"`) && found !== seen["calls"]), JSON.stringify(seen))
    })))

  // Counts within one transaction are available at once; but a transaction also keeps statements from being joined, so it is hidden from the stores.
  it.effect("do so where many ask at once, and answer what each would be told alone", () =>
    looksUp(["users", "workspaces", "members", "invites", "api_tokens", "projects", "versions", "spent_keys"], Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hidden: SqlClient.SqlClient = Object.assign(sql.bind(undefined), sql, { transactionService: SqlClient.TransactionConnection(-1) })
      const apart = yield* Layer.build(Layer.mergeAll(AccountStoreSql, ApiTokenStoreSql, ProjectStoreSql, WorkspaceStoreSql).pipe(Layer.fresh, Layer.provide(Layer.succeed(SqlClient.SqlClient, hidden))))
      const now = yield* DateTime.now
      const asked = Effect.fnUntraced(function*(turn: number) {
        const [accounts, tokens, projects, workspaces] = [yield* AccountStore, yield* ApiTokenStore, yield* ProjectStore, yield* WorkspaceStore]
        return yield* Effect.forEach(Array.from({ length: turn * 3 }, (_, n) => turn * 500 + n), (n) => {
          const [user, workspace] = [UserId.make(uuid(n)), WorkspaceId.make(uuid(n - n % 10))]
          const page = { folderId: undefined, query: undefined, after: n % 2 === 0 ? undefined : uuid(n), limit: 3 + n % 5 }
          return Effect.all([
            tokens.authenticate(`token-${n}`), projects.detail(`slug-${n}`, user), projects.detail(`slug-${n + 10}`, user), projects.detail(`none-${n}`, user),
            accounts.findSignedIn(user, n % 3 === 0 ? `key-${n}` : `end-${n}`), workspaces.memberships(user), workspaces.membership(user, n % 2 === 0 ? undefined : workspace, now), projects.list(workspace, user, page)
          ], { concurrency: "unbounded" })
        }, { concurrency: "unbounded" })
      })
      for (let turn = 1; turn <= 8; turn++) assert.deepStrictEqual(yield* Effect.provideContext(asked(turn), apart), yield* asked(turn))
    }).pipe(Effect.scoped)))

  it.effect("do so for devices, agents, links and allowlists", () => looksUp(OF_AGENTS, letIn))

  it.effect("do so for what waits in the background", () => looksUp(OF_JOBS, work))

  it.effect("do so for what goes, and all that refers to it", () => looksUp(OF_WHAT_GOES, letGo))

  // Without an index, a deletion scans every row of the other table. An index whose only condition is that the reference is not null will do.
  it.effect("find an index where a table refers to another", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`
        SELECT f.conrelid::regclass || '.' || f.conname AS name FROM pg_constraint f
        WHERE f.contype = 'f' AND NOT EXISTS (
          SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = f.conrelid AND a.attnum = ANY(f.conkey)
            AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))`, [])
    }))
})
