/** Mails as plain decisions: which go first, when one that was not taken is tried again, when it is given up, and what is kept of it. */
import { DateTime } from "effect"
import { LIFETIMES } from "../accounts/rules.ts"
import type { Mail } from "../ports/mailer.ts"

/** What is known of a mail that was just tried; `since`: when it was first tried since it was enqueued, stood still, or was sent on its way again. */
export interface Trying {
  readonly attempts: number
  readonly since: DateTime.Utc
}

/** Whether somebody waits for it, or it only tells of something. */
const WAITED_FOR: Record<Mail["_tag"], boolean> = {
  VerifyEmail: true,
  AlreadyRegistered: true,
  ToBeErased: true,
  MagicLink: true,
  PasswordReset: true,
  DeviceApproved: true,
  Invitation: true,
  ShareLinkOpened: false,
  CommentDigest: false,
  TrialNotice: false,
  ExportReady: false,
  ExportFailed: false,
  ProjectTakenDown: false,
  WorkspaceDeleted: false
}

export const isAwaited = ({ _tag }: Mail): boolean => WAITED_FOR[_tag]

export const AWAITED: ReadonlyArray<string> = Object.entries(WAITED_FOR).flatMap(([kind, awaited]) => awaited ? [kind] : [])

/** One turn of so many is for notices first, so that they go out too while others wait. */
const NOTICES_TURN = 4

export const firstAt = (turn: number): "awaited" | "notices" => turn % NOTICES_TURN === NOTICES_TURN - 1 ? "notices" : "awaited"

/** No mail waits longer for its next try. */
export const LONGEST_PAUSE = { minutes: 5 } as const

const GIVEN_UP_AFTER = { days: 1 } as const

/** How long a mail that was given up can be sent again; then it is deleted, with its recipient and all that it says. */
export const DEAD_KEPT = { days: 90 } as const

/** How long the record of a sent mail is kept; its content is deleted when it is sent. */
export const SENT_KEPT = { days: 90 } as const

/** Due at once, also by the clock of a worker that is behind, and before those that were tried: those are not overdue by a day. */
export const firstTry = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, GIVEN_UP_AFTER)

/** A mail that was due for so long stood still, as no worker ran: its day begins again with the next try. */
const STOOD_STILL = { hours: 6 } as const

export const stoodStillBefore = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, STOOD_STILL)

/** From when on what a mail says is not so any more, as its link has ended or what it announces has come; null where it stays so. */
const saysUntil = (mail: Mail, enqueuedAt: DateTime.Utc): DateTime.Utc | null => {
  switch (mail._tag) {
    case "VerifyEmail":
      return DateTime.add(enqueuedAt, LIFETIMES["verify-email"])
    case "MagicLink":
      return DateTime.add(enqueuedAt, LIFETIMES["magic-link"])
    case "PasswordReset":
      return DateTime.add(enqueuedAt, LIFETIMES["password-reset"])
    case "ExportReady":
      return DateTime.makeUnsafe(mail.endsAt)
    case "TrialNotice":
      return DateTime.makeUnsafe(mail.stage === "ending" ? mail.endsAt : mail.linksDownOn)
    case "WorkspaceDeleted":
      return DateTime.makeUnsafe(mail.eraseOn)
    case "AlreadyRegistered":
    case "DeviceApproved":
    // An erasure takes this one along.
    case "ToBeErased":
    // Facts that are read before these are sent end them.
    case "CommentDigest":
    case "ExportFailed":
    case "Invitation":
    case "ProjectTakenDown":
    case "ShareLinkOpened":
      return null
  }
}

/** It waited for so long that it would mislead: it is not sent. */
export const isOver = (mail: Mail, enqueuedAt: DateTime.Utc, now: DateTime.Utc): boolean => {
  const until = saysUntil(mail, enqueuedAt)
  return until !== null && DateTime.isGreaterThanOrEqualTo(now, until)
}

const LONGEST_SECONDS = LONGEST_PAUSE.minutes * 60

/** One second after the first try, doubling to five minutes; null after a day, when it is given up. */
export const nextTry = ({ attempts, since }: Trying, now: DateTime.Utc): DateTime.Utc | null => {
  const next = DateTime.add(now, { seconds: Math.min(LONGEST_SECONDS, 2 ** (attempts - 1)) })
  return DateTime.isLessThan(next, DateTime.add(since, GIVEN_UP_AFTER)) ? next : null
}
