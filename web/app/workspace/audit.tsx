/** Who did what, newest first, a day at a time. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { auditOf } from "../api/audit.ts"
import { foldersIn } from "../api/folders.ts"
import { invitesOf } from "../api/invites.ts"
import { membersOf } from "../api/members.ts"
import { usePermission } from "../frame/session.ts"
import { Unread } from "../frame/trouble.tsx"
import { Clock, dayInWords } from "../ui/facts.tsx"
import { useMinute } from "../ui/minute.ts"
import { isMissing } from "../ui/missing.tsx"
import { Empty, Loading, Section, Skeleton } from "../ui/parts.tsx"
import { ShowMore } from "../ui/show-more.tsx"
import { wordsOf } from "./audit-words.tsx"
import type { Entry, Names } from "./audit-words.tsx"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

/** Unknown ids stay without a name; undefined while names are loading, since they make lines longer. */
const useNames = (id: string, entries: ReadonlyArray<Entry>): Names | undefined => {
  const { data: members, isLoading: membersLoad } = useQuery(membersOf(id))
  const { data: invites, isLoading: invitesLoad } = useQuery(invitesOf(id))
  const { data: folders, isLoading: foldersLoad } = useQuery(foldersIn(id))
  const names = useMemo(() => ({
    people: new Map([
      ...entries.flatMap(({ actor }) => actor === null ? [] : [[actor.id, actor.name] as const]),
      ...members?.map(({ name, user_id }) => [user_id, name] as const) ?? []
    ]),
    invited: new Map(invites?.map((one) => [one.id, one.email] as const)),
    folders: new Map(folders?.map((one) => [one.id, one.name] as const))
  }), [entries, members, invites, folders])
  return membersLoad || invitesLoad || foldersLoad ? undefined : names
}

const byDay = (entries: ReadonlyArray<Entry>) => [...Map.groupBy(entries, ({ at }) => new Date(at).toDateString())]

const Log = () => {
  useMinute()
  const { id } = useWorkspace()
  const list = useInfiniteQuery(auditOf(id))
  const { data } = list
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? [], [data])
  const names = useNames(id, entries)
  if (isMissing(list)) return <Unread of={list} />
  if (data === undefined || names === undefined) return <Loading what="the audit log"><div className="grid gap-3">{Array.from({ length: 8 }, (_, index) => <Skeleton key={index} className="h-6" />)}</div></Loading>
  if (entries.length === 0) return <Empty icon="history" title="Nothing is noted yet">Whoever is invited, whatever is shared and what is paid is noted here.</Empty>
  return (
    <div className="grid gap-6">
      {byDay(entries).map(([day, ofDay]) => (
        <section key={day} className="min-w-0" aria-label={dayInWords(ofDay[0]!.at)}>
          <h3 className="border-b border-line pb-1.5 text-small text-muted">{dayInWords(ofDay[0]!.at)}</h3>
          <ol>
            {ofDay.map((entry) => (
              <li key={entry.id} className="flex items-baseline gap-4 border-b border-line py-2 last:border-0">
                <p className="min-w-0 flex-1 wrap-anywhere">{wordsOf(entry, names)}</p>
                <span className="text-small whitespace-nowrap text-muted tabular-nums"><Clock at={entry.at} /></span>
              </li>
            ))}
          </ol>
        </section>
      ))}
      <ShowMore of={list} />
    </div>
  )
}

export const Audit = () => {
  const { isAdmin } = usePermission()
  return (
    <Section title="Audit log" hint="Who let whom in, what was opened to whom, and what was paid.">
      {isAdmin ? <Log /> : <AdminsAlone>It is for the admins of this workspace.</AdminsAlone>}
    </Section>
  )
}
