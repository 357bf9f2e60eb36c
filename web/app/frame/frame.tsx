/** Around every screen of a signed-in user: a rail on the desk and one sheet for content; on a phone, a bar at the foot. */
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router"
import { Fragment, lazy, Suspense, useEffect, useMemo, useState } from "react"
import type { ComponentType } from "react"
import { Icon } from "../ui/icon.tsx"
import type { IconName } from "../ui/icon.tsx"
import { announceIn } from "../ui/announce.ts"
import { ahead, loaded, partOf } from "../ui/loaded.ts"
import { useToasts } from "../ui/toasts.ts"
import { AccountMenu, WorkspaceSwitcher } from "./account-menu.tsx"
import { setPaletteOpen, useCommands, usePaletteOpen } from "./commands.ts"
import type { Command } from "./commands.ts"
import { useWhoSignsIn } from "./another.ts"
import { useSession } from "./session.ts"
import { StandingBanner } from "./standing.tsx"
import { setTheme } from "./theme.ts"
import { OfflineBanner } from "./trouble.tsx"
import { showWaiting } from "./waiting.ts"

const loadPalette = () => import("./palette.tsx")
const Palette = partOf(loadPalette, (part) => part.default)
const NoWorkspace = lazy(() => import("./no-workspace.tsx"))

/** Whether this screen needs a workspace and the user has none; the account and the rest still work. */
const useHomeless = (): boolean => {
  const { pathname } = useLocation()
  return useSession().workspace === undefined && (pathname === "/" || pathname.startsWith("/workspace"))
}

const destinations = [
  { to: "/", label: "Library", icon: "library" },
  { to: "/workspace", label: "Workspace", icon: "team" },
  { to: "/connect", label: "Connect", icon: "connect" }
] as const satisfies ReadonlyArray<{ to: string; label: string; icon: IconName }>

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"

const askPalette = () => void loaded(loadPalette, () => setPaletteOpen(true))
const searching = { onClick: askPalette, onPointerEnter: () => ahead(loadPalette), onFocus: () => ahead(loadPalette) }

/** Loaded when first asked for, and kept from then on. */
const PaletteWhenAsked = () => {
  const open = usePaletteOpen()
  const [asked, setAsked] = useState(open)
  if (open && !asked) setAsked(true)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      askPalette()
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])
  return asked ? <Suspense><Palette /></Suspense> : null
}

/** By then, a first visit has loaded what it shows. */
const REST_MS = 3000

/** Loaded with the first toast, or else ahead of one: it has to be there to say that something cannot be loaded. */
const ToasterInTime = () => {
  const some = useToasts().length > 0
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    const load = () => void import("../ui/toaster.tsx").then((part) => setToaster(() => part.default), () => undefined)
    const timer = setTimeout(load, some ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [some])
  return Toaster === undefined ? null : <Toaster />
}

const Rail = () => (
  <div className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-4 px-3 py-4 md:flex">
    <WorkspaceSwitcher />
    <button type="button" {...searching} className="edge flex min-h-9 items-center gap-2.5 rounded-control bg-sheet px-2.5 text-muted hover:text-ink">
      <Icon name="find" />Search<kbd className="ml-auto font-mono text-tiny">{shortcut}</kbd>
    </button>
    <nav aria-label="Main">
      <ul className="grid gap-0.5">
        {destinations.map(({ icon, label, to }) => (
          <li key={to}>
            <Link
              to={to} activeOptions={{ exact: to === "/", includeSearch: false }}
              className="flex min-h-9 items-center gap-3 rounded-control px-2.5 text-muted hover:text-ink" activeProps={{ className: "tint text-ink! font-medium" }}
            >
              <Icon name={icon} />{label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
    <div className="mt-auto"><AccountMenu /></div>
  </div>
)

const Bar = () => (
  <div className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-sheet pb-[env(safe-area-inset-bottom)] md:hidden">
    <nav aria-label="Main" className="flex flex-[3]">
      {destinations.slice(0, 2).map(({ icon, label, to }) => (
        <Link
          key={to} to={to} activeOptions={{ exact: to === "/", includeSearch: false }}
          className="flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 barred text-muted" activeProps={{ className: "text-ink! font-medium" }}
        >
          <Icon name={icon} size={20} />{label}
        </Link>
      ))}
      <button type="button" {...searching} className="flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 barred text-muted"><Icon name="find" size={20} />Search</button>
    </nav>
    <AccountMenu compact />
  </div>
)

export const Frame = () => {
  const navigate = useNavigate()
  const commands = useMemo((): ReadonlyArray<Command> => [
    { id: "library", name: "Go to the library", icon: "library", run: () => void navigate({ to: "/" }) },
    { id: "workspace", name: "Go to the workspace", icon: "team", words: ["settings", "name"], run: () => void navigate({ to: "/workspace" }) },
    { id: "members", name: "Go to the members", icon: "team", words: ["people", "invite", "seats"], run: () => void navigate({ to: "/workspace/members" }) },
    { id: "billing", name: "Go to plan and billing", icon: "data", words: ["pay", "subscription", "usage", "storage"], run: () => void navigate({ to: "/workspace/billing" }) },
    { id: "audit", name: "Go to the audit log", icon: "history", words: ["who", "did"], run: () => void navigate({ to: "/workspace/audit" }) },
    { id: "export", name: "Export the workspace", icon: "download", words: ["archive", "zip", "backup"], run: () => void navigate({ to: "/workspace/export" }) },
    { id: "account", name: "Go to your account", icon: "account", words: ["password", "tokens", "settings"], run: () => void navigate({ to: "/account" }) },
    { id: "connect", name: "Connect a terminal or an agent", icon: "connect", words: ["cli", "mcp", "api"], run: () => void navigate({ to: "/connect" }) },
    { id: "theme-light", name: "Use the light theme", icon: "light", run: () => setTheme("light") },
    { id: "theme-dark", name: "Use the dark theme", icon: "dark", run: () => setTheme("dark") },
    { id: "theme-system", name: "Use the system’s theme", icon: "system", run: () => setTheme("system") }
  ], [navigate])
  useCommands(commands)
  useWhoSignsIn()
  const { user, workspace, workspaces } = useSession()
  const here = workspace?.id
  useCommands(useMemo(() => workspaces.filter(({ id }) => id !== here).map(({ id, name }): Command => ({
    id: `workspace-${id}`, name: `Switch to ${name}`, icon: "team", words: ["workspace"],
    run: () => void navigate({ to: "/", search: { workspace: id } })
  })), [here, navigate, workspaces]))
  const homeless = useHomeless()
  return (
    <>
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-ink focus:px-4 focus:py-3 focus:text-sheet">Skip to content</a>
      <div className="flex min-h-dvh">
        <Rail />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 bg-sheet pb-16 md:my-2 md:mr-2 md:rounded-sheet md:pb-0 md:shadow-float">
          <div className="flex px-2 pt-2 md:hidden"><div className="min-w-0"><WorkspaceSwitcher /></div></div>
          <OfflineBanner />
          <StandingBanner />
          {/* What one person typed is not the next one’s to send. */}
          <Fragment key={user.id}>{homeless ? <Suspense><NoWorkspace /></Suspense> : <Outlet />}</Fragment>
        </main>
      </div>
      <Bar />
      <div aria-live="polite" className="sr-only" ref={announceIn} />
      <ToasterInTime />
      <PaletteWhenAsked />
    </>
  )
}

/** Shown while the first answer is on its way. */
export const FrameWaiting = () => (
  <>
    <span className="sr-only" role="status">Loading</span>
    <div aria-hidden="true" ref={showWaiting} />
  </>
)
