/** A form that is sent by the app and not by the browser. */
import { useEffect, useRef } from "react"
import type { ReactNode } from "react"

/** The text of each form as it was opened. */
const opened = new WeakMap<HTMLFormElement, string>()
/** What Escape does to the forms that were opened within something else. */
const escapes = new WeakMap<HTMLFormElement, () => void>()

const formsIn = (around: Element | null): ReadonlyArray<HTMLFormElement> => [...around?.querySelectorAll("form") ?? []]

/** A password is no work that could be lost. */
const textIn = (form: HTMLFormElement): string =>
  [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input:not([autocomplete$=password]), textarea")].map(({ value }) => value.trim()).join("\n")

const isBegun = (form: HTMLFormElement): boolean => opened.has(form) && opened.get(form) !== textIn(form)

/** Whether somebody began to write in a form in there. */
export const holdsText = (around: Element | null): boolean => formsIn(around).some(isBegun)

/** Whether a press of Escape belongs to a form in there: the one that has the focus, or else the last. */
export const escapesForm = (around: Element | null): boolean => {
  const forms = formsIn(around).filter((form) => escapes.has(form))
  const form = forms.find((one) => one.contains(document.activeElement)) ?? forms.at(-1)
  if (form !== undefined) escapes.get(form)?.()
  return form !== undefined
}

interface FormProps {
  readonly className?: string
  readonly children: ReactNode
  /** Fields without a state are read as it is sent: password managers fill them without events. */
  readonly onSend: (field: (name: string) => string, form: HTMLFormElement) => void
  /** Where it was opened within a dialog: Escape leaves it while its text is as it was; once that was changed, Escape closes neither of them. */
  readonly onLeave?: () => void
}

export const Form = ({ children, className = "grid gap-4", onLeave, onSend }: FormProps) => {
  const own = useRef<HTMLFormElement>(null)
  useEffect(() => void opened.set(own.current!, textIn(own.current!)), [])
  useEffect(() => {
    const form = own.current!
    if (onLeave !== undefined) escapes.set(form, () => isBegun(form) || onLeave())
  }, [onLeave])
  /** Until its button is drawn as busy, a second press would send it again. */
  const isSent = useRef(false)
  return (
    <form
      ref={own} className={className}
      onSubmit={(event) => {
        event.preventDefault()
        if (isSent.current) return
        isSent.current = true
        setTimeout(() => requestAnimationFrame(() => (isSent.current = false)))
        const form = event.currentTarget
        const fields = new FormData(form)
        onSend((name) => String(fields.get(name) ?? ""), form)
      }}
    >
      {children}
    </form>
  )
}
