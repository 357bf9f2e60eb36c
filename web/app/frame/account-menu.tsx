/** The foot of the rail: the workspace, who is signed in, the theme, signing out. */
import { Link, useLocation, useNavigate } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { Icon } from "../ui/icon.tsx"
import { initialOf } from "../ui/initial.ts"
import { loaded, partOf } from "../ui/loaded.ts"
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine, MenuLink } from "../ui/menu.tsx"
import { hasUnsent } from "../ui/unsent.ts"
import { PLANS } from "../workspace/plans.ts"
import { useNewWorkspace } from "./making-workspace.tsx"
import { useSession, useSignOut } from "./session.ts"
import { setTheme, THEMES, useTheme } from "./theme.ts"

const THEME_WORDS = { system: "As your system", light: "Light", dark: "Dark" } as const

const loadSignOut = () => import("./sign-out.tsx")
const SignOut = partOf(loadSignOut, (part) => part.SignOut)

/** Goes to the same page of another workspace, or to its library: a project or folder is in only one of them. */
const useSwitch = () => {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (id: string) => void navigate({ to: pathname.startsWith("/workspace") ? pathname : "/", search: { workspace: id } })
}

export const WorkspaceSwitcher = () => {
  const { workspace, workspaces } = useSession()
  const switchTo = useSwitch()
  const { dialog, make } = useNewWorkspace()
  if (workspace === undefined) {
    return <>{dialog}<button type="button" onClick={make} className="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2.5 text-left hover:tint"><Icon name="plus" className="text-muted" />New workspace</button></>
  }
  const options = workspaces.map(({ id, name, plan }) => ({
    value: id,
    label: <><span className="written line-clamp-2 text-left break-words">{name}</span><span className="block text-small text-muted">{PLANS[plan].name}</span></>
  }))
  return (
    <>
      {dialog}
      <Menu
        align="start"
        trigger={
          <button type="button" aria-label={`Workspace: ${workspace.name}`} className="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2.5 text-left hover:tint">
            <span aria-hidden="true" className="grid size-6 shrink-0 place-items-center rounded-[6px] bg-ink text-tiny font-semibold text-sheet">{initialOf(workspace.name)}</span>
            <span title={workspace.name} className="written line-clamp-2 min-w-0 flex-1 text-left leading-[1.125rem] font-medium break-words">{workspace.name}</span>
            <Icon name="updown" size={16} className="text-muted" />
          </button>
        }
      >
        <MenuLabel>Workspaces</MenuLabel>
        <MenuChoice value={workspace.id} onChange={switchTo} options={options} />
        <MenuLine />
        <MenuLink><Link to="/workspace"><Icon name="team" className="text-muted" />Workspace settings</Link></MenuLink>
        <MenuItem icon="plus" onSelect={make}>New workspace</MenuItem>
      </Menu>
    </>
  )
}

/** The pages behind “You” at the foot of a phone. */
const YOURS = /^\/(?:account|connect)(?:\/|$)/

export const AccountMenu = ({ compact = false }: { readonly compact?: boolean }) => {
  const here = YOURS.test(useLocation().pathname)
  const { user } = useSession()
  const signOut = useSignOut()
  const theme = useTheme()
  const [asked, setAsked] = useState(false)
  return (
    <>
      {asked && <Suspense><SignOut onClose={() => setAsked(false)} signOut={signOut} /></Suspense>}
      <Menu
        align={compact ? "end" : "start"} side="top"
        trigger={compact
          ? <button type="button" className={`flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 barred ${here ? "font-medium text-ink" : "text-muted"}`}><Icon name="account" size={20} />You</button>
          : (
            <button type="button" aria-label={`Account: ${user.name}`} className="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left hover:tint">
              <Icon name="account" className="mx-[3px] shrink-0 text-muted" />
              <span className="min-w-0 flex-1"><span className="written block truncate text-left" title={user.name}>{user.name}</span><span className="block truncate text-tiny text-muted">{user.email}</span></span>
            </button>
          )}
      >
        {compact && <MenuLabel>{user.email}</MenuLabel>}
        <MenuLink><Link to="/account"><Icon name="account" className="text-muted" />Account</Link></MenuLink>
        {compact && <MenuLink><Link to="/connect"><Icon name="connect" className="text-muted" />Connect</Link></MenuLink>}
        <MenuLine />
        <MenuLabel>Theme</MenuLabel>
        <MenuChoice value={theme} onChange={setTheme} options={THEMES.map((value) => ({ value, label: THEME_WORDS[value] }))} />
        <MenuLine />
        <MenuItem icon="leave" onSelect={() => hasUnsent() ? void loaded(loadSignOut, () => setAsked(true)) : void signOut()}>Sign out</MenuItem>
      </Menu>
    </>
  )
}
