/** How much of the plan is used, in three meters. */
import type { Workspace } from "../api/workspace.ts"
import { numberOf, sizeOf } from "../ui/facts.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"

/** From here on a meter says that it is nearly full. */
const NEARLY = 0.85

const Meter = ({ limit, name, note, used, words }: { readonly name: string; readonly used: number; readonly limit: number; readonly words: (value: number) => string; readonly note?: string | undefined }) => {
  const part = limit === 0 ? 1 : used / limit
  const state = part > 1 ? "Over the plan" : part === 1 ? "Full" : part >= NEARLY ? "Nearly full" : note
  const warns = part >= NEARLY
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5 grid gap-2">
        <p className="tabular-nums"><span className="text-lead font-semibold">{words(used)}</span> <span className="text-muted">of {words(limit)}</span></p>
        <span aria-hidden="true" className="meter block h-1 overflow-hidden rounded-full bg-line">
          <span className={`block h-full rounded-full ${warns ? "bg-warn" : "bg-ink"}`} style={{ width: `${Math.min(100, used === 0 ? 0 : Math.max(2, part * 100))}%` }} />
        </span>
        <p className={`text-small sm:min-h-5 ${warns ? "text-warn" : "text-muted"}`}>{state}</p>
      </dd>
    </div>
  )
}

export const Usage = ({ workspace }: { readonly workspace: Workspace | undefined }) => {
  if (workspace === undefined) return <Loading what="what is used"><div className="grid gap-x-8 gap-y-5 sm:grid-cols-3"><Skeleton className="h-[82px]" /><Skeleton className="h-[82px]" /><Skeleton className="h-[82px]" /></div></Loading>
  const { limits, member_count, usage } = workspace
  const invited = usage.seats - member_count
  return (
    <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
      <Meter name="Projects" used={usage.projects} limit={limits.projects} words={numberOf} />
      <Meter name="Storage" used={usage.storage_bytes} limit={limits.storage_bytes} words={sizeOf} />
      <Meter name="Seats" used={usage.seats} limit={limits.seats} words={numberOf} note={invited > 0 ? `${numberOf(invited)} of them invited` : undefined} />
    </dl>
  )
}
