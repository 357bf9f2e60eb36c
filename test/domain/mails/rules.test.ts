/** When a mail is tried again and given up, and which go first. */
import { DateTime } from "effect"
import { assert, it } from "vitest"
import { firstAt, isOver, nextTry } from "../../../src/domain/mails/rules.ts"
import { Mail } from "../../../src/domain/ports/mailer.ts"

const since = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

it("a mail that nobody takes is tried after pauses that double up to five minutes, for a day and no longer, whoever tries it", () => {
  const tries: Array<number> = []
  let now: DateTime.Utc | null = since
  while (now !== null) {
    tries.push((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1000)
    now = nextTry({ attempts: tries.length, since }, now)
  }
  assert.deepStrictEqual(tries.slice(0, 12), [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111])
  assert.isTrue(tries.at(-1)! >= 86_400 - 300 && tries.at(-1)! < 86_400, String(tries.at(-1)))
  assert.isNull(nextTry({ attempts: 3, since }, DateTime.add(since, { days: 5 })), "the day is over, however few tries there were")
})

it("of four turns one is for notices first", () => {
  assert.deepStrictEqual([0, 1, 2, 3, 4, 7].map(firstAt), ["awaited", "awaited", "awaited", "notices", "awaited", "notices"])
})

it("a mail is over once its link has ended, or what it announces has come, to the millisecond; others never are", () => {
  const [to, name, token, workspace] = ["ada@example.com", "Ada", "t", "Acme"]
  const [soon, later] = ["2026-03-03T12:00:00Z", "2026-04-02T12:00:00Z"]
  const trial = { to, name, workspaceId: "w", workspace, endsAt: soon, linksDownOn: later }
  const ends: ReadonlyArray<readonly [Mail, string]> = [
    [Mail.cases.MagicLink.make({ to, name, token }), "2026-03-01T12:15:00Z"],
    [Mail.cases.PasswordReset.make({ to, name, token }), "2026-03-01T13:00:00Z"],
    [Mail.cases.VerifyEmail.make({ to, name, token }), soon],
    [Mail.cases.ExportReady.make({ to, name, workspace, url: "https://svc.example/x", endsAt: soon }), soon],
    [Mail.cases.TrialNotice.make({ ...trial, stage: "ending" }), soon],
    [Mail.cases.TrialNotice.make({ ...trial, stage: "ended" }), later],
    [Mail.cases.TrialNotice.make({ ...trial, stage: "links_going_down" }), later]
  ]
  for (const [mail, at] of ends) {
    const end = DateTime.makeUnsafe(at)
    assert.deepStrictEqual([DateTime.subtract(end, { milliseconds: 1 }), end].map((now) => isOver(mail, since, now)), [false, true], mail._tag)
  }
  assert.isFalse(isOver(Mail.cases.DeviceApproved.make({ to, name, client: "svc", address: "192.0.2.1" }), since, DateTime.add(since, { days: 400 })))
})
