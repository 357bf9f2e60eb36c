/** What platform administrators do, as remote procedures. */
import { Cause, Effect, Option, Stream } from "effect"
import { Administering } from "../../../domain/administration/administering.ts"
import { LookingUp } from "../../../domain/administration/looking-up.ts"
import { Administration, Administrator } from "../../contract/rpc.ts"
import { failureOf } from "../middleware/envelope.ts"

/** How many rows of a list one query reads. */
const PAGE = 100

/** Turns a defect into a failure that reveals nothing internal. */
const answered = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(program, (defect) => Effect.flip(failureOf(Cause.die(defect))))

/** Reads page after page while the client listens and still is an administrator. */
const listed = <A extends { readonly id: string }, E, R>(
  page: (asked: { readonly limit: number; readonly after: A["id"] | undefined }) => Effect.Effect<ReadonlyArray<A>, E, R>
) =>
  Stream.paginate(undefined as A["id"] | undefined, (after) =>
    Effect.map(answered(Administrator.use(({ still }) => Effect.andThen(still, page({ limit: PAGE, after })))), (rows) =>
      [rows, rows.length < PAGE ? Option.none() : Option.some(rows.at(-1)!.id)] as const))

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
      Stream.unwrap(Effect.map(administering.wanted(state), (which) => listed((page) => administering.jobs(which, page)))),
    retryJob: ({ id }) => by((admin) => administering.retryJob(admin, id)),
    statistics: () => answered(looking.statistics())
  })
}))
