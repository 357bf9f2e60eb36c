/** What platform administrators do, as remote procedures. */
import { Cause, Effect, Schema, Stream } from "effect"
import { Administering } from "../../../domain/administration/administering.ts"
import { LookingUp } from "../../../domain/administration/looking-up.ts"
import type { JobId } from "../../../domain/administration/model.ts"
import { every } from "../../../domain/pages.ts"
import type { Page } from "../../../domain/pages.ts"
import { asInvalid, faultsOf } from "../../contract/faults.ts"
import { Administration, Administrator, AdministratorsOnly, Meant } from "../../contract/rpc.ts"
import { failureOf } from "../middleware/envelope.ts"

/** How many rows of a list one query reads. */
const PAGE = 100

/** Who is no administrator any more as a transaction begins: any program may meet it. */
const isRefusal = Schema.is(AdministratorsOnly.error)

/** Turns a defect into a failure that reveals nothing internal. */
const answered = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(program, Effect.fnUntraced(function*(defect) {
    return yield* isRefusal(defect) ? defect : Effect.flip(failureOf(Cause.die(defect)))
  }))

const meant = <A>(schema: Schema.ConstraintDecoder<A>, texts: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema, { errors: "all" })(texts), (error) => asInvalid(faultsOf(error, "payload")))

/** Reads page after page while the client listens and still is an administrator. */
const listed = <Id extends string, A extends { readonly id: Id }, E, R>(read: (user: typeof Administrator.Service["user"], page: Page<Id>) => Effect.Effect<ReadonlyArray<A>, E, R>) =>
  every(PAGE, (page: Page<Id>) => answered(Administrator.use(({ still, user }) => Effect.andThen(still, read(user, page)))))

export const AdministrationHandlers = Administration.toLayer(Effect.gen(function*() {
  const administering = yield* Administering
  const looking = yield* LookingUp
  const by = <A, E, R>(program: (user: typeof Administrator.Service["user"]) => Effect.Effect<A, E, R>) =>
    answered(Administrator.use(({ user }) => program(user)))

  /** The same with arguments, each of which is refused under its name where it means nothing. */
  const given = <A, B, E, R>(schema: Schema.ConstraintDecoder<A>, program: (user: typeof Administrator.Service["user"], said: A) => Effect.Effect<B, E, R>) =>
    (texts: unknown) => by((user) => Effect.flatMap(meant(schema, texts), (said) => program(user, said)))

  return Administration.of({
    findUser: given(Meant.findUser, (admin, { user }) => looking.findUser(admin, user)),
    findWorkspace: given(Meant.findWorkspace, (admin, { workspace }) => looking.findWorkspace(admin, workspace)),
    findProject: given(Meant.findProject, (admin, { slug }) => looking.findProject(admin, slug)),
    inviteOwner: given(Meant.inviteOwner, (admin, { email, workspace }) => administering.inviteOwner(admin, workspace, email)),
    extendTrial: given(Meant.extendTrial, (admin, { until, workspace }) => administering.extendTrial(admin, workspace, until)),
    restoreDeletion: given(Meant.restoreDeletion, (admin, target) => administering.restoreDeletion(admin, target)),
    takeDown: given(Meant.takeDown, (admin, { slug }) => administering.takeDown(admin, slug)),
    putBack: given(Meant.putBack, (admin, { slug }) => administering.putBack(admin, slug)),
    listTakenDown: () => listed(administering.takenDown),
    listDeadMails: () => listed(administering.deadMails),
    retryMail: given(Meant.retryMail, (admin, { id }) => administering.retryMail(admin, id)),
    listJobs: (texts) =>
      Stream.unwrap(Effect.map(meant(Meant.listJobs, texts), ({ state }) => listed((admin, page: Page<JobId>) => administering.jobs(admin, state, page)))),
    retryJob: given(Meant.retryJob, (admin, { id }) => administering.retryJob(admin, id)),
    statistics: () => by((admin) => looking.statistics(admin))
  })
}))
