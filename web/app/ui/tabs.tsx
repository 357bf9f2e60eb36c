/** Tabs that are addresses: links in a row, the one that is open underlined. */
import { Link } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"

export interface TabLink {
  readonly label: string
  readonly link: LinkProps
  readonly exact?: boolean
}

export const TabLinks = ({ label, tabs }: { readonly label: string; readonly tabs: ReadonlyArray<TabLink> }) => (
  <nav aria-label={label} className="-mx-4 overflow-x-auto px-4 md:-mx-8 md:px-8">
    <ul className="flex gap-3.5 border-b border-line md:gap-5">
      {tabs.map((tab) => (
        <li key={tab.label}>
          <Link
            {...tab.link} activeOptions={{ exact: tab.exact ?? false, includeSearch: false }}
            className="-mb-px flex min-h-11 items-center border-b-2 border-transparent whitespace-nowrap text-muted hover:text-ink"
            activeProps={{ className: "border-ink! text-ink! font-medium" }}
          >
            {tab.label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
