/** What platform administrators do, as remote procedures. */
import { Cause, Effect, Stream } from "effect"
import { Administering } from "../../../domain/administration/administering.ts"
import { LookingUp } from "../../../domain/administration/looking-up.ts"
import type { JobId } from "../../../domain/administration/model.ts"
import { every } from "../../../domain/pages.ts"
import type { Page } from "../../../domain/pages.ts"
import { Administration, Administrator } from "../../contract/rpc.ts"
import { failureOf } from "../middleware/envelope.ts"

/** How many rows of a list one query reads. */
const PAGE = 100

/** Turns a defect into a failure that reveals nothing internal. */
const answered = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(program, (defect) => Effect.flip(failureOf(Cause.die(defect))))

/** Reads page after page while the client listens and still is an administrator. */
const listed = <Id extends string, A extends { readonly id: Id }, E, R>(read: (page: Page<Id>) => Effect.Effect<ReadonlyArray<A>, E, R>) =>
  every(PAGE, (page: Page<Id>) => answered(Administrator.use(({ still }) => Effect.andThen(still, read(page)))))

export const AdministrationHandlers = Administration.toLayer(Effect.gen(function*() {
  const administering = yield* Administering
  const looking = yield* LookingUp
  const by = <A, E, R>(program: (user: typeof Administrator.Service["user"]) => Effect.Effect<A, E, R>) =>
    answered(Administrator.use(({ user }) => program(user)))

  return Administration.of({
    findUser: ({ user }) => by((admin) => looking.findUser(admin, user)),
    findWorkspace: ({ workspace }) => by((admin) => looking.findWorkspace(admin, workspace)),
    findProject: ({ slug }) => by((admin) => looking.findProject(admin, slug)),
    inviteOwner: ({ email, workspace }) => by((admin) => administering.inviteOwner(admin, workspace, email)),
    extendTrial: ({ until, workspace }) => by((admin) => administering.extendTrial(admin, workspace, until)),
    restoreDeletion: ({ id, type }) => by((admin) => administering.restoreDeletion(admin, type, id)),
    takeDown: ({ slug }) => by((admin) => administering.takeDown(admin, slug)),
    putBack: ({ slug }) => by((admin) => administering.putBack(admin, slug)),
    listTakenDown: () => listed(administering.takenDown),
    listDeadMails: () => listed(administering.deadMails),
    retryMail: ({ id }) => by((admin) => administering.retryMail(admin, id)),
    listJobs: ({ state }) =>
      Stream.unwrap(Effect.map(administering.wanted(state), (which) => listed((page: Page<JobId>) => administering.jobs(which, page)))),
    retryJob: ({ id }) => by((admin) => administering.retryJob(admin, id)),
    statistics: () => answered(looking.statistics())
  })
}))
