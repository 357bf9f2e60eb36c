/** Share links (SPEC §4.9, CONTRACT §10): one recipient's own way into a project. */
import { DateTime, Effect, Schema } from "effect"
import { pageOf } from "../../../domain/pages.ts"
import type { Project } from "../../../domain/projects/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import type { Standing } from "../../../domain/projects/rules.ts"
import { ShareLinks } from "../../../domain/share-links/share-links.ts"
import { countText } from "../../../domain/words.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Caller } from "../../contract/authentication.ts"
import { newLink, ShareLinkView } from "../../contract/share-links.ts"
import { days, line, ok, PAGE, Status, Timestamp, wire } from "../../contract/wire.ts"
import { atMost, optional, paged, said, shareLinkId, slug } from "./arguments.ts"
import { READS, REMOVES, SHOWS, tool } from "./tool.ts"
import { ending, moment, more, quoted, standing } from "./words.ts"

const NewLink = wire({ ...newLink, projectExpiresAt: Schema.NullOr(Timestamp).annotate({ description: "When the project stops answering, this link included" }) })

const ends = (at: DateTime.Utc | null, now: DateTime.Utc): string =>
  at === null ? "" : DateTime.isGreaterThan(at, now) ? `, until ${moment(at)}` : `, and no longer since it expired at ${moment(at)}`

export const createShareLink = tool("create_share_link", {
  title: "Create a share link",
  description: "Makes an address that opens the project to whoever holds it, whatever its visibility, and counts its openings. One for each recipient, so that each can be revoked. share_url is in this answer and nowhere else: hand it on now.",
  annotations: SHOWS,
  answersSecret: true,
  input: Schema.Struct({
    slug,
    label: said(atMost(line(1, 100), 100), "Who it is for, such as a name or a company"),
    expires_in_days: optional(Schema.Int.check(days), "It stops opening after so many days, 1 to 3650; until revoked where absent"),
    notify_on_first_open: optional(Schema.Boolean, "true: the project’s owner gets a mail when it is first opened")
  }),
  output: NewLink,
  run: Effect.fnUntraced(function*({ expires_in_days: expiresInDays, label, notify_on_first_open, slug }) {
    const { user } = yield* Caller
    // Before the link is made: its address is shown this once, so nothing may fail after it.
    const { expiresAt: projectExpiresAt, takenDownAt, version, workspaceId } = yield* (yield* Projects).get(user, slug)
    const here = yield* (yield* Workspaces).select(user.id, workspaceId)
    const made = yield* (yield* ShareLinks).create(user, slug, { label, expiresInDays, notifyOnFirstOpen: notify_on_first_open === true })
    return { ...made, here, isEmpty: version === 0, projectExpiresAt, takenDownAt }
  }),
  words: ({ expiresAt, here, id, isEmpty, label, projectExpiresAt, shareUrl, takenDownAt }: typeof NewLink.Type & Pick<Project, "takenDownAt"> & { readonly here: Standing; readonly isEmpty: boolean }, now) =>
    [
      `For ${quoted(label)}${expiresAt === null ? "" : `, until ${moment(expiresAt)}`}: ${shareUrl}`,
      `Its share_link_id, to revoke it: ${id}.`,
      ...(isEmpty ? ["It opens nothing now: nothing is published there yet."] : []),
      ...ending({ expiresAt: projectExpiresAt, takenDownAt }, now),
      ...standing(here)
    ].join("\n")
})

export const listShareLinks = tool("list_share_links", {
  title: "List share links",
  description: "The share links of a project that are not revoked, newest first, with how often each was opened, and when last. Their addresses are not shown again.",
  annotations: READS,
  input: Schema.Struct({ slug, ...paged }),
  output: wire({ shareLinks: Schema.Array(ShareLinkView), nextCursor: Schema.NullOr(Schema.String) }),
  run: Effect.fnUntraced(function*({ cursor, limit = PAGE, slug }) {
    const { user } = yield* Caller
    const all = yield* (yield* ShareLinks).list(user, slug)
    const { nextCursor, page } = pageOf(all.filter(({ id }) => cursor === undefined || id < cursor), limit)
    return { shareLinks: page, nextCursor }
  }),
  words: ({ nextCursor, shareLinks }, now) =>
    shareLinks.length === 0
      ? "No share links."
      : [...more(nextCursor), ...shareLinks.map(({ expiresAt, id, label, lastOpenedAt = null, viewCount }) => `- ${quoted(label)}: opened ${countText(viewCount, "time")}${lastOpenedAt === null ? "" : `, last on ${moment(lastOpenedAt)}`}${ends(expiresAt, now)} (${id})`)].join("\n")
})

export const revokeShareLink = tool("revoke_share_link", {
  title: "Revoke a share link",
  description: "It stops opening at once, also for those it let in. Other links stay.",
  annotations: REMOVES,
  input: Schema.Struct({ share_link_id: shareLinkId }),
  output: Status,
  run: Effect.fnUntraced(function*({ share_link_id: id }) {
    const { user } = yield* Caller
    yield* (yield* ShareLinks).revoke(user, id)
    return ok
  }),
  words: () => "Revoked. It no longer opens."
})
