/** The workspace as one archive: asked for with the password, built, mailed. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { ReactNode } from "react"
import { now as atService } from "../api/clock.ts"
import { exportPlace, latestExport, requestExport } from "../api/exports.ts"
import type { LatestExport } from "../api/exports.ts"
import { anew } from "../api/once.ts"
import { useChange } from "../api/queries.ts"
import { PasswordForm } from "../frame/password-form.tsx"
import { usePermission, useSession } from "../frame/session.ts"
import { Unread } from "../frame/trouble.tsx"
import { announce } from "../ui/announce.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { sizeOf, Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import type { IconName } from "../ui/icon.tsx"
import { useMinute } from "../ui/minute.ts"
import { isMissing } from "../ui/missing.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { DAY_MS } from "../ui/times.ts"
import { AdminsAlone, useWorkspace } from "./workspace.tsx"

/** One export per UTC day; those that failed do not count. */
const takenToday = (latest: LatestExport): boolean =>
  latest.status !== null && latest.status !== "failed" && Math.floor(Date.parse(latest.requested_at) / DAY_MS) === Math.floor(atService() / DAY_MS)

const State = ({ children, icon, text, tone = "text-muted" }: { readonly icon: IconName; readonly text: string; readonly tone?: string; readonly children: ReactNode }) => (
  <div className="flex gap-3">
    <Icon name={icon} size={20} className={`mt-px shrink-0 ${tone}`} />
    <div className="min-w-0 flex-1"><p className="font-medium">{text}</p><div className="text-muted">{children}</div></div>
  </div>
)

const Building = ({ begun, requestedAt }: { readonly begun: boolean; readonly requestedAt: string }) => (
  <State icon="history" text={begun ? "The archive is being built" : "The export is in the queue"}>
    <p>Asked for <Time at={requestedAt} />. You can leave this page: the link comes by mail.</p>
    <div aria-hidden="true" className="mt-3 h-1 max-w-sm overflow-hidden rounded-full bg-line"><div className={`breathe h-full rounded-full bg-ink ${begun ? "w-2/3" : "w-1/6"}`} /></div>
  </State>
)

const StateOf = ({ latest }: { readonly latest: LatestExport }) => {
  switch (latest.status) {
    case null:
      return null
    case "queued":
    case "building":
      return <Building begun={latest.status === "building"} requestedAt={latest.requested_at} />
    case "ready":
      return (
        <State icon="check" tone="text-good" text="The export is ready">
          <p>Its link was mailed to the admin who asked for it{latest.expires_at !== null && <>, and works until <Time at={latest.expires_at} as="end" /></>}.{latest.size_bytes !== null && ` The archive is ${sizeOf(latest.size_bytes)}.`}</p>
        </State>
      )
    case "expired":
      return <State icon="history" text="The last export is gone"><p>It was taken <Time at={latest.requested_at} />, and its link has ended.</p></State>
    case "failed":
      return <State icon="warn" tone="text-bad" text="The last export failed"><p>It was asked for <Time at={latest.requested_at} />. It does not count: try again.</p></State>
  }
}

const ForAdmins = () => {
  useMinute()
  const { id } = useWorkspace()
  const { user } = useSession()
  const read = useQuery(latestExport(id))
  const { data } = read
  const [asked, setAsked] = useState(false)
  const take = useChange(requestExport, { quiet: true })
  const status = data?.status
  const before = useRef(status)
  useEffect(() => {
    if (status === "ready" && (before.current === "queued" || before.current === "building")) announce("The export is ready")
    before.current = status
  }, [status])
  // Closed or left: the password is kept nowhere.
  useEffect(() => asked ? () => anew(exportPlace(id)) : undefined, [asked, id])
  const close = () => {
    setAsked(false)
    take.reset()
  }
  const confirm = async (password: string) => {
    await take.mutateAsync({ workspace: id, password })
    close()
  }
  if (isMissing(read)) return <Unread of={read} />
  if (data === undefined) return <Loading what="the latest export"><Skeleton className="h-9 w-36" /></Loading>
  const today = takenToday(data)
  return (
    <div className="grid gap-5">
      <StateOf latest={data} />
      {today || status === "queued" || status === "building"
        ? <p className="text-muted">One export a day can be taken. The next one from tomorrow (UTC).</p>
        : <div className="grid justify-items-start gap-2"><Button shape="filled" icon="download" onClick={() => setAsked(true)}>Take an export</Button><p className="text-small text-muted">One a day.</p></div>}
      <Dialog open={asked} busy={take.isPending} onOpenChange={(open) => open ? setAsked(true) : close()} title="Take an export" description={`The archive holds everything here, so it is confirmed with your password. The link goes to ${user.email}.`}>
        <PasswordForm action="Take the export" busy={take.isPending} error={take.error} onCancel={close} onConfirm={(password) => void confirm(password).catch(() => undefined)} />
      </Dialog>
    </div>
  )
}

export const Export = () => {
  const { isAdmin } = usePermission()
  return (
    <div>
      <Section title="Export" hint="This workspace in one zip: its projects as they are now, without earlier versions. The link comes by mail and works for seven days.">
        {isAdmin ? <ForAdmins /> : <AdminsAlone>It is for the admins of this workspace.</AdminsAlone>}
      </Section>
      {isAdmin && (
        <Section title="What is in it">
          <ul className="grid list-disc gap-1 pl-5 marker:text-muted">
            <li>The workspace and its members.</li>
            <li>Each project: its current files, settings, comments, links without their secrets, and readers’ figures.</li>
            <li>Left out: what others keep in private folders, and doorcodes.</li>
          </ul>
        </Section>
      )}
    </div>
  )
}
