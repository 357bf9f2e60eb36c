/** Mail about the end of a trial and of its links (CONTRACT §6): to all admins, once for each end, whichever instance sends it. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { eachOnce } from "../batches.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Payments } from "../ports/payments.ts"
import { Policies } from "../ports/policies.ts"
import { makeMailedAdmin } from "../workspaces/mailed-admins.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { GRACE, lapsesAt } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import * as Rules from "./rules.ts"
import { TrialMailStore } from "./store.ts"

const BATCH = 200

export class TrialMails extends Context.Service<TrialMails>()("svc/domain/billing/TrialMails", {
  make: Effect.gen(function*() {
    const store = yield* TrialMailStore
    const mailedAdmin = yield* makeMailedAdmin
    const workspaces = yield* WorkspaceStore
    const mailer = yield* Mailer
    const policies = yield* Policies
    const { offers } = yield* Payments
    const { atomically } = yield* Atomically

    /** Decided again under the lock: a workspace that paid a moment ago gets no mail. */
    const send = Effect.fn("TrialMails.send")(
      function*(workspaceId: WorkspaceId) {
        const now = yield* DateTime.now
        const workspace = Option.getOrUndefined(yield* workspaces.lock(workspaceId))
        const due = workspace && Rules.mailDue(workspace, policies.trial, now)
        const admins = yield* store.admins(workspaceId)
        // While no admin can be told, the mail stays due.
        if (due === undefined || admins.length === 0 || !(yield* store.claim(workspaceId, due.kind, due.end, now))) return 0
        yield* Effect.forEach(admins, ({ email, name }) =>
          mailer.enqueue(Mail.cases.TrialNotice.make({
            to: email,
            name,
            stage: due.kind,
            workspaceId,
            workspace: workspace!.name,
            endsAt: DateTime.formatIso(workspace!.trialEndsAt ?? due.end),
            linksDownOn: DateTime.formatIso(due.linksDownOn),
            sold: Rules.sells(offers)
          })), { discard: true })
        return admins.length
      },
      atomically
    )

    /** Whether what a mail says is so still, after it waited: nobody paid or gave more time meanwhile, and its recipient is an admin. */
    const stands = Effect.fn("TrialMails.stands")(function*(mail: Extract<Mail, { readonly _tag: "TrialNotice" }>) {
      const held = Option.getOrUndefined(yield* mailedAdmin(mail))
      const end = held === undefined ? null : lapsesAt(held, policies.trial)
      return end !== null && DateTime.formatIso(DateTime.add(end, GRACE)) === mail.linksDownOn
    })

    /** Answers how many mails went into the outbox. */
    const sendAll = Effect.fn("TrialMails.sendAll")(function*() {
      if (policies.trial === "open") return 0
      const { enforcedSince } = policies.trial
      const now = yield* DateTime.now
      const stages = Rules.TRIAL_MAILS.map(({ from, kind, ofTrial, until }) => ({
        kind, ofTrial, after: DateTime.subtract(now, { days: until }), upTo: DateTime.subtract(now, { days: from })
      }))
      return yield* eachOnce(BATCH, {
        waiting: (limit) => store.waiting(stages, enforcedSince, limit),
        nameOf: (id) => id,
        handle: send,
        failure: "a trial mail was not sent"
      })
    })

    return { sendAll, stands }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
