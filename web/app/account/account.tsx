/** The account: five pages under one heading. */
import { Outlet } from "@tanstack/react-router"
import { Page } from "../frame/page.tsx"
import { useSession } from "../frame/session.ts"
import { TabLinks, useOpenTab } from "../ui/tabs.tsx"
import type { TabLink } from "../ui/tabs.tsx"

const TABS: ReadonlyArray<TabLink> = [
  { label: "You", link: { to: "/account" }, exact: true },
  { label: "Signing in", link: { to: "/account/sign-in" } },
  { label: "API tokens", link: { to: "/account/tokens" } },
  { label: "Connected", link: { to: "/account/connections" } },
  { label: "Delete", link: { to: "/account/delete" } }
]

export const AccountPage = () => {
  const { user } = useSession()
  return (
    <Page title="Account" part={useOpenTab(TABS)} narrow facts={<span>{user.email}</span>}>
      <TabLinks label="Account" tabs={TABS} />
      <div><Outlet /></div>
    </Page>
  )
}
