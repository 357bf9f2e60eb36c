/** `svc admin`: what platform administrators may do (CONTRACT §10). */
import { DateTime, Effect, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { countText } from "../../domain/words.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import { confirmed } from "../asking.ts"
import { theirNow } from "../clock.ts"
import { folded, yes } from "../flags.ts"
import { done, Output } from "../output.ts"
import { inWordsOf } from "../refusal.ts"
import { facts } from "../table.ts"
import { ago, moment } from "../words.ts"

// Loaded only when it is needed: few people are administrators.
const administration = Effect.flatMap(Effect.promise(() => import("../administration.ts")), (loaded) => loaded.administration)
type Administration = Effect.Success<typeof administration>

const text = (name: string, description: string) => Argument.String(name).pipe(Argument.withDescription(description))
const slug = Argument.map(text("slug", "The project: its slug or its address"), folded)
const maybe = (time: DateTime.Utc | null, now: DateTime.Utc) => time === null ? undefined : moment(time, now)

/** What is named in the command is not there, or can be no name of anything. */
const orBy = (next: string) => inWordsOf(["not_found", "validation_error"], () => ({ next }))

/** Not where something else in the command is wrong. */
const byProject = inWordsOf(["not_found", "validation_error"], ({ field }) =>
  field === "user" || field === "workspace" ? { next: "svc admin workspace <slug>   finds a workspace, its id and its members by a project." } : {})

const user = Command.make(
  "user",
  { user: text("user", "An address or an id") },
  Effect.fnUntraced(function*({ user }) {
    const { answer, listed } = yield* Output
    const found = yield* (yield* administration).findUser({ user }).pipe(byProject)
    const now = yield* theirNow
    yield* answer(found, () => [
      ...facts([
        ["Name", found.name],
        ["Email", `${found.email}${found.emailVerified ? "" : " (not verified)"}`],
        ["Id", found.id],
        ["Signs in by", [...(found.hasPassword ? ["password"] : []), ...(found.idpLinked ? ["provider"] : [])].join(", ") || "mailed links"],
        ["Since", moment(found.createdAt, now)],
        ["Erased on", maybe(found.erasesOn, now)]
      ]),
      "",
      ...listed(
        [{ title: "WORKSPACE", gives: true }, { title: "ID" }, { title: "ROLE" }],
        found.workspaces.map(({ id, isOwner, name, role }) => [name, id, isOwner ? "owner" : role]),
        "In no workspace."
      )
    ])
  }, Effect.scoped)
).pipe(Command.withDescription("Look up a user"))

type Workspace = Effect.Success<ReturnType<Administration["findWorkspace"]>>

const factsOf = (found: Workspace, now: DateTime.Utc) =>
  facts([
    ["Name", found.name],
    ["Id", found.id],
    ["Plan", `${found.plan}, ${found.billingState}`],
    ["Trial ends", /^(?:active|past_due)$/.test(found.billingState) ? undefined : maybe(found.trialEndsAt, now)],
    [found.billingState === "down" ? "Links down since" : "Links go down", maybe(found.linksDownOn, now)],
    ["Holds", `${countText(found.projects, "project")}, ${sizeText(found.storageBytes)}`],
    ["Since", moment(found.createdAt, now)],
    ["Erased on", maybe(found.erasesOn, now)]
  ])

const workspace = Command.make(
  "workspace",
  { workspace: Argument.map(text("workspace", "An id, or the slug or address of one of its projects"), folded) },
  Effect.fnUntraced(function*({ workspace }) {
    const { answer, listed } = yield* Output
    const found = yield* (yield* administration).findWorkspace({ workspace }).pipe(orBy("A slug is what a project’s address begins with; svc admin user <email>   shows whose workspaces somebody is in."))
    const now = yield* theirNow
    yield* answer(found, () => [
      ...factsOf(found, now),
      "",
      ...listed(
        [{ title: "MEMBER", gives: true }, { title: "EMAIL" }, { title: "ID" }, { title: "ROLE" }],
        found.members.map(({ email, id, isOwner, name, role }) => [name, email, id, isOwner ? "owner" : role]),
        "It has no members."
      )
    ])
  }, Effect.scoped)
).pipe(Command.withDescription("Look up a workspace"))

const inviteOwner = Command.make(
  "invite-owner",
  { workspace: text("workspace", "Its id"), email: text("email", "Whom the mail goes to") },
  Effect.fnUntraced(function*({ email, workspace }) {
    const { answer } = yield* Output
    const invite = yield* (yield* administration).inviteOwner({ workspace, email }).pipe(byProject)
    const now = yield* theirNow
    yield* answer(invite, (paint) => done(paint, `A mail is on its way to ${email}. Who accepts it owns the workspace; it works until ${moment(invite.expiresAt, now)}.`))
  }, Effect.scoped)
).pipe(Command.withDescription("Mail a way in that makes its guest an owner"))

/** The service decides; it has the same bound. */
const trialDays = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 366 }, { message: "Between 1 and 366 days." }))

const extendTrial = Command.make(
  "extend-trial",
  { workspace: text("workspace", "Its id"), days: Argument.Int("days").pipe(Argument.withSchema(trialDays), Argument.withDescription("From now, 366 at most")) },
  Effect.fnUntraced(function*({ days, workspace }) {
    const { answer } = yield* Output
    const client = yield* administration
    yield* client.findWorkspace({ workspace }).pipe(byProject)
    // By the service's clock, known from the answer just received.
    const now = yield* theirNow
    const found = yield* client.extendTrial({ workspace, until: DateTime.formatIso(DateTime.add(now, { days })) }).pipe(
      // The procedure takes a time, the command days.
      inWordsOf(["validation_error"], ({ field }) => field === "until" ? { field: "days" } : {}),
      byProject
    )
    yield* answer(found, () => factsOf(found, now))
  }, Effect.scoped)
).pipe(Command.withDescription("Let a trial last longer; a charge alone moves a plan"))

const restore = Command.make(
  "restore",
  { type: Argument.Literals("user|workspace", ["user", "workspace"]), id: text("id", "Whose deletion is taken back") },
  Effect.fnUntraced(function*({ id, type }) {
    const { answer } = yield* Output
    const client = yield* administration
    const result = yield* client.restoreDeletion({ type, id }).pipe(
      orBy(`svc admin ${type === "user" ? "user <email>" : "workspace <slug>"}   shows its id.`),
      // Its admins' accounts come first.
      inWordsOf(["conflict"], () => ({ next: `svc admin workspace ${id}   lists who is in it, with their ids.` }))
    )
    const now = yield* theirNow
    // A workspace also goes with the account of the one who is in it; once its erasure has begun, nothing brings it back.
    const going = result.restored || type === "user" ? undefined : yield* client.findWorkspace({ workspace: id })
    yield* answer(result, (paint) =>
      result.restored ? done(paint, `The ${type} is back as it was.`)
      : going === undefined || going.erasesOn === null || DateTime.isLessThanOrEqualTo(going.erasesOn, now) ? `No deletion of this ${type} was asked for.`
      : `This workspace goes with its member’s account. Both are taken back by: ${going.members.map((member) => `svc admin restore user ${member.id}`).join(", ")}`)
  }, Effect.scoped)
).pipe(Command.withDescription("Take a deletion back"))

const takeDown = Command.make(
  "take-down",
  { slug, yes },
  Effect.fnUntraced(function*({ slug, yes }) {
    const { answer } = yield* Output
    yield* confirmed(`Take ${slug} down? Its address stops opening for everybody.`, yes)
    const project = yield* (yield* administration).takeDown({ slug }).pipe(orBy("The slug is what the project’s address begins with."))
    yield* answer(project, (paint) => done(paint, `${project.slug} is down. Put it back: svc admin put-back ${project.slug}`))
  }, Effect.scoped)
).pipe(Command.withDescription("Take a project down; asks first"))

const putBack = Command.make(
  "put-back",
  { slug },
  Effect.fnUntraced(function*({ slug }) {
    const { answer } = yield* Output
    const project = yield* (yield* administration).putBack({ slug }).pipe(orBy("svc admin taken-down   lists what is down."))
    yield* answer(project, (paint) => done(paint, `${project.slug} is put back: its address opens as its owner has it set.`))
  }, Effect.scoped)
).pipe(Command.withDescription("Put a project back that was taken down"))

const takenDown = Command.make(
  "taken-down",
  {},
  Effect.fnUntraced(function*() {
    const { answer, listed } = yield* Output
    const projects = yield* Stream.runCollect((yield* administration).listTakenDown())
    const now = yield* theirNow
    yield* answer({ projects }, () => listed(
      [{ title: "SLUG" }, { title: "WORKSPACE" }, { title: "DOWN SINCE" }],
      projects.map(({ slug, takenDownAt, workspaceId }) => [slug, workspaceId, takenDownAt === null ? "" : ago(takenDownAt, now)]),
      "Nothing is taken down."
    ))
  }, Effect.scoped)
).pipe(Command.withDescription("List what is taken down"))

const mails = Command.make(
  "mails",
  { retry: Flag.String("retry").pipe(Flag.withMetavar("<id>"), Flag.withDescription("Send this one again"), Flag.optional) },
  Effect.fnUntraced(function*({ retry }) {
    const { answer, listed } = yield* Output
    const client = yield* administration
    if (retry._tag === "Some") {
      yield* client.retryMail({ id: retry.value }).pipe(orBy("svc admin mails   lists those that were given up."))
      return yield* answer({ id: retry.value, status: "waiting" }, (paint) => done(paint, "It is tried again."))
    }
    const mails = yield* Stream.runCollect(client.listDeadMails())
    const now = yield* theirNow
    yield* answer({ mails }, () => listed(
      [{ title: "ID" }, { title: "KIND" }, { title: "TRIES", right: true }, { title: "GIVEN UP" }],
      mails.map(({ attempts, deadAt, id, kind }) => [id, kind, String(attempts), ago(deadAt, now)]),
      "No mail was given up."
    ))
  }, Effect.scoped)
).pipe(Command.withDescription("List mails that were given up, or send one again"))

const jobs = Command.make(
  "jobs",
  {
    state: Flag.Literals("state", ["waiting", "failed", "all"]).pipe(Flag.withDescription("Which of them; all by default"), Flag.withDefault("all")),
    retry: Flag.String("retry").pipe(Flag.withMetavar("<id>"), Flag.withDescription("Run this one again"), Flag.optional)
  },
  Effect.fnUntraced(function*({ retry, state }) {
    const { answer, listed } = yield* Output
    const client = yield* administration
    if (retry._tag === "Some") {
      const job = yield* client.retryJob({ id: retry.value }).pipe(orBy("svc admin jobs   lists those that can be run again."))
      return yield* answer(job, (paint) => done(paint, `${job.kind} is tried again.`))
    }
    const jobs = yield* Stream.runCollect(client.listJobs({ state }))
    const now = yield* theirNow
    yield* answer({ jobs }, () => listed(
      [{ title: "ID" }, { title: "KIND" }, { title: "STATE" }, { title: "ASKED FOR" }, { title: "TAKEN UP" }],
      jobs.map(({ enqueuedAt, id, kind, state, takenUpAt }) => [id, kind, state, ago(enqueuedAt, now), takenUpAt === null ? "never" : ago(takenUpAt, now)]),
      "No job is stuck."
    ))
  }, Effect.scoped)
).pipe(Command.withDescription("List jobs that wait or failed, or run one again"))

const statistics = Command.make(
  "statistics",
  {},
  Effect.fnUntraced(function*() {
    const { answer } = yield* Output
    const found = yield* (yield* administration).statistics()
    const number = (value: number) => value.toLocaleString("en")
    yield* answer(found, () => facts([
      ["Users", number(found.users)],
      ["Workspaces", `${number(found.workspaces)}: ${Object.entries(found.standing).filter(([, many]) => many > 0).map(([state, many]) => `${number(many)} ${state.replace("_", " ")}`).join(", ")}`],
      ["Projects", `${number(found.projects)}, ${number(found.takenDown)} taken down`],
      ["Versions", number(found.versions)],
      ["Storage", sizeText(found.storageBytes)],
      ["Views today", number(found.viewsToday)],
      ["Mails", `${number(found.mails.waiting)} waiting, ${number(found.mails.dead)} given up`],
      ["Jobs", `${number(found.jobs.waiting)} waiting, ${number(found.jobs.failed)} failed`],
      ["Deletions", `${number(found.deletionsScheduled)} scheduled`]
    ]))
  }, Effect.scoped)
).pipe(Command.withDescription("How the service is doing"))

export const admin = Command.make("admin").pipe(
  Command.withDescription("For platform administrators: look up, help, put right"),
  Command.withSubcommands([user, workspace, inviteOwner, extendTrial, restore, takeDown, putBack, takenDown, mails, jobs, statistics])
)
