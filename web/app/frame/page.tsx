/** A screen: its title in the tab, its heading, which gets the focus after a navigation, and its facts and actions beside it. */
import { useEffect, useRef } from "react"
import type { ReactNode } from "react"
import { Named } from "../ui/parts.tsx"

/** On the first page of a visit, the browser decides where the focus is. */
let visits = 0

/** The titles of what is on the screen; the latest names the tab. */
const titles: Array<{ text: string }> = []

const showTitle = () => {
  const text = titles.at(-1)?.text ?? ""
  document.title = text === "" ? "svc" : `${text} · svc`
}

export const useTitle = (text: string): void => {
  const own = useRef({ text })
  useEffect(() => {
    const mine = own.current
    titles.push(mine)
    return () => {
      titles.splice(titles.indexOf(mine), 1)
      showTitle()
    }
  }, [])
  useEffect(() => {
    own.current.text = text
    showTitle()
  }, [text])
}

interface PageProps {
  readonly title: string
  /** Which of several pages under one heading this is: for the browser's own tab and history. */
  readonly part?: string | undefined
  /** What is shown, where one screen shows several: the focus is at the heading again once it is another. */
  readonly place?: string | undefined
  /** Replaces the heading's plain text. */
  readonly heading?: ReactNode
  readonly facts?: ReactNode
  readonly actions?: ReactNode
  /** Reading width for forms and texts. */
  readonly narrow?: boolean
  readonly children: ReactNode
}

export const Page = ({ actions, children, facts, heading, narrow = false, part, place, title }: PageProps) => {
  const head = useRef<HTMLHeadingElement>(null)
  useTitle(part === undefined ? title : `${part} · ${title}`)
  useEffect(() => {
    if (visits++ > 0) head.current?.focus({ preventScroll: true })
  }, [place])
  return (
    // One left edge for all screens: nothing jumps sideways from one to the next.
    <div className={`mx-auto grid w-full max-w-[1200px] gap-6 px-4 pt-5 pb-12 md:px-8 md:pt-7 ${narrow ? "grid-cols-[minmax(0,46rem)]" : "grid-cols-[minmax(0,1fr)]"}`}>
      <header className="flex flex-wrap items-start justify-between gap-x-3 gap-y-3 md:gap-x-6">
        {/* A title longer than the room beside the actions stands above them. */}
        <div className="min-w-0 grow lg:basis-72">
          <h1 ref={head} tabIndex={-1} className="text-title font-semibold">{heading ?? <Named>{title}</Named>}</h1>
          {facts !== undefined && <div className="facts mt-1 text-small text-muted">{facts}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
