/** The layout of every sign-in page: one sheet on the desk with a heading and one thing to do, and other options beneath it. */
import { Link } from "@tanstack/react-router"
import type { LinkProps } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import type { ReactNode } from "react"
import { useTitle } from "../frame/page.tsx"
import { announceIn } from "../ui/announce.ts"
import { Icon, Mark } from "../ui/icon.tsx"
import type { IconName } from "../ui/icon.tsx"

/** On the first page of a visit, the browser decides where the focus is. */
let headings = 0

interface EntryProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly icon?: IconName
  /** Other options, beneath the sheet. */
  readonly foot?: ReactNode
  readonly children?: ReactNode
}

export const EntryPage = ({ children, foot, icon, lead, title }: EntryProps) => {
  const head = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useEffect(() => {
    if (headings++ > 0 && !head.current?.closest("main")?.contains(document.activeElement)) head.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[28rem] grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-8 sm:content-center sm:py-12">
      <a href="/" className="justify-self-center rounded-control p-1.5"><Mark size={32} /><span className="sr-only">svc, the front page</span></a>
      <div className="rounded-sheet bg-sheet p-6 break-words shadow-float sm:p-8">
        {icon !== undefined && <Icon name={icon} size={28} className="mb-3 text-muted" />}
        <h1 ref={head} tabIndex={-1} className="text-title font-semibold">{title}</h1>
        {lead !== undefined && <div className="mt-2 text-muted">{lead}</div>}
        {children !== undefined && children !== false && <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>}
      </div>
      {foot !== undefined && <div className="grid justify-items-center gap-1 text-center text-muted">{foot}</div>}
      <div aria-live="polite" className="sr-only" ref={announceIn} />
    </main>
  )
}

const link = "text-ink underline underline-offset-4 hover:text-accent"

export const TextLink = ({ children, ...to }: LinkProps & { readonly children: ReactNode }) => <Link {...to} className={link}>{children}</Link>

/** What somebody has to know before they decide: one line each, two where a value is long. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="grid grid-cols-[minmax(0,1fr)] gap-3 border-y border-line py-4">
    {facts.map(([name, value]) => (
      <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <dt className="text-small text-muted">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
)
