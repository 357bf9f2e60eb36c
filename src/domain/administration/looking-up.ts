/** What platform administrators look at (CONTRACT §10): accounts, workspaces and projects, also while they wait for erasure, and statistics. */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { orFail } from "../found.ts"
import { every } from "../pages.ts"
import { Addresses } from "../ports/addresses.ts"
import { Policies } from "../ports/policies.ts"
import { noSuchProject } from "../projects/access-rules.ts"
import { noSuchWorkspace } from "../workspaces/member-rules.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { billingState, linksDownOn } from "../workspaces/rules.ts"
import type { PlatformAdmin, Statistics, UserKey, WorkspaceFacts, WorkspaceKey } from "./model.ts"
import * as Rules from "./rules.ts"
import { AdministrationStore, JobStore } from "./store.ts"

/** Workspaces read by one query. */
const AT_ONCE = 5000

/** Logs an operation in the service's own log, by ids. */
export const told = (by: PlatformAdmin, operation: string, target: string) =>
  Effect.logInfo("administration").pipe(Effect.annotateLogs({ administrator: by.id, operation, target }))

/** The slug in a project's address, which is what those who complain of it have; anything else stays as it is. */
const slugIn = (named: string, projectUrl: (slug: string) => string): string => {
  const address = URL.parse(/^https?:\/\//i.test(named) ? named : `http://${named}`)
  const label = /^[^.]+(?=\.)/.exec(address?.hostname ?? "")?.[0]
  return label !== undefined && new URL(projectUrl(label)).host === address?.host ? label : named
}

export class LookingUp extends Context.Service<LookingUp>()("svc/domain/administration/LookingUp", {
  make: Effect.gen(function*() {
    const store = yield* AdministrationStore
    const jobs = yield* JobStore
    const policies = yield* Policies
    const { projectUrl } = yield* Addresses
    const projectNamed = (named: string) => store.project(slugIn(named, projectUrl))

    const workspaceOf = Effect.fn("LookingUp.workspaceOf")(function*(id: WorkspaceId) {
      const now = yield* DateTime.now
      const { needsCharge, subscriptionEndsAt, subscriptionStatus, ...facts } = yield* store.workspace(id).pipe(orFail(noSuchWorkspace))
      const term = { trialEndsAt: facts.trialEndsAt, needsCharge, subscriptionEndsAt, subscriptionStatus }
      return { ...facts, billingState: billingState(term, policies.trial, now), linksDownOn: linksDownOn(term, policies.trial, now) } satisfies WorkspaceFacts
    })

    const findUser = Effect.fn("LookingUp.findUser")(function*(by: PlatformAdmin, asked: UserKey) {
      const user = yield* store.user(asked).pipe(orFail(Rules.noSuchUser))
      yield* told(by, "findUser", user.id)
      return user
    })

    /** By its slug or its address. */
    const project = (named: string) => projectNamed(named).pipe(orFail(noSuchProject))

    const findProject = Effect.fn("LookingUp.findProject")(function*(by: PlatformAdmin, slug: string) {
      const one = yield* project(slug)
      yield* told(by, "findProject", one.id)
      return one
    })

    const findWorkspace = Effect.fn("LookingUp.findWorkspace")(function*(by: PlatformAdmin, asked: WorkspaceKey) {
      const named = Option.getOrUndefined(yield* projectNamed(asked.slug))
      const id = named?.workspaceId ?? asked.id ?? (yield* noSuchWorkspace())
      const workspace = yield* workspaceOf(id)
      yield* told(by, "findWorkspace", id)
      return workspace
    })

    /** Derived for each workspace, as its members see it; page by page, since there may be many. */
    const byBillingState = Effect.fn("LookingUp.byBillingState")(function*(now: DateTime.Utc) {
      const counts = { trialing: 0, active: 0, past_due: 0, lapsed: 0, down: 0 }
      yield* Stream.runForEachArray(every(AT_ONCE, store.terms), (some) =>
        Effect.sync(() => {
          for (const term of some) counts[billingState(term, policies.trial, now)]++
        }))
      return counts
    })

    const statistics = Effect.fn("LookingUp.statistics")(function*(_by: PlatformAdmin) {
      const now = yield* DateTime.now
      return { ...(yield* store.statistics(now)), standing: yield* byBillingState(now), jobs: yield* jobs.counts } satisfies Statistics
    })

    return { workspaceOf, project, findUser, findWorkspace, findProject, statistics }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
