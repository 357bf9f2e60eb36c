/** When a share link ends, to the millisecond, and how many there is room for. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import type { ShareLinkChanges } from "../../../src/domain/share-links/model.ts"
import { change, room } from "../../../src/domain/share-links/rules.ts"

const at = DateTime.makeUnsafe
const now = at("2026-03-10T12:00:00.000Z")

const endless = { label: "Acme", expiresAt: null, notifyOnFirstOpen: true }
const ending = { ...endless, expiresAt: at("2026-04-01T00:00:00.000Z") }
const ended = { ...endless, expiresAt: at("2026-03-01T00:00:00.000Z") }

const become = (link: Parameters<typeof change>[0], changes: ShareLinkChanges) =>
  Result.match(change(link, changes, now), {
    onFailure: ({ _tag, field }) => `${_tag} ${field}`,
    onSuccess: ({ expiresAt, label }) => `${label} ${expiresAt === null ? "stays" : DateTime.formatIso(expiresAt)}`
  })

describe("a share link", () => {
  it("changes what is named and nothing else", () => {
    assert.strictEqual(become(ending, {}), "Acme 2026-04-01T00:00:00.000Z")
    assert.strictEqual(become(ending, { label: "Bolt" }), "Bolt 2026-04-01T00:00:00.000Z")
    assert.strictEqual(become(endless, { label: "Bolt" }), "Bolt stays")
    assert.strictEqual(become(ended, { label: "Bolt" }), "Bolt 2026-03-01T00:00:00.000Z")
    for (const [notifyOnFirstOpen, told] of [[undefined, true], [false, false]] as const) {
      assert.strictEqual(Result.getOrThrow(change(endless, { notifyOnFirstOpen }, now)).notifyOnFirstOpen, told)
    }
  })

  it("ends days from now or at a moment to come, or not at all", () => {
    assert.strictEqual(become(endless, { expiresInDays: 1 }), "Acme 2026-03-11T12:00:00.000Z")
    assert.strictEqual(become(ended, { expiresInDays: 3650 }), "Acme 2036-03-07T12:00:00.000Z")
    assert.strictEqual(become(ending, { expiresAt: at("2026-03-10T12:00:00.001Z") }), "Acme 2026-03-10T12:00:00.001Z")
    assert.strictEqual(become(ending, { expiresAt: now }), "validation_error expires_at")
    assert.strictEqual(become(ending, { expiresAt: at("2026-03-10T11:59:59.999Z") }), "validation_error expires_at")
    for (const cleared of [{ expiresAt: null }, { expiresInDays: null }]) assert.strictEqual(become(ending, cleared), "Acme stays")
  })

  it("may be told the end that it has, even once it has passed", () => {
    assert.strictEqual(become(ended, { label: "Bolt", expiresAt: ended.expiresAt }), "Bolt 2026-03-01T00:00:00.000Z")
    assert.strictEqual(become(ended, { expiresAt: DateTime.add(ended.expiresAt, { milliseconds: 1 }) }), "validation_error expires_at")
  })

  it("takes one form of an end at a time", () => {
    for (const expiresInDays of [1, null]) {
      for (const expiresAt of [at("2027-01-01T00:00:00.000Z"), null]) {
        assert.strictEqual(become(endless, { expiresInDays, expiresAt }), "validation_error expires_at")
      }
    }
  })

  it("has room among a thousand", () => {
    assert.isTrue(Result.isSuccess(room(999)))
    assert.isTrue(Result.isFailure(room(1_000)))
    assert.isTrue(Result.isFailure(room(1_001)))
  })
})
