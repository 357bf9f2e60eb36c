/** The plans beside one another, and choosing one where it can be bought. */
import { useState } from "react"
import { checkout } from "../api/billing.ts"
import type { components } from "../api/client.ts"
import { useChange } from "../api/queries.ts"
import type { Workspace } from "../api/workspace.ts"
import { useLeaving } from "../frame/leaving.ts"
import { Button } from "../ui/button.tsx"
import { countOf, numberOf, sizeOf } from "../ui/facts.tsx"
import { FormFault } from "../ui/field.tsx"
import { Chip } from "../ui/parts.tsx"
import { Segments } from "../ui/segments.tsx"
import { PLAN_NAMES, PLANS } from "./plans.ts"
import type { PlanName } from "./plans.ts"
import { useWorkspace } from "./workspace.tsx"

type Interval = "month" | "year"

const INTERVALS: ReadonlyArray<{ readonly value: Interval; readonly label: string }> = [{ value: "month", label: "Monthly" }, { value: "year", label: "Yearly" }]

/** What a workspace's own plan is called, by how the workspace stands; one that never had a plan has no last one. */
const YOURS = { trialing: "Your trial", active: "Yours", past_due: "Yours", lapsed: "The last one", down: "The last one" } as const

const factsOf = (plan: PlanName) => {
  const { analytics_days, projects, seats, storage_bytes, upload_bytes, versions_kept } = PLANS[plan]
  return [
    countOf(projects, "project"),
    `${sizeOf(storage_bytes)} of storage`,
    seats === 1 ? "One person" : `${numberOf(seats)} people`,
    `${sizeOf(upload_bytes)} an upload`,
    `${countOf(versions_kept, "version")} kept`,
    `Readers’ figures of ${analytics_days === 365 ? "a year" : countOf(analytics_days, "day")}`
  ]
}

/** What would be over a smaller plan: it stays, and nothing can be added. */
const overOf = (plan: PlanName, { projects, seats, storage_bytes }: Workspace["usage"]): string | null => {
  const limits = PLANS[plan]
  const over = [
    projects > limits.projects && countOf(projects, "project"),
    storage_bytes > limits.storage_bytes && sizeOf(storage_bytes),
    seats > limits.seats && countOf(seats, "seat")
  ].filter((one) => one !== false)
  return over.length === 0 ? null : `You use ${over.join(", ")}. Nothing is deleted, but you could not add more.`
}

interface PlanTableProps {
  readonly subscription: components["schemas"]["Subscription"]
  readonly offers: components["schemas"]["Plans"]
  readonly usage: Workspace["usage"]
}

export const PlanTable = ({ offers: { plans }, subscription: { can_checkout, links_down_on: down, payment_coming, plan: current, state }, usage }: PlanTableProps) => {
  const { id } = useWorkspace()
  const [interval, setInterval] = useState<Interval>("month")
  const buy = useChange(checkout, { quiet: true })
  const leave = useLeaving(buy.reset)
  const sold = can_checkout && !payment_coming ? PLAN_NAMES.filter((plan) => (plans[plan]?.length ?? 0) > 0) : []
  const choice = sold.some((plan) => plans[plan]?.includes("month") && plans[plan].includes("year"))
  const intervalOf = (plan: PlanName): Interval => plans[plan]?.includes(interval) ? interval : plans[plan]![0]!
  const fits = sold.filter((plan) => overOf(plan, usage) === null)
  const advised = fits.includes(current) ? current : fits[0] ?? sold.at(-1)
  return (
    <div className="grid gap-5">
      {choice && <div><Segments label="Billed" value={interval} onChange={setInterval} options={INTERVALS} /></div>}
      <ul aria-label="Plans" className="grid gap-y-6 md:grid-cols-3 md:divide-x md:divide-line">
        {PLAN_NAMES.map((plan) => {
          const over = overOf(plan, usage)
          return (
            <li key={plan} className="flex flex-col gap-3 md:px-6 md:first:pl-0 md:last:pr-0 max-md:border-b max-md:border-line max-md:pb-6 max-md:last:border-0 max-md:last:pb-0">
              <h3 className="flex min-h-6 flex-wrap items-baseline gap-x-2 text-body font-semibold">
                {PLANS[plan].name}
                {plan === current && (state !== "lapsed" || down !== null) && <Chip>{YOURS[state]}</Chip>}
              </h3>
              <ul className="grid gap-1 text-muted">{factsOf(plan).map((fact) => <li key={fact}>{fact}</li>)}</ul>
              {sold.includes(plan) && (
                <div className="mt-auto grid gap-2 pt-1">
                  {over !== null && <p className="text-small text-warn">{over}</p>}
                  <div>
                    <Button
                      shape={plan === advised ? "filled" : "quiet"} className="max-md:w-full"
                      busy={(buy.isPending || buy.isSuccess) && buy.variables.plan === plan} disabled={buy.isPending || buy.isSuccess}
                      onClick={() => buy.mutate({ workspace: id, plan, interval: intervalOf(plan) }, { onSuccess: leave })}
                    >
                      Choose {PLANS[plan].name}
                    </Button>
                  </div>
                  {(!choice || intervalOf(plan) !== interval) && <p className="text-small text-muted">Billed {intervalOf(plan) === "month" ? "monthly" : "yearly"}</p>}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <FormFault error={buy.error} />
    </div>
  )
}
