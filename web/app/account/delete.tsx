/** Deleting the account: what goes with it, when, and what prevents it. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { deleteAccount, deletionImpact } from "../api/account.ts"
import type { DeletionImpact } from "../api/account.ts"
import { useChange } from "../api/queries.ts"
import { noteDeleted } from "../entry/noted.ts"
import { MailPasswordLink, PasswordForm } from "../frame/password-form.tsx"
import { leave, useSession } from "../frame/session.ts"
import { Unread } from "../frame/trouble.tsx"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { countOf, dayOf, sizeOf, Time } from "../ui/facts.tsx"
import { isMissing } from "../ui/missing.tsx"
import { Loading, Note, Section, Skeleton } from "../ui/parts.tsx"

const Blocked = ({ blockers }: Pick<DeletionImpact, "blockers">) => (
  <div className="grid gap-2">
    <Note tone="warn">Others are in a workspace that you own, or whose only admin you are. First make one of them an admin and leave it, or delete it.</Note>
    <ul className="divide-y divide-line border-y border-line">
      {blockers.map(({ name, other_members, workspace_id }) => (
        <li key={workspace_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
          <span className="wrap-anywhere"><span className="font-medium">{name}</span> <span className="text-muted">with {countOf(other_members, "other")}</span></span>
          <a className="underline underline-offset-4" href={`/workspace/members?workspace=${encodeURIComponent(workspace_id)}`}>See its members</a>
        </li>
      ))}
    </ul>
  </div>
)

const Impact = ({ impact }: { readonly impact: DeletionImpact }) => (
  <ul className="grid list-disc gap-1.5 pl-5">
    <li>You are signed out everywhere; your tokens, devices and agents stop at once.</li>
    {impact.workspaces.map(({ id, live_links, name, projects }) => (
      <li key={id} className="wrap-anywhere">
        <span className="font-medium">{name}</span> is deleted with it{projects > 0 && <>, including its {countOf(projects, "project")}</>}
        {live_links > 0 && <>. {countOf(live_links, "address", "addresses")} {live_links === 1 ? "stops" : "stop"} answering at once</>}.
      </li>
    ))}
    <li>On <Time at={impact.erase_on} as="day" /> it is erased for good{impact.storage_bytes > 0 && <>, {sizeOf(impact.storage_bytes)} of files with it</>}. Until then whoever runs this service can bring it back.</li>
    <li>What you made in the workspaces of others stays there with its links; from that day on it is by a “former user”, and your private folders there are the team’s.</li>
  </ul>
)

const Confirm = ({ impact, onClose, open }: { readonly impact: DeletionImpact; readonly open: boolean; readonly onClose: () => void }) => {
  const remove = useChange(deleteAccount, { quiet: true })
  const busy = remove.isPending || remove.isSuccess
  const close = () => {
    onClose()
    remove.reset()
  }
  const gone = ({ erase_on }: { readonly erase_on: string }) => {
    void leave("/login")
    noteDeleted(erase_on)
  }
  return (
    <Dialog
      open={open} busy={busy} onOpenChange={close} title="Delete your account?"
      description={`${impact.live_links === 0 ? "Every session ends" : `${countOf(impact.live_links, "live address", "live addresses")} and every session end`} now; all of it is erased on ${dayOf(impact.erase_on)}.`}
    >
      <PasswordForm
        danger action="Delete account" keep="Keep it" busy={busy} error={remove.error} onCancel={close}
        onConfirm={(password) => remove.mutate({ password }, { onSuccess: gone })}
      />
    </Dialog>
  )
}

export const DeleteAccount = () => {
  const { user } = useSession()
  const read = useQuery(deletionImpact)
  const { data: impact } = read
  const [asking, setAsking] = useState(false)
  if (isMissing(read)) return <Unread of={read} />
  if (impact === undefined) return <Loading what="what this deletes"><div className="grid gap-2"><Skeleton className="h-6 w-48" /><Skeleton className="h-24" /></div></Loading>
  return (
    <Section title="Delete the account" hint="What happens, before it does.">
      {impact.blocked ? <Blocked blockers={impact.blockers} /> : <Impact impact={impact} />}
      {!impact.blocked && !user.has_password && (
        <div className="grid gap-2">
          <p className="text-muted">It is confirmed with your password, and this account has none.</p>
          <div><MailPasswordLink /></div>
        </div>
      )}
      {!impact.blocked && user.has_password && <div><Button icon="trash" className="text-bad!" onClick={() => setAsking(true)}>Delete account</Button></div>}
      <Confirm impact={impact} open={asking} onClose={() => setAsking(false)} />
    </Section>
  )
}
