/**
 * What platform administrators do (CONTRACT §10). What touches a workspace is written
 * to its audit log in the same transaction; all of it goes into the service's own log, by ids.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Email } from "../accounts/email.ts"
import { Audit } from "../audit/audit.ts"
import { Erasure } from "../erasure/erasure.ts"
import type { Target } from "../erasure/model.ts"
import { orFail } from "../found.ts"
import { Inviting } from "../invites/inviting.ts"
import { Mails } from "../mails/mails.ts"
import type { MailId } from "../mails/model.ts"
import type { Page } from "../pages.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { makeTellable } from "../projects/looking-after.ts"
import type { ProjectId } from "../projects/model.ts"
import { noSuchWorkspace } from "../workspaces/member-rules.ts"
import { makeBehindLock } from "../workspaces/behind-lock.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { LookingUp, told } from "./looking-up.ts"
import type { JobId, JobState, PlatformAdmin, ProjectFacts } from "./model.ts"
import * as Rules from "./rules.ts"
import { AdministrationStore, JobStore } from "./store.ts"

export class Administering extends Context.Service<Administering>()("svc/domain/administration/Administering", {
  make: Effect.gen(function*() {
    const store = yield* AdministrationStore
    const jobs = yield* JobStore
    const workspaceStore = yield* WorkspaceStore
    const behindLock = yield* makeBehindLock
    const tellable = yield* makeTellable
    const { project, workspaceOf } = yield* LookingUp
    const inviting = yield* Inviting
    const erasure = yield* Erasure
    const mails = yield* Mails
    const mailer = yield* Mailer
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    const inviteOwner = Effect.fn("Administering.inviteOwner")(function*(by: PlatformAdmin, workspaceId: WorkspaceId, email: Email) {
      const { expiresAt, id } = yield* inviting.createOwner(by, workspaceId, email)
      yield* told(by, "inviteOwner", id)
      return { id, workspaceId, expiresAt }
    })

    const lengthen = Effect.fn("Administering.lengthen")(
      function*(by: PlatformAdmin, id: WorkspaceId, until: DateTime.Utc) {
        const now = yield* DateTime.now
        yield* workspaceStore.lock(id).pipe(orFail(noSuchWorkspace))
        const facts = yield* store.workspace(id).pipe(orFail(noSuchWorkspace))
        yield* Effect.fromResult(Rules.extend(facts, until, now))
        yield* store.setTrialEnd(id, until)
        yield* audit.write({ workspaceId: id, actor: by.id, action: "workspace.trial_extended" }, now)
      },
      atomically
    )

    const extendTrial = Effect.fn("Administering.extendTrial")(function*(by: PlatformAdmin, id: WorkspaceId, until: DateTime.Utc) {
      yield* lengthen(by, id, until)
      yield* told(by, "extendTrial", id)
      return yield* workspaceOf(id)
    })

    const restoreDeletion = Effect.fn("Administering.restoreDeletion")(function*(by: PlatformAdmin, target: Target) {
      const restored = yield* erasure.restore(by, target)
      yield* told(by, "restoreDeletion", target.id)
      return restored
    })

    /** Repeating it changes nothing and adds no audit entry. */
    const switched = (change: (id: ProjectId, now: DateTime.Utc) => Effect.Effect<boolean>, action: "project.put_back" | "project.taken_down", tell: (one: ProjectFacts) => Effect.Effect<void> = () => Effect.void) =>
      Effect.fnUntraced(
        function*(by: PlatformAdmin, slug: string) {
          const now = yield* DateTime.now
          const found = yield* behindLock(project(slug), (one) => one.workspaceId)
          if (yield* change(found.id, now)) {
            yield* audit.write({ workspaceId: found.workspaceId, actor: by.id, action, target: { type: "project", id: found.id } }, now)
            yield* tell(found)
          }
          return yield* project(slug)
        },
        atomically
      )

    const tellOf = Effect.fnUntraced(function*(one: ProjectFacts) {
      for (const { email, name } of yield* tellable(one)) yield* mailer.enqueue(Mail.cases.ProjectTakenDown.make({ to: email, name, projectId: one.id, slug: one.slug }))
    })

    const down = switched(store.takeDown, "project.taken_down", tellOf)
    const back = switched(store.putBack, "project.put_back")

    const takeDown = Effect.fn("Administering.takeDown")(function*(by: PlatformAdmin, slug: string) {
      return yield* Effect.tap(down(by, slug), ({ id }) => told(by, "takeDown", id))
    })

    const putBack = Effect.fn("Administering.putBack")(function*(by: PlatformAdmin, slug: string) {
      return yield* Effect.tap(back(by, slug), ({ id }) => told(by, "putBack", id))
    })

    const retryMail = Effect.fn("Administering.retryMail")(function*(by: PlatformAdmin, id: MailId) {
      yield* mails.retry(id)
      yield* told(by, "retryMail", id)
    })

    const retryJob = Effect.fn("Administering.retryJob")(function*(by: PlatformAdmin, id: JobId) {
      const job = yield* atomically(jobs.retry(id)).pipe(orFail(Rules.noSuchJob))
      yield* told(by, "retryJob", job.id)
      return job
    })

    return {
      inviteOwner,
      extendTrial,
      restoreDeletion,
      takeDown,
      putBack,
      takenDown: (_by: PlatformAdmin, page: Page<ProjectId>) => store.takenDown(page),
      deadMails: (_by: PlatformAdmin, page: Page<MailId>) => mails.dead(page),
      retryMail,
      jobs: (_by: PlatformAdmin, states: ReadonlyArray<JobState>, page: Page<JobId>) => jobs.list(states, page),
      retryJob
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
