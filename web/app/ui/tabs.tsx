/** Tabs that are addresses: links in a row, the one that is open underlined and in sight. */
import { Link, useLocation, useRouter } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import type { ReactNode } from "react"

export interface TabLink {
  readonly label: string
  readonly link: LinkProps
  readonly exact?: boolean
  /** Beside the label, in reserved space: when it comes late, nothing moves. */
  readonly mark?: ReactNode
}

/** The label of the open tab; undefined for the first one, whose page is about the whole. */
export const useOpenTab = (tabs: ReadonlyArray<TabLink>): string | undefined => {
  const { pathname } = useLocation()
  const router = useRouter()
  return tabs.find(({ exact = false, link }) => !exact && router.buildLocation(link as never).pathname === pathname)?.label
}

/** Scrolls to the open tab, where a phone has no room for all of them. */
const showOpen = (row: HTMLElement | null): void => {
  const open = row?.querySelector("[aria-current]")
  if (row === null || open === null || open === undefined) return
  const [all, one] = [row.getBoundingClientRect(), open.getBoundingClientRect()]
  row.scrollLeft += one.left - all.left - (all.width - one.width) / 2
}

export const TabLinks = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<TabLink> }) => {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    showOpen(row.current)
    const list = row.current?.firstElementChild
    if (list == null) return
    // A mark that comes late pushes the open tab out of sight.
    const grown = new ResizeObserver(() => showOpen(row.current))
    grown.observe(list)
    return () => grown.disconnect()
  }, [pathname])
  return (
    <nav ref={row} aria-label={label} className="-mx-4 overflow-x-auto px-4 [scrollbar-width:none] md:-mx-8 md:px-8">
      <ul className="flex w-max min-w-full gap-3.5 border-b border-line md:gap-5">
        {tabs.map((tab) => (
          <li key={tab.label}>
            <Link
              {...tab.link} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}
              className="-mb-px flex min-h-11 items-center border-b-2 border-transparent whitespace-nowrap text-muted hover:text-ink"
              activeProps={{ className: "border-ink! text-ink! font-medium" }}
            >
              {tab.label}{tab.mark}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
