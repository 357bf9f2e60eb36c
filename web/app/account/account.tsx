/** The account: five pages under one heading. */
import { Outlet } from "@tanstack/react-router"
import { Page } from "../frame/page.tsx"
import { useSession } from "../frame/session.ts"
import { TabLinks } from "../ui/tabs.tsx"

export const AccountPage = () => {
  const { user } = useSession()
  return (
    <Page title="Account" narrow facts={<span>{user.email}</span>}>
      <TabLinks
        label="Account"
        tabs={[
          { label: "You", link: { to: "/account" }, exact: true },
          { label: "Signing in", link: { to: "/account/sign-in" } },
          { label: "API tokens", link: { to: "/account/tokens" } },
          { label: "Connected", link: { to: "/account/connections" } },
          { label: "Delete", link: { to: "/account/delete" } }
        ]}
      />
      <div><Outlet /></div>
    </Page>
  )
}
