/** Changing a project's settings: who can open it, how it is shown, until when. */
import { DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { given } from "../../domain/given.ts"
import { secret } from "../asking.ts"
import { theirNow } from "../clock.ts"
import { signedIn } from "../connection.ts"
import { endsIn, expiry, folderOf, inDays, inFolder, perhaps, slug } from "../flags.ts"
import { downAmong, openingOf } from "../opening.ts"
import { done, Output } from "../output.ts"
import { usage } from "../refusal.ts"
import { audience, commenting, isSilenced, moment, opens } from "../words.ts"

const onOff = (name: string, description: string) =>
  Flag.map(perhaps(Flag.Literals(name, ["on", "off"]).pipe(Flag.withDescription(description))), (chosen) => chosen === undefined ? undefined : chosen === "on")

export const set = Command.make(
  "set",
  {
    slug,
    title: perhaps(Flag.String("title").pipe(Flag.withDescription("What it is called; \"\" for what it calls itself"))),
    visibility: perhaps(Flag.Literals("visibility", ["public", "password", "private"]).pipe(Flag.withDescription("Who opens it"))),
    chosen: Flag.Boolean("doorcode").pipe(Flag.withDescription("Typed unseen, or from stdin; closes what is public"), Flag.withDefault(false)),
    comments: onOff("comments", "Comments beside the page"),
    commentAccess: perhaps(Flag.Literals("comment-access", ["members", "allowlist", "anyone"]).pipe(Flag.withDescription("Who comments"))),
    display: perhaps(Flag.Literals("display", ["auto", "framed", "raw"]).pipe(Flag.withDescription("How pages are shown"))),
    indexing: onOff("indexing", "Whether searches may list it"),
    expiresInDays: inDays("Stops opening that many days from now"),
    expiry: expiry("--no-expiry: it stays until it is deleted"),
    folder: inFolder("Move it into this folder")
  },
  Effect.fnUntraced(function*({ chosen, comments, commentAccess, display, expiresInDays, expiry, folder, indexing, slug: named, title, visibility }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    if (visibility === "public" && chosen) return yield* usage("--visibility public and --doorcode contradict each other.", "svc set <slug> --doorcode   makes it ask for one.")
    const ends = yield* endsIn(expiry, expiresInDays)
    // The answer tells the service's time, that the project exists, and whose folders are meant.
    const held = expiresInDays === undefined && folder === undefined ? undefined : yield* client.projects.get({ params: { slug }, query: {} })
    const now = yield* theirNow
    const payload = given({
      title: title === "" ? null : title,
      visibility,
      password: chosen ? yield* secret("The doorcode") : undefined,
      comments_enabled: comments,
      comment_access: commentAccess,
      html_display_mode: display,
      indexable: indexing,
      expires_at: typeof ends === "number" ? DateTime.add(now, { days: ends }) : ends,
      folder_id: folder === undefined ? undefined : yield* folderOf(client, folder, held?.workspaceId)
    })
    if (Object.keys(payload).length === 0) return yield* usage("Say what is to change.", "svc set --help")
    const project = yield* client.projects.change({ params: { slug }, payload })
    const opening = openingOf(project, yield* downAmong(client), yield* theirNow)
    yield* answer(project, (paint) => [
      done(paint, `${project.slug} is changed.`),
      `  ${audience(opening, project)}`,
      ...((comments ?? display) !== undefined && isSilenced(project) ? [`  Comments are ${commenting(project)}.`] : []),
      ...(project.expiresAt === null || opens[opening] === "nobody" ? [] : [`  It stops opening on ${moment(project.expiresAt, now)}.`])
    ])
  })
).pipe(Command.withDescription("Change who opens a project, how it is shown, and until when"), Command.withExamples([
  { command: "svc set q3-report --visibility private", description: "Members alone" },
  { command: "svc set q3-report --doorcode", description: "A doorcode of your own, typed unseen" },
  { command: "svc set q3-report --comments on --expires-in-days 30", description: "For a review" }
]))
