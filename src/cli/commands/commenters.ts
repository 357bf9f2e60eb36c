/** Who may comment on a project beside the members of its workspace: its list of addresses. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Email } from "../../domain/accounts/email.ts"
import type { Client } from "../client.ts"
import { signedIn } from "../connection.ts"
import { slug } from "../flags.ts"
import { done, Output } from "../output.ts"
import { commentersOf, commenting, isSilenced } from "../words.ts"

const emails = Argument.String("email").pipe(Argument.withSchema(Email), Argument.withDescription("One address, or several"), Argument.atLeast(1))

/** Why the list lets nobody in, where it does not: the list itself does not say whether comments are on. What was changed stays so whatever happens to this question. */
const idle = Effect.fnUntraced(function*(client: Client, slug: string) {
  if ((yield* Output).json) return []
  const project = yield* client.projects.get({ params: { slug }, query: {} }).pipe(Effect.orElseSucceed(() => undefined))
  if (project === undefined) return []
  if (!project.commentsEnabled) return [`Nobody comments yet. Turn comments on: svc set ${slug} --comments on`]
  if (isSilenced(project)) return [`Comments are ${commenting(project)}. Frame it: svc set ${slug} --display auto`]
  if (project.commentAccess === "allowlist") return []
  return [`The list does not count, since ${commentersOf(project)} may comment. Let it: svc set ${slug} --comment-access allowlist`]
})

const list = Command.make(
  "list",
  { slug },
  Effect.fnUntraced(function*({ slug: named }) {
    const { answer, aside, listed } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const found = yield* client.allowlists.ofProject({ params: { slug } })
    const rows = [
      ...found.emails.map((email) => [email, "this project"]),
      ...found.inheritedEmails.filter((email) => !found.emails.includes(email)).map((email) => [email, "its folder or workspace"])
    ]
    yield* Effect.forEach(yield* idle(client, slug), aside)
    yield* answer(found, () => listed([{ title: "ADDRESS" }, { title: "LISTED FOR" }], rows, `Nobody is listed. List somebody: svc commenters add ${slug} <email>`))
  })
).pipe(Command.withDescription("List who may comment beside the members"))

const add = Command.make(
  "add",
  { slug, emails },
  Effect.fnUntraced(function*({ emails, slug: named }) {
    const { answer, aside } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const found = yield* client.allowlists.changeProject({ params: { slug }, payload: { add_emails: emails } })
    yield* answer(found, (paint) => emails.map((email) => done(paint, `${email} is on the list of ${slug}.`)))
    yield* Effect.forEach(yield* idle(client, slug), aside)
  })
).pipe(Command.withDescription("Let people comment: they sign in with the listed address"))

const remove = Command.make(
  "remove",
  { slug, emails },
  Effect.fnUntraced(function*({ emails, slug: named }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const found = yield* client.allowlists.changeProject({ params: { slug }, payload: { remove_emails: emails } })
    yield* answer(found, (paint) => emails.map((email) =>
      found.inheritedEmails.includes(email)
        ? `${email} is off this project’s list, and still on that of its folder or workspace.`
        : done(paint, `${email} is off the list of ${slug}.`)
    ))
  })
).pipe(Command.withDescription("Take people off the list; it holds at once"))

export const commenters = Command.make("commenters").pipe(
  Command.withDescription("Who comments beside the members"),
  Command.withSubcommands([list, add, remove])
)
