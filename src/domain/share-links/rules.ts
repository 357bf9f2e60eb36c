/** How many share links a project may have, and when one expires (SPEC §2, CONTRACT §9). */
import { DateTime, Result } from "effect"
import { Conflict, invalid, NotFound } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import { endOf } from "../projects/rules.ts"
import type { ShareLink, ShareLinkChanges, ShareLinkDraft } from "./model.ts"

/** Per project, not counting revoked ones: bounded, so that the list fits one answer. */
const MAX_LINKS = 1_000

/** The same refusal for a link that is missing, revoked, or of a project that the caller may not see. */
export const noSuchLink = () => new NotFound({ message: "There is no such share link.", field: "id" })

export const room = (links: number): Result.Result<void, Conflict> =>
  links < MAX_LINKS
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: `A project holds ${MAX_LINKS} share links. Revoke one that is no longer needed.` }))

type Changed = Pick<ShareLink, "expiresAt" | "label" | "notifyOnFirstOpen">

/** The link after a change. Its present expiry may be sent again, even once it has passed. */
export const change = (link: Changed, { label, notifyOnFirstOpen, ...asked }: ShareLinkChanges, now: DateTime.Utc, instead = "; use DELETE to end it now"): Result.Result<Changed, Invalid> => {
  const ends = endOf(asked, now)
  if (Result.isFailure(ends)) return Result.fail(ends.failure)
  const end = ends.success
  const same = end && link.expiresAt && DateTime.Equivalence(end, link.expiresAt)
  if (end && !same && DateTime.isLessThanOrEqualTo(end, now)) {
    return Result.fail(invalid({ field: "expires_at", message: `Choose a time in the future${instead}.` }))
  }
  return Result.succeed({
    label: label ?? link.label,
    expiresAt: end === undefined ? link.expiresAt : end,
    notifyOnFirstOpen: notifyOnFirstOpen ?? link.notifyOnFirstOpen
  })
}

export const create = (draft: ShareLinkDraft, now: DateTime.Utc): Result.Result<Changed, Invalid> =>
  change({ label: draft.label, expiresAt: null, notifyOnFirstOpen: false }, draft, now, "")

/** The address of a link: the gate on its project's own host. */
export const shareUrl = (projectUrl: string, token: string): string => `${projectUrl}/_svc/gate/share?t=${token}`
