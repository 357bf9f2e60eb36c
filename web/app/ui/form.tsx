/** A form that is sent by the app and not by the browser. */
import type { ReactNode } from "react"

interface FormProps {
  readonly className?: string
  readonly children: ReactNode
  /** Fields without a state are read as it is sent: password managers fill them without events. */
  readonly onSend: (field: (name: string) => string, form: HTMLFormElement) => void
}

export const Form = ({ children, className = "grid gap-4", onSend }: FormProps) => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault()
      const form = event.currentTarget
      const fields = new FormData(form)
      onSend((name) => String(fields.get(name) ?? ""), form)
    }}
  >
    {children}
  </form>
)
