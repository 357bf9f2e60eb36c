/** `catch_up`: what changed on a project since a moment, in one call. */
import { DateTime, Effect, Schema } from "effect"
import { CatchingUp } from "../../../domain/catching-up/catching-up.ts"
import { Comments } from "../../../domain/comments/comments.ts"
import { located } from "../../../domain/comments/places.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { countText } from "../../../domain/words.ts"
import { Caller } from "../../contract/authentication.ts"
import { VersionView } from "../../contract/project-views.ts"
import { link } from "../../contract/share-links.ts"
import { Since, Timestamp, wire } from "../../contract/wire.ts"
import { addressed } from "../addressed.ts"
import { said, slug } from "./arguments.ts"
import { aroundOf } from "./around.ts"
import type { Told } from "./around.ts"
import { fitting, fittingThreads, PAGE_CHARACTERS } from "./bounds.ts"
import { threadFields, threadLines } from "./comments.ts"
import type { Insiders } from "./comments.ts"
import { READS, tool } from "./tool.ts"
import { ToolProject } from "./update.ts"
import { audience, moment, quoted, standing } from "./words.ts"

const Output = wire({
  project: ToolProject,
  since: Since,
  until: said(Timestamp, "Pass it as since the next time"),
  versions: Schema.Array(VersionView).annotate({ description: "Published since, newest first" }),
  comments: Schema.Array(wire({ ...threadFields, happened: Schema.Array(Schema.Literals(["opened", "replied", "resolved", "reopened", "edited"])) }))
    .annotate({ description: "Threads with news, newest first; the first 100 that fit" }),
  shareLinks: Schema.Array(wire({ ...link, happened: Schema.Array(Schema.Literals(["created", "first_opened", "expired"])) }))
    .annotate({ description: "With news, newest first; the first 100 that fit. Revoked ones are gone" }),
  views: wire({
    fromDate: Schema.String.annotate({ description: "Views are counted by day, in UTC: since this one, whole" }),
    views: Schema.Int,
    uniqueVisitors: Schema.Int,
    lastViewedAt: Schema.NullOr(Timestamp),
    truncated: Schema.Boolean.annotate({ description: "Whether the plan keeps fewer days" })
  }),
  truncated: Schema.Boolean.annotate({ description: "Whether a list or a thread is cut" })
})

export const catchUp = tool("catch_up", {
  title: "Catch up on a project",
  description:
    "Everything that happened to a project since a moment: new versions, comments opened, replied to, resolved, reopened and edited, views, share links made, first opened and expired. Pass the until of one answer as the since of the next: what happened in its last seconds may then come twice, and nothing is missed.",
  annotations: READS,
  input: Schema.Struct({ slug, since: said(Since, "An RFC 3339 time at any offset, such as 2027-01-31T12:00:00Z or 2027-01-31T13:00:00+01:00") }),
  output: Output,
  run: Effect.fnUntraced(function*({ since, slug }) {
    const { user } = yield* Caller
    const { comments: threads, project, shareLinks: links, ...news } = yield* (yield* CatchingUp).since(user, slug, since)
    const comments = fittingThreads(threads.map(located), PAGE_CHARACTERS * 0.8, ({ updatedAt }) => DateTime.isGreaterThan(updatedAt, since))
    const shareLinks = fitting(links, PAGE_CHARACTERS * 0.2)
    const truncated = news.truncated || comments.length < threads.length || comments.some(({ shortened }) => shortened) || shareLinks.length < links.length
    const insiders = yield* (yield* Comments).insiders(user, slug)
    return { ...news, around: yield* aroundOf(project), project: addressed(yield* Addresses)(project), comments, shareLinks, truncated, insiders }
  }),
  words: ({ around, comments, insiders, project, shareLinks, since, truncated, until, versions, views }: Told<typeof Output.Type> & { readonly insiders: Insiders }, now) =>
    [
      `${project.url} since ${moment(since)} (${project.version === 0 ? "nothing published yet" : `version ${project.version}`}, ${audience(project, now, around)}):`,
      ...(truncated ? ["There is more than is shown here: get_comments with status all and list_share_links have all of it, page by page."] : []),
      ...standing(around),
      versions.length === 0 ? "- no new version" : `- ${versions.length} new: version ${versions.map(({ version }) => version).join(", ")}`,
      `- ${countText(views.views, "view")} by ${countText(views.uniqueVisitors, "visitor")} since ${views.fromDate}`,
      ...shareLinks.map(({ happened, label }) => `- share link ${quoted(label)}: ${happened.join(", ")}`),
      comments.length === 0 ? "- no news in comments" : `- ${countText(comments.length, "thread")} with news:`,
      ...comments.flatMap(({ happened, ...thread }) => [`${happened.join(", ")}:`, ...threadLines(insiders)(thread)]),
      `Next time, ask since ${moment(until)}.`
    ].join("\n")
})
