/** Versions of a project: listing them, and restoring one. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { opensFor } from "../../domain/projects/opening.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import { theirNow } from "../clock.ts"
import { signedIn, signedInPatiently } from "../connection.ts"
import { slug } from "../flags.ts"
import { done, Output } from "../output.ts"
import { ago, audience, opens } from "../words.ts"

export const versions = Command.make(
  "versions",
  { slug },
  Effect.fnUntraced(function*({ slug: named }) {
    const { answer, listed } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const project = yield* client.projects.get({ params: { slug }, query: {} })
    const now = yield* theirNow
    yield* answer({ slug: project.slug, versions: project.versions }, () => listed(
      [{ title: "VERSION", right: true }, { title: "KIND" }, { title: "FILES", right: true }, { title: "SIZE", right: true }, { title: "PUBLISHED" }, { title: "BY", gives: true }, { title: "" }],
      project.versions.map(({ createdAt, createdBy, current, fileCount, kind, sizeBytes, version }) =>
        [String(version), kind, String(fileCount), sizeText(sizeBytes), ago(createdAt, now), createdBy.name, current ? "served now" : ""]),
      `Nothing is published at ${project.slug} yet.`
    ))
  })
).pipe(Command.withDescription("List the versions of a project"))

export const restore = Command.make(
  "restore",
  { slug, version: Argument.Int("version").pipe(Argument.withDescription("As svc versions numbers them")) },
  Effect.fnUntraced(function*({ slug: named, version }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedInPatiently
    const project = yield* client.projects.restore({ params: { slug, version } })
    const opening = opensFor(project, yield* theirNow)
    const closed = opens[opening] === "nobody"
    yield* answer(project, (paint) => [
      done(paint, `Version ${version} is ${closed ? "the newest" : "served"} again, as version ${project.version}.`),
      ...(closed ? [`  ${audience(opening, project)}`] : []),
      project.url
    ])
  })
).pipe(Command.withDescription("Publish an old version again as the newest"))
