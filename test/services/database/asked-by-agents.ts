/** The statements of devices and agents as they are let in, and those of share links, allowlists and lists of figures. */
import { assert } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AllowlistStore } from "../../../src/domain/allowlists/store.ts"
import { dayOf } from "../../../src/domain/days.ts"
import { ViewStore } from "../../../src/domain/analytics/store.ts"
import { DeviceGrantId } from "../../../src/domain/device-grants/model.ts"
import { DeviceGrantStore } from "../../../src/domain/device-grants/store.ts"
import { FolderId } from "../../../src/domain/folders/model.ts"
import { GrantStore } from "../../../src/domain/grants/store.ts"
import { PassStore } from "../../../src/domain/hosting/store.ts"
import { FamilyId } from "../../../src/domain/oauth/model.ts"
import { OauthStore } from "../../../src/domain/oauth/store.ts"
import { ProjectId } from "../../../src/domain/projects/model.ts"
import { ShareLinkId } from "../../../src/domain/share-links/model.ts"
import { ShareLinkStore } from "../../../src/domain/share-links/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { AllowlistStoreSql } from "../../../src/services/database/allowlists.ts"
import { DeviceGrantStoreSql } from "../../../src/services/database/device-grants.ts"
import { GrantStoreSql } from "../../../src/services/database/grants.ts"
import { OauthStoreSql } from "../../../src/services/database/oauth.ts"
import { ShareLinkStoreSql } from "../../../src/services/database/share-links.ts"
import { ViewStoreSql } from "../../../src/services/database/views.ts"
import { ROWS, uuid } from "./at-size.ts"

export const AgentStores = Layer.mergeAll(AllowlistStoreSql, DeviceGrantStoreSql, GrantStoreSql, OauthStoreSql, ShareLinkStoreSql, ViewStoreSql)

export const OF_AGENTS = [
  "users", "workspaces", "folders", "projects", "share_links", "passes", "view_days", "device_grants", "api_tokens",
  "oauth_clients", "oauth_codes", "oauth_families", "oauth_tokens"
]

export const letIn = Effect.gen(function*() {
  const [allowlists, devices, grants, links] = [yield* AllowlistStore, yield* DeviceGrantStore, yield* GrantStore, yield* ShareLinkStore]
  const [oauth, passes, views] = [yield* OauthStore, yield* PassStore, yield* ViewStore]
  const now = yield* DateTime.now
  const today = dayOf(DateTime.toEpochMillis(now))
  const whole = <A>(found: Option.Option<A>, what: string) => assert.isTrue(Option.isSome(found), what)

  for (let turn = 1; turn <= 8; turn++) {
    const n = turn * 150 + 7
    const [user, workspace, project, id] = [UserId.make(uuid(n)), WorkspaceId.make(uuid(n - n % 10)), ProjectId.make(uuid(n)), uuid(n)]
    const family = FamilyId.make(id)
    const later = DateTime.add(now, { minutes: turn })

    const code = Option.getOrThrow(yield* oauth.code(`code-${n}`))
    yield* oauth.addCode({ ...code, id: FamilyId.make(uuid(ROWS + turn)) }, `new-${turn}`)
    const grant = Option.getOrThrow(yield* devices.byDeviceCode(`device-${n}`))
    yield* devices.add({ ...grant, id: DeviceGrantId.make(uuid(ROWS + turn)), userCode: `new-${turn}` }, `new-${turn}`)
    assert.strictEqual(yield* oauth.sweepCodes(now, 50), 50)
    assert.strictEqual(yield* devices.sweep(DateTime.subtract(now, { days: 1 }), 50), 50)

    whole(yield* devices.byUserCode(`code-${n}`), "a device by its code")
    assert.isTrue(yield* devices.polled(grant.id, now, now))
    whole(yield* devices.approve(`code-${n}`, user, now), "a device approved")
    whole(yield* devices.consume(grant.id, now), "a device's grant consumed")
    yield* devices.deny(`code-${n + 10}`, user, now)
    yield* devices.revoke(`token-${n}`, `client-${n}`)
    yield* devices.forgetAllOf(user)
    assert.isAtLeast((yield* grants.list(user, now)).length, 1)
    assert.isFalse(yield* grants.revoke(user, uuid(n + 1), now))

    whole(yield* oauth.client(`client-${n}`), "a client")
    assert.isTrue(yield* oauth.consumeCode(`code-${n}`, now))
    whole(yield* oauth.consumeRefresh(`refresh-${n}`, `client-${n}`, now), "a refresh token")
    whole(yield* oauth.familyOf(`refresh-${n}`), "a token's family")
    whole(yield* oauth.access(`access-${n}`, "mcp", now), "an access token")
    yield* oauth.addTokens(family, [{ hash: `new-${turn}`, kind: "access", expiresAt: later }], now)
    yield* oauth.used(family, now)
    yield* oauth.revoke(family, now)
    yield* oauth.forgetCodesOf(user)
    yield* oauth.revokeAllOf(user, now)

    whole(yield* passes.openLink(project, `link-${n}`, now), "a link opened")
    assert.isTrue(yield* passes.linkOpens(project, `link-${n}`, now))
    yield* passes.doorcode(project)
    yield* passes.endSession(user, now)
    whole(yield* links.find(ShareLinkId.make(id)), "a link")
    assert.deepStrictEqual([(yield* links.list(project)).length, yield* links.count(project)], [1, 1])
    whole(yield* links.change(ShareLinkId.make(id), { label: "Again", expiresAt: null, notifyOnFirstOpen: false }), "a link changed")
    assert.isTrue(yield* links.revoke(ShareLinkId.make(id), now))

    assert.lengthOf(yield* allowlists.levels({ project, folder: FolderId.make(id), workspace }), 3)
    yield* allowlists.change({ project, folder: null, workspace }, { emails: ["ada@example.com"] }, now)
    assert.isAtLeast((yield* views.days(project, today - 30, today + 1)).length, 1)
  }
})
