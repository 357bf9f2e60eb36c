/** Where the plan of a workspace is chosen: a refusal that another plan would lift names the page. */
import { Effect } from "effect"
import { UploadTooLarge } from "../failures.ts"
import { Addresses } from "../ports/addresses.ts"
import { Payments } from "../ports/payments.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { liftedAt, sells } from "./rules.ts"

export const billingPage = (appUrl: string, id: WorkspaceId): string => `${appUrl}/workspace/billing?workspace=${id}`

export const makePlanPages = Effect.gen(function*() {
  const { appUrl } = yield* Addresses
  const isSold = sells((yield* Payments).offers)

  /** Undefined where no plan is sold. */
  const planPage = (id: WorkspaceId): string | undefined => isSold ? billingPage(appUrl, id) : undefined

  /** What is too large for the plan of this workspace. */
  const onPlanOf = (id: WorkspaceId) => <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.mapError(program, (failure) => {
      if (!(failure instanceof UploadTooLarge)) return failure
      const { details, field, message } = failure
      return new UploadTooLarge({ message, field, details: { ...details, ...liftedAt(planPage(id)) } }) as typeof failure
    })

  return { planPage, onPlanOf }
})
