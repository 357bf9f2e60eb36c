/** The workspace: its name, its pages as addresses, and the page that is open. */
import { Outlet } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { membersOf } from "../api/members.ts"
import type { WorkspaceSummary } from "../api/account.ts"
import { Page } from "../frame/page.tsx"
import { useSession } from "../frame/session.ts"
import { Empty } from "../ui/parts.tsx"
import { TabLinks, useOpenTab } from "../ui/tabs.tsx"
import { PLANS } from "./plans.ts"
import { articled } from "./roles.ts"

const tabsOf = (workspace: string | undefined) => {
  const search = workspace === undefined ? {} : { workspace }
  return [
    { label: "General", link: { to: "/workspace", search } as const, exact: true },
    { label: "Members", link: { to: "/workspace/members", search } as const },
    { label: "Plan", link: { to: "/workspace/billing", search } as const },
    { label: "Audit log", link: { to: "/workspace/audit", search } as const },
    { label: "Export", link: { to: "/workspace/export", search } as const }
  ]
}

/** The workspace that the pages beneath are about. */
export const useWorkspace = (): WorkspaceSummary => useSession().workspace!

/** For members who are not admins, in place of what only admins see. */
export const AdminsAlone = ({ children }: { readonly children: ReactNode }) => {
  const { id } = useWorkspace()
  const { data } = useQuery(membersOf(id))
  const admins = data?.filter(({ role }) => role === "admin").map(({ name }) => name)
  return <p className="max-w-[36rem] text-muted">{children}{admins !== undefined && admins.length > 0 && ` Ask ${new Intl.ListFormat("en", { type: "disjunction" }).format(admins.slice(0, 5))}.`}</p>
}

export const WorkspacePage = () => {
  const { workspace, workspaces } = useSession()
  const tabs = tabsOf(workspaces.length > 1 ? workspace?.id : undefined)
  const part = useOpenTab(tabs)
  if (workspace === undefined) {
    return <Page title="Workspace" narrow><Empty icon="team" title="You are in no workspace">Make one with “New workspace”, or ask somebody to invite you into theirs.</Empty></Page>
  }
  return (
    <Page
      title={workspace.name} part={part} narrow
      facts={<><span>{PLANS[workspace.plan].name}</span><span>{workspace.is_owner ? "Yours" : `You are ${articled(workspace.role)}`}</span></>}
    >
      <TabLinks label="Workspace" tabs={tabs} />
      {/* Each workspace has its own forms: half-typed text does not move along. */}
      <div key={workspace.id}><Outlet /></div>
    </Page>
  )
}
