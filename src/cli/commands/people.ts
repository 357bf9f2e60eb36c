/** Members and invitations of a workspace. People are named by their address or their id. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Email, normaliseEmail } from "../../domain/accounts/email.ts"
import { given } from "../../domain/given.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { confirmed } from "../asking.ts"
import { theirNow } from "../clock.ts"
import type { Client } from "../client.ts"
import { signedIn, signedInPatiently } from "../connection.ts"
import { doneIn, elsewhere, listOf, workspace, yes } from "../flags.ts"
import { done, Output } from "../output.ts"
import { usage } from "../refusal.ts"
import { ago, date } from "../words.ts"

const person = Argument.String("person").pipe(Argument.withDescription("An address or an id"))
const ROLES = ["admin", "member"] as const

const memberOf = Effect.fnUntraced(function*(client: Client, given: string, query: { readonly workspace?: WorkspaceId }) {
  const found = (yield* client.members.list({ query })).find(({ email, userId }) => email === normaliseEmail(given) || userId === given)
  return found ?? (yield* usage(`Nobody here is ${given}.`, yield* listOf(client, query.workspace, "svc members list")))
})

const inviteOf = Effect.fnUntraced(function*(client: Client, given: string, query: { readonly workspace?: WorkspaceId }) {
  const found = (yield* client.invites.list({ query })).find(({ email, id, status }) => id === given || (email === normaliseEmail(given) && status !== "accepted"))
  return found ?? (yield* usage(`There is no invitation for ${given}.`, yield* listOf(client, query.workspace, "svc invites list")))
})

const listMembers = Command.make(
  "list",
  { workspace },
  Effect.fnUntraced(function*({ workspace }) {
    const { answer, listed } = yield* Output
    const client = yield* signedIn
    const members = yield* client.members.list({ query: given({ workspace }) })
    yield* answer({ members }, () => listed(
      [{ title: "NAME", gives: true }, { title: "EMAIL" }, { title: "ROLE" }, { title: "SINCE", spare: true }],
      members.map(({ email, isOwner, joinedAt, name, role }) => [name, email, isOwner ? "owner" : role, date(joinedAt)]),
      "You are not a member of this workspace."
    ))
  })
).pipe(Command.withDescription("List members"))

const role = Command.make(
  "role",
  { person, role: Argument.Literals("role", ROLES), workspace },
  Effect.fnUntraced(function*({ person, role, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const query = given({ workspace })
    const { userId } = yield* memberOf(client, person, query)
    const member = yield* client.members.changeRole({ params: { user_id: userId }, query, payload: { role } })
    yield* answer(member, (paint) => done(paint, `${member.name} is ${role} now.`))
  })
).pipe(Command.withDescription("Make somebody an admin or a member"))

const removeMember = Command.make(
  "remove",
  { person, workspace, yes },
  Effect.fnUntraced(function*({ person, workspace, yes }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const query = given({ workspace })
    const { email, userId } = yield* memberOf(client, person, query)
    yield* confirmed(`Remove ${email}? Their access ends at once; their projects stay, and their private folders become the team’s.`, yes)
    yield* client.members.remove({ params: { user_id: userId }, query })
    yield* answer({ user_id: userId, status: "removed" }, (paint) => done(paint, `${email} is no member any more.`))
  })
).pipe(Command.withDescription("Remove a member, or leave; asks first"))

export const members = Command.make("members").pipe(
  Command.withDescription("Who belongs to a workspace"),
  Command.withSubcommands([listMembers, role, removeMember])
)

const listInvites = Command.make(
  "list",
  { workspace },
  Effect.fnUntraced(function*({ workspace }) {
    const { answer, listed } = yield* Output
    const client = yield* signedIn
    const invites = yield* client.invites.list({ query: given({ workspace }) })
    const now = yield* theirNow
    const others = yield* elsewhere(invites.length === 0, client, workspace, "svc invites list")
    yield* answer({ invites }, () => listed(
      [{ title: "EMAIL" }, { title: "ROLE" }, { title: "STANDS" }, { title: "ENDS", spare: true }, { title: "BY", gives: true }],
      invites.map(({ email, expiresAt, invitedBy, role, status }) => [email, role, status, status === "pending" ? ago(expiresAt, now) : "", invitedBy?.name ?? "former user"]),
      `Nobody is invited. Invite somebody: svc invites add <email>${others}`
    ))
  })
).pipe(Command.withDescription("List invitations"))

const add = Command.make(
  "add",
  { email: Argument.String("email").pipe(Argument.withSchema(Email)), role: Flag.Literals("role", ROLES).pipe(Flag.withDescription("What they come in as; member by default"), Flag.withDefault("member")), workspace },
  Effect.fnUntraced(function*({ email, role, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedInPatiently
    const invite = yield* client.invites.create({ query: given({ workspace }), payload: { email, role } })
    const where = yield* doneIn(client, workspace)
    yield* answer(invite, (paint) => done(paint, `A mail is on its way to ${invite.email}${where && `, for a seat${where}`}. Its link works until ${date(invite.expiresAt)}.`))
  })
).pipe(Command.withDescription("Invite somebody by mail"))

const resend = Command.make(
  "resend",
  { person, workspace },
  Effect.fnUntraced(function*({ person, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedInPatiently
    const query = given({ workspace })
    const { id } = yield* inviteOf(client, person, query)
    const invite = yield* client.invites.resend({ params: { invite_id: id }, query })
    yield* answer(invite, (paint) => done(paint, `A new link is on its way to ${invite.email}; the old one is void.`))
  })
).pipe(Command.withDescription("Send an invitation again"))

const cancel = Command.make(
  "cancel",
  { person, workspace },
  Effect.fnUntraced(function*({ person, workspace }) {
    const { answer } = yield* Output
    const client = yield* signedIn
    const query = given({ workspace })
    const { email, id } = yield* inviteOf(client, person, query)
    yield* client.invites.cancel({ params: { invite_id: id }, query })
    yield* answer({ id, status: "cancelled" }, (paint) => done(paint, `The invitation of ${email} is void.`))
  })
).pipe(Command.withDescription("Take an invitation back"))

export const invites = Command.make("invites").pipe(
  Command.withDescription("Invitations into a workspace"),
  Command.withSubcommands([listInvites, add, resend, cancel])
)
