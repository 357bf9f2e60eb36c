/** Share links: access to a project for one recipient each. */
import { DateTime, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { given } from "../../domain/given.ts"
import { ShareLinkId } from "../../domain/share-links/model.ts"
import { theirNow } from "../clock.ts"
import { signedIn } from "../connection.ts"
import { endsIn, expiry, inDays, perhaps, slug } from "../flags.ts"
import { downAmong, openingOf } from "../opening.ts"
import { done, Output } from "../output.ts"
import { inWordsOf, usage } from "../refusal.ts"
import { plain } from "../table.ts"
import { ago, audience, moment, opens } from "../words.ts"

const id = Argument.String("id").pipe(Argument.withSchema(ShareLinkId), Argument.withDescription("As svc share list shows it"))
const expiresInDays = inDays("Ends that many days from now")

const orListed = inWordsOf(["not_found"], () => ({ next: "svc share list <slug>   shows the links and their ids." }))

/** When the link stops opening: as its project ends, if that is before. One that has ended is told of by itself. */
const endOf = (link: DateTime.Utc | null, project: DateTime.Utc | null, now: DateTime.Utc): DateTime.Utc | null =>
  project === null || DateTime.isLessThanOrEqualTo(project, now) ? link : link === null ? project : DateTime.min(link, project)

const add = Command.make(
  "add",
  {
    slug,
    label: Argument.String("label").pipe(Argument.withDescription("Who it is for")),
    expiresInDays,
    notify: Flag.Boolean("notify").pipe(Flag.withDescription("A mail when it is opened for the first time"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function*({ expiresInDays, label, notify, slug: named }) {
    const { answer, aside, json, watched } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    // Before the link is made: its address is shown this once, so nothing may fail after it.
    const project = json ? undefined : yield* client.projects.get({ params: { slug }, query: {} })
    const down = yield* downAmong(client)
    const link = yield* client.shareLinks.create({ params: { slug }, payload: { label, notify_on_first_open: notify, ...given({ expires_in_days: expiresInDays }) } })
    const now = yield* theirNow
    const end = endOf(link.expiresAt, project?.expiresAt ?? null, now)
    if (watched) yield* aside(`Opens ${slug} for ${plain(link.label)}${end === null ? "" : ` until ${moment(end, now)}`}. The address is shown this once:`)
    if (project !== undefined) {
      if (project.version === 0) yield* aside("It opens nothing now: nothing is published there yet.")
      const opening = openingOf(project, down, now)
      if (opens[opening] === "nobody") yield* aside(audience(opening, project))
    }
    yield* answer(link, () => link.shareUrl)
  })
).pipe(Command.withDescription("Make a link; prints its address, this once"))

const list = Command.make(
  "list",
  { slug },
  Effect.fnUntraced(function*({ slug: named }) {
    const { answer, listed } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const links = yield* client.shareLinks.list({ params: { slug } })
    const now = yield* theirNow
    yield* answer({ share_links: links }, () => listed(
      [{ title: "ID" }, { title: "FOR", gives: true }, { title: "OPENED", right: true }, { title: "LAST", spare: true }, { title: "ENDS" }],
      links.map(({ expiresAt, id, label, lastOpenedAt = null, viewCount }) => [id, label, String(viewCount), lastOpenedAt === null ? viewCount === 0 ? "not yet" : "" : ago(lastOpenedAt, now), expiresAt === null ? "never" : ago(expiresAt, now)]),
      `No links yet. Make one: svc share add ${slug} "Acme"`
    ))
  })
).pipe(Command.withDescription("List the links of a project"))

const change = Command.make(
  "set",
  {
    id,
    label: perhaps(Flag.String("label").pipe(Flag.withDescription("Who it is for"))),
    expiresInDays,
    expiry: expiry("--no-expiry: it stays until it is revoked")
  },
  Effect.fnUntraced(function*({ expiresInDays, expiry, id, label }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const payload = given({ label, expires_in_days: yield* endsIn(expiry, expiresInDays) })
    if (Object.keys(payload).length === 0) return yield* usage("Say what is to change.", "svc share set --help")
    const link = yield* client.shareLinks.change({ params: { id }, payload }).pipe(orListed)
    const now = yield* theirNow
    yield* answer(link, (paint) => done(paint, `The link for ${link.label} ${link.expiresAt === null ? "stays until it is revoked" : `ends on ${moment(link.expiresAt, now)}`}.`))
  })
).pipe(Command.withDescription("Change whom a link is for, or when it ends"))

const revoke = Command.make(
  "revoke",
  { id },
  Effect.fnUntraced(function*({ id }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    yield* client.shareLinks.revoke({ params: { id } }).pipe(orListed)
    yield* answer({ id, status: "revoked" }, (paint) => done(paint, "It opens nothing any more, also for those it let in."))
  })
).pipe(Command.withDescription("End a link at once"))

export const share = Command.make("share").pipe(
  Command.withDescription("Links that let one recipient in"),
  Command.withSubcommands([add, list, change, revoke])
)
