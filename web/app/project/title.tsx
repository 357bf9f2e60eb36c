/** A project's title, edited in place: press, type, Enter; Escape leaves it as it was. Empty, it is again what its content calls itself. */
import { useId, useRef, useState } from "react"
import { changeProject } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { announce } from "../ui/announce.ts"
import { Icon } from "../ui/icon.tsx"
import { Named } from "../ui/parts.tsx"
import { apart } from "../ui/apart.ts"

/** Whether somebody writes in another field by now. */
const isWritingElsewhere = (): boolean => document.activeElement?.matches("input, textarea") === true

export const Title = ({ mayChange, slug, title }: { readonly slug: string; readonly title: string; readonly mayChange: boolean }) => {
  const [typed, setTyped] = useState<string>()
  /** The title that the field began with: somebody else may give it another one meanwhile. */
  const [before, setBefore] = useState(title)
  const [fault, setFault] = useState<string | null>(null)
  const rename = useChange(changeProject, { quiet: true, left: ({ message }) => `${apart(before)} was not renamed. ${message}` })
  const button = useRef<HTMLButtonElement>(null)
  const told = useId()
  if (!mayChange) return <Named>{title}</Named>
  /** A key leaves the focus nowhere; a press elsewhere has taken it along. */
  const close = (byKey: boolean) => {
    setTyped(undefined)
    setFault(null)
    if (byKey) requestAnimationFrame(() => button.current?.focus())
  }
  const save = (next: string, byKey: boolean) => {
    if (next === before || next === title) return close(byKey)
    rename.mutateAsync({ slug, changes: { title: next === "" ? null : next } }).then((changed) => announce(`Renamed to ${changed.title}`), (error: unknown) => {
      setTyped((now) => now ?? next)
      setFault(asRefusal(error).message)
    })
    close(byKey)
  }
  if (typed === undefined) {
    return (
      <button ref={button} type="button" title="Rename" onClick={() => (setBefore(title), setTyped(title))} className="group -mx-2 -my-0.5 inline-flex max-w-full items-center gap-2 rounded-control px-2 py-0.5 text-left hover:tint">
        <Named>{title}</Named>
        <Icon name="pen" size={16} className="shrink-0 text-muted opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100" />
      </button>
    )
  }
  return (
    <>
      <input
        autoFocus={fault === null || !isWritingElsewhere()} aria-label="Title" placeholder="Empty: what its content calls itself" value={typed} maxLength={200} aria-invalid={fault !== null || undefined} aria-describedby={fault === null ? undefined : told}
        onChange={({ target }) => setTyped(target.value)} onFocus={({ target }) => target.select()} onBlur={({ target }) => fault === null && document.activeElement !== target && save(typed.trim(), false)}
        onKeyDown={({ key, keyCode, nativeEvent }) => {
          // Enter and Escape belong to the word being composed (IME); Safari says so only by the key code.
          if (nativeEvent.isComposing || keyCode === 229) return
          if (key === "Enter") save(typed.trim(), true)
          if (key === "Escape") close(true)
        }}
        className="edge -mx-[9px] -my-[3px] w-full min-w-[min(32rem,80vw)] rounded-control bg-sheet px-2 py-0.5 font-semibold placeholder:font-normal placeholder:text-muted aria-invalid:border-bad"
      />
      {fault !== null && <span id={told} role="alert" className="mt-1 block text-small font-normal text-bad">{fault}</span>}
    </>
  )
}
