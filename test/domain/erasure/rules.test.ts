/** What deleting an account means, case by case, and which mails tell of what is erased. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import type { Stake } from "../../../src/domain/erasure/model.ts"
import * as Rules from "../../../src/domain/erasure/rules.ts"
import { Mail } from "../../../src/domain/ports/mailer.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const now = DateTime.makeUnsafe("2027-01-31T12:34:56.789Z")
const enforced = { enforcedSince: DateTime.makeUnsafe(0) }
const id = WorkspaceId.make("01890000-0000-7000-8000-00000000000a")

const stake = (facts: Partial<Stake> = {}): Stake => ({
  id, name: "Studio", role: "admin", isOwner: false, members: 1, admins: 1, projects: 3, published: 2, storageBytes: 100,
  trialEndsAt: DateTime.add(now, { days: 3 }), subscriptionStatus: null, subscriptionEndsAt: null, ...facts
})

const of = (...stakes: ReadonlyArray<Stake>) => Rules.impact(stakes, enforced, now)

describe("the impact of a deletion", () => {
  it.each<[string, Partial<Stake>, "goes" | "blocks" | "stays"]>([
    ["its home, alone", { isOwner: true }, "goes"],
    ["one it is alone in and does not own", {}, "goes"],
    ["its own, with others", { isOwner: true, members: 2, admins: 1 }, "blocks"],
    ["its own, with another admin", { isOwner: true, members: 2, admins: 2 }, "blocks"],
    ["one it is the last admin of", { members: 3, admins: 1 }, "blocks"],
    ["one whose other admins are about to be erased", { members: 3, admins: 1 }, "blocks"],
    ["one that another admin looks after", { members: 2, admins: 2 }, "stays"],
    ["one it is a plain member of", { role: "member", members: 2, admins: 1 }, "stays"]
  ])("%s: it %s", (_name, facts, verdict) => {
    const found = of(stake(facts))
    assert.deepStrictEqual(found.blockers, verdict === "blocks" ? [{ workspaceId: id, name: "Studio", otherMembers: facts.members! - 1 }] : [])
    assert.strictEqual(found.blocked, verdict === "blocks")
    assert.deepStrictEqual(found.workspaces, verdict === "goes" ? [{ id, name: "Studio", projects: 3, liveLinks: 2 }] : [])
    assert.deepStrictEqual([found.projects, found.liveLinks, found.storageBytes], verdict === "goes" ? [3, 2, 100] : [0, 0, 0])
    assert.strictEqual(Result.isFailure(Rules.deleteAccount(found)), verdict === "blocks")
  })

  it("sums up what goes, counts no link that is down already, and names its day", () => {
    const found = of(stake(), stake({ published: 5, storageBytes: 11 }), stake({ trialEndsAt: DateTime.subtract(now, { days: 30 }) }), stake({ isOwner: true, members: 9 }))
    assert.deepStrictEqual([found.projects, found.liveLinks, found.storageBytes, found.workspaces.length], [9, 7, 211, 3])
    assert.strictEqual(DateTime.formatIso(found.eraseOn), "2027-03-02T12:34:56.789Z")
    assert.deepStrictEqual(of(), { ...of(), blocked: false, blockers: [], workspaces: [], projects: 0, liveLinks: 0, storageBytes: 0 })
  })
})

describe("a mail that is not out", () => {
  const none = { addresses: new Set<string>(), unproven: new Set<string>(), workspaces: new Set<string>(), slugs: new Set<string>(), exports: new Set<string>(), invites: new Set<string>() }
  const [to, name] = ["ada@example.com", "Ada"]
  const digest = Mail.cases.CommentDigest.make({ to, name, project: "Plan", url: "https://plan.svc.example/#c", count: 1, quotes: [], mute: "https://svc.example/m" })
  it.each<[string, Mail, Partial<Rules.Traces>]>([
    ["to the account", Mail.cases.MagicLink.make({ to, name, token: "t" }), { addresses: new Set([to]) }],
    ["about the trial", Mail.cases.TrialNotice.make({ to, name, stage: "ended", workspaceId: id, workspace: "W", endsAt: "", linksDownOn: "" }), { workspaces: new Set([id]) }],
    ["about an export", Mail.cases.ExportReady.make({ to, name, workspace: "W", url: `https://svc.example/v1/exports/${id}/download?token=t`, endsAt: "" }), { exports: new Set([id]) }],
    ["about its deletion", Mail.cases.WorkspaceDeleted.make({ to, name, by: "B", workspaceId: WorkspaceId.make(id), workspace: "W", eraseOn: "" }), { workspaces: new Set([id]) }],
    ["about an export that failed", Mail.cases.ExportFailed.make({ to, name, workspaceId: id, workspace: "W", noRoom: true }), { workspaces: new Set([id]) }],
    ["about a share link", Mail.cases.ShareLinkOpened.make({ to, name, label: "l", project: "P", slug: "plan" }), { slugs: new Set(["plan"]) }],
    ["about a project that was taken down", Mail.cases.ProjectTakenDown.make({ to, name, slug: "plan" }), { slugs: new Set(["plan"]) }],
    ["about comments", digest, { slugs: new Set(["plan"]) }],
    ["that invites", Mail.cases.Invitation.make({ to, name, inviter: "B", workspace: "W", token: "t" }), { invites: new Set(["hash of t"]) }]
  ])("%s tells", (_name, mail, traces) => {
    const hash = (raw: string) => `hash of ${raw}`
    assert.isTrue(Rules.tells(mail, { ...none, ...traces }, hash))
    assert.isFalse(Rules.tells(mail, none, hash))
    const others = { addresses: new Set(["eve@example.com"]), unproven: new Set(["eve@example.com"]), workspaces: new Set(["w"]), slugs: new Set(["svc"]), exports: new Set(["t"]), invites: new Set(["t"]) }
    assert.isFalse(Rules.tells(mail, others, hash))
  })

  it("invites an address that its account never proved: it goes with the workspace, and not with the account", () => {
    const mail = Mail.cases.Invitation.make({ to, name: "", inviter: "B", workspace: "W", token: "t" })
    const [hash, account] = [(raw: string) => `hash of ${raw}`, { ...none, addresses: new Set([to]) }]
    const unproven = { ...account, unproven: new Set([to]) }
    assert.deepStrictEqual([account, unproven, { ...unproven, invites: new Set(["hash of t"]) }].map((traces) => Rules.tells(mail, traces, hash)), [true, false, true])
    assert.isTrue(Rules.tells(Mail.cases.MagicLink.make({ to, name, token: "t" }), unproven, hash))
  })
})
