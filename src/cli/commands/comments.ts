/** Comments: read them in the terminal, reply, resolve. */
import { DateTime, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommentId } from "../../domain/comments/model.ts"
import { given } from "../../domain/given.ts"
import { countText } from "../../domain/words.ts"
import type { CommentList } from "../../http/contract/comments.ts"
import { words } from "../asking.ts"
import { theirNow } from "../clock.ts"
import { signedIn, signedInPatiently } from "../connection.ts"
import { every, slug } from "../flags.ts"
import { done, Output } from "../output.ts"
import type { Paint } from "../output.ts"
import { inWordsOf } from "../refusal.ts"
import { plain } from "../table.ts"
import { ago } from "../words.ts"

type Thread = (typeof CommentList.Type)["comments"][number]
type Said = Pick<Thread, "author" | "body" | "createdAt" | "edited">

const id = Argument.String("id").pipe(Argument.withSchema(CommentId), Argument.withDescription("As svc comments list shows it"))

const orListed = inWordsOf(["not_found"], () => ({ next: "svc comments list <slug>   shows the threads and their ids." }))

const said = ({ author, body, createdAt, edited }: Said, indent: string, now: DateTime.Utc, { bold, dim }: Paint) => [
  `${indent}${bold(plain(author.name))} ${dim(`${ago(createdAt, now)}${edited ? ", edited" : ""}`)}`,
  ...body.split("\n").map((line) => `${indent}  ${plain(line)}`.trimEnd())
]

/** Where it is, and the words that it is about: whole, and not where their beginning ends the place. */
const about = ({ anchor }: Thread) => {
  const quote = plain(String(anchor?.quote ?? "")).trim()
  const where = plain(anchor?.where ?? "")
  return { quote, where: quote === "" ? where : where.replace(/(?:^|, )on “[^“”]*”$/, "") }
}

const shown = (thread: Thread, now: DateTime.Utc, paint: Paint) => {
  const { quote, where } = about(thread)
  return [
    paint.dim([thread.id, thread.status, `version ${thread.version}`, where].filter((part) => part !== "").join("  ")),
    ...(quote === "" ? [] : [paint.dim(`  “${quote}”`)]),
    ...said(thread, "  ", now, paint),
    ...thread.replies.flatMap((reply) => said(reply, "    ", now, paint)),
    ""
  ]
}

const list = Command.make(
  "list",
  { slug, status: Flag.Literals("status", ["open", "resolved", "all"]).pipe(Flag.withDescription("Which of them; open ones by default"), Flag.withDefault("open")) },
  Effect.fnUntraced(function*({ slug: named, status }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const comments = yield* every((cursor) =>
      Effect.map(client.comments.list({ params: { slug }, query: { status, limit: 100, ...given({ cursor }) } }), (page) => [page.comments, page.nextCursor]))
    const now = yield* theirNow
    yield* answer({ comments }, (paint) =>
      comments.length === 0
        ? `No ${status === "all" ? "" : `${status} `}comments on ${slug}.`
        : [...comments.flatMap((thread) => shown(thread, now, paint)), countText(comments.length, "thread")])
  })
).pipe(Command.withDescription("Read the threads of a project, newest first"))

const reply = Command.make(
  "reply",
  { id, text: Argument.String("text").pipe(Argument.withDescription("What you say; - reads it from stdin")) },
  Effect.fnUntraced(function*({ id, text }) {
    const { answer } = yield* Output
    const client = yield* signedInPatiently
    const written = yield* client.comments.reply({ params: { id }, payload: { body: yield* words(text) } }).pipe(orListed)
    yield* answer(written, (paint) => done(paint, "Your reply is there."))
  })
).pipe(Command.withDescription("Reply to a comment"))

const resolveOrReopen = (name: "reopen" | "resolve", description: string, told: string) =>
  Command.make(
    name,
    { id },
    Effect.fnUntraced(function*({ id }) {
      const { answer } = yield* Output
      const client = yield* signedInPatiently
      const thread = yield* client.comments[name]({ params: { id } }).pipe(orListed)
      yield* answer(thread, (paint) => done(paint, told))
    })
  ).pipe(Command.withDescription(description))

export const comments = Command.make("comments").pipe(
  Command.withDescription("What readers say about a project"),
  Command.withSubcommands([
    list,
    reply,
    resolveOrReopen("resolve", "Settle a thread", "Resolved."),
    resolveOrReopen("reopen", "Open a settled thread again", "Open again.")
  ])
)
