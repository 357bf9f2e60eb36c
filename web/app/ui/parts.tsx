/** Small parts that every screen is made of: sections, empty states, skeletons, tables, chips, notes, and what is copied. */
import { Fragment, useEffect, useRef, useState } from "react"
import type { ReactNode } from "react"
import { announce } from "./announce.ts"
import { Button, IconButton } from "./button.tsx"
import { Icon } from "./icon.tsx"
import type { IconName } from "./icon.tsx"
import { copied as onClipboard } from "./toasts.ts"

/** `id`: where a button elsewhere on the page takes the focus. */
export const Section = ({ action, children, hint, id, title }: { readonly title: string; readonly id?: string; readonly hint?: ReactNode; readonly action?: ReactNode; readonly children: ReactNode }) => (
  <section {...(id !== undefined && { id, tabIndex: -1 })} className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line py-7 first:border-0 first:pt-0 [header+&]:border-0 [header+&]:pt-0">
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="max-w-[36rem] min-w-0 flex-1 basis-48">
        <h2 className="text-lead font-semibold">{title}</h2>
        {hint !== undefined && <p className="mt-0.5 text-pretty text-muted">{hint}</p>}
      </div>
      {action}
    </div>
    {children}
  </section>
)

/** A name that people gave, in a heading: shown whole on hover where it is cut. */
export const Named = ({ children }: { readonly children: string }) => <span title={children} className="written line-clamp-2 break-words md:line-clamp-3">{children}</span>

/** An empty state: says what to do, and offers it in one step (`action`). `screen`: nothing else is shown, so it is the page's heading. */
export const Empty = ({ action, children, icon, screen = false, title }: { readonly icon: IconName; readonly title: string; readonly screen?: boolean; readonly children?: ReactNode; readonly action?: ReactNode }) => (
  <div className="grid justify-items-center gap-2 px-4 py-14 text-center">
    <Icon name={icon} size={32} className="mb-1 text-muted" />
    {screen ? <h1 tabIndex={-1} className="text-lead font-semibold">{title}</h1> : <p className="text-lead font-semibold">{title}</p>}
    {children !== undefined && <div className="max-w-[27rem] wrap-anywhere text-balance text-muted">{children}</div>}
    {action !== undefined && <div className="mt-3">{action}</div>}
  </div>
)

/** The shape of what is loading; give it the size of the real thing. */
export const Skeleton = ({ className }: { readonly className: string }) => <div aria-hidden="true" className={`breathe rounded-control tint ${className}`} />

/** Around skeletons: announces the loading once to screen readers. */
export const Loading = ({ children, what }: { readonly what: string; readonly children: ReactNode }) => (
  <div role="status"><span className="sr-only">Loading {what}</span>{children}</div>
)

const tones = { plain: "text-muted", good: "text-good", warn: "text-warn", bad: "text-bad" } as const

/** A state, as a word with its icon. */
export const Chip = ({ children, icon, tone = "plain" }: { readonly children: ReactNode; readonly icon?: IconName; readonly tone?: keyof typeof tones }) => (
  <span className={`inline-flex items-center gap-1 text-small ${tones[tone]}`}>
    {icon !== undefined && <Icon name={icon} size={15} />}
    {children}
  </span>
)

/** A sentence with its icon: what was done, what is in the way, what went wrong. */
export const Note = ({ children, role, tone }: { readonly children: ReactNode; readonly tone: "good" | "warn" | "bad"; readonly role?: "alert" | "status" }) => (
  <p role={role} className={`flex gap-2 ${tones[tone]}`}><Icon name={tone === "good" ? "check" : "warn"} className="mt-0.5 shrink-0" />{children}</p>
)

interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: "right"
  /** The cells speak for themselves: the name is for screen readers only. */
  readonly unsaid?: boolean
  /** Stays in one line, however long the others are. */
  readonly whole?: boolean
  /** Hidden on a phone, and on a desk whose text is so large that it has no more room. */
  readonly wide?: boolean
  /** Hidden on a phone whose text is twice as large. */
  readonly spare?: boolean
}

const hidden = ({ spare, wide }: Pick<Column<never>, "spare" | "wide">): string => wide ? "max-md:hidden @max-[27rem]:hidden" : spare ? "@max-[16rem]:hidden" : ""

/** The first column is the header of its row. */
export const Table = <Row,>({ columns, keyOf, label, rows }: { readonly label: string; readonly columns: ReadonlyArray<Column<Row>>; readonly rows: ReadonlyArray<Row>; readonly keyOf: (row: Row) => string | number }) => (
  <div className="@container -m-1 overflow-x-auto p-1">
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b border-line text-small text-muted">
          {columns.map(({ align, name, unsaid, whole, ...column }) => (
            <th key={name} scope="col" className={`py-2 pr-[min(1rem,3.5vw)] font-normal last:pr-0 ${align === "right" ? "text-right" : ""} ${whole ? "whitespace-nowrap" : ""} ${hidden(column)}`}>{unsaid ? <span className="sr-only">{name}</span> : name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line last:border-0">
            {columns.map(({ align, cell, name, whole, ...column }, index) => {
              const className = `py-2.5 pr-[min(1rem,3.5vw)] font-normal last:pr-0 ${align === "right" ? "text-right whitespace-nowrap tabular-nums" : ""} ${whole ? "whitespace-nowrap" : ""} ${hidden(column)}`
              return index === 0 ? <th key={name} scope="row" className={`${className} wrap-anywhere`}>{cell(row)}</th> : <td key={name} className={className}>{cell(row)}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const useCopy = (text: string, onCopied?: () => void) => {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    if (!await onClipboard(text)) return
    announce("Copied")
    setCopied(true)
    onCopied?.()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), 2000)
  }
  return { copied, copy: () => void copy() }
}

interface CopyProps {
  readonly text: string
  /** What is copied: "Copy link". */
  readonly label: string
  readonly shape?: "filled" | "quiet" | "icon"
  /** For what is shown only once: the focus goes here, and takes the page along. */
  readonly autoFocus?: boolean
  readonly onCopied?: () => void
}

export const CopyButton = ({ autoFocus = false, label, onCopied, shape, text }: CopyProps) => {
  const { copied, copy } = useCopy(text, onCopied)
  return shape === "icon"
    ? <IconButton icon={copied ? "check" : "copy"} label={copied ? "Copied" : label} autoFocus={autoFocus} onClick={copy} />
    : <Button icon={copied ? "check" : "copy"} autoFocus={autoFocus} onClick={copy} {...(shape && { shape })}>{copied ? "Copied" : label}</Button>
}

/** A line ends before a part of it begins, and within a part only where that alone is too long. */
export const Url = ({ children }: { readonly children: string }) => children.split(/(?=[.:/])/).map((part, at) => <Fragment key={at}><wbr />{part}</Fragment>)
